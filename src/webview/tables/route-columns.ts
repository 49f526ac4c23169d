// The columns of the table of requests: how long a route's took, how many there were, and what one of them spent its time on.
import { rateText } from '../../protocol/latency.ts';
import type { Durations, Process, Route, Split, UnansweredRoute } from '../../protocol/report.ts';
import { stepTexts, typicalDuration, unansweredTexts } from '../../protocol/request-text.ts';
import { formatCount, formatFigure, formatShareOf, weaker } from '../../protocol/units.ts';
import type { ViewStringKey, ViewStrings } from '../../protocol/webview.ts';
import { LOCATION } from './location-column.ts';
import type { Bar, Column, TableItem } from './table-model.ts';

/** A route in the table. */
export interface RouteItem extends TableItem {
	/** What is known of every route. */
	open: UnansweredRoute;
	/** null where no response was finished. */
	route: Route | null;
	/** Of the report. */
	processes: readonly Process[];
	/** The file as it is shown. */
	label: string;
	/** The short name of a line. */
	placeOf(file: string, line: number): string;
	/** The time of all requests, and of those of the slowest route, in ms: what its own is a share of. */
	allMs: number;
	longestMs: number;
	/** How busy its handler's line was over the session, from 0 to 1; null where that is not kept. */
	trend: readonly number[] | null;
}

function duration(id: string, label: ViewStringKey, figure: keyof Durations, rank: number): Column<RouteItem> {
	return {
		id,
		label,
		figure: true,
		rank,
		text: ({ route }) => (route === null ? '' : formatFigure(route.duration, figure)),
		key: ({ route }) => route?.duration[figure] ?? -1,
	};
}

function counts(
	id: string,
	label: ViewStringKey,
	rank: number,
	count: (item: RouteItem) => number,
	none = '',
): Column<RouteItem> {
	const written = (sum: number) => (sum > 0 ? formatCount(sum) : none);
	return {
		id,
		label,
		figure: true,
		rank,
		text: (item) => written(count(item)),
		key: count,
		total: (items) => written(items.reduce((sum, item) => sum + count(item), 0)),
	};
}

export const ROUTE_COLUMNS: readonly Column<RouteItem>[] = [
	LOCATION,
	duration('p50', 'columnMedian', 'p50Ms', 3),
	duration('p95', 'columnP95', 'p95Ms', 0),
	duration('max', 'columnMax', 'maxMs', 4),
	counts('count', 'columnCount', 0, ({ route }) => route?.count ?? 0, '0'),
	{
		id: 'rate',
		label: 'columnRate',
		figure: true,
		rank: 5,
		text: ({ route }) => (route === null ? '' : rateText(route)),
		key: ({ route }) => route?.perSecond ?? -1,
	},
	{
		id: 'share',
		label: 'columnShare',
		figure: true,
		rank: 2,
		text: (item) => shareText([item]),
		key: ({ route }) => route?.duration.totalMs ?? -1,
		total: shareText,
		bar: barOf,
	},
	{
		id: 'trend',
		label: 'columnTrend',
		figure: false,
		rank: 6,
		text: () => '',
		// By when it was busiest.
		key: ({ trend }) => (trend === null ? -1 : trend.indexOf(Math.max(...trend)) / trend.length),
		spark: ({ trend }) => trend,
	},
	counts('pending', 'columnPending', 7, ({ open }) => open.pending),
	{
		id: 'typical',
		label: 'columnTypical',
		figure: false,
		rank: 1,
		text: typicalText,
		key: ({ route }) => route?.typical.durationMs ?? -1,
	},
];

/** What a typical request spent its time on; of a route without an answer, that it has none. */
function typicalText({ route, open, processes, placeOf }: RouteItem, words: ViewStrings): string {
	if (route === null) return unansweredTexts(open, processes, words).join(' · ');
	return `${typicalDuration(route)}: ${stepTexts(route, words, placeOf).join(', ')}`;
}

/** The routes' share of the time of all requests that were answered. */
function shareText(items: readonly RouteItem[]): string {
	const durations = items.flatMap(({ route }) => route?.duration ?? []);
	if (durations.length === 0) return '';
	const sum = durations.reduce((ms, { totalMs }) => ms + totalMs, 0);
	return formatShareOf(sum, items[0]!.allMs, durations.map(({ basis }) => basis).reduce(weaker));
}

/** Own code is drawn as execution is, and what blocked it as lag. */
function barOf({ route, longestMs }: RouteItem): Bar {
	const percent = (part?: Split) => (part !== undefined && longestMs > 0 ? (100 * part.totalMs) / longestMs : 0);
	return {
		queue: 0,
		execute: percent(route?.run),
		lag: percent(route?.blocked),
		range: percent(route?.unknown),
		rest: percent(route?.wait),
	};
}
