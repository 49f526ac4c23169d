// The requests of the program's servers, one row per route: how long they took, and what a typical one spent its time on.
import type { Route, UnansweredRoute } from '../../protocol/report.ts';
import { unansweredTexts } from '../../protocol/request-text.ts';
import { formatCount, formatRange } from '../../protocol/units.ts';
import { fill, type ViewFile, type ViewState, type ViewStrings } from '../../protocol/webview.ts';
import { element, setLabel, setText } from '../common/dom.ts';
import { distributionBars, lineLink, list } from '../common/line-details.ts';
import type { Matches } from '../common/query.ts';
import { type IsInTime, type OverviewOf, trendOf } from '../common/session-rows.ts';
import { subjectOfRoute } from '../common/subjects.ts';
import { DataTable } from '../tables/data-table.ts';
import { groupOfRoute, ROUTE_GROUPINGS } from '../tables/grouping.ts';
import { ROUTE_COLUMNS, type RouteItem } from '../tables/route-columns.ts';
import type { Sort } from '../tables/table-model.ts';
import { type TableChoices, TableOptions } from '../tables/table-options.ts';

export interface RequestsViewEvents {
	sort(sort: Sort): void;
	choose(choices: TableChoices): void;
	open(fileId: number, line: number): void;
}

export class RequestsView {
	readonly root: HTMLElement;
	/** How the rows are grouped, and which columns there are. */
	readonly options: HTMLElement;
	readonly #words: ViewStrings;
	readonly #open: (fileId: number, line: number) => void;
	readonly #note = element('p', { className: 'note' });
	readonly #table: DataTable<RouteItem>;
	#files: readonly ViewFile[] = [];

	constructor(words: ViewStrings, sort: Sort, choices: TableChoices, events: RequestsViewEvents) {
		this.#words = words;
		this.#open = events.open;
		this.#table = new DataTable(words, ROUTE_COLUMNS, sort, this.#note, {
			sort: events.sort,
			open: ({ fileId, line }) => events.open(fileId, line),
			details: (item) => this.#details(item),
		});
		const apply = ({ grouping, left }: TableChoices) =>
			this.#table.choose(groupOfRoute(grouping, words), new Set(left));
		const optional = ROUTE_COLUMNS.filter(({ rank }) => rank > 0);
		const options = new TableOptions('requests', words, ROUTE_GROUPINGS, optional, choices, (chosen) => {
			apply(chosen);
			events.choose(chosen);
		});
		apply(choices);
		this.options = options.root;
		this.root = this.#table.root;
		this.root.tabIndex = 0;
		this.root.setAttribute('role', 'region');
		setLabel(this.root, words.tabRequests);
	}

	/** Texts of the cells, row by row, for the host's tests. */
	get texts(): string[][] {
		return this.#table.texts;
	}

	/**
	 * @param matches which routes to show
	 * @param overviewOf a handler's line over time
	 * @param isInTime whether to show what has that overview
	 */
	update(state: ViewState | null, matches: Matches, overviewOf: OverviewOf, isInTime: IsInTime): void {
		this.#files = state?.files ?? [];
		const all = state === null ? [] : itemsOf(state, matches, overviewOf);
		const items = all.filter(({ open }) => isInTime(overviewOf(open)));
		setText(this.#note, this.#noteFor(state, items.length));
		this.#table.update(items);
	}

	#noteFor(state: ViewState | null, count: number): string {
		if (state === null) return this.#words.noSession;
		const of = routesOf(state).length;
		if (of === 0) return this.#words.noRequests;
		return count < of ? fill(this.#words.filteredRows, formatCount(count), formatCount(of)) : '';
	}

	/** How long the route's requests took, what their time went to, and of how many no response was finished. */
	#details({ open, route, processes }: RouteItem): HTMLElement {
		const words = this.#words;
		const unanswered = unansweredTexts(open, processes, words).join(' · ');
		const note = unanswered === '' ? [] : [element('p', {}, unanswered)];
		return element('div', { className: 'row-details' }, ...(route === null ? [] : this.#answered(route)), ...note);
	}

	#answered({ parts, histogram: bins, op: own }: Route): HTMLElement[] {
		const words = this.#words;
		const items = parts.map(({ kind, op, file, line, leastMs, mostMs, count }) => {
			const time = formatRange(leastMs, mostMs);
			const step = kind === 'wait' && op === own ? 'stepArrival' : kind === 'wait' ? null : STEP_WORDS[kind];
			const what = step === null ? `${time} ${op}` : fill(words[step], time);
			const link =
				file === null || line === null ? [] : [' ', lineLink({ file, line }, this.#files, words, this.#open)];
			return element('li', {}, what, ...link, ` ×${formatCount(count)}`);
		});
		const bars = distributionBars(bins, words.requestDuration, words);
		return [...bars, list(words.requestParts, items)];
	}
}

const STEP_WORDS = { run: 'stepRun', blocked: 'stepBlockedAt', unknown: 'stepUnknown' } as const;

function routesOf({ report }: ViewState): (Route | UnansweredRoute)[] {
	return [...report.requests, ...report.unanswered];
}

function itemsOf(state: ViewState, matches: Matches, overviewOf: OverviewOf): RouteItem[] {
	const { report, files } = state;
	const { processes } = report;
	const byPath = new Map(files.map((file) => [file.path, file]));
	const labelOf = (path: string) => byPath.get(path)?.label ?? path;
	const placeOf = (path: string, at: number) => `${labelOf(path)}:${at}`;
	const times = report.requests.map(({ duration }) => duration.totalMs);
	const allMs = times.reduce((sum, ms) => sum + ms, 0);
	const longestMs = Math.max(0, ...times);
	return routesOf(state).flatMap((open) => {
		const file = byPath.get(open.file);
		if (file === undefined || !matches(subjectOfRoute(open, labelOf))) return [];
		const { id: fileId, label } = file;
		const { line, op } = open;
		const route = 'duration' in open ? open : null;
		const key = JSON.stringify([fileId, line, op]);
		const trend = trendOf(overviewOf(open));
		const location = `${label}:${line}`;
		return [{ key, fileId, line, location, open, route, processes, label, placeOf, allMs, longestMs, trend }];
	});
}
