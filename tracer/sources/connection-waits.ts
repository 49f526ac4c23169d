// For which line a library goes on when it takes out of a queue what waited there for a connection: first a pool gives one of its
// connections to who waits, then a connection asks what waits for it.
import type { Operation } from '../operations/operation.ts';
import type { Position, Site } from '../sites/site.ts';

/** Where something waits. */
export interface Queue {
	/**
	 * What is done with what is taken out: a connection sends it, or has nothing to send for it; it is put into the queue of what is asked, or
	 * refused; a pool calls it back, at once or in a tick that it starts then.
	 */
	readonly use: 'sends' | 'may send' | 'asks' | 'calls' | 'ticks';
	/** The library's folder. */
	readonly folder: string;
	/** The pool or connection whose queue it is. */
	readonly owner: WeakRef<object>;
	/** How many wait in it; -1 when it is there no more. */
	length(): number;
}

interface Wait {
	/** Null when nobody knows. */
	readonly user: Position | null;
	/** What tells of the wait, one for each time that this waits. */
	readonly operations: Operation[];
}

/** What was taken out last. */
interface Turn {
	readonly user: Position | null;
	readonly queue: Queue;
	readonly item: WeakRef<object>;
	/** The connection that a pool gives; null where nobody knows which. */
	readonly given: WeakRef<object> | null;
}

export class ConnectionWaits {
	private readonly waits = new WeakMap<object, Wait>();
	private readonly batches = new WeakMap<object, Wait>();
	/** What tells of those that wait, by queue. */
	private readonly waiting = new Map<Queue, Set<Operation>>();
	/** Whom a pool has just given a connection, and what a connection is about to ask: until that is used, or the running callback is over. */
	private waiter: Turn | null = null;
	private sender: Turn | null = null;

	/** Whether a pool has just given somebody a connection: a tick, or what is pushed now, may be for that one and not as it was predicted. */
	get hasWaiter(): boolean {
		return this.waiter !== null;
	}

	/**
	 * @param user the line that it is for; null when that is not known
	 * @param operation tells of the wait; null when it is none, or nobody's
	 */
	begin(item: object, queue: Queue, user: Position | null, operation: Operation | null): void {
		const before = this.waits.get(item);
		const operations = before?.operations ?? [];
		// The same function may wait twice, for two lines.
		this.waits.set(item, { user: before === undefined ? user : null, operations });
		if (operation === null) return;
		operations.push(operation);
		let waiting = this.waiting.get(queue);
		if (waiting === undefined) {
			waiting = new Set();
			this.waiting.set(queue, waiting);
		}
		waiting.add(operation);
	}

	/** It waits with another one of its batch, which tells of the wait of all. @returns whether there is one */
	join(item: object, batch: object): boolean {
		const first = this.batches.get(batch);
		if (first === undefined) return false;
		this.waits.set(item, { user: first.user, operations: [] });
		return true;
	}

	/** What waits now is the first of that batch. */
	lead(item: object, batch: object): void {
		const wait = this.waits.get(item);
		if (wait !== undefined) this.batches.set(batch, wait);
	}

	/**
	 * It is taken out, and the library goes on for it.
	 * @param given the connection that a pool gives it; null where nobody knows which
	 * @returns what told of its wait
	 */
	end(item: object, queue: Queue, given: object | null): Operation | null {
		const wait = this.waits.get(item);
		const turn =
			wait === undefined
				? null
				: { user: wait.user, queue, item: new WeakRef(item), given: given === null ? null : new WeakRef(given) };
		if (isOfPool(queue)) this.waiter = turn;
		else this.sender = turn;
		return this.giveUp(item, queue);
	}

	/** It waits no more, and the library does nothing for it. @returns what told of its wait */
	giveUp(item: object, queue: Queue): Operation | null {
		const wait = this.waits.get(item);
		if (wait === undefined) return null;
		const operation = wait.operations.shift() ?? null;
		if (wait.operations.length === 0) this.waits.delete(item);
		if (operation !== null) this.forget(operation, queue);
		return operation;
	}

	/** What told of waits in queues that were emptied at once, which no method tells. */
	emptied(): Operation[] {
		if (this.waiting.size === 0) return [];
		const over: Operation[] = [];
		this.waiting.forEach((operations, queue) => {
			const length = queue.length();
			if (length > 0) return;
			this.waiting.delete(queue);
			// What waited in a pool that nobody has any more waits for good.
			if (length !== 0) return;
			operations.forEach((operation) => {
				over.push(operation);
			});
		});
		return over;
	}

	/**
	 * Who waited for the connection over which something is asked now; null when no pool calls for it, or the stack knows who asks.
	 * @param queue where it is pushed @param isInTick whether a pool may call in a tick; else somebody gives the connection back
	 */
	takeWaiter({ user, isForOthers }: Site, queue: Queue, isInTick: boolean): { user: Position | null } | null {
		const { waiter } = this;
		if (waiter?.queue.use !== 'calls' || isOfPool(queue)) return null;
		// A library may ask over another connection before who waited does.
		if (waiter.given !== null && waiter.given.deref() !== queue.owner.deref()) return null;
		return user === null && (isForOthers || isInTick) ? this.take() : null;
	}

	/** Who a pool has started a tick for; null when that is for nobody who waited. */
	takeWaiterOfTick({ user, library }: Site): { user: Position | null } | null {
		const { queue } = this.waiter ?? {};
		if (user !== null || queue?.use !== 'ticks' || library?.script.startsWith(queue.folder) !== true) return null;
		return this.take();
	}

	/** Who waited for what a connection asks now; null when it did not just take that out of its queue, or the stack may know better. */
	takeSender({ user, library }: Site): { user: Position | null } | null {
		const { sender } = this;
		if (sender === null || sender.queue.use === 'asks') return null;
		if (library?.script.startsWith(sender.queue.folder) !== true) return null;
		this.sender = null;
		return user === null || sender.queue.use === 'sends' ? sender : null;
	}

	/** Who waited for what is asked now; null when that was not just taken out of a queue. */
	takeAsker(item: object): { user: Position | null } | null {
		const { sender } = this;
		if (sender?.queue.use !== 'asks' || sender.item.deref() !== item) return null;
		this.sender = null;
		return sender;
	}

	/** Another callback begins, or one is over. */
	clear(): void {
		this.waiter = null;
		this.sender = null;
	}

	private take(): Turn | null {
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

/** Whether it is a pool's, and not a connection's. */
export function isOfPool({ use }: Queue): boolean {
	return use === 'calls' || use === 'ticks';
}
