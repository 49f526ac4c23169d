// For which line a library goes on when it takes out of a queue what waited there for a connection: first a pool gives one of its
// connections to who waits, then a connection asks what waits for it.
import type { Position, Site } from './sites.ts';

/** Where something waits. */
export interface Queue {
	/**
	 * What is done with what is taken out: a connection sends it, or has nothing to send for it; a pool calls it back, at once or in a tick
	 * that it starts then.
	 */
	readonly use: 'sends' | 'may send' | 'calls' | 'ticks';
	/** The library's folder. */
	readonly folder: string;
}

interface Wait {
	/** Null when nobody knows. */
	readonly user: Position | null;
}

/** What was taken out last. */
interface Turn extends Wait {
	readonly queue: Queue;
}

export class ConnectionWaits {
	private readonly waits = new WeakMap<object, Wait>();
	/** Whom a pool has just given a connection, and what a connection is about to ask: until that is used, or the running callback is over. */
	private waiter: Turn | null = null;
	private sender: Turn | null = null;

	/** Whether a pool has just given somebody a connection: a tick, or what is pushed now, may be for that one and not as it was foretold. */
	get hasWaiter(): boolean {
		return this.waiter !== null;
	}

	/** @param user the line that it is for; null when that is not known */
	begin(item: object, user: Position | null): void {
		// The same function may wait twice, for two lines.
		this.waits.set(item, { user: this.waits.has(item) ? null : user });
	}

	end(item: object, queue: Queue): void {
		const wait = this.waits.get(item);
		this.waits.delete(item);
		const turn = wait === undefined ? null : { user: wait.user, queue };
		if (isOfPool(queue)) this.waiter = turn;
		else this.sender = turn;
	}

	/**
	 * Who waited for the connection over which something is asked now; null when no pool calls for it, or the stack knows who asks.
	 * @param queue where it is pushed @param isInTick whether a pool may call in a tick; else somebody gives the connection back
	 */
	takeWaiter({ user, isForOthers }: Site, queue: Queue, isInTick: boolean): Wait | null {
		const isCalled = this.waiter?.queue.use === 'calls' && !isOfPool(queue);
		return isCalled && user === null && (isForOthers || isInTick) ? this.take() : null;
	}

	/** Who a pool has started a tick for; null when that is for nobody who waited. */
	takeWaiterOfTick({ user, library }: Site): Wait | null {
		const { queue } = this.waiter ?? {};
		if (user !== null || queue?.use !== 'ticks' || library?.script.startsWith(queue.folder) !== true) return null;
		return this.take();
	}

	/** Who waited for what a connection asks now; null when it did not just take that out of its queue, or the stack may know better. */
	takeSender({ user, library }: Site): Wait | null {
		const { sender } = this;
		if (sender === null || library?.script.startsWith(sender.queue.folder) !== true) return null;
		this.sender = null;
		return user === null || sender.queue.use === 'sends' ? sender : null;
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
}

function isOfPool({ use }: Queue): boolean {
	return use === 'calls' || use === 'ticks';
}
