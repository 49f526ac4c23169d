// The thread pool of one process. All its threads submit to the same one, so what they tell is replayed together, in the time of
// the process; each thread has an entrance of its own, with its own ids and its own time.
import type { Interval } from './estimate.ts';
import type { LineStats } from './line-stats.ts';
import { PoolReplay, type PoolUser } from './pool-replay.ts';

/** Each thread counts its operations for itself; more Workers than that in one process, one after the other, share ids. */
const THREADS = 65_536;

/** What a line has told while some thread was silent. */
interface Unsettled {
	/** When its last operation called back, µs of the process. */
	last: number;
	/** The longest wait among them, µs. */
	wait: number;
}

export class ProcessPool {
	/** Threads in effect: libuv's default until somebody has read the variable. */
	size = 4;
	private replay: PoolReplay | null = null;
	private entrances = 0;
	/** Up to here, in µs of the process, every thread has told what it did. */
	private settled = Infinity;
	private readonly unsettled = new Map<LineStats, Unsettled>();
	/** A thread has told too late what it did: what the replay says is not to be trusted until it is empty. */
	private isInDoubt = false;

	/** @param began the begin of a thread's time, in µs of the process */
	enter(began: number): PoolEntrance {
		return new PoolEntrance(this, this.entrances++ % THREADS, began);
	}

	/** The variable as a thread has read it just before its first submit: libuv reads it but once. */
	setSize(size: number): void {
		if (this.replay === null) this.size = size;
	}

	submit(id: number, time: number, isSlow: boolean, user: PoolUser): void {
		this.replay ??= new PoolReplay(this.size);
		this.replay.submit(id, time, isSlow, user);
	}

	complete(id: number, submitted: number, done: Interval, called: number): Interval | null {
		this.replay ??= new PoolReplay(this.size);
		const began = this.replay.complete(id, submitted, done, called);
		if (!this.isInDoubt) return began;
		this.isInDoubt = !this.replay.isEmpty;
		return { low: submitted, high: done.high };
	}

	/** A line's operation called back: if a silent thread turns out to have used the pool, its split was wrong. */
	remember(stats: LineStats, submitted: number, called: number): void {
		if (called <= this.settled) return;
		const known = this.unsettled.get(stats);
		const wait = Math.max(called - submitted, known !== undefined && known.last > this.settled ? known.wait : 0);
		this.unsettled.set(stats, { last: called, wait });
	}

	/** Every thread has told what it did up to `time`, µs of the process. */
	settle(time: number): void {
		this.settled = time;
		if (time === Infinity) this.unsettled.clear();
	}

	/** A thread tells only now what it did from `time` on: what others have told since is known less well than they said. */
	doubt(time: number): void {
		this.isInDoubt = this.replay !== null;
		for (const [stats, { last, wait }] of this.unsettled) if (last >= time) stats.doubtSplit(wait);
	}

	/** The pool's figures; null while nobody has used it. */
	get facts(): PoolFacts | null {
		return this.replay;
	}
}

/** What a replay tells of a pool; times in µs. */
export type PoolFacts = Readonly<
	Pick<PoolReplay, 'size' | 'busy' | 'queued' | 'saturatedUs' | 'lookupsQueuedUs' | 'maxQueued' | 'occupied'>
>;

/** One thread's way into the pool. */
export class PoolEntrance implements PoolUser {
	private readonly pool: ProcessPool;
	private readonly index: number;
	private readonly began: number;
	/** The callback that runs or ran last, in µs of the process: what had ended before that was told before it; when it is over. */
	private reported = 0;
	private busyTo = 0;

	constructor(pool: ProcessPool, index: number, began: number) {
		this.pool = pool;
		this.index = index;
		this.began = began;
	}

	/** A callback of the thread begins. @param told up to when all was told before it that had ended, in µs of the thread */
	begin(reported: number): void {
		this.reported = reported + this.began;
		this.busyTo = Infinity;
	}

	/** It is over, and all that ran after it before the loop looked for more. @param time µs of the thread */
	end(time: number): void {
		this.busyTo = time + this.began;
	}

	knownUpTo(at: number): number {
		return at < this.busyTo ? this.reported : at;
	}

	/** @param time µs of the thread */
	submit(op: number, time: number, isSlow: boolean): void {
		this.pool.submit(this.idOf(op), time + this.began, isSlow, this);
	}

	/**
	 * As PoolReplay has it, in µs of the thread.
	 * @param called when its callback began
	 * @param stats its line's figures
	 */
	complete(op: number, submitted: number, done: Interval, called: number, stats: LineStats | null): Interval | null {
		const { began } = this;
		if (stats !== null) this.pool.remember(stats, submitted + began, called + began);
		const seen = { low: done.low + began, high: done.high + began };
		const taken = this.pool.complete(this.idOf(op), submitted + began, seen, called + began);
		return taken === null ? null : { low: taken.low - began, high: taken.high - began };
	}

	/** What was submitted has turned out to be no job. Times in µs of the thread. */
	withdraw(op: number, submitted: number, now: number): void {
		this.complete(op, submitted, { low: submitted, high: now }, now, null);
		this.pool.doubt(submitted + this.began);
	}

	private idOf(op: number): number {
		return op * THREADS + this.index;
	}
}
