// How busy each line, each loop and each pool's queue was over all of the recording, however long, and how many operations ended when. Single operations
// are read from the journals again where a person looks at a short stretch (timeline-detail.ts).

import { type BinLane, type LineSums, TimeBins } from '../common/time-bins.ts';
import type { LineStats } from '../lines/line-stats.ts';

/** Lines of threads for which bins are kept: more than a person looks at. Others have none. */
export const MOST_LANES = 1000;
/** Threads for which bins are kept. */
export const MOST_BINNED_THREADS = 250;

/** By what a line is known among those of a timeline. */
export type SummedLine = Pick<LineStats, 'place' | 'op' | 'class'>;

/** The operations of one line in one thread. */
export interface SummedLane<Thread> extends LineSums {
	readonly thread: Thread;
	readonly stats: SummedLine;
}

/** The loop of one thread, and the jobs that it had in its pool's queue. */
export interface ThreadLane<Thread> {
	readonly thread: Thread;
	/** How long the loop was not idle. */
	readonly busy: BinLane;
	/** For how long jobs queued; null for a thread without any. */
	queued: BinLane | null;
	/** For how long requests were under way, and how many were answered; null for a thread that serves none. */
	requests: BinLane | null;
}

/** The sums as a timeline is made from them. */
export interface TimelineSums<Thread> {
	readonly bins: Pick<TimeBins, 'range' | 'sums' | 'ends'>;
	readonly others: BinLane;
	readonly lanes: readonly Omit<SummedLane<Thread>, 'owner'>[];
	readonly threads: Iterable<ThreadLane<Thread>>;
}

export class DensitySums<Thread> implements TimelineSums<Thread> {
	readonly bins = new TimeBins();
	/** Operations of the lines that have no bins of their own. */
	readonly others = this.bins.addLane();
	/** In the order in which their lines came. */
	readonly lanes: SummedLane<Thread>[] = [];
	private readonly byThread = new Map<Thread, ThreadLane<Thread>>();
	/** That of the thread that was looked up last, which usually is the next one too. */
	private latest: ThreadLane<Thread> | null = null;

	get threads(): IterableIterator<ThreadLane<Thread>> {
		return this.byThread.values();
	}

	/** Adds a finished operation of that line. @param start and `end`, in µs of hrtime without the pauses of a debugger */
	add(thread: Thread, stats: LineStats, start: number, end: number): void {
		const known = stats.lane;
		const lane = known !== null && known.owner === this ? known : this.addLane(thread, stats);
		this.bins.end(lane?.bins ?? this.others, start, end);
		if (lane === null) return;
		lane.count++;
		lane.wholeUs += end - start;
	}

	/**
	 * Adds that the thread's loop was busy for `busyUs` of the time from `start` to `end`.
	 * @param start and `end`, in µs of hrtime without the pauses of a debugger
	 */
	addBusy(thread: Thread, start: number, end: number, busyUs: number): void {
		if (end <= start || busyUs <= 0) return;
		const lane = this.threadLane(thread);
		if (lane !== null) this.bins.spread(lane.busy, start, end, Math.min(1, busyUs / (end - start)));
	}

	/** Adds that a job of the thread queued. @param start and `end`, in µs of hrtime without the pauses of a debugger */
	addQueued(thread: Thread, start: number, end: number): void {
		const lane = end > start ? this.threadLane(thread) : null;
		if (lane === null) return;
		lane.queued ??= this.bins.addLane();
		this.bins.spread(lane.queued, start, end);
	}

	/** Adds an answered request of the thread. @param start and `end`, in µs of hrtime without the pauses of a debugger */
	addRequest(thread: Thread, start: number, end: number): void {
		const lane = this.threadLane(thread);
		if (lane === null) return;
		lane.requests ??= this.bins.addLane();
		this.bins.end(lane.requests, start, end);
	}

	private addLane(thread: Thread, stats: LineStats): LineSums | null {
		if (this.lanes.length >= MOST_LANES) return null;
		const lane = { owner: this, thread, stats, count: 0, wholeUs: 0, bins: this.bins.addLane() };
		this.lanes.push(lane);
		stats.lane = lane;
		return lane;
	}

	private threadLane(thread: Thread): ThreadLane<Thread> | null {
		if (this.latest?.thread === thread) return this.latest;
		let lane = this.byThread.get(thread);
		if (lane === undefined) {
			if (this.byThread.size >= MOST_BINNED_THREADS) return null;
			lane = { thread, busy: this.bins.addLane(), queued: null, requests: null };
			this.byThread.set(thread, lane);
		}
		this.latest = lane;
		return lane;
	}
}
