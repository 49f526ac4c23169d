// Compares two sessions line by line, each of one or of several runs. A line is slower or faster only when its latency has left the band within which it
// changes by itself.
import type {
	Band,
	ComparedFigure,
	ComparedLine,
	ComparedSide,
	Comparison,
	Verdict,
} from '../../protocol/comparison.ts';
import { groupBy } from '../common/group-by.ts';
import type { PlacedLatency } from './bands.ts';
import { mapLines } from './line-map.ts';

/**
 * A change below this share is none: with one run of each, because two runs of the same program differ by that much, and the bands do not know it; with
 * several runs, because nobody cares about a smaller one.
 */
const LEAST_CHANGE = { one: 0.1, several: 0.02 };
/** Nor is one below this, in ms: a journal's times are in µs, and waking a thread takes some ten of them. */
const LEAST_MS = 0.02;

/** One run of one of both programs. */
export interface ComparedRun {
	readonly latencies: readonly PlacedLatency[];
	/** Texts that ran, by path, as far as they are known. */
	readonly texts: ReadonlyMap<string, string>;
}

/** @param before and `after`, at least one run each; the positions are those of the first */
export function compareRuns(before: readonly ComparedRun[], after: readonly ComparedRun[]): Comparison {
	const [first] = after as [ComparedRun, ...ComparedRun[]];
	const sides = { before: sidesOf(before, first), after: sidesOf(after, first) };
	const least = before.length > 1 && after.length > 1 ? LEAST_CHANGE.several : LEAST_CHANGE.one;
	const keys = new Set([...sides.after.keys(), ...sides.before.keys()]);
	const lines = [...keys].map((key) => compared(sides.before.get(key) ?? null, sides.after.get(key) ?? null, least));
	return {
		schema: 'waitline/compare@1',
		runs: { before: before.length, after: after.length },
		lines: lines.sort(compareLines),
	};
}

interface Side {
	readonly latency: PlacedLatency;
	readonly side: ComparedSide;
}

/** By a key that is the same for the same line in all runs: its place in the first run after. */
function sidesOf(runs: readonly ComparedRun[], reference: ComparedRun): Map<string, Side> {
	const keyed = runs.flatMap((run) => {
		const placeOf = placesIn(run, reference);
		return run.latencies.map((latency) => ({ key: keyOf(placeOf(latency), latency), latency }));
	});
	const groups = groupBy(keyed, ({ key }) => key);
	return new Map(
		[...groups].map(([key, all]): [string, Side] => {
			const latencies = all.map(({ latency }) => latency);
			const [latency] = latencies as [PlacedLatency];
			const { file, line, count, wallMs } = latency;
			const figure = (name: 'p50' | 'p95') => figureOf(latencies, name, runs.length);
			return [key, { latency, side: { file, line, count, wallMs, p50: figure('p50'), p95: figure('p95') } }];
		}),
	);
}

function keyOf(place: string, { op, class: kind }: PlacedLatency): string {
	return `${op} ${kind} ${place}`;
}

/** Where a line of one run is in another one: `file:line` there, or a text of its own where it is not. */
function placesIn(run: ComparedRun, reference: ComparedRun): (line: PlacedLatency) => string {
	const fileOf = filesIn(run, reference);
	const maps = new Map<string, Uint32Array | null>();
	return ({ file, line }) => {
		const other = fileOf(file);
		if (other === undefined) return `not there ${file}:${line}`;
		let map = maps.get(file);
		if (map === undefined) {
			const [text, now] = [run.texts.get(file), reference.texts.get(other)];
			map = text === undefined || now === undefined || text === now ? null : mapLines(linesOf(text), linesOf(now));
			maps.set(file, map);
		}
		const same = map === null ? line : (map[line] ?? 0);
		return same === 0 ? `not there ${file}:${line}` : `${other}:${same}`;
	};
}

function linesOf(text: string): string[] {
	return text.split(/\r\n|\r|\n/);
}

/** The same file in another run: by its path, or where that differs as it does on another machine, the only one whose path ends alike. */
function filesIn(run: ComparedRun, reference: ComparedRun): (file: string) => string | undefined {
	const others = [...new Set(reference.latencies.map(({ file }) => file))];
	const own = [...new Set(run.latencies.map(({ file }) => file))];
	const nameOf = (file: string) => /[^\\/]*$/.exec(file)![0];
	const otherNames = groupBy(others, nameOf);
	const ownNames = groupBy(own, nameOf);
	return (file) => {
		if (others.includes(file)) return file;
		const alike = otherNames.get(nameOf(file)) ?? [];
		return alike.length === 1 && ownNames.get(nameOf(file))?.length === 1 ? alike[0] : undefined;
	};
}

/** The middle one of all runs, and limits that contain what each could have been. */
function figureOf(latencies: readonly PlacedLatency[], name: 'p50' | 'p95', runs: number): ComparedFigure {
	const values = latencies.map((latency) => latency[`${name}Ms`]).sort((a, b) => a - b);
	const bands = latencies.map((latency) => latency[name]);
	const known = bands.filter((band) => band !== null);
	// Two runs of a few operations show how much these differ, and several of many operations more than one can.
	const isKnown = runs > 1 ? latencies.length > 1 : known.length > 0;
	const band: Band | null = isKnown
		? {
				low: Math.min(values[0]!, ...known.map(({ low }) => low)),
				high: Math.max(values.at(-1)!, ...known.map(({ high }) => high)),
			}
		: null;
	const [below, above] = [values[(values.length - 1) >> 1]!, values[values.length >> 1]!];
	return { ms: (below + above) / 2, band };
}

function compared(before: Side | null, after: Side | null, least: number): ComparedLine {
	const { op, class: kind } = (after ?? before)!.latency;
	const line = { op, class: kind, before: before?.side ?? null, after: after?.side ?? null };
	if (before === null) return { ...line, verdict: 'new', costMs: after!.side.wallMs };
	if (after === null) return { ...line, verdict: 'gone', costMs: -before.side.wallMs };
	const costMs = (after.side.p50.ms - before.side.p50.ms) * after.side.count;
	return { ...line, verdict: verdictOf(before.side, after.side, least), costMs };
}

function verdictOf(before: ComparedSide, after: ComparedSide, least: number): Verdict {
	const changes = (['p50', 'p95'] as const).map((name) => changeOf(before[name], after[name], least));
	// One may be slower and the other faster; what got worse must not be missed.
	return changes.find((change) => change === 'slower') ?? changes.find((change) => change === 'faster') ?? changes[0]!;
}

function changeOf(
	before: ComparedFigure,
	after: ComparedFigure,
	least: number,
): 'slower' | 'faster' | 'same' | 'unclear' {
	if (before.band === null || after.band === null) return 'unclear';
	const change = after.ms - before.ms;
	if (Math.abs(change) < Math.max(LEAST_MS, least * before.ms)) return 'same';
	if (after.band.low > before.band.high) return 'slower';
	return after.band.high < before.band.low ? 'faster' : 'same';
}

const ORDER: readonly Verdict[] = ['slower', 'new', 'unclear', 'faster', 'gone', 'same'];

function compareLines(a: ComparedLine, b: ComparedLine): number {
	return ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict) || Math.abs(b.costMs) - Math.abs(a.costMs);
}
