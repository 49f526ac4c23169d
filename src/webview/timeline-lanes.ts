// The place of each operation in a timeline: a lane for each line of each thread, the busiest first and then where they are,
// and rows in it where operations overlap.
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
	/** How busy it was over time (`DensityLane.levels`); null where that is not kept. */
	levels: Uint8Array | null;
	/** How long its operations were under way, added up, in ms. */
	busyMs: number;
}

/**
 * The lanes of a timeline, by thread.
 * @param order of earlier lanes, by key: they keep their places, so that nothing moves while a person looks, and new ones come below, the busiest
 * first; takes in the new ones
 */
export function lanesOf(timeline: Timeline, order: Map<string, number> = new Map()): Lane[] {
	const lanes = new Map<string, Lane>();
	const laneAt = (thread: number, line: number): Lane => {
		const key = `${thread} ${line}`;
		const lane = lanes.get(key) ?? { thread, line, operations: [], rows: [], rowCount: 0, levels: null, busyMs: 0 };
		lanes.set(key, lane);
		return lane;
	};
	for (const { thread, line, levels, busyMs } of timeline.density.lanes) {
		Object.assign(laneAt(thread, line), { levels, busyMs });
	}
	const { thread, line, startMs, waitMs, runMs } = timeline.operations;
	for (let index = 0; index < thread.length; index++) {
		const lane = laneAt(thread[index]!, line[index]!);
		lane.operations.push(index);
		if (lane.levels === null) lane.busyMs += waitMs[index]! + runMs[index]!;
	}
	const busiest = [...lanes.values()].sort((a, b) => b.busyMs - a.busyMs);
	const shown = busiest.filter((lane) => order.has(keyOf(timeline, lane)));
	const added = busiest.filter((lane) => !order.has(keyOf(timeline, lane)));
	for (const lane of added.slice(0, Math.max(0, MOST_LANES - shown.length))) {
		order.set(keyOf(timeline, lane), order.size);
		shown.push(lane);
	}
	for (const lane of shown) {
		lane.operations.sort((a, b) => startMs[a]! - startMs[b]!);
		stack(lane, timeline);
	}
	const placeOf = (lane: Lane) => order.get(keyOf(timeline, lane))!;
	return shown.sort((a, b) => a.thread - b.thread || placeOf(a) - placeOf(b));
}

/** What a lane is in any timeline of the session; indices change from one to the next. */
function keyOf({ threads, lines }: Timeline, lane: Lane): string {
	const { pid, threadId } = threads[lane.thread]!;
	const { file, line, op, class: kind } = lines[lane.line]!;
	return `${pid} ${threadId} ${line} ${op} ${kind} ${file}`;
}

/** When an operation's callback was over, in ms. */
export function endOf({ operations: { startMs, waitMs, runMs } }: Timeline, index: number): number {
	return startMs[index]! + waitMs[index]! + runMs[index]!;
}

/** Since when all operations are there one by one, in ms; before that only their density is. */
export function completeSince(timeline: Timeline): number {
	if (timeline.earlier === 0) return Number.NEGATIVE_INFINITY;
	// They are in the order of their ends.
	return timeline.operations.thread.length === 0 ? Number.POSITIVE_INFINITY : endOf(timeline, 0);
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
