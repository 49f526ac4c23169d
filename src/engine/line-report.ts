// The lines as the report shows them: the figures of all threads, under the positions in the user's sources.
import type { Basis, Caller, Line, SourceLine, TypicalOperation } from '../protocol/report.ts';
import { MAIN, type Starter } from './callers.ts';
import type { ThreadFacts } from './journal-reader.ts';
import { LineStats, MEASURED_US, type Place } from './line-stats.ts';
import type { Resolve } from './recording-model.ts';

/** Callers, and lines of libraries, told per line. */
const TOLD = 5;

/** A line of the report, and a position in the running script that stands for it. */
export interface PlacedLine {
	line: Line;
	place: Place;
}

/** What one thread has of a line. */
interface Share {
	facts: ThreadFacts;
	stats: LineStats;
}

/** All that one (file, line, op, class) has come to. */
interface Group {
	at: SourceLine;
	shares: Share[];
	pending: number;
}

/** Who has lines: a thread that has told who it is, or several added up. */
export interface LineSource {
	readonly facts: ThreadFacts | null;
	readonly lines: ReadonlyMap<string, LineStats>;
	/** Operations that have not called back. */
	pending(): ReadonlyMap<LineStats, number>;
}

/** In the order of files and lines. */
export function linesOf(sources: readonly LineSource[], resolve: Resolve): PlacedLine[] {
	const groups = new Map<string, Group>();
	for (const source of sources) {
		const pending = source.pending();
		for (const stats of source.lines.values()) {
			const at = resolve(stats.place);
			if (at === null) continue;
			const key = `${at.line} ${stats.op} ${stats.class} ${at.file}`;
			const group = groups.get(key) ?? { at, shares: [], pending: 0 };
			group.shares.push({ facts: source.facts!, stats });
			group.pending += pending.get(stats) ?? 0;
			groups.set(key, group);
		}
	}
	return [...groups.values()]
		.map((group) => ({ line: lineOf(group, resolve), place: group.shares[0]!.stats.place }))
		.filter(({ line }) => line.count > 0 || line.pending > 0)
		.sort(({ line: a }, { line: b }) => compareLines(a, b) || compare(a.op, b.op) || compare(a.class, b.class));
}

function lineOf({ at, shares, pending }: Group, resolve: Resolve): Line {
	const stats = sumOf(shares);
	return {
		file: at.file,
		line: at.line,
		op: stats.op,
		class: stats.class,
		count: stats.count,
		pending,
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
	};
}

function sumOf(shares: readonly Share[]): LineStats {
	const first = shares[0]!.stats;
	if (shares.length === 1) return first;
	const sum = new LineStats(first.place, first.op, first.class);
	for (const { stats } of shares) sum.addAll(stats);
	return sum;
}

/** @param median of the waits, in µs */
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
	return [...callers.values()].sort((a, b) => b.count - a.count || compareLines(a, b)).slice(0, TOLD);
}

/** The main script has no one line: its first one stands for it. */
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
	return [...lines.values()].sort(compareLines).slice(0, TOLD);
}

function compareLines(a: SourceLine, b: SourceLine): number {
	return compare(a.file, b.file) || a.line - b.line;
}

function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
