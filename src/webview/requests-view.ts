// The requests of the program's servers, one row per route: how long they took, and what a typical one spent its time on.
import { stepTexts, typicalDuration } from '../protocol/request-text.ts';
import { formatCount, formatFigure } from '../protocol/units.ts';
import { fill, type ViewState, type ViewStrings } from '../protocol/webview.ts';
import { element, setLabel, setText } from './dom.ts';
import type { Matches } from './query.ts';
import { subjectOfRoute } from './subjects.ts';

export class RequestsView {
	readonly root: HTMLElement;
	readonly #words: ViewStrings;
	readonly #open: (fileId: number, line: number) => void;
	readonly #body = element('tbody');
	readonly #table: HTMLElement;
	readonly #note = element('p', { className: 'note' });
	#shown = '';
	/** Texts of the cells, row by row, for the host's tests. */
	texts: string[][] = [];

	/** @param open shows a line in the editor */
	constructor(words: ViewStrings, open: (fileId: number, line: number) => void) {
		this.#words = words;
		this.#open = open;
		const heads = [words.columnLocation, words.columnMedian, words.columnP95, words.columnMax, words.columnCount];
		const cells = [...heads, words.columnPending, words.columnTypical].map((head, index) => {
			const cell = element('th', { className: index > 0 && index < 6 ? 'figure' : '' }, head);
			cell.scope = 'col';
			return cell;
		});
		const head = element('thead', {}, element('tr', {}, ...cells));
		this.#table = element('table', { className: 'lines requests' }, head, this.#body);
		this.root = element('div', { className: 'scroll' }, this.#table, this.#note);
		this.root.tabIndex = 0;
		this.root.setAttribute('role', 'region');
		setLabel(this.root, words.tabRequests);
	}

	/** @param matches which routes to show */
	update(state: ViewState | null, matches: Matches): void {
		const rows = state === null ? [] : this.#rowsOf(state, matches);
		this.texts = rows.map(({ cells }) => cells);
		this.#table.hidden = rows.length === 0;
		setText(this.#note, this.#noteFor(state, rows.length));
		const shown = JSON.stringify(rows);
		if (shown === this.#shown) return;
		this.#shown = shown;
		this.#body.replaceChildren(...rows.map((row) => this.#row(row)));
	}

	#noteFor(state: ViewState | null, count: number): string {
		if (state === null) return this.#words.noSession;
		const of = state.report.requests.length;
		if (of === 0) return this.#words.noRequests;
		return count < of ? fill(this.#words.filteredRows, formatCount(count), formatCount(of)) : '';
	}

	#rowsOf({ report, files }: ViewState, matches: Matches): Row[] {
		const ids = new Map(files.map((file) => [file.path, file]));
		const labelOf = (path: string) => ids.get(path)?.label ?? path;
		return report.requests.flatMap((route) => {
			const file = ids.get(route.file);
			if (file === undefined || !matches(subjectOfRoute(route, labelOf))) return [];
			const { line, duration, count, pending } = route;
			const placeOf = (path: string, at: number) => `${labelOf(path)}:${at}`;
			const steps = stepTexts(route, this.#words, placeOf).join(', ');
			const figures = (['p50Ms', 'p95Ms', 'maxMs'] as const).map((figure) => formatFigure(duration, figure));
			const counts = [formatCount(count), pending > 0 ? formatCount(pending) : ''];
			const cells = [`${file.label}:${line}`, ...figures, ...counts, `${typicalDuration(route)}: ${steps}`];
			return [{ fileId: file.id, line, cells }];
		});
	}

	#row({ fileId, line, cells: [location = '', ...rest] }: Row): HTMLElement {
		const open = element('button', { className: 'link', title: fill(this.#words.openInEditor, location) }, location);
		const row = element(
			'tr',
			{},
			element('td', {}, open),
			...rest.map((text, index) => element('td', { className: index < 5 ? 'figure' : '' }, text)),
		);
		// The button is the keyboard's, and its click arrives here too.
		row.addEventListener('click', () => this.#open(fileId, line));
		return row;
	}
}

interface Row {
	fileId: number;
	line: number;
	cells: string[];
}
