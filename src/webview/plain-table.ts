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

/** In letters: what is no longer never lacks the room. */
const SHORT = 24;

/** `4 ms (3–5 ms) → 9 ms (8–11 ms)` goes on in a second line where there is no room, but never within a figure. */
function pieces(text: string): (HTMLElement | string)[] {
	const [first, ...others] = text.length <= SHORT ? [text] : text.split(' → ');
	return [first!, ...others.map((other) => `→ ${other}`)].flatMap((piece, index) => [
		...(index === 0 ? [] : [' ']),
		element('span', {}, piece),
	]);
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
		row.append(...cells.map((text) => element('td', { className: 'figure' }, ...pieces(text))));
		return row;
	});
	return element(
		'table',
		{ className: 'plain' },
		element('thead', {}, element('tr', {}, ...heads)),
		element('tbody', {}, ...body),
	);
}
