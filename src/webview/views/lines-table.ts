// The table of the report's entries.
import { totalWallMs } from '../../protocol/latency.ts';
import { EMPTY_REPORT } from '../../protocol/report.ts';
import { formatCount } from '../../protocol/units.ts';
import { fill, type ViewFile, type ViewState, type ViewStrings } from '../../protocol/webview.ts';
import { element, setText } from '../common/dom.ts';
import { lineDetailsRow } from '../common/line-details.ts';
import type { Matches } from '../common/query.ts';
import { type IsInTime, type OverviewOf, trendOf } from '../common/session-rows.ts';
import { duringOf, subjectOfLine } from '../common/subjects.ts';
import { COLUMNS, type LineItem } from '../tables/columns.ts';
import { DataTable } from '../tables/data-table.ts';
import { GROUPINGS, groupOfLine } from '../tables/grouping.ts';
import type { Sort } from '../tables/table-model.ts';
import { type TableChoices, TableOptions } from '../tables/table-options.ts';

export interface LinesTableEvents {
	sort(sort: Sort): void;
	choose(choices: TableChoices): void;
	open(fileId: number, line: number): void;
	showInSource(fileId: number, line: number): void;
}

export class LinesTable {
	readonly root: HTMLElement;
	/** How the rows are grouped, and which columns there are. */
	readonly options: HTMLElement;
	readonly #words: ViewStrings;
	readonly #note = element('p', { className: 'note' });
	readonly #table: DataTable<LineItem>;
	#files: readonly ViewFile[] = [];
	#choices: TableChoices;

	constructor(words: ViewStrings, sort: Sort, choices: TableChoices, events: LinesTableEvents) {
		this.#words = words;
		this.#choices = choices;
		this.#table = new DataTable(words, COLUMNS, sort, this.#note, {
			sort: events.sort,
			open: ({ fileId, line }) => events.open(fileId, line),
			jump: ({ fileId, line }) => events.showInSource(fileId, line),
			details: ({ entry }) => lineDetailsRow(entry, this.#files, words, events.open),
		});
		const optional = COLUMNS.filter(({ rank }) => rank > 0);
		const options = new TableOptions('lines', words, GROUPINGS, optional, choices, (chosen) => {
			this.#choices = chosen;
			this.#table.choose(groupOfLine(chosen.grouping, words), new Set(chosen.left));
			events.choose(chosen);
		});
		this.root = this.#table.root;
		this.options = options.root;
		this.#table.choose(groupOfLine(this.#choices.grouping, words), new Set(this.#choices.left));
	}

	/** Texts of the rows in their order, also of those out of view, for the host's tests. */
	get texts(): string[][] {
		return this.#table.texts;
	}

	/**
	 * @param matches which lines to show
	 * @param overviewOf a line over time
	 * @param isInTime whether to show what has that overview
	 */
	update(state: ViewState | null, matches: Matches, overviewOf: OverviewOf, isInTime: IsInTime): void {
		this.#files = state?.files ?? [];
		const all = state === null ? [] : itemsOf(state, overviewOf);
		const during = duringOf(state?.report ?? EMPTY_REPORT);
		const items = all.filter(
			({ entry, label }) => matches(subjectOfLine(entry, label, during)) && isInTime(overviewOf(entry)),
		);
		setText(this.#note, this.#noteFor(state, items.length, all.length));
		this.#table.update(items);
	}

	/** Marks the rows of a line; brings the first into view. */
	reveal(fileId: number, line: number): void {
		this.#table.reveal(fileId, line);
	}

	#noteFor(state: ViewState | null, count: number, of: number): string {
		if (state === null) return this.#words.noSession;
		if (of === 0) return this.#words.empty;
		return count < of ? fill(this.#words.filteredRows, formatCount(count), formatCount(of)) : '';
	}
}

function itemsOf({ report, files }: ViewState, overviewOf: OverviewOf): LineItem[] {
	const byPath = new Map<string, ViewFile>(files.map((file) => [file.path, file]));
	const allMs = totalWallMs(report);
	const longestMs = Math.max(0, ...report.lines.map(({ wallMs }) => wallMs));
	return report.lines.flatMap((entry) => {
		const file = byPath.get(entry.file);
		if (file === undefined) return [];
		const { id: fileId, label } = file;
		const { line, op } = entry;
		const key = JSON.stringify([fileId, line, op, entry.class]);
		const trend = trendOf(overviewOf(entry));
		return [{ key, fileId, line, location: `${label}:${line}`, entry, label, allMs, longestMs, trend }];
	});
}
