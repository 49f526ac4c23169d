// The place of each operation in a timeline: a lane for each line of each thread, the longest waits first, and rows in
// it where operations overlap.
import type { Timeline } from '../protocol/timeline.ts';

/** More lanes than a person compares. */
const MOST_LANES = 60;
/** Operations that overlap with more than this many others share the last row: a lane must not fill the screen. */
const MOST_ROWS = 12;

export interface Lane {
	/** Index into the timeline's threads. */
	thread: number;
	/** Index into the timeline's lines. */
	line: number;
	/** Indices into the timeline's operations, by start. */
	operations: number[];
	/** Row of each of these operations, from 0. */
	rows: number[];
	rowCount: number;
	/** All their waits, in ms. */
	waitMs: number;
}

/** The lanes of a timeline: by thread, then by wait. */
export function lanesOf(timeline: Timeline): Lane[] {
	const lanes = new Map<string, Lane>();
	const { thread, line, startMs, waitMs } = timeline.operations;
	for (let index = 0; index < thread.length; index++) {
		const key = `${thread[index]} ${line[index]}`;
		let lane = lanes.get(key);
		if (lane === undefined) {
			lane = { thread: thread[index]!, line: line[index]!, operations: [], rows: [], rowCount: 0, waitMs: 0 };
			lanes.set(key, lane);
		}
		lane.operations.push(index);
		lane.waitMs += waitMs[index]!;
	}
	const longest = [...lanes.values()].sort((a, b) => b.waitMs - a.waitMs).slice(0, MOST_LANES);
	for (const lane of longest) {
		lane.operations.sort((a, b) => startMs[a]! - startMs[b]!);
		stack(lane, timeline);
	}
	return longest.sort((a, b) => a.thread - b.thread || b.waitMs - a.waitMs);
}

/** When an operation's callback was over, in ms. */
export function endOf({ operations: { startMs, waitMs, runMs } }: Timeline, index: number): number {
	return startMs[index]! + waitMs[index]! + runMs[index]!;
}

/** Puts each operation into the first row that is free when it starts. */
function stack(lane: Lane, timeline: Timeline): void {
	const ends: number[] = [];
	for (const index of lane.operations) {
		const start = timeline.operations.startMs[index]!;
		let row = ends.findIndex((end) => end <= start);
		if (row < 0) row = Math.min(ends.length, MOST_ROWS - 1);
		ends[row] = Math.max(ends[row] ?? 0, endOf(timeline, index));
		lane.rows.push(row);
	}
	lane.rowCount = ends.length;
}
