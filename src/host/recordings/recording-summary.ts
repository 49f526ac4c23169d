// The summary in a recording (src/protocol/summary.ts): what the session's report, overview and timeline were when it was saved, so that a long recording
// need not be read to its end before anything can be shown. It is taken only where reading would give the same: where this build of the engine made
// it, and where not a byte of what it was made of has changed. It may come from a stranger, so each value is checked as if it had been made up.
import type { Overview } from '../../protocol/overview.ts';
import type { Report } from '../../protocol/report.ts';
import type { Summary } from '../../protocol/summary.ts';
import type { Timeline } from '../../protocol/timeline.ts';
import { visibleText } from '../../protocol/visible-text.ts';
import { matches, type Schema } from '../common/schema-match.ts';
import { ENGINE_BUILD } from './engine-build.ts';
import type { Recording } from './recording-file.ts';
import { bytesOfPart } from './recording-part.ts';
import SCHEMA from './summary.schema.json' with { type: 'json' };
import { hashOfRest } from './summary-bytes.ts';

/** Entries that an array may have, by its name: what the types promise, and what the engine sends of a timeline. */
const MOST_ENTRIES = new Map([
	['callers', 5],
	['culprits', 8],
	['delays', 10],
	['histogram', 16],
	['lanes', 60],
	['libraries', 5],
	['parts', 20],
	['stages', 100],
]);
/** Bins of a row. */
const MOST_BINS = 1024;
const TREND_STEPS = 96;
/** A bin may begin before the recording did, and a row's worst line may be none. */
const MAY_BE_NEGATIVE = new Set(['fromMs', 'toMs', 'worst']);
/** What counts something, or names it by a number. */
const WHOLE = new Set(['line', 'pid', 'parentPid', 'threadId', 'thread', 'length', 'worst']);

/** The summary of a recording; null where there is none, or it cannot be taken: then the journals have to be read. */
export function summaryOf({ summary, unreadable }: Recording): Summary | null {
	if (summary === null || unreadable > 0) return null;
	const { part, before } = summary;
	const bytes = bytesOfPart(part);
	if (part.missing > 0 || part.unreadable > 0) return null;
	let parsed: unknown;
	try {
		parsed = JSON.parse(bytes.toString());
	} catch {
		return null;
	}
	const { engine, rest } = (parsed ?? {}) as Record<string, unknown>;
	if (engine !== ENGINE_BUILD || rest !== hashOfRest().update(before).digest('hex')) return null;
	return isSummary(parsed) ? withColumns(parsed) : null;
}

/** Whether it has everything, nothing else, and nothing that a session cannot have. */
export function isSummary(value: unknown): value is Summary {
	if (!matches(value, SCHEMA as Schema)) return false;
	const { report, overview, timeline, ...head } = value as Summary;
	return (
		isPossible(head) &&
		isPossible(report) &&
		isPossible(overview, MAY_BE_NEGATIVE) &&
		isReport(report) &&
		isOverview(overview) &&
		(timeline === null || (isPossible(timeline, MAY_BE_NEGATIVE) && isTimeline(timeline)))
	);
}

/** Figures as they can be, and texts without anything that a reader would not see. @param negative names of figures that may be below zero */
function isPossible(value: unknown, negative: ReadonlySet<string> = new Set(), name = ''): boolean {
	if (typeof value === 'number')
		return (value >= 0 || negative.has(name)) && (!WHOLE.has(name) || Number.isInteger(value));
	if (typeof value === 'string') return visibleText(value) === value;
	if (typeof value !== 'object' || value === null) return true;
	if (Array.isArray(value)) {
		const most = MOST_ENTRIES.get(name) ?? Infinity;
		return value.length <= most && value.every((entry) => isPossible(entry, negative, name));
	}
	if ('low' in value && 'high' in value && !isRange(value as { low: unknown; high: unknown })) return false;
	return Object.entries(value).every(([key, entry]) => isPossible(entry, negative, key));
}

/** The lower limit of a figure is not above its upper one. */
function isRange({ low, high }: { low: unknown; high: unknown }): boolean {
	if (typeof low === 'number') return low <= (high as number);
	return Object.entries(low as Record<string, number>).every(
		([name, least]) => least <= (high as Record<string, number>)[name]!,
	);
}

function isReport({ accounting, lines, requests, loops }: Report): boolean {
	const { emitted, decoded, dropped, lost } = accounting;
	return (
		emitted === decoded + dropped + lost &&
		[...lines, ...requests].every(({ histogram }) => histogram.every(({ fromMs, toMs }) => fromMs <= toMs)) &&
		loops.every(({ utilization }) => utilization <= 1)
	);
}

function isOverview({ binMs, length, threads, queues, lines }: Overview): boolean {
	return (
		areBins(length, binMs) &&
		threads.every(({ busy }) => busy.length === length) &&
		queues.every(({ jobs }) => jobs.length === length) &&
		lines.every(({ fromMs, toMs, trend }) => trend.length === Math.min(TREND_STEPS, length) && fromMs <= toMs)
	);
}

function isTimeline({ fromMs, toMs, endMs, threads, lines, density, detail, blocks, gaps }: Timeline): boolean {
	const { length, binMs, lanes, loops, flights, queues } = density;
	const rows = [
		...loops.map(({ busy }) => busy),
		...lanes.map(({ levels }) => levels),
		...queues.map(({ jobs }) => jobs),
	];
	const isLine = (index: number) => index >= 0 && index < lines.length;
	return (
		// All of the session, and nothing of it one by one.
		detail === null &&
		fromMs === 0 &&
		toMs === endMs &&
		areBins(length, binMs) &&
		rows.every((row) => row.length === length) &&
		flights.every(({ counts, kind }) => counts.length === length || (kind === 'request' && counts.length === 0)) &&
		[...lanes, ...loops, ...flights, ...queues, ...blocks, ...gaps].every(({ thread }) => thread < threads.length) &&
		lanes.every(({ line }) => isLine(line)) &&
		flights.every(({ worst }) => worst === -1 || isLine(worst)) &&
		[...threads.map((each) => [each.startMs, each.endMs]), ...gaps.map((each) => [each.fromMs, each.toMs])].every(
			([from, to]) => from! <= to!,
		)
	);
}

function areBins(length: number, binMs: number): boolean {
	return length <= MOST_BINS && binMs > 0;
}

/** Rows as what they were: JSON has them as plain arrays. */
function withColumns({ overview, timeline, ...summary }: Summary): Summary {
	return {
		...summary,
		overview: {
			...overview,
			threads: overview.threads.map((each) => ({ ...each, busy: Uint8Array.from(each.busy) })),
			queues: overview.queues.map((each) => ({ ...each, jobs: Float32Array.from(each.jobs) })),
			lines: overview.lines.map((each) => ({ ...each, trend: Uint8Array.from(each.trend) })),
		},
		timeline: timeline === null ? null : { ...timeline, density: densityOf(timeline) },
	};
}

function densityOf({ density }: Timeline): Timeline['density'] {
	return {
		...density,
		lanes: density.lanes.map((each) => ({ ...each, levels: Uint8Array.from(each.levels) })),
		loops: density.loops.map((each) => ({ ...each, busy: Uint8Array.from(each.busy) })),
		flights: density.flights.map((each) => ({ ...each, counts: Float32Array.from(each.counts) })),
		queues: density.queues.map((each) => ({ ...each, jobs: Float32Array.from(each.jobs) })),
	};
}
