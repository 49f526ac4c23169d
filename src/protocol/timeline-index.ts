// By what a recording shows stretches of its timeline without all of its journals being read: what its sums over time are of, and which time is where in its
// journals. The sums themselves come with it as bytes (src/engine/timeline/bin-rows.ts).
import type { OperationClass } from './report.ts';

export interface TimelineIndex {
	/** The width of a bin of the sums, in µs; the first one begins at `first` times that, in µs of hrtime without the pauses of a debugger. */
	binUs: number;
	first: number;
	/** How many bins there are. */
	length: number;
	journals: IndexedJournal[];
	/** Every script that something was started from, by path or URL as V8 knows it. */
	scripts: string[];
	/** What there are sums of, in their order: first come those of lines that are not among these. */
	lines: IndexedLine[];
	loops: IndexedLoop[];
}

/** A journal, and what is known of its thread. Times are in µs since it began, those of the thread without the pauses of a debugger. */
export interface IndexedJournal {
	/** The name of its part of the recording, and how many bytes that has. */
	name: string;
	bytes: number;
	pid: number;
	threadId: number;
	/** hrtime at its begin, in µs. */
	beganUs: number;
	/** The last moment that is known of the thread. */
	nowUs: number;
	/** Where its generations begin, the latest time before each, and how many jobs of the pool were under way then. */
	generations: { at: number[]; timeUs: number[]; openJobs: number[] };
	blocks: { place: IndexedPlace | null; startUs: number; durationUs: number }[];
	/** Of which records are missing. */
	missing: IndexedGap[];
	/** In which the tracer rested. */
	rests: IndexedGap[];
	stages: { startMs: number; stage: number }[];
}

export interface IndexedGap {
	fromUs: number;
	toUs: number;
}

/** A position before source maps; `function` is empty where it has no name, or none is known. */
export interface IndexedPlace {
	script: string;
	line: number;
	column: number;
	function: string;
}

/** The operations of one line in one thread. */
export interface IndexedLine {
	/** Index into `journals`. */
	journal: number;
	op: string;
	class: OperationClass;
	place: IndexedPlace;
	/** Operations that finished, and how long they were under way, added up, in µs. */
	count: number;
	wholeUs: number;
}

/** A thread: how busy its loop was, and of some the jobs that queued and the requests that were answered, each with a row of sums. */
export interface IndexedLoop {
	/** Index into `journals`. */
	journal: number;
	hasQueue: boolean;
	hasRequests: boolean;
}
