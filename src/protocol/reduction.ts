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
}

/** From this stage on operations are sampled (tracer/run/governor.ts). */
const SAMPLED_FROM = 3;

/** The reduction of a thread; null when nothing was left out. */
export function reductionOf({ stages }: Pick<Process, 'stages'>): Reduction | null {
	const [first] = stages;
	if (first === undefined) return null;
	const { startMs, costPercent } = first;
	return { startMs, costPercent, isSampled: stages.some(({ stage }) => stage >= SAMPLED_FROM) };
}

/** The most severe reduction of all threads: sampling before rarer verification, then the costlier. */
export function worstReduction(processes: readonly Pick<Process, 'stages'>[]): Reduction | null {
	const all = processes.map(reductionOf).filter((each) => each !== null);
	const order = (a: Reduction, b: Reduction) =>
		Number(b.isSampled) - Number(a.isSampled) || b.costPercent - a.costPercent;
	return all.sort(order)[0] ?? null;
}
