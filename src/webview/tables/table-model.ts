// What a table consists of: columns of items, and sections of items, in the order in which they are shown.
import type { ViewStringKey, ViewStrings } from '../../protocol/webview.ts';

/** What a row is about: something on a line of a file. */
export interface TableItem {
	/** Different in each row of the table, and the same while the program runs. */
	key: string;
	fileId: number;
	/** 1-based. */
	line: number;
	/** `src/app.js:12`. */
	location: string;
}

/** The parts of a bar, from the left: where the time went. */
export const BAR_PARTS = ['queue', 'execute', 'lag', 'range', 'rest'] as const;
export type Bar = Readonly<Record<(typeof BAR_PARTS)[number], number>>;

export interface Column<Item> {
	id: string;
	label: ViewStringKey;
	/** Figures stand right, and sort the largest first. */
	figure: boolean;
	/** Which columns leave first where they do not fit: those with the highest; 0 stays. */
	rank: number;
	/** Whether its text stands beside that of the first column where it has no room of its own. */
	isInFirst?: boolean;
	text(item: Item, words: ViewStrings): string;
	/** What the column sorts by; what has no meaning sorts last. */
	key(item: Item): string | number;
	/** What it says of several rows together; absent where that has no meaning. */
	total?(items: readonly Item[], words: ViewStrings): string;
	/** A small picture instead of the text: values from 0 to 1 over time; null where there is none. */
	spark?(item: Item): readonly number[] | null;
	/** A bar before the text: each part in percent of the longest bar there can be. */
	bar?(item: Item): Bar;
}

export interface Sort {
	column: string;
	descending: boolean;
}

/** Rows that belong together; `label` is null where rows are not grouped. */
export interface RowGroup<Item> {
	label: string | null;
	items: readonly Item[];
}

/**
 * The items in their order, in groups where `groupOf` is given: the group first whose first row would come first.
 * @param groupOf the label of an item's group
 */
export function sections<Item extends TableItem>(
	items: readonly Item[],
	columns: readonly Column<Item>[],
	sort: Sort,
	groupOf: ((item: Item) => string) | null,
): RowGroup<Item>[] {
	const ordered = sorted(items, columns, sort);
	if (groupOf === null) return [{ label: null, items: ordered }];
	const groups = new Map<string, Item[]>();
	for (const item of ordered) {
		const label = groupOf(item);
		const group = groups.get(label);
		if (group === undefined) groups.set(label, [item]);
		else group.push(item);
	}
	return [...groups].map(([label, members]) => ({ label, items: members }));
}

function sorted<Item extends TableItem>(items: readonly Item[], columns: readonly Column<Item>[], sort: Sort): Item[] {
	const column = columns.find(({ id }) => id === sort.column) ?? columns[0]!;
	const sign = sort.descending ? -1 : 1;
	return items
		.map((item) => ({ item, key: column.key(item) }))
		.sort((a, b) => sign * compare(a.key, b.key) || compare(a.item.key, b.item.key))
		.map(({ item }) => item);
}

function compare(a: string | number, b: string | number): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
