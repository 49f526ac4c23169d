// The sums over time of one session: takes each operation as it finishes and each slice of its loops.
import type { Overview } from '../../protocol/overview.ts';
import type { PauseClock } from '../clocks/pause-clock.ts';
import type { Estimate } from '../common/estimate.ts';
import type { Resolve } from '../common/place.ts';
import type { ThreadSpan } from '../journal/thread-facts.ts';
import type { LineStats } from '../lines/line-stats.ts';
import type { LoopBlock } from '../loop/loop-block.ts';
import { overviewOf } from './overview.ts';
import { DensitySums } from './timeline-density.ts';

/** The thread that ran an operation; times in µs since its begin. */
export interface TimelineSource extends ThreadSpan {
	readonly blocks: readonly Pick<LoopBlock, 'place' | 'start' | 'duration' | 'end'>[];
	/** Of which records are missing. */
	readonly missing: readonly { from: number; to: number }[];
	/** In which the tracer rested. */
	readonly rests: readonly { from: number; to: number }[];
	readonly stages: readonly { startMs: number; stage: number }[];
	readonly pauses: PauseClock;
	/** A time of its journal, in µs since that began, in µs of hrtime without the pauses of a debugger. */
	inProcess(at: number): number;
}

/** A finished operation's times in µs of its thread. */
interface Finished {
	started: number;
	ended: number;
	run: number;
	readonly queue: Readonly<Estimate>;
	isSplitKnown: boolean;
}

export class TimelineSummary {
	readonly density = new DensitySums<TimelineSource>();

	add(thread: TimelineSource, stats: LineStats, finished: Finished): void {
		const start = thread.originUs + finished.started;
		const wait = Math.max(0, finished.ended - finished.started);
		this.density.add(thread, stats, start, start + wait + finished.run);
		const { queue, isSplitKnown } = finished;
		if (isSplitKnown && stats.parts === 'all' && queue.value > 0) {
			this.density.addQueued(thread, start, start + queue.value);
		}
	}

	/** A served request was answered. @param from when it had come, and `to`, in µs of the thread */
	addRequest(thread: TimelineSource, from: number, to: number): void {
		const { originUs } = thread;
		this.density.addRequest(thread, originUs + from, originUs + Math.max(from, to));
	}

	/**
	 * The loop was busy for `busyUs` of the time from `from` to `to`.
	 * @param from and `to`, in µs of the thread
	 */
	addBusy(thread: TimelineSource, from: number, to: number, busyUs: number): void {
		const { originUs } = thread;
		this.density.addBusy(thread, originUs + from, originUs + to, busyUs);
	}

	/** All of the session in a few rows. @param models the threads of the session */
	overview(models: readonly TimelineSource[], resolve: Resolve): Overview {
		return overviewOf(this.density, models, resolve);
	}
}
