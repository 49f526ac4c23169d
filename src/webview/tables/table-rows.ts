// The rows of a table: of an item, of a group of items, and of an item's details. Their elements stay while what they show changes.
import { formatCount } from '../../protocol/units.ts';
import { fill, type ViewStrings } from '../../protocol/webview.ts';
import { element, setLabel, setText, setTextOfStyle, setTitle } from '../common/dom.ts';
import { Spark } from '../common/spark.ts';
import { BAR_PARTS, type Column, type RowGroup, type TableItem } from './table-model.ts';

/** What stands at one place of a table. */
export type TableEntry<Item> =
	| { kind: 'group'; key: string; section: RowGroup<Item> }
	| { kind: 'item'; key: string; item: Item }
	| { kind: 'details'; key: string; item: Item };

/** A row that exists. */
export interface Row<Item> {
	root: HTMLTableRowElement;
	update(entry: TableEntry<Item>): void;
}

/** What rows need of their table. */
export interface RowParts<Item> {
	columns: readonly Column<Item>[];
	words: ViewStrings;
	isMarked(item: Item): boolean;
	/** Whether the row shows its details. */
	isOpened(item: Item): boolean;
	/** Whether the group hides its rows. */
	isClosed(label: string): boolean;
	toggleItem(item: Item): void;
	toggleGroup(label: string): void;
	open(item: Item): void;
	jump: ((item: Item) => void) | undefined;
	details(item: Item): HTMLElement;
}

export function makeRow<Item extends TableItem>(entry: TableEntry<Item>, parts: RowParts<Item>): Row<Item> {
	if (entry.kind === 'group') return groupRow(entry.section, parts);
	return entry.kind === 'item' ? itemRow(entry.item, parts) : detailsRow(parts);
}

/** Figures stand right; by the second class tests and styles find a column. */
export function classOf({ figure, id }: { figure: boolean; id: string }): string {
	return figure ? `figure column-${id}` : `column-${id}`;
}

function itemRow<Item extends TableItem>(first: Item, parts: RowParts<Item>): Row<Item> {
	let item = first;
	const { columns, words } = parts;
	const expander = element('button', { className: 'expander' });
	const place = element('bdi', { dir: 'ltr' });
	const open = element('button', { className: 'link location' }, place);
	const cells = columns.map((column) => new Cell(column, words));
	const besides = columns.filter(({ isInFirst }) => isInFirst === true);
	const texts = besides.map(() => element('span', { className: 'beside' }));
	cells[0]!.root.replaceChildren(element('span', { className: 'place' }, expander, open, ...texts));
	const root = element('tr', {}, ...cells.map((cell) => cell.root));
	// The whole row is the mouse's target; the location's button is the keyboard's, and its click arrives here too.
	root.addEventListener('click', () => parts.open(item));
	onClick(expander, () => parts.toggleItem(item));
	const jump = parts.jump === undefined ? null : element('button', { className: 'link' }, '⤷');
	if (jump !== null) {
		root.append(element('td', { className: 'jump' }, jump));
		onClick(jump, () => parts.jump?.(item));
	}
	const update = (entry: TableEntry<Item>) => {
		if (entry.kind !== 'item') return;
		item = entry.item;
		const { location } = item;
		setText(place, location);
		setTitle(open, fill(words.openInEditor, location));
		for (const cell of cells.slice(1)) cell.update(item);
		besides.forEach((column, index) => {
			const text = column.text(item, words);
			setTextOfStyle(texts[index]!, text);
			setTitle(texts[index]!, text);
		});
		expander.setAttribute('aria-expanded', String(parts.isOpened(item)));
		setLabel(expander, fill(words.detailsOf, location));
		root.classList.toggle('marked', parts.isMarked(item));
		if (jump === null) return;
		const text = fill(words.showInSource, location);
		setTitle(jump, text);
		setLabel(jump, text);
	};
	return { root, update };
}

function groupRow<Item extends TableItem>(section: RowGroup<Item>, parts: RowParts<Item>): Row<Item> {
	const { columns, words } = parts;
	const label = section.label ?? '';
	const button = element('button', { className: 'expander' });
	onClick(button, () => parts.toggleGroup(label));
	const [, ...rest] = columns;
	const cells = rest.map((column) => element('td', { className: classOf(column) }));
	const head = element('th', { title: label }, button);
	head.scope = 'row';
	const root = element('tr', { className: 'group' }, head, ...cells);
	if (parts.jump !== undefined) root.append(element('td'));
	const update = (entry: TableEntry<Item>) => {
		if (entry.kind !== 'group') return;
		const { items } = entry.section;
		setText(button, `${label} (${formatCount(items.length)})`);
		button.setAttribute('aria-expanded', String(!parts.isClosed(label)));
		rest.forEach((column, index) => {
			setText(cells[index]!, column.total?.(items, words) ?? '');
		});
	};
	return { root, update };
}

function detailsRow<Item>(parts: RowParts<Item>): Row<Item> {
	const cell = element('td');
	let shown = '';
	const update = (entry: TableEntry<Item>) => {
		if (entry.kind !== 'details') return;
		const details = parts.details(entry.item);
		// What is the same stays: it may have the focus, or be selected.
		if (details.outerHTML === shown) return;
		shown = details.outerHTML;
		cell.replaceChildren(details);
	};
	return { root: element('tr', { className: 'details' }, cell), update };
}

/** A button in a row: its click is not one on the row. */
function onClick(button: HTMLButtonElement, act: () => void): void {
	button.addEventListener('click', (event) => {
		event.stopPropagation();
		act();
	});
}

/** A cell of an item's row, with a bar where its column has one. */
class Cell<Item> {
	readonly root: HTMLTableCellElement;
	readonly #column: Column<Item>;
	readonly #words: ViewStrings;
	readonly #text: HTMLElement;
	readonly #bars: HTMLElement[] = [];
	readonly #spark: Spark | null;

	constructor(column: Column<Item>, words: ViewStrings) {
		this.#column = column;
		this.#words = words;
		this.root = element('td', { className: classOf(column) });
		this.#spark = column.spark === undefined ? null : new Spark('--wl-execute');
		if (this.#spark !== null) this.root.append(this.#spark.root);
		this.#text = this.root;
		if (column.bar === undefined) return;
		this.#text = element('span');
		this.#bars = BAR_PARTS.map((part) => element('span', { className: `bar ${part}` }));
		const bars = element('span', { className: 'bars' }, ...this.#bars);
		this.root.append(element('span', { className: 'with-bar' }, bars, this.#text));
	}

	update(item: Item): void {
		if (this.#spark !== null) {
			this.#spark.show(this.#column.spark?.(item) ?? []);
			return;
		}
		const text = this.#column.text(item, this.#words);
		setText(this.#text, text);
		if (!this.#column.figure) setTitle(this.root, text);
		const bar = this.#column.bar?.(item);
		if (bar === undefined) return;
		BAR_PARTS.forEach((part, index) => {
			this.#bars[index]!.style.width = `${bar[part]}%`;
			// It has a border.
			this.#bars[index]!.hidden = bar[part] === 0;
		});
	}
}
