// The columns of the lines table: what each shows of an entry and how it sorts. The times come first: a narrow panel shows
// no more.
import { asyncStacksMark, type Part } from '../protocol/line-facts.ts';
import type { Line, Split } from '../protocol/report.ts';
import { formatCount, formatTotal } from '../protocol/units.ts';
import type { ViewStringKey, ViewStrings } from '../protocol/webview.ts';

export type SortColumn =
	| 'location'
	| 'operation'
	| 'class'
	| 'count'
	| 'pending'
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

/** A part of the time: its total with its basis. */
function part(id: Part, label: ViewStringKey): Column {
	const order = (split: Split | null) => (split === null || split.basis === 'unknown' ? -1 : split.totalMs);
	const text = (line: Line) => formatTotal(line[id]) + asyncStacksMark([line], id);
	return { id, label, figure: true, text, key: (line) => order(line[id]) };
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
	part('wait', 'columnWait'),
	part('queue', 'columnQueue'),
	part('execute', 'columnExecute'),
	part('lag', 'columnLag'),
	part('run', 'columnRun'),
	{
		id: 'class',
		label: 'columnClass',
		figure: false,
		text: (line, _location, words) => words[`class.${line.class}`],
		key: (line) => line.class,
	},
	{
		id: 'count',
		label: 'columnCount',
		figure: true,
		text: (line) => formatCount(line.count),
		key: (line) => line.count,
	},
	{
		id: 'pending',
		label: 'columnPending',
		figure: true,
		text: (line) => (line.pending > 0 ? formatCount(line.pending) : ''),
		key: (line) => line.pending,
	},
];
