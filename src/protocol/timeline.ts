// The timeline: a stretch of a recording on one clock for all threads: sums per bin of time, and where they are few enough, everything that happened one by one.
// Column by column, because it crosses to the panel while the program runs.
import type { OperationClass, SourceLine } from './report.ts';

/** The stretch that a view wants. Times in ms since the recording's first journal began. */
export interface TimelineQuery {
	fromMs: number;
	toMs: number;
	/** The most bins: about as many as the chart has columns of pixels. */
	bins: number;
}

/** All of a recording, in as many bins as are sent at most. */
export const ALL_OF_IT: Readonly<TimelineQuery> = Object.freeze({
	fromMs: 0,
	toMs: Number.MAX_SAFE_INTEGER,
	bins: 1024,
});

/** All times are ms since the recording's first journal began. */
export interface Timeline {
	/** The stretch that it shows. */
	fromMs: number;
	toMs: number;
	/** The last moment of the recording that is known. */
	endMs: number;
	threads: TimelineThread[];
	/** What operations belong to: one entry per line, operation and class. */
	lines: TimelineLine[];
	density: TimelineDensity;
	/** Everything one by one; null where that would be too much. */
	detail: TimelineDetail | null;
	blocks: TimelineBlock[];
	gaps: TimelineGap[];
}

/** What the bins of a row have in common. */
export interface TimelineDensity {
	/** When the first bin begins, which may be before `Timeline.fromMs`. */
	fromMs: number;
	binMs: number;
	length: number;
	/** The lines that were busy longest in all of the recording, at most 60. */
	lanes: DensityLane[];
	/** How busy each loop was, by bin: the share of its time for which it was not idle, 0 to 255. */
	loops: { thread: number; busy: Uint8Array }[];
	/** What each thread had under way. */
	flights: Flight[];
	/** Of each process whose jobs queued: how many did, on average, by bin. `thread` is its first one. */
	queues: { thread: number; jobs: Float32Array }[];
}

export interface DensityLane {
	/** Index into `threads`. */
	thread: number;
	/** Index into `lines`. */
	line: number;
	/** Operations that finished in the stretch. */
	count: number;
	/** How long they were under way in it, added up, in ms. */
	busyMs: number;
	/** The longest that finished in it, in ms. */
	longestMs: number;
	/** How long they were under way in all of the recording, in ms: lanes are in this order. */
	wholeMs: number;
	/** By bin: 0 where none was under way, else 1 to 255 for the share of the bin's time; 255 also where several were at once. */
	levels: Uint8Array;
}

/** What an operation waits for, as far as lanes differ; and the requests that a server has under way. */
export type FlightKind = 'pool' | 'kernel' | 'connection' | 'dns' | 'timer' | 'request';

/** Operations of one kind that a thread had under way. */
export interface Flight {
	/** Index into `threads`. */
	thread: number;
	kind: FlightKind;
	/** How many, on average, by bin. */
	counts: Float32Array;
	/** The longest that finished in the stretch, in ms, and its line: an index into `lines`, -1 where none finished. */
	longestMs: number;
	worst: number;
}

export interface TimelineThread {
	pid: number;
	threadId: number;
	startMs: number;
	/** The last moment that is known of it. */
	endMs: number;
}

export interface TimelineLine extends SourceLine {
	/** Empty for a callback of nothing that is shown. */
	op: string;
	/** The function around the line, as V8 calls it; empty where it has no name, or none is known. */
	function: string;
	class: OperationClass;
}

/** Everything in a stretch, one by one. The n-th of something is the n-th entry of each of its columns; all are in the order of their starts. */
export interface TimelineDetail {
	operations: TimelineOperations;
	runs: TimelineRuns;
	jobs: TimelineJobs;
	/** Collections of garbage, for which a thread stood still. */
	collections: { thread: Uint16Array; startMs: Float64Array; durationMs: Float32Array };
	requests: TimelineRequests;
}

export interface TimelineOperations {
	/** Index into `threads`. */
	thread: Uint16Array;
	/** Index into `lines`. */
	line: Uint32Array;
	startMs: Float64Array;
	/** How long it waited until its callback began: of several steps added up, without the program's own code between them. */
	waitMs: Float32Array;
	/** When its callback began, the last of several. */
	calledMs: Float64Array;
	/** Parts of the wait, in this order; -1 where the part has no meaning or is unknown. */
	queueMs: Float32Array;
	executeMs: Float32Array;
	lagMs: Float32Array;
	runMs: Float32Array;
	/** Largest distance of the parts from the true values; 0 when measured. */
	uncertaintyMs: Float32Array;
	/** 1 for one whose end was not read: its wait is then a lower bound. */
	isOpen: Uint8Array;
	/** The callback that started it, and its own: indices into `runs`; -1 where they are not known. */
	starter: Int32Array;
	run: Int32Array;
	/** What it waited behind, if it is a wait for the answer to an earlier command over the same connection: an index into these; else -1. */
	behind: Int32Array;
	/** For which request it was started: an index into `requests`; -1 for none. */
	request: Int32Array;
}

/** Jobs of the thread pools, as their replay has it. An operation may consist of several. */
export interface TimelineJobs {
	/** The thread that submitted it, and its line: indices into `threads` and `lines`; the line is -1 where none is known. */
	thread: Uint16Array;
	line: Int32Array;
	/** Index into `operations`; -1 where that is not there. */
	operation: Int32Array;
	/** When it was submitted, when a thread took it and when it was done. */
	startMs: Float64Array;
	beganMs: Float64Array;
	doneMs: Float64Array;
	/** Largest distance of `beganMs` and `doneMs` from the true values; 0 when measured. */
	uncertaintyMs: Float32Array;
}

/** Callbacks of the loops. */
export interface TimelineRuns {
	thread: Uint16Array;
	/** Index into `lines`; -1 where no line is known. */
	line: Int32Array;
	startMs: Float64Array;
	durationMs: Float32Array;
	/** 1 for the main script; then `line` is only one from which it started something. */
	isMain: Uint8Array;
}

/** Served requests, from their arrival to the end of their response. */
export interface TimelineRequests {
	thread: Uint16Array;
	/** Index into `lines`. */
	line: Uint32Array;
	startMs: Float64Array;
	durationMs: Float32Array;
	/** 1 for one that was not answered in what was read. */
	isOpen: Uint8Array;
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

/** A stretch of which something is missing. */
export interface TimelineGap {
	/** Index into `threads`. */
	thread: number;
	/** Only a sample was recorded, the tracer rested to keep its budget, records are lost, or a debugger had stopped the process: then the recording's time stood still. */
	kind: 'sampled' | 'rested' | 'lost' | 'stopped';
	fromMs: number;
	toMs: number;
	/** For how long the debugger had stopped it, in ms; 0 for the other kinds, and while it has. */
	stoppedMs: number;
}
