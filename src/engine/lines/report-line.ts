// One line of the report: its figures in several threads, added up, at the position in the user's sources.
import type {
	Basis,
	Caller,
	Line,
	OperationClass,
	SourceLine,
	Started,
	TypicalOperation,
} from '../../protocol/report.ts';
import type { Place, Resolve } from '../common/place.ts';
import type { ThreadFacts } from '../journal/thread-facts.ts';
import { MAIN } from './callers.ts';
import { type LineStats, MEASURED_US, type Starter } from './line-stats.ts';
import type { FinishedOperation } from './operation-sample.ts';

/** The most callers, and lines of libraries, listed per line. */
const LISTED = 5;

/** Classes whose operations a program may clear, unseen. */
const CLEARABLE: ReadonlySet<OperationClass> = new Set(['timer', 'loop']);

/** One thread's share of a line. */
export interface Share {
	readonly facts: ThreadFacts;
	readonly stats: LineStats;
	/** Threads of its process's pool; Infinity where it is several processes' share. */
	readonly poolSize: number;
}

/**
 * @param shares of one (file, line, op, class), at least one
 * @param stats their sum
 * @param isShown false for a line that rules alone read: it has no histogram and no typical operation
 */
export function lineOf(
	at: SourceLine,
	shares: readonly Share[],
	stats: LineStats,
	{ pending, waiting, oldest }: { pending: number; waiting: number; oldest: Started | null },
	resolve: Resolve,
	isShown: boolean,
): Line {
	const threadTime = threadTimeOf(shares);
	return {
		file: at.file,
		line: at.line,
		op: stats.op,
		class: stats.class,
		count: stats.count,
		isCountEstimated: stats.isCountEstimated,
		pending,
		oldestPending: oldest,
		perSecond: rateOf(stats),
		wallMs: stats.own.wall.us / 1000,
		maxInFlight: CLEARABLE.has(stats.class) ? null : atOnce(stats, waiting),
		wait: stats.wait.split(),
		queue: stats.queue.split(),
		execute: stats.execute.split(threadTime),
		threadTimeMs: stats.threadTimeMs(threadTime),
		lag: stats.lag.split(),
		run: stats.run.split(),
		histogram: isShown ? stats.wait.bins() : [],
		typical: isShown ? typicalOf(shares, stats.wait.median) : null,
		callers: callersOf(shares, resolve),
		libraries: librariesOf(shares, resolve),
		sampledOf: stats.sampledOf,
		assumesAddonJobs: stats.assumesAddonJobs,
		asyncStackRuns: stats.asyncStackRuns,
	};
}

/** A wait that the engine finds within another one counts there until it is over. */
function atOnce({ own }: LineStats, waiting: number): number {
	return Math.max(own.most, waiting);
}

/**
 * The most that a line's jobs can have executed in all, in µs: each of the pool's threads has one job at a time, and none before the line's first operation
 * or after its last.
 */
function threadTimeOf(shares: readonly Share[]): number {
	return shares.reduce((most, { stats, poolSize }) => most + poolSize * stats.own.wall.span, 0);
}

/** The rate of a single operation is unknown. */
function rateOf({ count, own: { wall } }: LineStats): number | null {
	return count < 2 || wall.span === 0 ? null : (count * 1e6) / wall.span;
}

/** @param median the waits' median, in µs */
function typicalOf(shares: readonly Share[], median: number): TypicalOperation | null {
	let best: { facts: ThreadFacts; operation: FinishedOperation } | null = null;
	let least = Infinity;
	for (const { facts, stats } of shares) {
		const operation = stats.sample.nearest(median);
		if (operation === null) continue;
		const distance = Math.abs(operation.wait - median);
		if (best !== null && distance >= least) continue;
		best = { facts, operation };
		least = distance;
	}
	if (best === null) return null;
	const { pid, threadId } = best.facts;
	const { started, wait, queue, execute, lag, run, uncertainty } = best.operation;
	return {
		pid,
		threadId,
		startMs: started / 1000,
		waitMs: wait / 1000,
		queueMs: partMs(queue),
		executeMs: partMs(execute),
		lagMs: partMs(lag),
		runMs: run / 1000,
		basis: basisOf(uncertainty),
		uncertaintyMs: basisOf(uncertainty) === 'estimated' ? uncertainty / 1000 : 0,
	};
}

function partMs(us: number): number | null {
	return us < 0 ? null : us / 1000;
}

function basisOf(uncertaintyUs: number): Basis {
	if (uncertaintyUs === Infinity) return 'unknown';
	return uncertaintyUs <= MEASURED_US ? 'measured' : 'estimated';
}

function callersOf(shares: readonly Share[], resolve: Resolve): Caller[] {
	const callers = new Map<string, Caller>();
	for (const { facts, stats } of shares) {
		for (const [starter, count] of stats.callers) {
			const at = callerAt(starter, facts, resolve);
			if (at === null) continue;
			const op = starter === MAIN ? '' : starter.op;
			const key = `${at.line} ${op} ${at.file}`;
			const caller = callers.get(key) ?? { file: at.file, line: at.line, op, count: 0 };
			caller.count += count;
			callers.set(key, caller);
		}
	}
	return [...callers.values()].sort((a, b) => b.count - a.count || compareLines(a, b)).slice(0, LISTED);
}

/** The main script is not one line: its first line represents it. */
function callerAt(starter: Starter, { entry }: ThreadFacts, resolve: Resolve): SourceLine | null {
	return resolve(starter === MAIN ? { script: entry, line: 1, column: 1 } : starter.place);
}

function librariesOf(shares: readonly Share[], resolve: Resolve): SourceLine[] {
	const lines = new Map<string, SourceLine>();
	const add = (place: Place) => {
		const at = resolve(place);
		if (at !== null) lines.set(`${at.line} ${at.file}`, { file: at.file, line: at.line });
	};
	for (const { stats } of shares) for (const place of stats.libraries) add(place);
	return [...lines.values()].sort(compareLines).slice(0, LISTED);
}

/** Orders by file, then by line. */
export function compareLines(a: SourceLine, b: SourceLine): number {
	return compare(a.file, b.file) || a.line - b.line;
}

export function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
