// A table that is made once for an answer: a few rows of texts, the first column with a link where there is one.
import { element } from './dom.ts';

/** A row's first cell and its figures. */
export interface PlainRow {
	head: HTMLElement | string;
	cells: readonly string[];
	/** Marked: it is what was recorded, or chosen. */
	isMarked?: boolean;
	/** A class for its colour. */
	kind?: string;
}

export function plainTable(columns: readonly string[], rows: readonly PlainRow[]): HTMLTableElement {
	const heads = columns.map((text, index) => {
		const head = element('th', { className: index === 0 ? '' : 'figure' }, text);
		head.scope = 'col';
		return head;
	});
	const body = rows.map(({ head, cells, isMarked = false, kind = '' }) => {
		const first = element('th', {}, head);
		first.scope = 'row';
		const row = element('tr', { className: `${kind}${isMarked ? ' marked' : ''}`.trim() }, first);
		row.append(...cells.map((text) => element('td', { className: 'figure' }, text)));
		return row;
	});
	return element(
		'table',
		{ className: 'plain' },
		element('thead', {}, element('tr', {}, ...heads)),
		element('tbody', {}, ...body),
	);
}
