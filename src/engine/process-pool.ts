// The thread pool of one process. All its threads submit to the same one, so their jobs are replayed together, in the
// time of the process; each thread has an entrance of its own, with its own ids and its own time.
import type { Interval } from './estimate.ts';
import type { LineStats } from './line-stats.ts';
import { PoolReplay, type PoolUser } from './pool-replay.ts';

/**
 * Each thread numbers its own operations; if a process has more Workers than this, one after the other, some share ids.
 */
const THREADS = 65_536;

/** What a line has recorded while some thread was silent. */
interface Unsettled {
	/** When its last operation called back, µs of the process. */
	last: number;
	/** The longest wait among them, µs. */
	wait: number;
}

export class ProcessPool {
	/** Threads in effect: libuv's default until some thread has read the variable. */
	size = 4;
	private isSized = false;
	private replay: PoolReplay | null = null;
	private entrances = 0;
	/** Up to this time, in µs of the process, every thread has recorded what it did. */
	private settled = Infinity;
	private readonly unsettled = new Map<LineStats, Unsettled>();
	/** Whether a thread has recorded too late what it did: the replay is not trusted until it is empty. */
	private isInDoubt = false;

	/** @param began the begin of a thread's time, in µs of the process */
	enter(began: number): PoolEntrance {
		return new PoolEntrance(this, this.entrances++ % THREADS, began);
	}

	/** Sets the size, as the first thread has read the variable just before its first submit: libuv reads it only once. */
	setSize(size: number): void {
		if (this.replay === null && !this.isSized) this.size = size;
		this.isSized = true;
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

	/** Every thread has recorded what it did up to `time`, µs of the process. */
	settle(time: number): void {
		this.settled = time;
		if (time === Infinity) this.unsettled.clear();
	}

	/**
	 * A thread records only now what it did from `time` on: what others have recorded since is less certain than it
	 * seemed.
	 */
	doubt(time: number): void {
		this.isInDoubt = this.replay !== null;
		for (const [stats, { last, wait }] of this.unsettled) if (last >= time) stats.doubtSplit(wait);
	}

	/** The pool's figures; null while it is unused. */
	get facts(): PoolFacts | null {
		return this.replay;
	}
}

/** The figures of a pool's replay; times in µs. */
export type PoolFacts = Readonly<
	Pick<PoolReplay, 'size' | 'busy' | 'queued' | 'saturatedUs' | 'lookupsQueuedUs' | 'maxQueued' | 'occupied'>
>;

/** One thread's way into the pool. */
export class PoolEntrance implements PoolUser {
	private readonly pool: ProcessPool;
	private readonly index: number;
	private readonly began: number;
	/**
	 * The callback that runs or ran last, in µs of the process: all jobs that had ended before `reported` were reported
	 * before it; and when it is over.
	 */
	private reported = 0;
	private busyTo = 0;

	constructor(pool: ProcessPool, index: number, began: number) {
		this.pool = pool;
		this.index = index;
		this.began = began;
	}

	/**
	 * A callback of the thread begins.
	 * @param reported all jobs that had ended by then were reported before it, in µs of the thread
	 */
	begin(reported: number): void {
		this.reported = reported + this.began;
		this.busyTo = Infinity;
	}

	/**
	 * The callback is over, with everything that ran after it before the loop polled again.
	 * @param time µs of the thread
	 */
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
	 * The same as in PoolReplay, in µs of the thread.
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

	/** What was submitted has turned out not to be a job. Times in µs of the thread. */
	withdraw(op: number, submitted: number, now: number): void {
		this.complete(op, submitted, { low: submitted, high: now }, now, null);
		this.pool.doubt(submitted + this.began);
	}

	private idOf(op: number): number {
		return op * THREADS + this.index;
	}
}
