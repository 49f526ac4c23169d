// One line of the report: its figures in several threads, added up, at the position in the user's sources.
import type { Basis, Caller, Line, SourceLine, Started, TypicalOperation } from '../protocol/report.ts';
import { MAIN } from './callers.ts';
import { LineStats, MEASURED_US, type Starter } from './line-stats.ts';
import type { Place, Resolve } from './place.ts';
import type { ThreadFacts } from './thread-facts.ts';

/** The most callers, and lines of libraries, listed per line. */
const LISTED = 5;

/** One thread's share of a line. */
export interface Share {
	readonly facts: ThreadFacts;
	readonly stats: LineStats;
}

/** @param shares of one (file, line, op, class), at least one */
export function lineOf(
	at: SourceLine,
	shares: readonly Share[],
	{ pending, oldest }: { pending: number; oldest: Started | null },
	resolve: Resolve,
): Line {
	const stats = sumOf(shares);
	return {
		file: at.file,
		line: at.line,
		op: stats.op,
		class: stats.class,
		count: stats.count,
		pending,
		oldestPending: oldest,
		perSecond: rateOf(stats),
		wallMs: stats.wall.us / 1000,
		maxInFlight: stats.maxInFlight,
		wait: stats.wait.split(),
		queue: stats.queue.split(),
		execute: stats.execute.split(),
		lag: stats.lag.split(),
		run: stats.run.split(),
		histogram: stats.wait.bins(),
		typical: typicalOf(shares, stats.wait.median),
		callers: callersOf(shares, resolve),
		libraries: librariesOf(shares, resolve),
		sampledOf: stats.sampledOf,
		assumesAddonJobs: stats.assumesAddonJobs,
		asyncStackRuns: stats.asyncStackRuns,
	};
}

function sumOf(shares: readonly Share[]): LineStats {
	const { stats: first, facts } = shares[0]!;
	if (shares.length === 1) return first;
	const sum = new LineStats(first.place, first.op, first.class);
	for (const share of shares) sum.addAll(share.stats, share.facts.beganUs - facts.beganUs);
	return sum;
}

/** The rate of a single operation is unknown. */
function rateOf({ count, wall }: LineStats): number | null {
	return count < 2 || wall.span === 0 ? null : (count * 1e6) / wall.span;
}

/** @param median the waits' median, in µs */
function typicalOf(shares: readonly Share[], median: number): TypicalOperation | null {
	let best: TypicalOperation | null = null;
	const distance = ({ waitMs }: TypicalOperation) => Math.abs(waitMs - median / 1000);
	for (const { facts, stats } of shares) {
		const operation = stats.sample.nearest(median);
		if (operation === null) continue;
		const { started, wait, queue, execute, lag, run, uncertainty } = operation;
		const typical: TypicalOperation = {
			pid: facts.pid,
			threadId: facts.threadId,
			startMs: started / 1000,
			waitMs: wait / 1000,
			queueMs: partMs(queue),
			executeMs: partMs(execute),
			lagMs: partMs(lag),
			runMs: run / 1000,
			basis: basisOf(uncertainty),
			uncertaintyMs: basisOf(uncertainty) === 'estimated' ? uncertainty / 1000 : 0,
		};
		if (best === null || distance(typical) < distance(best)) best = typical;
	}
	return best;
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
