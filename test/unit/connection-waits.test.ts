// Whom a connection that was waited for is used for: a wrong line is worse than none.
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ConnectionWaits, type Queue } from '../../tracer/connection-waits.ts';
import type { Position, Site } from '../../tracer/sites.ts';

function position(line: number, script = '/app/main.js'): Position {
	return { id: line, script, line, column: 1, functionName: '', functionLine: 1, told: 0 };
}

const [first, second, third] = [position(1), position(2), position(3)] as const;

function site(library: string, user: Position | null = null, isForOthers = false): Site {
	const parts = { api: null, isSync: false, isAwaited: false, handler: null, isTimerCall: false, told: 0 };
	return { id: 1, user, library: position(9, `/app/node_modules/${library}/index.js`), isForOthers, ...parts };
}

function queue(library: string, use: Queue['use']): Queue {
	return { use, folder: `/app/node_modules/${library}/` };
}

const pool = queue('pg-pool', 'calls');
const client = queue('pg', 'sends');
const ticking = queue('mysql2', 'ticks');
const connection = queue('mysql2', 'may send');

describe('who waited for a connection', () => {
	let waits: ConnectionWaits;
	beforeEach(() => {
		waits = new ConnectionWaits();
	});

	/** One waits for that line and is taken out. */
	function turn(at: Queue, user: Position | null): void {
		const item = {};
		waits.begin(item, user);
		waits.end(item, at);
	}

	it('is who was pushed, not who came last', () => {
		const [one, other] = [{}, {}];
		waits.begin(one, first);
		waits.begin(other, second);
		waits.end(one, client);
		assert.equal(waits.takeSender(site('pg'))?.user, first);
		waits.end(other, client);
		assert.equal(waits.takeSender(site('pg'))?.user, second);
		assert.equal(waits.takeSender(site('pg')), null, 'once');
	});

	it('is not known of what was pushed before anybody looked', () => {
		turn(client, first);
		waits.end({}, client);
		assert.equal(waits.takeSender(site('pg')), null);
	});

	it('is not known of a function that waits for two lines at once', () => {
		const callback = () => undefined;
		waits.begin(callback, first);
		waits.begin(callback, second);
		waits.end(callback, ticking);
		assert.deepEqual(waits.takeWaiterOfTick(site('mysql2')), { user: null, queue: ticking });
	});

	it('goes before the line on the stack where a connection sends all that it takes out', () => {
		turn(client, first);
		assert.equal(waits.takeSender(site('pg', third))?.user, first);
	});

	it('does not where a connection may have sent nothing for it', () => {
		turn(connection, first);
		assert.equal(waits.takeSender(site('mysql2', third)), null);
		assert.equal(waits.takeSender(site('mysql2')), null, 'nor later');
	});

	it('says nothing of what another library writes meanwhile', () => {
		turn(client, first);
		assert.equal(waits.takeSender(site('ioredis')), null);
		assert.equal(waits.takeSender(site('pg'))?.user, first);
	});

	it('hands on from the pool to the connection, where somebody gives that back or in a tick', () => {
		for (const [isForOthers, isInTick] of [
			[true, false],
			[false, true],
		] as const) {
			turn(pool, first);
			assert.equal(waits.takeWaiter(site('pg', null, isForOthers), client, isInTick)?.user, first);
		}
	});

	it('hands nothing on to what a library asks later in the same callback, or to who waits next', () => {
		turn(pool, first);
		assert.equal(waits.takeWaiter(site('pg'), client, false), null, 'nobody gives anything back');
		assert.equal(waits.takeWaiter(site('pg', third, false), client, true), null, 'the stack knows');
		assert.equal(waits.takeWaiter(site('pg-pool', null, true), pool, false), null, 'another wait');
		assert.ok(waits.hasWaiter);
	});

	it('has a tick only where its pool starts one', () => {
		turn(pool, first);
		assert.equal(waits.takeWaiterOfTick(site('pg-pool')), null);
		turn(ticking, first);
		assert.equal(waits.takeWaiterOfTick(site('pino')), null, 'of another library');
		assert.equal(waits.takeWaiterOfTick(site('mysql2', third)), null, 'the stack knows');
		assert.equal(waits.takeWaiterOfTick(site('mysql2'))?.user, first);
		assert.ok(!waits.hasWaiter);
	});

	it('is over with the callback', () => {
		turn(pool, first);
		turn(client, second);
		waits.clear();
		assert.ok(!waits.hasWaiter);
		assert.equal(waits.takeSender(site('pg')), null);
	});
});
