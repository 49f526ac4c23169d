// A table of many rows: sorted, in groups, with totals; a row opens to its details. Only the rows around the view exist, and they are kept by item while
// their texts change, so that focus and scroll position survive the updates of a running program. Columns are as wide as what they have shown so far, and
// leave where they do not fit.
import type { ViewStrings } from '../../protocol/webview.ts';
import { element, setText } from '../common/dom.ts';
import { rowsInView } from './rows-in-view.ts';
import { TableFit } from './table-fit.ts';
import { type Column, type RowGroup, type Sort, sections, type TableItem } from './table-model.ts';
import { classOf, makeRow, type Row, type RowParts, type TableEntry } from './table-rows.ts';

/** A row's height before one has been measured, and the view's while it is hidden, in CSS pixels. */
const ASSUMED_ROW = 25;
const ASSUMED_ROOM = 1000;
export interface DataTableEvents<Item> {
	sort(sort: Sort): void;
	/** The row was clicked. */
	open(item: Item): void;
	/** Shows the row's line elsewhere; without it there is no such column. */
	jump?: (item: Item) => void;
	/** What the opened row shows. */
	details(item: Item): HTMLElement;
}

export class DataTable<Item extends TableItem> {
	readonly root: HTMLElement;
	readonly #words: ViewStrings;
	readonly #columns: readonly Column<Item>[];
	readonly #onSort: (sort: Sort) => void;
	readonly #table: HTMLTableElement;
	readonly #body = element('tbody');
	readonly #above = spacer();
	readonly #below = spacer();
	readonly #headers = new Map<string, HTMLTableCellElement>();
	readonly #totals: HTMLTableCellElement[];
	readonly #fit: TableFit<Item>;
	readonly #rowParts: RowParts<Item>;
	#rows = new Map<string, Row<Item>>();
	#items: readonly Item[] = [];
	#sections: readonly RowGroup<Item>[] = [];
	#entries: readonly TableEntry<Item>[] = [];
	#groupOf: ((item: Item) => string) | null = null;
	#left: ReadonlySet<string> = new Set();
	readonly #opened = new Set<string>();
	readonly #closedGroups = new Set<string>();
	readonly #detailHeights = new Map<string, number>();
	#rowHeight = ASSUMED_ROW;
	#sort: Sort;
	#marked: { fileId: number; line: number } | undefined;

	/** @param note below the rows */
	constructor(
		words: ViewStrings,
		columns: readonly Column<Item>[],
		sort: Sort,
		note: HTMLElement,
		events: DataTableEvents<Item>,
	) {
		this.#words = words;
		this.#columns = columns;
		this.#sort = sort;
		this.#onSort = events.sort;
		const heads = columns.map((column) => this.#header(column));
		const measures = columns.map(() => element('col'));
		this.#totals = columns.map((column) => element('td', { className: classOf(column) }));
		const totals = element('tr', {}, ...this.#totals);
		if (events.jump !== undefined) {
			const jump = element('th', { className: 'jump', title: words.columnSource }, words.columnSource);
			jump.scope = 'col';
			heads.push(jump);
			measures.push(element('col', { className: 'jump' }));
			totals.append(element('td'));
		}
		this.#table = element(
			'table',
			{ className: 'lines' },
			element('colgroup', {}, ...measures),
			element('thead', {}, element('tr', {}, ...heads)),
			this.#body,
			element('tfoot', {}, totals),
		);
		this.#fit = new TableFit(this.#table, columns, words);
		this.#rowParts = {
			columns,
			words,
			isMarked: (item) => this.#isMarked(item),
			isOpened: (item) => this.#opened.has(item.key),
			isClosed: (label) => this.#closedGroups.has(label),
			toggleItem: (item) => {
				toggle(this.#opened, item.key);
				this.#arrange();
			},
			toggleGroup: (label) => {
				toggle(this.#closedGroups, label);
				this.#arrange();
			},
			open: events.open,
			jump: events.jump,
			details: events.details,
		};
		this.root = element('div', { className: 'scroll' }, this.#table, note);
		this.root.addEventListener('scroll', () => this.#draw());
		new ResizeObserver(() => this.#draw()).observe(this.root);
	}

	/** Texts of all rows in their order, also of those out of view. */
	get texts(): string[][] {
		return this.#sections.flatMap(({ items }) =>
			items.map((item) => this.#columns.map((column) => column.text(item, this.#words))),
		);
	}

	update(items: readonly Item[]): void {
		this.#items = items;
		this.#arrange();
	}

	/**
	 * @param groupOf the label of an item's group; null for no groups
	 * @param left the columns that the person took out
	 */
	choose(groupOf: ((item: Item) => string) | null, left: ReadonlySet<string>): void {
		this.#groupOf = groupOf;
		this.#left = left;
		this.#arrange();
	}

	/** Marks the rows of a line; brings the first into view. */
	reveal(fileId: number, line: number): void {
		this.#marked = { fileId, line };
		const index = this.#entries.findIndex((entry) => entry.kind === 'item' && this.#isMarked(entry.item));
		if (index >= 0) {
			const top = this.#entries.slice(0, index).reduce((sum, entry) => sum + this.#heightOf(entry), 0);
			const room = this.root.clientHeight - this.#frame;
			const { scrollTop } = this.root;
			if (top < scrollTop) this.root.scrollTop = top;
			else if (top + this.#rowHeight > scrollTop + room) this.root.scrollTop = top + this.#rowHeight - room;
		}
		this.#draw();
	}

	#arrange(): void {
		this.#sections = sections(this.#items, this.#columns, this.#sort, this.#groupOf);
		this.#entries = this.#sections.flatMap((section): TableEntry<Item>[] => {
			const { label, items } = section;
			const rows = items.flatMap((item): TableEntry<Item>[] => {
				const row = { kind: 'item', key: `item ${item.key}`, item } as const;
				return this.#opened.has(item.key) ? [row, { kind: 'details', key: `details ${item.key}`, item }] : [row];
			});
			if (label === null) return rows;
			const head = { kind: 'group', key: `group ${label}`, section } as const;
			return this.#closedGroups.has(label) ? [head] : [head, ...rows];
		});
		for (const [id, header] of this.#headers) {
			const order = this.#sort.descending ? 'descending' : 'ascending';
			header.setAttribute('aria-sort', id === this.#sort.column ? order : 'none');
		}
		this.#columns.forEach((column, index) => {
			setText(this.#totals[index]!, column.total?.(this.#items, this.#words) ?? '');
		});
		this.#table.hidden = this.#items.length === 0;
		this.#draw();
	}

	/** Draws what is in view. */
	#draw(): void {
		const top = this.root.scrollTop;
		const room = (this.root.clientHeight || ASSUMED_ROOM) - this.#frame;
		const view = rowsInView(
			this.#entries.map((entry) => this.#heightOf(entry)),
			top,
			room,
		);
		const drawn = this.#entries.slice(view.first, view.end).map((entry) => {
			const row = this.#rows.get(entry.key) ?? makeRow(entry, this.#rowParts);
			row.update(entry);
			return { entry, row };
		});
		this.#rows = new Map(drawn.map(({ entry, row }) => [entry.key, row]));
		this.#above.style.height = `${view.above}px`;
		this.#below.style.height = `${view.below}px`;
		const nodes = drawn.map(({ row }) => row.root);
		if (view.above > 0) nodes.unshift(this.#above);
		if (view.below > 0) nodes.push(this.#below);
		this.#place(nodes);
		this.#fitColumns(drawn.map(({ entry }) => entry));
		for (const { entry, row } of drawn) this.#measure(entry, row.root.offsetHeight);
	}

	/** Puts the rows into the body; moves nothing when they are there, and keeps the focus where a move would lose it. */
	#place(nodes: readonly HTMLTableRowElement[]): void {
		const present = this.#body.children;
		if (nodes.length === present.length && nodes.every((node, index) => node === present[index])) return;
		const focused = document.activeElement;
		const hadFocus = focused instanceof HTMLElement && this.#body.contains(focused);
		this.#body.replaceChildren(...nodes);
		if (!hadFocus) return;
		// A row that has left the view takes no keys any more.
		if (focused.isConnected) focused.focus({ preventScroll: true });
		else this.root.querySelector('button')?.focus({ preventScroll: true });
	}

	/** Takes the height of a row that is drawn, in CSS pixels; 0 while the table is hidden. */
	#measure({ kind, key }: TableEntry<Item>, height: number): void {
		if (height === 0) return;
		if (kind === 'details') this.#detailHeights.set(key, height);
		else if (kind === 'item') this.#rowHeight = height;
	}

	/** Makes the columns as wide as their texts, and takes out those for which there is no room. */
	#fitColumns(entries: readonly TableEntry<Item>[]): void {
		if (this.root.clientWidth === 0) return;
		const texts = (column: Column<Item>) => [
			...entries.flatMap((entry) => (entry.kind === 'item' ? [column.text(entry.item, this.#words)] : [])),
			column.total?.(this.#items, this.#words) ?? '',
		];
		const chosen = this.#columns.filter(({ id, rank }) => rank === 0 || !this.#left.has(id));
		this.#fit.apply(chosen, this.root.clientWidth, texts);
	}

	/** The height of what stays at the top and the bottom of the view, in CSS pixels. */
	get #frame(): number {
		return (this.#table.tHead?.offsetHeight ?? 0) + (this.#table.tFoot?.offsetHeight ?? 0);
	}

	#heightOf({ kind, key }: TableEntry<Item>): number {
		return kind === 'details' ? (this.#detailHeights.get(key) ?? this.#rowHeight) : this.#rowHeight;
	}

	#isMarked(item: Item): boolean {
		return item.fileId === this.#marked?.fileId && item.line === this.#marked.line;
	}

	#header(column: Column<Item>): HTMLTableCellElement {
		const toggle = element('button', { className: 'sort' }, this.#words[column.label]);
		toggle.type = 'button';
		toggle.addEventListener('click', () => {
			const again = this.#sort.column === column.id;
			this.#sort = { column: column.id, descending: again ? !this.#sort.descending : column.figure };
			this.#onSort(this.#sort);
			this.#arrange();
		});
		const header = element('th', { className: classOf(column) }, toggle);
		header.scope = 'col';
		this.#headers.set(column.id, header);
		return header;
	}
}

function spacer(): HTMLTableRowElement {
	const row = element('tr', { className: 'spacer' }, element('td'));
	row.setAttribute('aria-hidden', 'true');
	return row;
}

function toggle(set: Set<string>, key: string): void {
	if (!set.delete(key)) set.add(key);
}
