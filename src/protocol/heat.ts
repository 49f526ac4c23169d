// How hot a line is: its share of all that a recording's lines waited for, in levels that can be told apart at a glance.
import { type LineFacts, totalOf } from './line-facts.ts';
import type { Line, Report, Split } from './report.ts';

export const HEAT_LEVELS = [1, 2, 3, 4] as const;
export type HeatLevel = (typeof HEAT_LEVELS)[number];

/** The share from which on a line has the level after the first: one line in three that matters, in ten, in a hundred. */
const FROM_SHARE: [HeatLevel, number][] = [
	[4, 0.3],
	[3, 0.1],
	[2, 0.01],
];

/** What the lines of a recording add up to: the whole of which a line's figures are shares. */
export interface Totals {
	wait: Split | null;
	run: Split | null;
}

export function totalsOf(report: Report): Totals {
	return { wait: totalOf(report.lines, 'wait'), run: totalOf(report.lines, 'run') };
}

/** A line that held the loop, or that has not waited yet, has the first level. */
export function heatOf(facts: LineFacts, totals: Totals): HeatLevel {
	const share = waitMs(facts.entries) / (totals.wait?.totalMs || Number.POSITIVE_INFINITY);
	return FROM_SHARE.find(([, from]) => share >= from)?.[0] ?? 1;
}

/** The longest time that a line has to tell of, in ms: what it waited, ran, or held the loop; Infinity if it only warns or still waits. */
export function weightMs({ entries, blocks, warnings }: LineFacts): number {
	if (warnings.length > 0) return Number.POSITIVE_INFINITY;
	if (blocks.length === 0 && entries.every((entry) => entry.count === 0)) return Number.POSITIVE_INFINITY;
	const runMs = totalOf(entries, 'run')?.totalMs ?? 0;
	return Math.max(waitMs(entries), runMs, ...blocks.map((block) => block.durationMs));
}

function waitMs(entries: readonly Line[]): number {
	return totalOf(entries, 'wait')?.totalMs ?? 0;
}
