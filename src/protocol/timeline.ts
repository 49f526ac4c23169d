// The timeline: the last finished operations of a recording one by one and all others as a density, on one clock for all threads. Column by column,
// because it crosses to the panel while the program runs.
import type { OperationClass, SourceLine } from './report.ts';

/** All times are ms since the recording's first journal began. */
export interface Timeline {
	/** When the recording's first journal began, in ms since 1970; null where there is none, or what it says is no time. */
	beganAt: number | null;
	threads: TimelineThread[];
	/** What the operations belong to: one entry per line, operation and class. */
	lines: TimelineLine[];
	operations: TimelineOperations;
	blocks: TimelineBlock[];
	/** Operations that finished before the oldest of these, and are no longer kept one by one. */
	earlier: number;
	/** All of the recording, those included. */
	density: TimelineDensity;
}

/** How busy lines were over time, in bins of equal width. */
export interface TimelineDensity {
	/** When the first bin begins. */
	fromMs: number;
	binMs: number;
	/** The lines that were busy longest, at most 60. */
	lanes: DensityLane[];
}

export interface DensityLane {
	/** Index into `threads`. */
	thread: number;
	/** Index into `lines`. */
	line: number;
	/** Operations that finished. */
	count: number;
	/** How long they were under way, added up, in ms. */
	busyMs: number;
	/** By bin: 0 where none was under way, else 1 to 255 for the share of the bin's time; 255 also where several were at once. */
	levels: Uint8Array;
}

export interface TimelineThread {
	pid: number;
	threadId: number;
	startMs: number;
	/** The last moment that is known of it. */
	endMs: number;
}

export interface TimelineLine extends SourceLine {
	op: string;
	class: OperationClass;
}

/** The n-th operation is the n-th entry of each column; they are in the order of their ends. */
export interface TimelineOperations {
	/** Index into `threads`. */
	thread: number[];
	/** Index into `lines`. */
	line: number[];
	startMs: number[];
	/** Start until its callback began. */
	waitMs: number[];
	/** Parts of the wait, in this order; -1 where the part has no meaning or is unknown. */
	queueMs: number[];
	executeMs: number[];
	lagMs: number[];
	runMs: number[];
	/** Largest distance of the parts from the true values; 0 when measured. */
	uncertaintyMs: number[];
}

/** A stretch during which one callback blocked a thread's loop. */
export interface TimelineBlock {
	/** Index into `threads`. */
	thread: number;
	/** null where no line is known. */
	at: SourceLine | null;
	startMs: number;
	durationMs: number;
}
