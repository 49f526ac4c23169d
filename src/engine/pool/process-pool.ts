// The thread pool of one process. All its threads submit to the same one, so their jobs are replayed together, in the
// time of the process; each thread has an entrance of its own, with its own ids and its own time.
import type { Interval } from '../common/estimate.ts';
import type { LineStats } from '../lines/line-stats.ts';
import { PoolReplay, type PoolUser } from './pool-replay.ts';

/**
 * Each thread numbers its own operations; if a process has more Workers than this, one after the other, some share ids.
 */
const THREADS = 65_536;

/**
 * How long before the first thread the replay's time begins, in µs: its zero means “long ago”, and V8 keeps times below 2^31 as they are, where larger ones
 * take memory of their own.
 */
const EARLIER_US = 2 ** 30;

const NONE: readonly number[] = [];

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
	private replay: PoolReplay | null = null;
	private entrances = 0;
	/** When the replay's time begins, in µs of the process. */
	private origin: number | null = null;
	/** Up to this time, in µs of the process, every thread has recorded what it did. */
	private settled = Infinity;
	private readonly unsettled = new Map<LineStats, Unsettled>();
	/** Whether a thread has recorded too late what it did: the replay is not trusted until it is empty. */
	private isInDoubt = false;
	/** Whether its figures are those of a stretch of time. */
	private isPart = false;
	/** Jobs that were under way when reading began, and have not called back. */
	private unseen = 0;
	/** Once these have called back, this many more jobs must do so before the replay's queue is the pool's. */
	private unsure = 0;
	/** Threads that record nothing now. */
	private resting = 0;

	/** @param began when a thread's time begins, in µs of the process */
	enter(began: number): PoolEntrance {
		this.origin ??= began - EARLIER_US;
		return new PoolEntrance(this, this.entrances++ % THREADS, began, this.origin);
	}

	/**
	 * Sets the size, as a thread has read the variable just before something was submitted, or may have been: libuv reads it at the first submit, and what an
	 * add-on starts may be none.
	 */
	setSize(size: number): void {
		if (this.replay === null) this.size = size;
	}

	/** Reading begins in the middle of a journal. @param openJobs jobs of the thread that were under way there; which threads they keep busy is unknown */
	joinMidway(openJobs: number): void {
		this.unseen += openJobs;
	}

	submit(id: number, time: number, isSlow: boolean, user: PoolUser): void {
		this.replay ??= new PoolReplay(this.size);
		this.replay.submit(id, time, isSlow, user);
	}

	complete(id: number, submitted: number, done: Interval, called: number): Interval | null {
		this.replay ??= new PoolReplay(this.size);
		const isUnsure = this.unseen + this.unsure > 0 && this.isUnsure(this.replay.has(id));
		const began = this.replay.complete(id, submitted, done, called);
		if (!this.isInDoubt && !isUnsure) return began;
		if (this.isInDoubt) this.isInDoubt = this.resting > 0 || !this.replay.isEmpty;
		return { low: submitted, high: done.high };
	}

	/**
	 * Whether the replay may not know what its threads did: until all jobs from before have called back, and as many more as there are threads, which the replay
	 * has given to threads that were not free. Call it only until then. @param isSeen whether a job that calls back was submitted since
	 */
	private isUnsure(isSeen: boolean): boolean {
		if (isSeen && this.unseen === 0) this.unsure--;
		else if (!isSeen && this.unseen > 0 && --this.unseen === 0) this.unsure = this.size;
		return true;
	}

	/** As in PoolReplay. */
	suspect(id: number, submitted: number): void {
		this.replay?.suspect(id, submitted);
	}

	/** As in PoolReplay. */
	takenAt(id: number): number {
		return this.replay?.takenAt(id) ?? Infinity;
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

	/** A thread records nothing for a while: what it has in the pool is unknown, and what others have there is in doubt. */
	beginRest(): void {
		this.resting++;
		this.replay?.forget();
		this.isInDoubt = true;
	}

	/** It records everything again. What it has in the pool from before is still unknown. */
	endRest(): void {
		this.resting--;
		this.unsure = this.size;
	}

	/** The figures of a stretch of time begin, with the first thread that comes to it. @param at µs of the process */
	beginPart(at: number): void {
		if (!this.isPart) this.replay?.beginPart(at);
		this.isPart = true;
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
	/** The same in µs of the replay. */
	private readonly inReplay: number;
	/**
	 * The callback that runs or ran last, in µs of the replay: all jobs that had ended before `reported` were reported
	 * before it; and when it is over.
	 */
	private reported = 0;
	private busyTo = 0;
	private disproved: number[] = [];

	/** @param began when the thread's time begins @param origin when that of the replay does; both in µs of the process */
	constructor(pool: ProcessPool, index: number, began: number, origin: number) {
		this.pool = pool;
		this.index = index;
		this.began = began;
		this.inReplay = began - origin;
	}

	/**
	 * A callback of the thread begins.
	 * @param reported all jobs that had ended by then were reported before it, in µs of the thread
	 */
	begin(reported: number): void {
		this.reported = reported + this.inReplay;
		this.busyTo = Infinity;
	}

	/**
	 * The callback is over, with everything that ran after it before the loop polled again.
	 * @param time µs of the thread
	 */
	end(time: number): void {
		this.busyTo = time + this.inReplay;
	}

	knownUpTo(at: number): number {
		return at < this.busyTo ? this.reported : at;
	}

	/** @param time µs of the thread */
	submit(op: number, time: number, isSlow: boolean): void {
		this.pool.submit(this.idOf(op), time + this.inReplay, isSlow, this);
	}

	/**
	 * The same as in PoolReplay, in µs of the thread.
	 * @param called when its callback began
	 * @param stats its line's figures
	 */
	complete(op: number, submitted: number, done: Interval, called: number, stats: LineStats | null): Interval | null {
		const { began, inReplay } = this;
		if (stats !== null) this.pool.remember(stats, submitted + began, called + began);
		const seen = { low: done.low + inReplay, high: done.high + inReplay };
		const taken = this.pool.complete(this.idOf(op), submitted + inReplay, seen, called + inReplay);
		if (taken === null) return null;
		taken.low -= inReplay;
		taken.high -= inReplay;
		return taken;
	}

	/** When a thread took a job at the earliest, in µs of the thread; Infinity while it queues. */
	takenAt(op: number): number {
		return this.pool.takenAt(this.idOf(op)) - this.inReplay;
	}

	/** As in PoolReplay, in µs of the thread. */
	suspect(op: number, submitted: number): void {
		this.pool.suspect(this.idOf(op), submitted + this.inReplay);
	}

	disprove(id: number, submitted: number): void {
		this.disproved.push((id - this.index) / THREADS);
		this.pool.doubt(submitted - this.inReplay + this.began);
	}

	/** Suspects of the thread that have turned out not to be jobs since this was last asked. */
	takeDisproved(): readonly number[] {
		if (this.disproved.length === 0) return NONE;
		const { disproved } = this;
		this.disproved = [];
		return disproved;
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
