// What the tracer left out because it was over its budget: readers of figures must know that some are extrapolated.
import type { Process } from './report.ts';

export interface Reduction {
	/** When it began, in ms since the start of the thread's journal. */
	startMs: number;
	/** The tracer's share of the time before, in percent. */
	costPercent: number;
	/**
	 * Whether only a sample of operations was recorded for a while (counts are exact); otherwise lines were only
	 * verified less often, and ticks perhaps not timed.
	 */
	isSampled: boolean;
	/** In whole percent, for how much of the thread's time anything was recorded; null where that was all of it. */
	recordedPercent: number | null;
}

/** From this stage on operations are sampled (tracer/run/governor.ts). */
export const SAMPLED_FROM = 3;
/** From this one on all of them are, but only for some of the time. */
export const RESTS_FROM = 4;

/** What shows a thread's reduction. */
type Reduced = Pick<Process, 'durationMs' | 'recordedMs' | 'stages'>;

/** The reduction of a thread; null when nothing was left out. */
export function reductionOf({ durationMs, recordedMs, stages }: Reduced): Reduction | null {
	const [first] = stages;
	if (first === undefined) return null;
	const { startMs, costPercent } = first;
	return {
		startMs,
		costPercent,
		isSampled: stages.some(({ stage }) => stage >= SAMPLED_FROM),
		recordedPercent: recordedMs < durationMs ? Math.max(1, Math.round((100 * recordedMs) / durationMs)) : null,
	};
}

/** The most severe reduction of all threads: rests before sampling and that before rarer verification, then the costlier. */
export function worstReduction(processes: readonly Reduced[]): Reduction | null {
	const all = processes.map(reductionOf).filter((each) => each !== null);
	const order = (a: Reduction, b: Reduction) =>
		(a.recordedPercent ?? 100) - (b.recordedPercent ?? 100) ||
		Number(b.isSampled) - Number(a.isSampled) ||
		b.costPercent - a.costPercent;
	return all.sort(order)[0] ?? null;
}
