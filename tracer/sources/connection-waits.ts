// Finds the line for which a library continues when it takes an item out of a queue in which it waited for a
// connection: first a pool gives one of its connections to a waiting item, then a connection sends what waits for it.
import type { Operation } from '../operations/operation.ts';
import type { Position, Site } from '../sites/site.ts';
import type { Asked } from './asked-in-turn.ts';

// What a library does with an item that it takes out of a queue. Constants, because esbuild then inlines their values.

/** A connection sends it. */
export const SENDS = 0;
/** A connection sends it or has nothing to send for it. */
export const MAY_SEND = 1;
/** It is put into the queue of what was sent and not answered, or refused. */
export const ASKS = 2;
/** A pool, as all from here on, calls it back at once. */
export const CALLS = 3;
/** It calls it back in a tick that it starts then, or makes the request then. */
export const CALLS_IN_TICK = 4;
/** It resolves its promise, and stacks show who awaits that. */
export const SETTLES = 5;

export type Use = typeof SENDS | typeof MAY_SEND | typeof ASKS | typeof CALLS | typeof CALLS_IN_TICK | typeof SETTLES;

/** A queue in which items wait for a connection, or on one. */
export interface Queue {
	/** What the library does with an item that it takes out. */
	readonly use: Use;
	/** The library's folder. */
	readonly folder: string;
	/** The pool or connection whose queue it is. */
	readonly owner: WeakRef<object>;
	/** How many items wait in it; -1 when it no longer exists. */
	length(): number;
	/** Where a connection sends what it takes out, as far as that is known. */
	link: Link | null;
}

/** The connection of a library's queue that does not lead to it: its socket is the one to which the library writes next. */
export interface Link {
	/** The library's folder. */
	readonly folder: string;
	/** Async id of the socket's handle; -1 as long as it is not known, and while there is no connection. */
	handle: number;
}

/** Something that was asked over a connection, and is not written yet. */
interface Unsent {
	readonly asked: Asked;
	readonly link: Link;
}

const NONE_UNSENT: readonly Unsent[] = [];

interface Wait {
	/** Null when the line is unknown. */
	readonly user: Position | null;
	/** The operations that record the wait, one for each time that the item waits. */
	readonly operations: Operation[];
	/** Where it was pushed, as far as that is of use. */
	readonly site: Site | null;
}

/** The item that was taken out last. */
interface Turn {
	readonly user: Position | null;
	readonly queue: Queue;
	readonly item: WeakRef<object>;
	/** The connection that a pool gives; null where that is unknown. */
	readonly given: WeakRef<object> | null;
	/** Where it was pushed, as far as that is of use. */
	readonly site: Site | null;
}

export class ConnectionWaits {
	private waits = new WeakMap<object, Wait>();
	private batches = new WeakMap<object, Wait>();
	/** The operations of the items that wait, by queue. */
	private readonly waiting = new Map<Queue, Set<Operation>>();
	/** What a library's queue has shown since the latest write: it goes to the socket that the library writes to next. */
	private unsent: Unsent[] = [];
	/** The line that wants what a library is about to put into a queue or to ask for, and the library's folder. */
	private caller: { readonly user: Position; readonly folder: string } | null = null;
	/**
	 * The item to which a pool has just given a connection, and the item that a connection is about to send: each until
	 * it is used, or the running callback is over.
	 */
	private waiter: Turn | null = null;
	private sender: Turn | null = null;

	/**
	 * Whether a pool has just given an item a connection: a tick or a push may then be for that item and not as
	 * predicted.
	 */
	get hasWaiter(): boolean {
		return this.waiter !== null;
	}

	/** A library's queue shows that something was asked whose socket is the one that the library writes to next. */
	noteUnsent(asked: Asked, link: Link): void {
		this.unsent.push({ asked, link });
	}

	/** What was asked goes over a socket that is known. */
	dropUnsent(): void {
		this.unsent = [];
	}

	/** What is sent now, as a line of that library writes. */
	takeUnsent({ library }: Site): readonly Unsent[] {
		const { unsent } = this;
		if (unsent.length === 0 || library?.script.startsWith(unsent[0]!.link.folder) !== true) return NONE_UNSENT;
		this.unsent = [];
		return unsent;
	}

	/** A line wants what a library is about to put into a queue or to ask for. @param folder the library's */
	expect(user: Position, folder: string): void {
		this.caller = { user, folder };
	}

	/** No line is known to want it. */
	expectNone(): void {
		this.caller = null;
	}

	/** The line that wants what is put into a queue now; null where none is known to. */
	takeCaller(): Position | null {
		const user = this.caller?.user ?? null;
		this.caller = null;
		return user;
	}

	/**
	 * @param user the line that the item waits for; null when that is unknown
	 * @param operation records the wait; null when there is no wait, or it is nobody's
	 * @param site where it was pushed, where what is sent need not be located again
	 */
	begin(
		item: object,
		queue: Queue,
		user: Position | null,
		operation: Operation | null,
		site: Site | null = null,
	): void {
		const before = this.waits.get(item);
		const operations = before?.operations ?? [];
		// The same function may wait twice, for two lines.
		this.waits.set(item, { user: before === undefined ? user : null, operations, site });
		if (operation === null) return;
		operations.push(operation);
		let waiting = this.waiting.get(queue);
		if (waiting === undefined) {
			waiting = new Set();
			this.waiting.set(queue, waiting);
		}
		waiting.add(operation);
	}

	/**
	 * `item` waits together with another one of its batch, whose operation records the wait of all.
	 * @returns whether there is one
	 */
	join(item: object, batch: object): boolean {
		const first = this.batches.get(batch);
		if (first === undefined) return false;
		this.waits.set(item, { ...first, operations: [] });
		return true;
	}

	/** `item`, which waits now, is the first of that batch. */
	lead(item: object, batch: object): void {
		const wait = this.waits.get(item);
		if (wait !== undefined) this.batches.set(batch, wait);
	}

	/**
	 * `item` is taken out, and the library continues with it.
	 * @param given the connection that a pool gives it; null where that is unknown
	 * @returns the operation that recorded its wait
	 */
	end(item: object, queue: Queue, given: object | null): Operation | null {
		const wait = this.waits.get(item);
		const turn =
			wait === undefined
				? null
				: {
						user: wait.user,
						queue,
						item: new WeakRef(item),
						given: given === null ? null : new WeakRef(given),
						site: wait.site,
					};
		if (isOfPool(queue)) this.waiter = turn;
		else this.sender = turn;
		return this.giveUp(item, queue);
	}

	/** `item` waits no longer, and the library does nothing for it. @returns the operation that recorded its wait */
	giveUp(item: object, queue: Queue): Operation | null {
		const wait = this.waits.get(item);
		if (wait === undefined) return null;
		const operation = wait.operations.shift() ?? null;
		if (wait.operations.length === 0) this.waits.delete(item);
		if (operation !== null) this.forget(operation, queue);
		return operation;
	}

	/** The operations of items in queues that were emptied all at once, which calls no method that is watched. */
	emptied(): Operation[] {
		if (this.waiting.size === 0) return [];
		const over: Operation[] = [];
		this.waiting.forEach((operations, queue) => {
			const length = queue.length();
			if (length > 0) return;
			this.waiting.delete(queue);
			// What waits in a pool that no longer exists waits forever.
			if (length !== 0) return;
			operations.forEach((operation) => {
				over.push(operation);
			});
		});
		return over;
	}

	/**
	 * The line that waited for the connection over which something is sent now; null when it is not sent for a pool, or
	 * the stack shows who sends it.
	 * @param queue where it is pushed @param isInTick whether a pool may have called in a tick; otherwise a line gives
	 * the connection back
	 */
	takeWaiter({ user, isForOthers }: Site, queue: Queue, isInTick: boolean): { user: Position | null } | null {
		const { waiter } = this;
		if (waiter?.queue.use !== CALLS || isOfPool(queue)) return null;
		// A library whose pool it is calls its own connection at once.
		if (user === null && waiter.queue.folder === queue.folder) return this.takeTurn();
		// A library may send something over another connection before the waiting item does.
		if (waiter.given !== null && waiter.given.deref() !== queue.owner.deref()) return null;
		return user === null && (isForOthers || isInTick) ? this.takeTurn() : null;
	}

	/** The line for which a pool starts a tick or makes a request; null when that is for no item that waited. */
	takeWaiterOfPool({ user, library }: Site): { user: Position | null } | null {
		const { queue } = this.waiter ?? {};
		if (user !== null || queue?.use !== CALLS_IN_TICK || library?.script.startsWith(queue.folder) !== true) return null;
		return this.takeTurn();
	}

	/**
	 * The line that waited for what a connection sends now; null when the connection did not just take that out of its
	 * queue, or the stack may be more precise.
	 */
	takeSender({ user, library }: Site): { user: Position | null } | null {
		const { sender } = this;
		if (sender === null || sender.queue.use === ASKS) return null;
		if (library?.script.startsWith(sender.queue.folder) !== true) return null;
		this.sender = null;
		return user === null || sender.queue.use === SENDS ? sender : null;
	}

	/** The line that waited for what is sent now; null when that was not just taken out of a queue. */
	takeAsker(item: object): { user: Position | null; site: Site | null } | null {
		const { sender } = this;
		if (sender?.queue.use !== ASKS || sender.item.deref() !== item) return null;
		this.sender = null;
		return sender;
	}

	/** Whether a pool has just given the connection with that queue to an item that waited. */
	isGiven(queue: Queue): boolean {
		return this.waiter?.given?.deref() === queue.owner.deref();
	}

	/** The line that wants what a library starts there; null where the stack shows it, or nobody is known. */
	callerAt({ user, library }: Site): Position | null {
		const { caller } = this;
		return user === null && caller !== null && library?.script.startsWith(caller.folder) === true ? caller.user : null;
	}

	/** What is taken out of a queue is not seen from now on. */
	rest(): void {
		this.waits = new WeakMap();
		this.batches = new WeakMap();
		this.waiting.clear();
	}

	/** Another callback begins, or one is over. */
	clear(): void {
		this.waiter = this.sender = this.caller = null;
		if (this.unsent.length > 0) this.unsent = [];
	}

	private takeTurn(): Turn | null {
		const { waiter } = this;
		this.waiter = null;
		return waiter;
	}

	private forget(operation: Operation, queue: Queue): void {
		const waiting = this.waiting.get(queue);
		waiting?.delete(operation);
		if (waiting?.size === 0) this.waiting.delete(queue);
	}
}

/** Whether a queue belongs to a pool, and not to a connection. */
export function isOfPool({ use }: Queue): boolean {
	return use >= CALLS;
}
