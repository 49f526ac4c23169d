// What the timeline draws: a stretch of time, the lanes, and what is selected and marked in them.
import type { Timeline } from '../../protocol/timeline.ts';
import type { TimeRange } from '../common/time-range.ts';
import type { Target } from './timeline-brush.ts';
import type { Causes } from './timeline-causes.ts';
import type { TimelineData } from './timeline-data.ts';
import type { Lane } from './timeline-lanes.ts';

/** What is to be drawn. */
export interface Scene {
	data: TimelineData;
	/** The answer from which the stretch is drawn; around it all of the session's is. */
	shown: Timeline;
	lanes: readonly Lane[];
	range: TimeRange;
	/** Times of the grid's lines, in ms. */
	ticks: readonly number[];
	/** Index of an operation of `shown`, or -1, and why it waited. */
	selected: number;
	causes: Causes | null;
	/** What belongs to the selected operation; null where nothing is selected. */
	isRelated: ((target: Target) => boolean) | null;
	/** A stretch to point at. */
	marked: TimeRange | null;
	/** A stretch that is measured. */
	measured: TimeRange | null;
	/** The jobs of a process's pool by its threads, as indices into the jobs of `shown`. */
	jobsOf(pid: number): readonly number[][];
	/** What stands on a block, and on a callback. */
	blockLabel(index: number): string;
	runLabel(index: number): string;
}

/** A part of the time, and the answer from which it is drawn. */
export interface DrawnPart {
	timeline: Timeline;
	fromMs: number;
	toMs: number;
}
