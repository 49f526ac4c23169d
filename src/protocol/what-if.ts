// What a recording would have been like with another thread pool, other processors, or a faster line. The CLI writes it as JSON
// (`waitline/what-if@1`), the panel draws it.
import type { Durations, SourceLine } from './report.ts';

/** A line whose pool jobs take `percent` more than they took; -50 is half of it, and -100 the least. */
export interface ChangedLine extends SourceLine {
	percent: number;
}

/** Under which conditions a process is replayed. */
export interface WhatIfConditions {
	/** Of the pool, at least 1. */
	threads: number;
	/** Processors, at least 1. */
	cores: number;
	changed: readonly ChangedLine[];
}

/** The same figures as `Durations`, over a line's operations or those of all lines. */
export interface Predicted extends Durations {
	/** Limits: what the recording leaves open, and by how much the replay as it was recorded differs from it. */
	range: { low: Durations; high: Durations };
}

/** How long operations waited, from their start until their callback began. */
export interface WhatIfFigures {
	/** Operations that finished when it was recorded, and in the replay. */
	count: number;
	/** As it was recorded. */
	recorded: Durations;
	/** In the replay under the same conditions: how far it is from `recorded` shows what the replay is worth. */
	replayed: Durations;
	predicted: Predicted;
	/** How much of the waits was queueing for a thread of the pool, in ms. */
	queueMs: { recorded: number; predicted: number };
}

/** A line that uses the pool. */
export interface WhatIfLine extends SourceLine, WhatIfFigures {
	op: string;
}

/** One process that used its pool. */
export interface WhatIfProcess {
	pid: number;
	/** The conditions of the recording. */
	recorded: { threads: number; cores: number };
	conditions: WhatIfConditions;
	/** The one that waited longest first. */
	lines: WhatIfLine[];
	/** All of them. */
	total: WhatIfFigures;
	/** When the last callback was over, in ms since the first one began, or the first operation was started. */
	endedMs: { recorded: number; replayed: number; predicted: number };
	/** Callbacks and operations that there was no room for; the figures are those of the ones before. */
	left: number;
}

/** What is asked of a recording. */
export interface WhatIfQuestion {
	/** null: the sizes of `SIZES` and the recorded one. */
	threads: number | null;
	/** null: as when it was recorded. */
	cores: number | null;
	changed: readonly ChangedLine[];
}

export interface WhatIfReport {
	schema: 'waitline/what-if@1';
	/** By process, and for each by the conditions asked for. */
	predictions: WhatIfProcess[];
	/** Whether the recording says how many processors there were; otherwise they are this machine's. */
	areCoresKnown: boolean;
}

/** Pool sizes that are compared when nothing else is asked for: libuv takes up to 1024, but few programs gain beyond 64. */
export const SIZES = [1, 2, 4, 8, 16, 32, 64] as const;
/** The most threads and processors that can be asked for. */
export const MOST_THREADS = 1024;
