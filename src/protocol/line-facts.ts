// All that a report says about one source line, and sums over parts of it.
import { linesOfBlock } from './block-code.ts';
import { compareWall } from './latency.ts';
import type { Block, Durations, Line, Report, Route, Split, UnansweredRoute, Warning } from './report.ts';
import { ASYNC_STACKS_MARK, weaker } from './units.ts';

/** Everything a report says about one source line. */
export interface LineFacts {
	/** Absolute path as in the report. */
	file: string;
	/** 1-based. */
	line: number;
	entries: Line[];
	/** Blocks whose culprit is on this line; and blocks without a culprit whose last wait was. */
	blocks: Block[];
	warnings: Warning[];
	/** Of the server whose handler it is. */
	routes: Route[];
	/** The same, where no response was finished. */
	unanswered: UnansweredRoute[];
}

/** Groups a report by file and line; entries come with the one first that was under way for the longest time. */
export function factsByFile(report: Report): Map<string, Map<number, LineFacts>> {
	const files = new Map<string, Map<number, LineFacts>>();
	const at = (file: string, line: number): LineFacts => {
		const lines = files.get(file) ?? new Map<number, LineFacts>();
		files.set(file, lines);
		const facts = lines.get(line) ?? { file, line, entries: [], blocks: [], warnings: [], routes: [], unanswered: [] };
		lines.set(line, facts);
		return facts;
	};
	for (const entry of report.lines) at(entry.file, entry.line).entries.push(entry);
	for (const route of report.requests) at(route.file, route.line).routes.push(route);
	for (const route of report.unanswered) at(route.file, route.line).unanswered.push(route);
	for (const block of report.loops.flatMap((loop) => loop.blocks)) {
		// No line is to blame where the thread had no processor.
		if (block.cause === 'no-cpu') continue;
		for (const { file, line } of linesOfBlock(block)) at(file, line).blocks.push(block);
	}
	for (const warning of report.warnings) {
		if (warning.file !== null && warning.line !== null) at(warning.file, warning.line).warnings.push(warning);
	}
	for (const lines of files.values()) {
		for (const facts of lines.values()) {
			facts.entries.sort(compareWall);
		}
	}
	return files;
}

/** The parts of an operation's time. */
export type Part = 'wait' | 'queue' | 'execute' | 'lag' | 'run';

/**
 * The mark behind a figure that is longer because a debugger collected asynchronous call stacks; empty where it is not.
 */
export function asyncStacksMark(entries: readonly Line[], part: Part): string {
	const isLonger = (entry: Line) => entry[part] !== null && entry.asyncStackRuns > 0;
	return (part === 'run' || part === 'lag') && entries.some(isLonger) ? ASYNC_STACKS_MARK : '';
}

/**
 * One part of the time over several entries; null where none has it. Only the total is exact: the distribution of a
 * union cannot be computed from the parts, so the percentiles are those of the entry with the longest one.
 */
export function totalOf(entries: readonly Line[], part: Part): Split | null {
	let result: Split | null = null;
	for (const entry of entries) {
		const split = entry[part];
		if (split === null) continue;
		if (result === null) {
			result = { ...split };
			continue;
		}
		const range: Split['range'] =
			result.range === null && split.range === null
				? null
				: {
						low: together(result.range?.low ?? result, split.range?.low ?? split),
						high: together(result.range?.high ?? result, split.range?.high ?? split),
					};
		result = {
			...together(result, split),
			range,
			uncertaintyMs: Math.max(result.uncertaintyMs, split.uncertaintyMs),
			basis: weaker(result.basis, split.basis),
			atLeast: atLeastOf(result, split),
		};
	}
	return result;
}

function atLeastOf(...splits: [Split, Split]): Split['atLeast'] {
	if (splits.every(({ atLeast }) => atLeast === null)) return null;
	const [a, b] = splits.map((split) => split.atLeast ?? { ...(split.range?.low ?? split), unknown: 0 });
	return {
		totalMs: a!.totalMs + b!.totalMs,
		// Half of all take at least as long as half of those that are shorter.
		p50Ms: Math.min(a!.p50Ms, b!.p50Ms),
		p95Ms: Math.min(a!.p95Ms, b!.p95Ms),
		maxMs: Math.max(a!.maxMs, b!.maxMs),
		unknown: a!.unknown + b!.unknown,
	};
}

function together(a: Durations, b: Durations): Durations {
	return {
		totalMs: a.totalMs + b.totalMs,
		p50Ms: Math.max(a.p50Ms, b.p50Ms),
		p95Ms: Math.max(a.p95Ms, b.p95Ms),
		maxMs: Math.max(a.maxMs, b.maxMs),
	};
}

/**
 * How long the parts of an entry's wait are, in ms, for a bar: queue, execution and lag as far as they are certain,
 * what belongs to none of these, and what may belong to any.
 */
export function barParts({
	wait,
	queue,
	execute,
	lag,
}: Line): Record<'queue' | 'execute' | 'lag' | 'rest' | 'range', number> {
	const total = wait?.totalMs ?? 0;
	const limits = (split: Split | null) => {
		if (split === null || split.basis === 'unknown') return { low: 0, high: 0 };
		const { low, high } = split.range ?? { low: split, high: split };
		return { low: low.totalMs, high: high.totalMs };
	};
	const parts = [queue, execute, lag].map(limits);
	const [least, most] = [parts.reduce((sum, { low }) => sum + low, 0), parts.reduce((sum, { high }) => sum + high, 0)];
	const rest = Math.max(0, total - most);
	return {
		queue: parts[0]!.low,
		execute: parts[1]!.low,
		lag: parts[2]!.low,
		rest,
		range: Math.max(0, total - least - rest),
	};
}

/** The same for a bar as long as the line was under way: a timer's is its lateness. */
export function wallBarParts(line: Line): ReturnType<typeof barParts> {
	const { wallMs } = line;
	if (line.class === 'timer') return { queue: 0, execute: 0, lag: wallMs, rest: 0, range: 0 };
	const parts = barParts(line);
	const total = Object.values(parts).reduce((sum, ms) => sum + ms, 0);
	const scale = total === 0 ? 0 : wallMs / total;
	const scaled = (ms: number) => ms * scale;
	return {
		queue: scaled(parts.queue),
		execute: scaled(parts.execute),
		lag: scaled(parts.lag),
		rest: scaled(parts.rest),
		range: scaled(parts.range),
	};
}
