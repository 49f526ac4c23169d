// All of a session in a few rows: how busy its loops were, how many jobs queued for its pools, and how busy each line was over time. Small enough to cross
// to the panel with each report.
import type { OperationClass, SourceLine } from './report.ts';

/** All times are ms since the recording's first journal began. */
export interface Overview {
	/** When the first bin begins. */
	fromMs: number;
	binMs: number;
	/** Bins of each row. */
	length: number;
	/** The last moment that is known. */
	endMs: number;
	threads: OverviewThread[];
	/** Of each process whose jobs queued: how many did, on average, by bin; where the queue is not measured, estimated. */
	queues: { pid: number; jobs: Float32Array }[];
	lines: OverviewLine[];
}

export interface OverviewThread {
	pid: number;
	threadId: number;
	startMs: number;
	/** By bin: the share of its time for which the loop was not idle, 0 to 255. */
	busy: Uint8Array;
}

/** How busy a line was over time. */
export interface OverviewLine extends SourceLine {
	op: string;
	class: OperationClass;
	/** The first and the last moment at which an operation that has finished was under way, to the bin. */
	fromMs: number;
	toMs: number;
	/** All of the session in at most 96 steps: 0 where no operation was under way, 255 where most were. */
	trend: Uint8Array;
}

/** A stretch of a session, in ms since its first journal began. */
export interface TimeLimit {
	fromMs: number;
	toMs: number;
}
