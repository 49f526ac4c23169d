// The threads of one process. They share a thread pool, so their records must be replayed in the order of time, though each
// journal comes by itself: a thread's records are held back until every other one has told what it did before. One that sleeps or
// is blocked writes nothing; that it has nothing to tell is taken for granted when the host has looked and seen nothing for a
// while. Should it tell later, the figures of that time become estimates. A process of one thread is read as it comes.
import { Heap } from './heap.ts';
import type { JournalReader } from './journal-reader.ts';
import type { ProcessPool } from './process-pool.ts';
import type { ThreadModel } from './thread-model.ts';

/** One journal and what was read of it. */
export interface Thread {
	readonly reader: JournalReader;
	readonly model: ThreadModel;
	/** Its process; null until it has told which that is. */
	process: ProcessModel | null;
	/** No more bytes will come; `gone` when its process has ended, as far as the host can tell. */
	finished: 'gone' | 'alive' | null;
	/** All of it was read; `cut` when not all of that could be understood. */
	read: 'whole' | 'cut' | null;
}

/** The thread ended without a last word. */
export function endSilently({ model, read }: Thread): void {
	if (model.outcome === 'running') model.outcome = read === 'cut' ? 'truncated' : 'killed';
}

/**
 * A thread that the host has seen silent for so long, in µs, had nothing to tell: it writes within 200 ms, unless one callback holds its
 * loop for longer. A live view of several threads lags behind by as much when one of them sleeps.
 */
const SILENCE_US = 1_000_000;
/**
 * So many threads are waited for that were started and have not been read: who starts more at once has most of them traced soon, and what they
 * tell late becomes estimates.
 */
const MOST_UNBORN = 256;
/** Ends of Workers kept until their journals have been read, the latest. */
const MOST_ENDED = 1024;

/** Where the order of time goes on: a record that can be read, or the time up to which a thread has told all. */
interface Front {
	/** µs of hrtime. */
	time: number;
	threadId: number;
	/** null: nothing to read. */
	thread: Thread | null;
}

const END: Front = { time: Infinity, threadId: Infinity, thread: null };

export class ProcessModel {
	readonly pool: ProcessPool;
	/** Threads that have told their last since they were asked for, with the time of that in µs of the process. */
	private closed: { thread: Thread; last: number }[] = [];
	/** Threads that may still tell something, by id. */
	private readonly open = new Map<number, Thread>();
	/** Threads that were started and have not been read yet: since when, in µs of hrtime, by id. */
	private readonly unborn = new Map<number, number>();
	/** Workers that have ended: when, in µs of hrtime, by id. */
	private readonly ended = new Map<number, number>();
	/** Threads whose journals have come. */
	private readonly known = new Set<number>();
	/** Where the order of time goes on, while records are read. */
	private readonly fronts = new Heap<Front>((a, b) => isBefore(a, b.time, b.threadId));
	/** Whether all that may still tell something have told it: nobody is waited for. */
	private isFinished = false;
	/** Whether the readers wait to be asked for each record. */
	private isSuspending = false;
	private reads = 0;
	/** Time of the latest record that was read, in µs of hrtime. */
	private readTo = -Infinity;

	constructor(pool: ProcessPool) {
		this.pool = pool;
	}

	/** Whether threads may have to wait for one another. */
	get isShared(): boolean {
		return this.open.size + this.unborn.size > 1;
	}

	/** Whether a thread's journal can be one of this process: ids of processes are used again, those of its threads are not. */
	canHold(threadId: number): boolean {
		return !this.known.has(threadId);
	}

	add(thread: Thread): void {
		const { model } = thread;
		const { threadId, beganUs } = model.facts!;
		this.known.add(threadId);
		if (!this.known.has(0)) this.unborn.set(0, beganUs);
		model.join(this.pool);
		model.children.watcher = {
			started: (id, at) => {
				if (this.isFinished || this.known.has(id) || this.unborn.size === MOST_UNBORN) return;
				this.unborn.set(id, at);
				this.fronts.push({ time: at, threadId: id, thread: null });
				this.hold();
			},
			ended: (id, at) => {
				this.ended.set(id, at);
				if (this.ended.size > MOST_ENDED) this.ended.delete(this.ended.keys().next().value!);
			},
		};
		this.open.set(threadId, thread);
		this.unborn.delete(threadId);
		this.hold();
		thread.reader.isSuspended = this.isSuspending;
	}

	/**
	 * Reads what can be read in the order of time.
	 * @param lookedAt up to when, in µs of hrtime, the host has pushed what the journals held
	 * @returns whether there was anything
	 */
	advance(lookedAt: number): boolean {
		const before = this.reads;
		for (;;) {
			this.closeEnded(lookedAt);
			if (!this.isShared) this.readSole();
			// Unless that has told of a Worker, or its own end, there is nothing more to do.
			if (!this.isShared) break;
			const { reads } = this;
			this.readInOrder(lookedAt);
			if (this.reads === reads) break;
		}
		this.closeEnded(lookedAt);
		this.pool.settle(this.settled());
		return this.reads > before;
	}

	/** Threads that have told their last, once what they told of the pool is settled. */
	takeEnded(): Thread[] {
		if (this.closed.length === 0) return [];
		const settled = this.settled();
		const ended = this.closed.filter(({ last }) => last <= settled);
		this.closed = this.closed.filter(({ last }) => last > settled);
		return ended.map(({ thread }) => thread);
	}

	private hold(): void {
		if (this.isSuspending === this.isShared) return;
		this.isSuspending = this.isShared;
		for (const { reader } of this.open.values()) reader.isSuspended = this.isSuspending;
	}

	private readSole(): void {
		this.isSuspending = false;
		for (const { reader, model } of this.open.values()) {
			this.doubtFrom(reader.peek(), model);
			reader.isSuspended = false;
			reader.push(NOTHING);
			this.readTo = Math.max(this.readTo, reader.latest + model.facts!.beganUs);
		}
	}

	/** Reads what comes first, as long as it is known what that is, or until one thread is left. */
	private readInOrder(lookedAt: number): void {
		const { fronts, open, unborn } = this;
		fronts.clear();
		for (const [threadId, thread] of open) this.pushFront(threadId, thread, lookedAt);
		for (const [threadId, time] of unborn) fronts.push({ time, threadId, thread: null });
		while (this.isShared) {
			const front = fronts.take();
			if (front === undefined) return;
			const { threadId, thread } = front;
			if (thread === null) {
				// One that is waited for; not any more when it has ended before its first record.
				if (unborn.has(threadId) || open.has(threadId)) return;
				continue;
			}
			this.read(thread, fronts.first ?? END);
			if (!this.closeIfEnded(threadId, thread, lookedAt)) this.pushFront(threadId, thread, lookedAt);
		}
	}

	/** Reads a thread's records as long as they come before the next front. */
	private read({ reader, model }: Thread, next: Front): void {
		const { beganUs, threadId } = model.facts!;
		const { size } = this.unborn;
		this.doubtFrom(reader.peek(), model);
		for (;;) {
			const at = reader.peek();
			if (at < 0 || isBefore(next, at + beganUs, threadId)) return;
			this.readTo = Math.max(this.readTo, at + beganUs);
			reader.next();
			this.reads++;
			if (this.unborn.size !== size) return;
		}
	}

	/** A record that others have not waited for comes too late. @param at its time, µs of the thread; -1 when there is none */
	private doubtFrom(at: number, model: ThreadModel): void {
		if (at >= 0 && at + model.facts!.beganUs < this.readTo) this.pool.doubt(model.inProcess(at));
	}

	private pushFront(threadId: number, thread: Thread, lookedAt: number): void {
		const { reader, model, finished } = thread;
		const { beganUs } = model.facts!;
		const at = reader.peek();
		if (at >= 0) this.fronts.push({ time: at + beganUs, threadId, thread });
		else if (finished === null) {
			const time = Math.max(reader.latest + beganUs, lookedAt - SILENCE_US);
			this.fronts.push({ time, threadId, thread: null });
		}
	}

	/** Threads that have told their last, and those that ended before their first. */
	private closeEnded(lookedAt: number): void {
		this.isFinished = [...this.open.values()].every(({ finished }) => finished !== null);
		for (const [id, since] of this.unborn) {
			if (this.isFinished || since + SILENCE_US < lookedAt) this.unborn.delete(id);
		}
		for (const [id, at] of this.ended) if (at < lookedAt && this.unborn.delete(id)) this.ended.delete(id);
		for (const [threadId, thread] of this.open) this.closeIfEnded(threadId, thread, lookedAt);
	}

	/** Closes a thread that has told its last; returns whether it has. */
	private closeIfEnded(threadId: number, thread: Thread, lookedAt: number): boolean {
		const { reader, model, finished } = thread;
		const endedAt = this.ended.get(threadId) ?? Infinity;
		if (reader.peek() >= 0 || !(finished !== null || model.isOver || endedAt < lookedAt)) return false;
		this.open.delete(threadId);
		this.ended.delete(threadId);
		this.closed.push({ thread, last: model.inProcess(reader.latest) });
		thread.read = reader.finish() || reader.lost > 0 ? 'cut' : 'whole';
		if (finished === 'gone' || endedAt < lookedAt) endSilently(thread);
		return true;
	}

	/** Up to when every thread has told all, in µs of the process. */
	private settled(): number {
		let least = Infinity;
		if (!this.isShared) return least;
		for (const { reader, model } of this.open.values()) least = Math.min(least, model.inProcess(reader.latest));
		return least;
	}
}

function isBefore(front: Front, time: number, threadId: number): boolean {
	return front.time < time || (front.time === time && front.threadId < threadId);
}

const NOTHING = new Uint8Array(0);
