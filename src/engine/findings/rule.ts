// What the rules read, and what each of them returns. A rule is a pure function of one process' facts; its thresholds
// are at its top with their reasons.

import { packageOf } from '../../protocol/blame.ts';
import { nameOf } from '../../protocol/path-style.ts';
import type {
	Block,
	Durations,
	FigureRange,
	Finding,
	FindingCode,
	FindingOf,
	Line,
	Pool,
	Route,
	SourceLine,
	Split,
} from '../../protocol/report.ts';
import { BASIS_MARK, formatMs, formatRange } from '../../protocol/units.ts';
import { largest, sum } from '../common/sums.ts';

/** Everything that one process' threads have recorded. */
export interface ProcessFacts {
	pid: number;
	durationMs: number;
	/** Threads with a loop of their own, those that have ended included. */
	threads: number;
	/** For how much of that anything was recorded: what is not extrapolated is a share of it. */
	recordedMs: number;
	poolSize: number;
	/** The size that UV_THREADPOOL_SIZE named when it was too late; null when it is in effect. */
	poolWanted: number | null;
	/** Where the program sets the variable, as far as its text shows. */
	poolAssignment: SourceLine | null;
	/** null when nothing used the pool. */
	pool: Pool | null;
	lines: readonly Line[];
	/** Of the process' servers. */
	routes: readonly Route[];
	/** For which share of its duration its busiest loop was busy, 0 to 1. */
	utilization: number;
	/** The same of the time outside the loop's blocks, start-up included: of the busiest, 0 to 1. */
	busyBetweenBlocks: number;
	/** Of the loops' callbacks; start-up does not count. */
	blocks: readonly ThreadBlock[];
	/** Of the main scripts of its threads. */
	startUps: readonly Block[];
	/** How long the oldest pending operation of a line has been under way, in ms; null where none is, or that is unknown. */
	ageMs(line: Line): number | null;
	/** The latest answer over each connection. */
	connectionUses: readonly ConnectionAnswer[];
	/** Which lines' commands were ahead of others over the same connection. */
	commandsAhead: readonly CommandsAhead[];
	/** Which lines had connections while others waited for one of a pool. */
	poolHolders: readonly PoolHolder[];
	/** Which lines' commands have no answer yet and keep others over the same connection waiting. */
	unanswered: readonly UnansweredCommand[];
	/** Calls of Node's `…Sync` functions in the text of a line's callback or of what comes after its `await`. */
	syncCalls(line: Line): readonly SyncCall[];
	/** What is certain of the await that a line's operations are started for; null where nothing is. */
	awaits(line: Line): AwaitFacts | null;
}

/** A block of the loop of that thread; 0 is the main one. */
export type ThreadBlock = Block & { threadId: number };

/** The latest answer over a connection, at the line that had asked. */
export interface ConnectionAnswer extends SourceLine {
	op: string;
	/** The package that had asked for the line; empty where it did so itself. */
	library: string;
	/** How long ago that was, in ms. */
	quietMs: number;
	/** Whether not all of it has come: it has not been read to its end, or not been sent. */
	isUnread: boolean;
}

/** Commands of this line had a connection that those of another line waited for. */
export interface CommandsAhead extends SourceLine {
	op: string;
	behind: SourceLine & { op: string };
	/** Added up over the waits, and the longest time for which one of them had the connection; in ms. */
	ms: number;
	longestMs: number;
}

/** Commands of this line had connections while another line waited for one of a pool. */
export interface PoolHolder extends SourceLine {
	op: string;
	/** The package that had asked for the line, or the line is of; empty for the program itself. */
	library: string;
	behind: SourceLine;
	/** For how long they were under way, and for how long a connection was kept after one without another; in ms, added up over the waits and connections. */
	usedMs: number;
	keptMs: number;
}

/** A command of this line has no answer, and those of another line wait for it; in ms. */
export interface UnansweredCommand extends SourceLine {
	op: string;
	behind: SourceLine;
	/** How long they have waited, added up, and the first of them. */
	ms: number;
	firstMs: number;
	/** How long ago it was sent. */
	sinceMs: number;
}

export interface SyncCall extends SourceLine {
	/** Such as `fs.readFileSync`. */
	name: string;
	/** Whether it runs only once for many of the line's operations: behind an await of all of them together. */
	isBehindMany: boolean;
}

/** What the program's text shows of an await; its loop and neighbours only where its operand only reads. */
export interface AwaitFacts {
	/** Code that runs for each item of a loop, the loop first; null where the items may depend on one another. */
	loop: readonly LineStretch[] | null;
	/** Awaits that could run at once, in their order, and which of them it is; null where there are no others. */
	together: { awaits: readonly SourceLine[]; index: number } | null;
	/** Whether it is awaited in a loop in which it certainly follows from the answers before: the next page, or a status until it is the awaited one. */
	isChained: boolean;
	/** In how many ways the script leads to it, each at most once; 0 where one may be taken again and again, or that is not certain. */
	ways: number;
	/** Whether it asks what the callers of its function say, in other scripts too: they may ask for different things. */
	asksForOthers: boolean;
	/** How many of such calls run at once, as many as their pool has connections; null where that is not limited, or unknown. */
	atOnce: number | null;
}

/** Lines of a file, the first and the last included. */
export interface LineStretch {
	file: string;
	from: number;
	to: number;
}

/** A finding without what does not depend on its rule. */
export type Ranked = {
	[Code in FindingCode]: Omit<FindingOf<Code>, 'pid' | 'severity' | 'isPast' | 'effects' | 'ranges' | 'computed'> & {
		/** None where its times are measured or certain. */
		ranges?: FigureRange[];
		/** None where one function, or nothing, is the cause. */
		computed?: Finding['computed'];
	};
}[FindingCode];

export type Rule = (process: ProcessFacts) => Ranked[];

/** The part's total where it is known, in ms. */
export function known(split: Split | null): number {
	return split === null || split.basis === 'unknown' ? 0 : split.totalMs;
}

/** The same as far as it is certain: of a range its lower limit, and what is known where it is unknown for some operations. */
export function certain(split: Split | null): number {
	return split?.atLeast?.totalMs ?? split?.range?.low.totalMs ?? known(split);
}

/** In ms. */
export interface FigureLimits {
	low: number;
	high: number;
}

/** Limits of a figure of that part; null where none are known. */
export function limitsOf(split: Split | null, figure: keyof Durations = 'totalMs'): FigureLimits | null {
	if (split === null || split.basis === 'unknown') return null;
	if (split.range !== null) return { low: split.range.low[figure], high: split.range.high[figure] };
	return split.basis === 'measured' ? { low: split[figure], high: split[figure] } : null;
}

/** How long the line's jobs had threads, steps side by side added up; null where no limits are known. */
export function onThreads({ execute, threadTimeMs }: Line): FigureLimits | null {
	return threadTimeMs ?? limitsOf(execute);
}

/** The same as far as it is certain. */
export function certainlyOnThreads({ execute, threadTimeMs }: Line): number {
	return threadTimeMs?.low ?? certain(execute);
}

/** Limits of a sum; null where those of one are not known. */
export function limitsOfSum(all: readonly (FigureLimits | null)[]): FigureLimits | null {
	const limits = all.filter((each) => each !== null);
	return limits.length < all.length
		? null
		: { low: sum(limits, ({ low }) => low), high: sum(limits, ({ high }) => high) };
}

/** Of a finding's figures, by their names, what limits are known. */
export function rangesOf(figures: Record<string, FigureLimits | null>): FigureRange[] {
	return Object.entries(figures).flatMap(([figure, limits]) => {
		return limits === null ? [] : [{ figure, lowMs: limits.low, highMs: limits.high }];
	});
}

/** A figure with those limits, in words; with its basis where they are not known. @param ms the figure */
export function timeWithin(ms: number, limits: FigureLimits | null, basis: Finding['basis']): string {
	return limits === null ? BASIS_MARK[basis] + formatMs(ms) : formatRange(limits.low, limits.high);
}

/** The weakest basis among the splits; unknown ones are left out, since no rule relies on them. */
export function basisOf(splits: readonly (Split | null | undefined)[]): Finding['basis'] {
	return splits.some((split) => split?.basis === 'estimated') ? 'estimated' : 'measured';
}

/** `main.js:12`; `index.js:188 (gensync)` in a package, where many files have the same name. */
export function place({ file, line }: SourceLine): string {
	const name = nameOf(file);
	const library = packageOf(file);
	return `${name}:${line}${library === '' || name.startsWith(`${library}.`) ? '' : ` (${library})`}`;
}

export function isSameSourceLine(a: SourceLine, b: SourceLine): boolean {
	return a.file === b.file && a.line === b.line;
}

/** `crypto.pbkdf2 at main.js:12` */
export function named(line: SourceLine & { op: string }): string {
	return `${line.op} at ${place(line)}`;
}

/**
 * The user's line for which a library's own line did something, over its most frequent callers; null for a line of the user's,
 * and where none led to it.
 */
export function behind(line: Line, lines: readonly Line[]): SourceLine | null {
	let at: Line | undefined = line;
	const seen = new Set<Line>();
	while (at !== undefined && packageOf(at.file) !== '' && !seen.has(at)) {
		seen.add(at);
		const caller: Line['callers'][number] | null = largest(at.callers, ({ count }) => count);
		if (caller === null) return null;
		if (packageOf(caller.file) === '') return { file: caller.file, line: caller.line };
		at = lines.find(({ file, line: number, op }) => file === caller.file && number === caller.line && op === caller.op);
	}
	return null;
}

/** `main.js:12`; where only a library's line is known, `Pool.js:116 (tarn), behind main.js:12,`. */
export function waiterText(line: Line, lines: readonly Line[]): string {
	const user = behind(line, lines);
	return user === null ? place(line) : `${place(line)}, behind ${place(user)},`;
}

export function percent(share: number): string {
	return `${Math.round(share * 100)} %`;
}

/** `40–52`; `52` where both shares, 0 to 1, are the same. */
export function inPercent(low: number, high: number): string {
	const [least, most] = [Math.round(low * 100), Math.round(high * 100)];
	return least === most ? String(most) : `${least}–${most}`;
}
