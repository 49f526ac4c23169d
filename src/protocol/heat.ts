// How hot a line is: its share of the time in which a recording's lines waited, in levels that are distinguishable at a
// glance.
import { latencyOf, totalWallMs, wallMsOf } from './latency.ts';
import { type LineFacts, totalOf } from './line-facts.ts';
import type { Report, Split } from './report.ts';

export type HeatLevel = 1 | 2 | 3 | 4;

/** The share from which a line has each level above the first: one third, a tenth, a hundredth of the total. */
const FROM_SHARE: [HeatLevel, number][] = [
	[4, 0.3],
	[3, 0.1],
	[2, 0.01],
];

/** What the lines of a recording add up to: the whole of which a line's figures are shares. */
export interface Totals {
	/** As `totalWallMs` has it. */
	wallMs: number;
	wait: Split | null;
	run: Split | null;
}

export function totalsOf(report: Report): Totals {
	return { wallMs: totalWallMs(report), wait: totalOf(report.lines, 'wait'), run: totalOf(report.lines, 'run') };
}

/** A line that blocked the loop, or that has not waited yet, has the first level. */
export function heatOf(facts: LineFacts, totals: Totals): HeatLevel {
	const share = wallMsOf(facts.entries) / (totals.wallMs || Number.POSITIVE_INFINITY);
	return FROM_SHARE.find(([, from]) => share >= from)?.[0] ?? 1;
}

/**
 * The longest time of a line, in ms: for how much wall time it waited, a timer was late, its code ran or blocked the
 * loop; Infinity where it only warns, still waits, or the time is unknown.
 */
export function weightMs({ entries, blocks, warnings, routes, unanswered }: LineFacts): number {
	if (warnings.length > 0 || unanswered.some(({ pending }) => pending > 0)) return Number.POSITIVE_INFINITY;
	if (blocks.length === 0 && entries.every((entry) => entry.count === 0)) return Number.POSITIVE_INFINITY;
	if (entries.some((entry) => latencyOf(entry)?.split.basis === 'unknown')) return Number.POSITIVE_INFINITY;
	const runMs = totalOf(entries, 'run')?.totalMs ?? 0;
	const answeredMs = routes.map(({ duration }) => duration.maxMs);
	return Math.max(wallMsOf(entries), runMs, ...answeredMs, ...blocks.map((block) => block.durationMs));
}
