// For which line a connection is used that was waited for: a wrong line is worse than none.
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { newOperation } from '../../../tracer/operations/operation.ts';
import { kindOf } from '../../../tracer/process/kinds.ts';
import type { Position, Site } from '../../../tracer/sites/site.ts';
import {
	ASKS,
	CALLS,
	CALLS_IN_TICK,
	ConnectionWaits,
	MAY_SEND,
	type Queue,
	SENDS,
} from '../../../tracer/sources/connection-waits.ts';

function position(line: number, script = '/app/main.js'): Position {
	return { id: line, script, line, column: 1, functionName: '', functionLine: 1, functionColumn: 1, written: 0 };
}

const [first, second, third] = [position(1), position(2), position(3)] as const;

function site(library: string, user: Position | null = null, isForOthers = false): Site {
	const parts = {
		api: null,
		isSync: false,
		isAwaited: false,
		handler: null,
		caller: null,
		called: null,
		isTimerCall: false,
		isMessageWrite: false,
		isMessageEnd: false,
		written: 0,
	};
	return { id: 1, user, library: position(9, `/app/node_modules/${library}/index.js`), isForOthers, ...parts };
}

const owner = {};

function queue(library: string, use: Queue['use'], of: object = owner): Queue {
	return {
		use,
		folder: `/app/node_modules/${library}/`,
		owner: new WeakRef(of),
		link: null,
		length: () => lengths.get(use) ?? 1,
	};
}

const lengths = new Map<Queue['use'], number>();
const pool = queue('pg-pool', CALLS);
const client = queue('pg', SENDS);
const ticking = queue('mysql2', CALLS_IN_TICK);
const connection = queue('mysql2', MAY_SEND);

describe('the line that waited for a connection', () => {
	let waits: ConnectionWaits;
	beforeEach(() => {
		waits = new ConnectionWaits();
	});

	/** An item waits for that line and is taken out. */
	function turn(at: Queue, user: Position | null): void {
		const item = {};
		waits.begin(item, at, user, null);
		waits.end(item, at, null);
	}

	it('is that of the item pushed, not of the last one', () => {
		const [one, other] = [{}, {}];
		waits.begin(one, client, first, null);
		waits.begin(other, client, second, null);
		waits.end(one, client, null);
		assert.equal(waits.takeSender(site('pg'))?.user, first);
		waits.end(other, client, null);
		assert.equal(waits.takeSender(site('pg'))?.user, second);
		assert.equal(waits.takeSender(site('pg')), null, 'once');
	});

	it('is unknown for an item pushed before the queue was watched', () => {
		turn(client, first);
		waits.end({}, client, null);
		assert.equal(waits.takeSender(site('pg')), null);
	});

	it('is unknown for a function that waits for two lines at once', () => {
		const callback = () => undefined;
		waits.begin(callback, ticking, first, null);
		waits.begin(callback, ticking, second, null);
		waits.end(callback, ticking, null);
		assert.equal(waits.takeWaiterOfPool(site('mysql2'))?.user, null);
	});

	it('takes precedence over the line on the stack where a connection sends all that it takes out', () => {
		turn(client, first);
		assert.equal(waits.takeSender(site('pg', third))?.user, first);
	});

	it('does not take precedence where a connection may have sent nothing for it', () => {
		turn(connection, first);
		assert.equal(waits.takeSender(site('mysql2', third)), null);
		assert.equal(waits.takeSender(site('mysql2')), null, 'nor later');
	});

	it('does not apply to what another library writes meanwhile', () => {
		turn(client, first);
		assert.equal(waits.takeSender(site('ioredis')), null);
		assert.equal(waits.takeSender(site('pg'))?.user, first);
	});

	it('is passed from the pool to the connection, when a line gives that back or in a tick', () => {
		for (const [isForOthers, isInTick] of [
			[true, false],
			[false, true],
		] as const) {
			turn(pool, first);
			assert.equal(waits.takeWaiter(site('pg', null, isForOthers), client, isInTick)?.user, first);
		}
	});

	it('is not passed to what a library sends later in the same callback, or to the next waiting item', () => {
		turn(pool, first);
		assert.equal(waits.takeWaiter(site('pg'), client, false), null, 'nobody gives anything back');
		assert.equal(waits.takeWaiter(site('pg', third, false), client, true), null, 'the stack knows');
		assert.equal(waits.takeWaiter(site('pg-pool', null, true), pool, false), null, 'another wait');
		assert.ok(waits.hasWaiter);
	});

	it('does not apply to another connection than the pool has given', () => {
		const item = {};
		waits.begin(item, pool, first, null);
		waits.end(item, pool, owner);
		const other = queue('pg', SENDS, {});
		assert.equal(waits.takeWaiter(site('pg', null, true), other, false), null, 'a library that has one already');
		assert.equal(waits.takeWaiter(site('pg', null, true), client, false)?.user, first);
	});

	it('applies to a tick only where its pool starts one', () => {
		turn(pool, first);
		assert.equal(waits.takeWaiterOfPool(site('pg-pool')), null);
		turn(ticking, first);
		assert.equal(waits.takeWaiterOfPool(site('pino')), null, 'of another library');
		assert.equal(waits.takeWaiterOfPool(site('mysql2', third)), null, 'the stack knows');
		assert.equal(waits.takeWaiterOfPool(site('mysql2'))?.user, first);
		assert.ok(!waits.hasWaiter);
	});

	it('is known by the item where a library names it, and refused items have none', () => {
		const offline = queue('ioredis', ASKS);
		const [refused, asked] = [{}, {}];
		waits.begin(refused, offline, first, null);
		waits.begin(asked, offline, second, null);
		waits.end(refused, offline, null);
		assert.equal(waits.takeSender(site('ioredis')), null, 'what else the library sends');
		assert.equal(waits.takeAsker({}), null);
		waits.end(asked, offline, null);
		assert.equal(waits.takeAsker(asked)?.user, second);
		assert.equal(waits.takeAsker(asked), null, 'once');
	});

	it('ends with the callback', () => {
		turn(pool, first);
		turn(client, second);
		waits.clear();
		assert.ok(!waits.hasWaiter);
		assert.equal(waits.takeSender(site('pg')), null);
	});
});

describe('the operation of a wait', () => {
	const operation = (id: number) => newOperation(id, kindOf('POOLWAIT'), site('pg-pool', first), id, 0);
	const [one, other] = [operation(1), operation(2)];
	let waits: ConnectionWaits;
	beforeEach(() => {
		waits = new ConnectionWaits();
		lengths.clear();
	});

	it('ends when its own turn has come', () => {
		const [earlier, later] = [{}, {}];
		waits.begin(earlier, pool, first, one);
		waits.begin(later, pool, second, other);
		assert.equal(waits.end(later, pool, null), other);
		assert.equal(waits.giveUp(earlier, pool), one);
		assert.equal(waits.giveUp(earlier, pool), null, 'once');
	});

	it('is one for a whole batch, and ends when the first of it has its turn', () => {
		const [leader, follower, batch] = [{}, {}, {}];
		assert.ok(!waits.join(leader, batch));
		waits.begin(leader, pool, first, one);
		waits.lead(leader, batch);
		assert.ok(waits.join(follower, batch));
		assert.equal(waits.end(leader, pool, null), one);
		assert.equal(waits.end(follower, pool, null), null);
	});

	it('is a new one each time that the same function waits', () => {
		const callback = () => undefined;
		waits.begin(callback, ticking, first, one);
		waits.begin(callback, ticking, second, other);
		assert.equal(waits.end(callback, ticking, null), one);
		assert.equal(waits.end(callback, ticking, null), other);
	});

	it('starts no turn where it is given up', () => {
		const item = {};
		waits.begin(item, client, first, one);
		assert.equal(waits.giveUp(item, client), one);
		assert.equal(waits.takeSender(site('pg')), null);
	});

	it('ends when its queue is empty, and not before', () => {
		waits.begin({}, pool, first, one);
		waits.begin({}, client, second, other);
		assert.deepEqual(waits.emptied(), []);
		lengths.set(CALLS, 0);
		assert.deepEqual(waits.emptied(), [one]);
		assert.deepEqual(waits.emptied(), [], 'once');
		lengths.set(SENDS, -1);
		assert.deepEqual(waits.emptied(), [], 'who waits in a queue that is gone waits for good');
	});
});
