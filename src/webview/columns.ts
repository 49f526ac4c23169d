// The columns of the lines table: what each shows of an entry and how it sorts. How slow one operation is and how many there are come first, for a
// narrow panel shows no more; sums come last.
import { latencyOf, rateText } from '../protocol/latency.ts';
import { asyncStacksMark, type Part } from '../protocol/line-facts.ts';
import type { Durations, Line, Split } from '../protocol/report.ts';
import { formatCount, formatFigure, formatMs, formatTotal } from '../protocol/units.ts';
import { fill, type ViewStringKey, type ViewStrings } from '../protocol/webview.ts';

export type SortColumn =
	| 'location'
	| 'operation'
	| 'class'
	| 'count'
	| 'pending'
	| 'p50'
	| 'p95'
	| 'max'
	| 'rate'
	| 'wall'
	| 'atOnce'
	| 'wait'
	| 'queue'
	| 'execute'
	| 'lag'
	| 'run';

export interface Column {
	id: SortColumn;
	label: ViewStringKey;
	/** Figures stand right, and sort the largest first. */
	figure: boolean;
	text(line: Line, location: string, words: ViewStrings): string;
	/** What the column sorts by; parts that have no meaning sort last. */
	key(line: Line, location: string): string | number;
}

/** How slow one operation is; of timers, how late. */
function latency(id: 'p50' | 'p95' | 'max', label: ViewStringKey, figure: keyof Durations): Column {
	const text = (line: Line, _location: string, words: ViewStrings) => {
		const known = latencyOf(line);
		if (known === null) return '';
		const written = formatFigure(known.split, figure);
		return known.of === 'lateness' ? fill(words.late, written) : written;
	};
	return { id, label, figure: true, text, key: (line) => order(latencyOf(line)?.split ?? null, figure) };
}

/** A part of the time: its total with its basis. */
function part(id: Part, label: ViewStringKey): Column {
	const text = (line: Line) => formatTotal(line[id]) + asyncStacksMark([line], id);
	return { id, label, figure: true, text, key: (line) => order(line[id], 'totalMs') };
}

function order(split: Split | null, figure: keyof Durations): number {
	return split === null || split.basis === 'unknown' ? -1 : split[figure];
}

export const COLUMNS: readonly Column[] = [
	{
		id: 'location',
		label: 'columnLocation',
		figure: false,
		text: (_line, location) => location,
		// Digits are padded so that line 9 sorts before line 10.
		key: (line, location) => `${location.replace(/\d+$/, '')}${String(line.line).padStart(9, '0')}`,
	},
	{
		id: 'operation',
		label: 'columnOperation',
		figure: false,
		text: (line) => line.op,
		key: (line) => line.op,
	},
	latency('p50', 'columnMedian', 'p50Ms'),
	latency('p95', 'columnP95', 'p95Ms'),
	latency('max', 'columnMax', 'maxMs'),
	{
		id: 'count',
		label: 'columnCount',
		figure: true,
		text: (line) => formatCount(line.count),
		key: (line) => line.count,
	},
	{
		id: 'wall',
		label: 'columnWall',
		figure: true,
		text: (line) => (line.count > 0 ? formatMs(line.wallMs) : ''),
		key: (line) => line.wallMs,
	},
	{
		id: 'class',
		label: 'columnClass',
		figure: false,
		text: (line, _location, words) => words[`class.${line.class}`],
		key: (line) => line.class,
	},
	{
		id: 'pending',
		label: 'columnPending',
		figure: true,
		text: (line) => (line.pending > 0 ? formatCount(line.pending) : ''),
		key: (line) => line.pending,
	},
	{
		id: 'atOnce',
		label: 'columnAtOnce',
		figure: true,
		text: (line) => formatCount(line.maxInFlight),
		key: (line) => line.maxInFlight,
	},
	{
		id: 'rate',
		label: 'columnRate',
		figure: true,
		text: rateText,
		key: (line) => line.perSecond ?? -1,
	},
	part('wait', 'columnTotalWait'),
	part('queue', 'columnQueue'),
	part('execute', 'columnExecute'),
	part('lag', 'columnLag'),
	part('run', 'columnTotalRun'),
];
