// The threads of one process. They share a thread pool, so their records must be replayed in the order of time, though
// each has its own journal: a thread's records wait until every other thread has recorded everything before them. A
// thread that sleeps or is blocked writes nothing; it is assumed to have nothing to record once the host has read its
// journal and found nothing new for a while. If it records something for that time afterwards, the figures of that time
// become estimates. A process of one thread is read as its records arrive.
import { Heap } from '../common/heap.ts';
import type { JournalIndex } from '../journal/journal-index.ts';
import type { JournalReader } from '../journal/journal-reader.ts';
import type { ProcessPool } from '../pool/process-pool.ts';
import { channelOf, ProcessMessages } from '../threads/process-messages.ts';
import type { ThreadModel } from '../threads/thread-model.ts';

/** One journal and what was read of it. */
export interface Thread {
	readonly reader: JournalReader;
	readonly model: ThreadModel;
	/** Where in its journal which time is. */
	readonly index: JournalIndex;
	/** Its process; null until its journal has named it. */
	process: ProcessModel | null;
	/** No more bytes will come; `gone` when its process has ended, as far as the host knows. */
	finished: 'gone' | 'alive' | null;
	/** `whole` once all of it was read; `cut` when not all of that could be understood. */
	read: 'whole' | 'cut' | null;
}

/** The thread ended without an exit record. */
export function endSilently({ model, read }: Thread): void {
	if (model.outcome === 'running') model.outcome = read === 'cut' ? 'truncated' : 'killed';
}

/**
 * A thread that the host has seen silent for this long, in µs, had nothing to record: it writes within 200 ms, unless
 * one callback blocks its loop for longer. A live view of several threads lags behind by as much when one of them
 * sleeps.
 */
const SILENCE_US = 1_000_000;
/**
 * The most threads that are waited for after they were started and before their journals are read. If a program starts
 * more at once, most of them are traced soon, and what they record too late becomes estimates.
 */
const MOST_AWAITED = 256;
/** The most ends of Workers that are kept until their journals have been read; the latest ones are. */
const MOST_ENDED = 1024;

/** Where the order of time continues: a readable record, or the time up to which a thread has recorded everything. */
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
	private readonly messages = new ProcessMessages();
	/**
	 * Threads whose journals have ended since the last `takeEnded`, with the time of their end in µs of the process.
	 */
	private closed: { thread: Thread; last: number }[] = [];
	/** Threads that may still record something, by id. */
	private readonly open = new Map<number, Thread>();
	/** Threads that were started and have not been read yet: since when, in µs of hrtime, by id. */
	private readonly awaited = new Map<number, number>();
	/** Workers that have ended: when, in µs of hrtime, by id. */
	private readonly ended = new Map<number, number>();
	/** Threads whose journals have come. */
	private readonly known = new Set<number>();
	/** The fronts of all threads, while records are read. */
	private readonly fronts = new Heap<Front>((a, b) => isBefore(a, b.time, b.threadId));
	/** Whether all threads that may still record something have done so: none is waited for. */
	private isFinished = false;
	/** Whether the readers deliver records only on request. */
	private isSuspending = false;
	private reads = 0;
	/** Time of the latest record that was read, in µs of hrtime. */
	private readTo = -Infinity;

	constructor(pool: ProcessPool) {
		this.pool = pool;
	}

	/** Whether its threads may have to wait for one another. */
	get isShared(): boolean {
		return this.open.size + this.awaited.size > 1;
	}

	/** Whether a thread's journal can belong to this process: process ids are reused, ids of its threads are not. */
	canHold(threadId: number): boolean {
		return !this.known.has(threadId);
	}

	add(thread: Thread): void {
		const { model } = thread;
		const { threadId, beganUs } = model.facts!;
		this.known.add(threadId);
		if (!this.known.has(0)) this.awaited.set(0, beganUs);
		model.join(this.pool, this.messages);
		model.children.watcher = {
			started: (id, at) => {
				if (this.isFinished || this.known.has(id) || this.awaited.size === MOST_AWAITED) return;
				this.awaited.set(id, at);
				this.fronts.push({ time: at, threadId: id, thread: null });
				this.updateSuspension();
			},
			ended: (id, at) => {
				this.ended.set(id, at);
				this.messages.end(channelOf(id, true));
				if (this.ended.size > MOST_ENDED) this.ended.delete(this.ended.keys().next().value!);
			},
		};
		this.open.set(threadId, thread);
		this.awaited.delete(threadId);
		this.updateSuspension();
		thread.reader.isSuspended = this.isSuspending;
	}

	/**
	 * Reads what can be read in the order of time.
	 * @param lookedAt the time, in µs of hrtime, up to which the host has pushed everything in the journals
	 * @returns whether there was anything
	 */
	advance(lookedAt: number): boolean {
		const before = this.reads;
		for (;;) {
			this.closeEnded(lookedAt);
			if (!this.isShared) this.readSole();
			// Unless that has recorded a Worker, or the thread's own end, there is nothing more to do.
			if (!this.isShared) break;
			const { reads } = this;
			this.readInOrder(lookedAt);
			if (this.reads === reads) break;
		}
		this.closeEnded(lookedAt);
		this.pool.settle(this.settled());
		return this.reads > before;
	}

	/** Threads whose journals have ended, once their jobs in the pool are settled. */
	takeEnded(): Thread[] {
		if (this.closed.length === 0) return [];
		const settled = this.settled();
		const ended = this.closed.filter(({ last }) => last <= settled);
		this.closed = this.closed.filter(({ last }) => last > settled);
		return ended.map(({ thread }) => thread);
	}

	private updateSuspension(): void {
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

	/** Reads what comes first, as long as that is known, or until one thread is left. */
	private readInOrder(lookedAt: number): void {
		const { fronts, open, awaited } = this;
		fronts.clear();
		for (const [threadId, thread] of open) this.pushFront(threadId, thread, lookedAt);
		for (const [threadId, time] of awaited) fronts.push({ time, threadId, thread: null });
		while (this.isShared) {
			const front = fronts.take();
			if (front === undefined) return;
			const { threadId, thread } = front;
			if (thread === null) {
				// A thread that is waited for; not any more when it has ended before its first record.
				if (awaited.has(threadId) || open.has(threadId)) return;
				continue;
			}
			this.read(thread, fronts.first ?? END);
			if (!this.closeIfEnded(threadId, thread, lookedAt)) this.pushFront(threadId, thread, lookedAt);
		}
	}

	/** Reads a thread's records as long as they come before the next front. */
	private read({ reader, model }: Thread, next: Front): void {
		const { beganUs, threadId } = model.facts!;
		const { size } = this.awaited;
		this.doubtFrom(reader.peek(), model);
		for (;;) {
			const at = reader.peek();
			if (at < 0 || isBefore(next, at + beganUs, threadId)) return;
			this.readTo = Math.max(this.readTo, at + beganUs);
			reader.next();
			this.reads++;
			if (this.awaited.size !== size) return;
		}
	}

	/**
	 * A record for which the others have not waited comes too late.
	 * @param at its time, µs of the thread; -1 when there is none
	 */
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

	/** Closes threads whose journals have ended, and removes those that ended before their first record. */
	private closeEnded(lookedAt: number): void {
		this.isFinished = [...this.open.values()].every(({ finished }) => finished !== null);
		for (const [id, since] of this.awaited) {
			if (this.isFinished || since + SILENCE_US < lookedAt) this.awaited.delete(id);
		}
		for (const [id, at] of this.ended) if (at < lookedAt && this.awaited.delete(id)) this.ended.delete(id);
		for (const [threadId, thread] of this.open) this.closeIfEnded(threadId, thread, lookedAt);
	}

	/** Closes a thread if its journal has ended; returns whether it has. */
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

	/** The time up to which every thread has recorded everything, in µs of the process. */
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
