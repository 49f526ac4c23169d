// How two sessions differ, line by line. The CLI writes it as JSON (`waitline/compare@1`), the panel draws it.
import type { OperationClass, SourceLine } from './report.ts';

/** Limits of a figure, in ms: the noise band. */
export interface Band {
	low: number;
	high: number;
}

/** One latency of a line in one session, or in several runs of the same program. */
export interface ComparedFigure {
	/** In ms; of several runs the middle one. */
	ms: number;
	/** null: too few operations to know by how much it changes by itself. */
	band: Band | null;
}

/** A line in one of two sessions; of several runs the sums are those of the first. */
export interface ComparedSide extends SourceLine {
	count: number;
	/** As in `Line`; of requests the time in which at least one was served is not known, and this is 0. */
	wallMs: number;
	p50: ComparedFigure;
	p95: ComparedFigure;
}

/**
 * `slower` and `faster`: one of both latencies has left the noise band. `same`: both are within it. `unclear`: too few operations to say which. `new` and
 * `gone`: only one session has it.
 */
export type Verdict = 'slower' | 'new' | 'unclear' | 'same' | 'faster' | 'gone';

/** What a line, or the requests of one handler, did in both. */
export interface ComparedLine {
	verdict: Verdict;
	op: string;
	/** `request`: the requests of a handler, until their responses were finished. */
	class: OperationClass | 'request';
	before: ComparedSide | null;
	after: ComparedSide | null;
	/** By how much its operations took longer altogether, in ms: the difference of the p50 times the count after. */
	costMs: number;
}

export interface Comparison {
	schema: 'waitline/compare@1';
	/** How many runs of each there are. */
	runs: { before: number; after: number };
	/** Regressions first, of these the costliest. */
	lines: ComparedLine[];
}
