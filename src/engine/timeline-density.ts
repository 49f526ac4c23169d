// How busy each line, each loop and each pool's queue was over all of the recording, however long. What TimelineWindow no longer has one by one is still
// to be seen here.
import type { LineStats } from './line-stats.ts';
import { type BinLane, TimeBins } from './time-bins.ts';

/** Lines of threads for which bins are kept, 4 MB in all: more than a person looks at. Others have none. */
const MOST_LANES = 1000;
/** Threads for which bins are kept, for loop and queue 2 MB in all. */
const MOST_THREADS = 250;

/** The operations of one line in one thread. */
export interface DensityLane<Thread> {
	readonly thread: Thread;
	readonly stats: LineStats;
	/** Finished operations. */
	count: number;
	/** Of each bin: how long operations were under way in it, added up, in µs. */
	readonly busyUs: BinLane;
}

/** The loop of one thread, and the jobs that it had in its pool's queue. */
export interface ThreadLane<Thread> {
	readonly thread: Thread;
	/** Of each bin: how long the loop was not idle, in µs. */
	readonly busyUs: BinLane;
	/** Of each bin: for how long jobs queued, added up, in µs; null for a thread without any. */
	queuedUs: BinLane | null;
}

export class TimelineDensity<Thread> {
	readonly bins = new TimeBins();
	private readonly byStats = new Map<LineStats, DensityLane<Thread>>();
	private readonly byThread = new Map<Thread, ThreadLane<Thread>>();

	get lanes(): IterableIterator<DensityLane<Thread>> {
		return this.byStats.values();
	}

	get threads(): IterableIterator<ThreadLane<Thread>> {
		return this.byThread.values();
	}

	/** Adds a finished operation of that line. @param start and `end`, in µs of hrtime without the pauses of a debugger */
	add(thread: Thread, stats: LineStats, start: number, end: number): void {
		const lane = this.byStats.get(stats) ?? this.addLane(thread, stats);
		if (lane === null) return;
		lane.count++;
		this.bins.spread(lane.busyUs, start, end);
	}

	/**
	 * Adds that the thread's loop was busy for `busyUs` of the time from `start` to `end`.
	 * @param start and `end`, in µs of hrtime without the pauses of a debugger
	 */
	addBusy(thread: Thread, start: number, end: number, busyUs: number): void {
		if (end <= start || busyUs <= 0) return;
		const lane = this.threadLane(thread);
		if (lane !== null) this.bins.spread(lane.busyUs, start, end, Math.min(1, busyUs / (end - start)));
	}

	/** Adds that a job of the thread queued. @param start and `end`, in µs of hrtime without the pauses of a debugger */
	addQueued(thread: Thread, start: number, end: number): void {
		const lane = end > start ? this.threadLane(thread) : null;
		if (lane === null) return;
		lane.queuedUs ??= this.bins.addLane();
		this.bins.spread(lane.queuedUs, start, end);
	}

	private addLane(thread: Thread, stats: LineStats): DensityLane<Thread> | null {
		if (this.byStats.size >= MOST_LANES) return null;
		const lane = { thread, stats, count: 0, busyUs: this.bins.addLane() };
		this.byStats.set(stats, lane);
		return lane;
	}

	private threadLane(thread: Thread): ThreadLane<Thread> | null {
		const known = this.byThread.get(thread);
		if (known !== undefined || this.byThread.size >= MOST_THREADS) return known ?? null;
		const lane = { thread, busyUs: this.bins.addLane(), queuedUs: null };
		this.byThread.set(thread, lane);
		return lane;
	}
}
