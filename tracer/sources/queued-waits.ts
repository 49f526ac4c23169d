// Waits for a connection, or for a turn on one. Each is an operation of its own, from the time a library puts an item
// into its queue until it takes the item out.

import { newOperation, type Operation } from '../operations/operation.ts';
import { kindOf } from '../process/kinds.ts';
import { onLine } from '../sites/derived-sites.ts';
import type { Position } from '../sites/site.ts';
import { isOfPool, type Queue, SETTLES } from './connection-waits.ts';
import { type Mark, NEW, type Need, NOTHING, OTHERS, PUSHES, TURN, WANTED } from './library-queues.ts';
import type { SourcePort } from './port.ts';
import type { ServedRequests } from './served-requests.ts';

const POOL_WAIT = kindOf('POOLWAIT');
export const CONNECTION_WAIT = kindOf('CONNECTIONWAIT');

export class QueuedWaits {
	private readonly port: SourcePort;
	private readonly served: ServedRequests;
	/** A wait that is over, whose line may show in what is asked next over the connection. */
	private unplaced: Operation | null = null;
	/** When it was over. */
	private overAt = 0;
	/** The latest wait for a pool that may make a connection for it: it is written once it is clear that the pool does not. */
	private fresh: Operation | null = null;
	/** Waits for a pool that made a connection for them: nobody was in their way, and they are not written. */
	private readonly withNew = new WeakSet<Operation>();
	/** The lines that want the results of what will put its item into a queue. */
	private readonly callers = new WeakMap<object, Position>();

	constructor(port: SourcePort, served: ServedRequests) {
		this.port = port;
		this.served = served;
	}

	/**
	 * Something begins to wait for a connection. The line for which it waits is captured each time: the order in which
	 * lines have to wait is chance.
	 * @param batch what it will be sent together with; null when it is alone
	 */
	begin(item: object, queue: Queue, needed: Need, batch: object | null): void {
		const { attribution, stack, waits } = this.port;
		const caller = waits.takeCaller();
		if (needed === NOTHING && !waits.hasWaiter) return;
		if (batch !== null && waits.join(item, batch)) return;
		this.writeFresh();
		const kind = isOfPool(queue) ? POOL_WAIT : CONNECTION_WAIT;
		// What a connection sends in the same turn is no wait: such lines come in an order of their own.
		const isSent = needed === TURN && queue.link !== null;
		const { unplaced } = this;
		const isOfWaiter = unplaced !== null && waits.isGiven(queue);
		const site = isSent ? attribution.locate(kind, undefined, !waits.hasWaiter) : attribution.capture(kind, isOfWaiter);
		if (!isOfWaiter) attribution.noteWait(site);
		const waiter = waits.takeWaiter(site, queue, stack.isInTick);
		const user = caller ?? (waiter ?? attribution.shown(site)).user;
		if (isOfWaiter && site.user !== null) {
			unplaced.site = site;
			if (unplaced.leftOut === null) this.port.records.start(unplaced);
			this.served.place(unplaced, site);
			this.settle();
		}
		let operation: Operation | null = null;
		// The line that awaits a promise may not be on the stack yet: then it is written without, and again with it.
		if (needed >= OTHERS && (user !== null || queue.use === SETTLES)) {
			operation = this.make(kind, onLine(site, user));
			if (user === null) this.served.waitFor(operation);
			if (needed === NEW) this.fresh = operation;
			else this.write(operation);
		}
		waits.begin(item, queue, user, operation, isSent ? site : null);
		if (batch !== null) waits.lead(item, batch);
	}

	/**
	 * A library takes an item out of its queue and continues with it: within this callback, which belongs to another
	 * operation, or in the tick that it starts next.
	 * @param given the connection that a pool gives it; null where that is unknown
	 */
	end(item: object, queue: Queue, given: object | null): void {
		this.settle();
		const operation = this.port.waits.end(item, queue, given);
		this.overAt = this.port.clock.now();
		if (operation?.site.user === null) this.unplaced = operation;
		else this.complete(operation);
	}

	/** A library takes an item out of its queue and does nothing for it: its time ran out, or it was cancelled. */
	giveUp(item: object, queue: Queue): void {
		this.settle();
		this.complete(this.port.waits.giveUp(item, queue));
	}

	/** A pool makes a connection for what was pushed last. */
	makeNew(): void {
		if (this.fresh !== null) this.withNew.add(this.fresh);
		this.fresh = null;
	}

	/** See Mark in library-queues.ts. @param instance one whose item is to wait @param folder its library's */
	mark(instance: object, mark: Mark, folder: string): void {
		const { callers } = this;
		const { attribution, waits } = this.port;
		const known = callers.get(instance);
		if (mark === WANTED) {
			if (known !== undefined) return;
			const site = attribution.capture(POOL_WAIT);
			attribution.noteWait(site);
			if (site.user !== null) callers.set(instance, site.user);
		} else if (mark === PUSHES && known !== undefined) waits.expect(known, folder);
		else waits.expectNone();
	}

	/** What is taken out of a queue is not seen from now on. */
	rest(): void {
		this.unplaced = this.fresh = null;
		this.port.waits.rest();
	}

	/** Completes what waited in a queue that the library has emptied all at once; writes what is not written yet. */
	endEmptied(): void {
		this.settle();
		const emptied = this.port.waits.emptied();
		for (let at = 0; at < emptied.length; at++) this.complete(emptied[at]!);
	}

	private settle(): void {
		this.writeFresh();
		const { unplaced } = this;
		this.unplaced = null;
		this.complete(unplaced, this.overAt);
	}

	private writeFresh(): void {
		if (this.fresh !== null) this.write(this.fresh);
		this.fresh = null;
	}

	private make(kind: typeof POOL_WAIT, site: Operation['site']): Operation {
		const id = this.port.starts.newOwnId();
		return newOperation(id, kind, site, id, this.port.clock.now());
	}

	private write(operation: Operation): void {
		const { records, sampling, starts } = this.port;
		const { kind, site } = operation;
		if (sampling.every > 1) operation.leftOut = starts.leaveOut(site, kind);
		if (operation.leftOut === null) records.start(operation);
	}

	/**
	 * An item that waited has its turn now, in the middle of another operation's callback: what runs afterwards is not
	 * its own.
	 */
	private complete(operation: Operation | null, at = this.port.clock.now()): void {
		if (operation === null || this.withNew.has(operation)) return;
		const { records, sampling } = this.port;
		if (operation.leftOut === null) records.nested(operation, at, 0);
		else sampling.count(operation.leftOut);
	}
}
