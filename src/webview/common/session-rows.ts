// What the overview says of the session as a whole: its busiest loop and its pools' queues over time, and which lines were under way when.
import type { Overview, OverviewLine } from '../../protocol/overview.ts';
import type { Line } from '../../protocol/report.ts';
import type { ThreadTime } from '../../protocol/webview.ts';
import { inSteps } from './spark.ts';
import type { TimeRange } from './time-range.ts';

/** As many steps as a line's picture has columns of pixels. */
const TREND_STEPS = 32;

/** By bin: how busy the busiest loop was, 0 to 1. */
export function busiestLoop({ threads, length }: Overview): number[] {
	return Array.from({ length }, (_, bin) => threads.reduce((most, { busy }) => Math.max(most, busy[bin]! / 255), 0));
}

/** By bin: how many jobs queued for all pools, on average. */
export function queuedJobs({ queues, length }: Overview): number[] {
	return Array.from({ length }, (_, bin) => queues.reduce((sum, { jobs }) => sum + jobs[bin]!, 0));
}

/** A stretch of a thread's time on the overview's clock; null where the thread is unknown to it. */
export function onClock({ threads }: Overview, { pid, threadId, fromMs, toMs }: ThreadTime): TimeRange | null {
	const thread = threads.find((each) => each.pid === pid && each.threadId === threadId);
	return thread === undefined ? null : { fromMs: thread.startMs + fromMs, toMs: thread.startMs + toMs };
}

/** All of the overview's time. */
export function wholeSession({ endMs }: Overview): TimeRange {
	return { fromMs: 0, toMs: Math.max(endMs, 0.01) };
}

/** Whether an operation of the line was under way in that time, to the step of its trend. */
export function isUnderWay({ fromMs, binMs, length }: Overview, line: OverviewLine, range: TimeRange): boolean {
	const { trend } = line;
	const stepMs = (binMs * length) / Math.max(1, trend.length);
	return trend.some((level, step) => {
		const start = fromMs + step * stepMs;
		return level > 0 && start < range.toMs && start + stepMs > range.fromMs;
	});
}

/** Finds the overview of an entry of the report. */
export type OverviewOf = (entry: Pick<Line, 'file' | 'line' | 'op'>) => OverviewLine | undefined;

/** How busy it was over the session, from 0 to 1; null where that is not kept. */
export function trendOf(line: OverviewLine | undefined): readonly number[] | null {
	return line === undefined ? null : inSteps(line.trend, TREND_STEPS).map((level) => level / 255);
}

/** Whether what has that overview is to be shown. */
export type IsInTime = (line: OverviewLine | undefined) => boolean;

export function lineIndex(overview: Overview | null): OverviewOf {
	const byKey = new Map(overview?.lines.map((line) => [keyOf(line), line]));
	return (entry) => byKey.get(keyOf(entry));
}

function keyOf({ file, line, op }: Pick<Line, 'file' | 'line' | 'op'>): string {
	return `${line} ${op} ${file}`;
}
