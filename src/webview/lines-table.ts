// The sortable table of the report's entries. Rows are kept by entry and only their texts change, so that focus and
// scroll position survive the updates of a running program.
import { wallBarParts } from '../protocol/line-facts.ts';
import type { Line } from '../protocol/report.ts';
import { formatCount } from '../protocol/units.ts';
import { fill, type ViewFile, type ViewState, type ViewStrings } from '../protocol/webview.ts';
import { COLUMNS, type Column, type SortColumn } from './columns.ts';
import { element, setLabel, setText, setTitle } from './dom.ts';
import type { Kept } from './host.ts';
import type { Matches } from './query.ts';
import { subjectOfLine } from './subjects.ts';

/** The parts of the bar of a line's time, as `wallBarParts` has them, from the left. */
const BAR_PARTS = ['queue', 'execute', 'lag', 'range', 'rest'] as const;

/** More rows than a person reads; each costs a dozen elements. */
const MOST_ROWS = 500;

export interface LinesTableEvents {
	sort(sort: Kept['sort']): void;
	open(fileId: number, line: number): void;
	showInSource(fileId: number, line: number): void;
}

/** An entry with its location. */
interface Item {
	key: string;
	line: Line;
	fileId: number;
	/** The file as it is shown. */
	label: string;
	/** `src/app.js:12`. */
	location: string;
}

/** A row's elements, and the item that its handlers act on. */
interface Row {
	root: HTMLTableRowElement;
	cells: HTMLTableCellElement[];
	open: HTMLButtonElement;
	source: HTMLButtonElement;
	bars: HTMLElement[];
	item: Item;
}

export class LinesTable {
	readonly root: HTMLElement;
	readonly #words: ViewStrings;
	readonly #events: LinesTableEvents;
	readonly #headers = new Map<SortColumn, HTMLTableCellElement>();
	readonly #body = element('tbody');
	readonly #note = element('p', { className: 'note' });
	readonly #table: HTMLTableElement;
	readonly #rows = new Map<string, Row>();
	#shown: Row[] = [];
	#sort: Kept['sort'];
	#state: ViewState | null = null;
	#matches: Matches = () => true;
	#marked: { fileId: number; line: number } | undefined;

	constructor(words: ViewStrings, sort: Kept['sort'], events: LinesTableEvents) {
		this.#words = words;
		this.#sort = sort;
		this.#events = events;
		const heads = COLUMNS.map((column) => this.#header(column));
		const source = element('th', { className: 'jump' }, words.columnSource);
		source.scope = 'col';
		this.#table = element('table', { className: 'lines' }, element('thead', {}, element('tr', {}, ...heads, source)));
		this.#table.append(this.#body);
		this.root = element('div', { className: 'scroll' }, this.#table, this.#note);
	}

	/** Texts of the rows as shown, for the host's tests. */
	get texts(): string[][] {
		return this.#shown.map((row) => row.cells.slice(0, COLUMNS.length).map((cell) => cell.textContent ?? ''));
	}

	/** @param matches which lines to show */
	update(state: ViewState | null, matches: Matches = this.#matches): void {
		this.#state = state;
		this.#matches = matches;
		const all = state === null ? [] : itemsOf(state);
		const items = sorted(
			all.filter(({ line, label }) => matches(subjectOfLine(line, label))),
			this.#sort,
		);
		const drawn = items.slice(0, MOST_ROWS);
		this.#shown = drawn.map((item) => this.#row(item));
		this.#arrange();
		const largest = Math.max(0, ...drawn.map(({ line }) => line.wallMs));
		for (const row of this.#shown) this.#fill(row, largest);
		this.#table.hidden = drawn.length === 0;
		setText(this.#note, this.#noteFor(items.length, all.length));
		for (const [id, header] of this.#headers) {
			const order = this.#sort.descending ? 'descending' : 'ascending';
			header.setAttribute('aria-sort', id === this.#sort.column ? order : 'none');
		}
		this.#mark();
	}

	/** Marks the rows of a line; brings the first into view. */
	reveal(fileId: number, line: number): void {
		this.#marked = { fileId, line };
		this.#mark()?.root.scrollIntoView({ block: 'nearest' });
	}

	#noteFor(count: number, of: number): string {
		if (this.#state === null) return this.#words.noSession;
		if (of === 0) return this.#words.empty;
		if (count > MOST_ROWS) return fill(this.#words.moreRows, formatCount(MOST_ROWS), formatCount(count));
		return count < of ? fill(this.#words.filteredRows, formatCount(count), formatCount(of)) : '';
	}

	#mark(): Row | undefined {
		const isMarked = ({ item }: Row) => item.fileId === this.#marked?.fileId && item.line.line === this.#marked.line;
		for (const row of this.#shown) row.root.classList.toggle('marked', isMarked(row));
		return this.#shown.find(isMarked);
	}

	#header(column: Column): HTMLTableCellElement {
		const toggle = element('button', { className: 'sort' }, this.#words[column.label]);
		toggle.type = 'button';
		toggle.addEventListener('click', () => {
			const again = this.#sort.column === column.id;
			this.#sort = { column: column.id, descending: again ? !this.#sort.descending : column.figure };
			this.#events.sort(this.#sort);
			this.update(this.#state);
		});
		const header = element('th', { className: classOf(column) }, toggle);
		header.scope = 'col';
		this.#headers.set(column.id, header);
		return header;
	}

	/** The row of that entry, new or kept. */
	#row(item: Item): Row {
		const known = this.#rows.get(item.key);
		if (known !== undefined) {
			known.item = item;
			return known;
		}
		const open = element('button', { className: 'link' });
		const source = element('button', { className: 'link' }, '⤷');
		const bars = BAR_PARTS.map((part) => element('span', { className: `bar ${part}` }));
		const cells = COLUMNS.map((column) => element('td', { className: classOf(column) }));
		cells[0]!.append(open);
		cells.push(element('td', { className: 'jump' }, source));
		const row: Row = { root: element('tr', {}, ...cells), cells, open, source, bars, item };
		const wall = COLUMNS.findIndex((column) => column.id === 'wall');
		cells[wall]!.append(element('span'), element('span', { className: 'bars' }, ...bars));
		source.addEventListener('click', (event) => {
			event.stopPropagation();
			this.#events.showInSource(row.item.fileId, row.item.line.line);
		});
		// The whole row is the mouse's target; the location's button is the keyboard's, and its click arrives here too.
		row.root.addEventListener('click', () => this.#events.open(row.item.fileId, row.item.line.line));
		this.#rows.set(item.key, row);
		return row;
	}

	#fill(row: Row, largestMs: number): void {
		const { line, location } = row.item;
		COLUMNS.forEach((column, index) => {
			const text = column.text(line, location, this.#words);
			if (column.id === 'location') setText(row.open, text);
			else if (column.id === 'wall') setText(row.cells[index]!.firstElementChild as HTMLElement, text);
			else setText(row.cells[index]!, text);
		});
		setTitle(row.open, fill(this.#words.openInEditor, location));
		const toSource = fill(this.#words.showInSource, location);
		setTitle(row.source, toSource);
		setLabel(row.source, toSource);
		const widths = wallBarParts(line);
		BAR_PARTS.forEach((part, index) => {
			row.bars[index]!.style.width = largestMs > 0 ? `${(100 * widths[part]) / largestMs}%` : '0';
		});
	}

	/**
	 * Puts the rows into the body in their order; moves nothing when the order is right, and restores the focus if it
	 * was lost.
	 */
	#arrange(): void {
		const wanted = this.#shown.map((row) => row.root);
		const present = [...this.#body.children];
		if (wanted.length === present.length && wanted.every((row, index) => row === present[index])) return;
		const focused = document.activeElement;
		this.#body.replaceChildren(...wanted);
		if (focused instanceof HTMLElement && this.#body.contains(focused)) focused.focus({ preventScroll: true });
		const keys = new Set(this.#shown.map((row) => row.item.key));
		for (const key of this.#rows.keys()) if (!keys.has(key)) this.#rows.delete(key);
	}
}

/** By the second, panel.css takes columns out where they do not fit, the least important first. */
function classOf({ figure, id }: Column): string {
	return figure ? `figure column-${id}` : `column-${id}`;
}

function itemsOf(state: ViewState): Item[] {
	const files = new Map<string, ViewFile>(state.files.map((file) => [file.path, file]));
	return state.report.lines.flatMap((line) => {
		const file = files.get(line.file);
		if (file === undefined) return [];
		const key = JSON.stringify([file.id, line.line, line.op, line.class]);
		return [{ key, line, fileId: file.id, label: file.label, location: `${file.label}:${line.line}` }];
	});
}

function sorted(items: Item[], sort: Kept['sort']): Item[] {
	const column = COLUMNS.find(({ id }) => id === sort.column) ?? COLUMNS[0]!;
	const sign = sort.descending ? -1 : 1;
	return items
		.map((item) => ({ item, key: column.key(item.line, item.location) }))
		.sort((a, b) => sign * compare(a.key, b.key) || compare(a.item.key, b.item.key))
		.map(({ item }) => item);
}

function compare(a: string | number, b: string | number): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
