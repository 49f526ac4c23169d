// What the rules read, and what each of them returns. A rule is a pure function of one process' facts; its thresholds
// are at its top with their reasons.
import { packageOf } from '../../protocol/blame.ts';
import { nameOf } from '../../protocol/path-style.ts';
import type {
	Block,
	Finding,
	FindingCode,
	FindingOf,
	Line,
	Pool,
	Route,
	SourceLine,
	Split,
} from '../../protocol/report.ts';

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
	/** Of its busiest loop, 0 to 1. */
	utilization: number;
	/** The same of the loop's time outside its blocks, start-up included: of the busiest, 0 to 1. */
	busyBetweenBlocks: number;
	/** Of the loops' callbacks; start-up does not count. */
	blocks: readonly ThreadBlock[];
	/** How long the oldest pending operation of a line has been under way, in ms; null where none is, or that is unknown. */
	ageMs(line: Line): number | null;
	/** The latest answer over each connection. */
	connectionUses: readonly ConnectionAnswer[];
	/** Which lines' commands were ahead of others over the same connection. */
	commandsAhead: readonly CommandsAhead[];
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
}

/** Commands of this line had a connection that those of another line waited for. */
export interface CommandsAhead extends SourceLine {
	op: string;
	behind: SourceLine & { op: string };
	/** Added up over the waits, and the longest time for which one of them had the connection; in ms. */
	ms: number;
	longestMs: number;
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
}

/** Lines of a file, the first and the last included. */
export interface LineStretch {
	file: string;
	from: number;
	to: number;
}

/** A finding without what does not depend on its rule. */
export type Ranked = {
	[Code in FindingCode]: Omit<FindingOf<Code>, 'pid' | 'severity' | 'isPast' | 'effects'>;
}[FindingCode];

export type Rule = (process: ProcessFacts) => Ranked[];

/** The part's total where it is known, in ms. */
export function known(split: Split | null): number {
	return split === null || split.basis === 'unknown' ? 0 : split.totalMs;
}

/** The weakest basis among the splits; unknown ones are left out, since no rule relies on them. */
export function basisOf(splits: readonly (Split | null | undefined)[]): Finding['basis'] {
	return splits.some((split) => split?.basis === 'estimated') ? 'estimated' : 'measured';
}

/** `main.js:12` */
export function place({ file, line }: SourceLine): string {
	return `${nameOf(file)}:${line}`;
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

/** `main.js:12`; where only a library's line is known, `Pool.js:116, behind main.js:12,`. */
export function waiterText(line: Line, lines: readonly Line[]): string {
	const user = behind(line, lines);
	return user === null ? place(line) : `${place(line)}, behind ${place(user)},`;
}

export function percent(share: number): string {
	return `${Math.round(share * 100)} %`;
}

/** The item with the largest value above zero; null when there is none. */
export function largest<T>(items: readonly T[], of: (item: T) => number): T | null {
	let best: T | null = null;
	for (const item of items) {
		if (of(item) > (best === null ? 0 : of(best))) best = item;
	}
	return best;
}

/** The largest value, at least 0: there may be more items than a call can have arguments. */
export function most<T>(items: readonly T[], of: (item: T) => number): number {
	return items.reduce((largest, item) => Math.max(largest, of(item)), 0);
}

export function sum<T>(items: readonly T[], of: (item: T) => number): number {
	return items.reduce((total, item) => total + of(item), 0);
}
