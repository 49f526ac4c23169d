// The columns of the lines table: what each shows of an entry and how it sorts. How slow one operation is and how many there are come first, since a
// narrow panel shows no more; sums come last.
import { latencyOf, rateText, totalWallMs } from '../../protocol/latency.ts';
import { asyncStacksMark, type Part, totalOf, wallBarParts } from '../../protocol/line-facts.ts';
import type { Durations, Line, Split } from '../../protocol/report.ts';
import {
	BASIS_MARK,
	formatCount,
	formatFigure,
	formatMs,
	formatShareOf,
	formatTotal,
	weaker,
} from '../../protocol/units.ts';
import { fill, type ViewStringKey, type ViewStrings } from '../../protocol/webview.ts';
import { LOCATION } from './location-column.ts';
import { BAR_PARTS, type Bar, type Column, type TableItem } from './table-model.ts';

/** An entry of the report in the table. */
export interface LineItem extends TableItem {
	entry: Line;
	/** The file as it is shown. */
	label: string;
	/** The time of all lines of the report, and of the longest of them, in ms: what its own is a share of. */
	allMs: number;
	longestMs: number;
	/** How busy it was over the session, from 0 to 1; null where that is not kept. */
	trend: readonly number[] | null;
}

type LineColumn = Column<LineItem>;

/** How slow one operation is; of timers, how late. */
function latency(id: string, label: ViewStringKey, figure: keyof Durations, rank: number): LineColumn {
	const text = ({ entry }: LineItem, words: ViewStrings) => {
		const known = latencyOf(entry);
		if (known === null) return '';
		const written = formatFigure(known.split, figure);
		return known.of === 'lateness' ? fill(words.late, written) : written;
	};
	return {
		id,
		label,
		figure: true,
		rank,
		text,
		key: ({ entry }) => order(latencyOf(entry)?.split ?? null, figure),
	};
}

/** A part of the time: its total with its basis. */
function part(id: Part, label: ViewStringKey, rank: number): LineColumn {
	const total = (items: readonly LineItem[]) => {
		const entries = items.map(({ entry }) => entry);
		return formatTotal(totalOf(entries, id)) + asyncStacksMark(entries, id);
	};
	return {
		id,
		label,
		figure: true,
		rank,
		text: (item) => total([item]),
		key: ({ entry }) => order(entry[id], 'totalMs'),
		total,
	};
}

function order(split: Split | null, figure: keyof Durations): number {
	if (split?.basis === 'unknown') return (figure === 'totalMs' && split.atLeast?.totalMs) || -1;
	return split === null ? -1 : split[figure];
}

/** A column of counts, which add up. */
function counts(id: 'count' | 'pending', label: ViewStringKey, rank: number): LineColumn {
	const isEstimated = ({ isCountEstimated }: Line) => id === 'count' && isCountEstimated;
	const written = (sum: number, isMarked: boolean) =>
		sum > 0 || id === 'count' ? (isMarked ? BASIS_MARK.estimated : '') + formatCount(sum) : '';
	return {
		id,
		label,
		figure: true,
		rank,
		text: ({ entry }) => written(entry[id], isEstimated(entry)),
		key: ({ entry }) => entry[id],
		total: (items) =>
			written(
				items.reduce((sum, { entry }) => sum + entry[id], 0),
				items.some(({ entry }) => isEstimated(entry)),
			),
	};
}

export const COLUMNS: readonly LineColumn[] = [
	LOCATION,
	{
		id: 'operation',
		label: 'columnOperation',
		figure: false,
		// Several rows may be about one line.
		rank: 1,
		isInFirst: true,
		text: ({ entry }) => entry.op,
		key: ({ entry }) => entry.op,
	},
	latency('p50', 'columnMedian', 'p50Ms', 3),
	latency('p95', 'columnP95', 'p95Ms', 0),
	latency('max', 'columnMax', 'maxMs', 4),
	counts('count', 'columnCount', 0),
	{
		id: 'rate',
		label: 'columnRate',
		figure: true,
		rank: 6,
		text: ({ entry }) => rateText(entry),
		key: ({ entry }) => entry.perSecond ?? -1,
	},
	{
		id: 'share',
		label: 'columnShare',
		figure: true,
		rank: 2,
		text: (item) => shareText([item]),
		key: ({ entry }) => entry.wallMs,
		total: shareText,
		bar: ({ entry, longestMs }) => percentOf(wallBarParts(entry), longestMs),
	},
	{
		id: 'trend',
		label: 'columnTrend',
		figure: false,
		rank: 7,
		text: () => '',
		// By when it was busiest.
		key: ({ trend }) => (trend === null ? -1 : trend.indexOf(Math.max(...trend)) / trend.length),
		spark: ({ trend }) => trend,
	},
	{
		id: 'wall',
		label: 'columnWall',
		figure: true,
		rank: 5,
		text: ({ entry }) => (entry.count > 0 ? formatMs(entry.wallMs) : ''),
		key: ({ entry }) => entry.wallMs,
	},
	{
		id: 'class',
		label: 'columnClass',
		figure: false,
		rank: 9,
		text: ({ entry }, words) => words[`class.${entry.class}`],
		key: ({ entry }) => entry.class,
	},
	counts('pending', 'columnPending', 8),
	{
		id: 'atOnce',
		label: 'columnAtOnce',
		figure: true,
		rank: 10,
		text: ({ entry: { maxInFlight } }) => (maxInFlight === null ? '' : formatCount(maxInFlight)),
		key: ({ entry }) => entry.maxInFlight ?? -1,
	},
	part('wait', 'columnTotalWait', 11),
	part('run', 'columnTotalRun', 12),
	part('queue', 'columnQueue', 13),
	part('execute', 'columnExecute', 14),
	part('lag', 'columnLag', 15),
];

/** The lines' share of the time of all; nothing where no operation has finished. */
function shareText(items: readonly LineItem[]): string {
	const lines = items.map(({ entry }) => entry);
	const bases = lines.flatMap((line) => latencyOf(line)?.split.basis ?? []);
	return bases.length === 0 ? '' : formatShareOf(totalWallMs({ lines }), items[0]!.allMs, bases.reduce(weaker));
}

function percentOf(parts: Bar, longestMs: number): Bar {
	const percent = (ms: number) => (longestMs > 0 ? (100 * ms) / longestMs : 0);
	return Object.fromEntries(BAR_PARTS.map((each) => [each, percent(parts[each])])) as unknown as Bar;
}
