// A table that is made once for an answer: a few rows of texts, the first column with a link where there is one.
import { element, setTextOfStyle } from '../common/dom.ts';

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

/** Where the table is too wide, the style sheet puts each row's figures below one another, with their columns' names; then it is a table by its roles alone. */
export function plainTable(columns: readonly string[], rows: readonly PlainRow[]): HTMLTableElement {
	const heads = columns.map((text, index) => {
		const head = withRole(element('th', { className: index === 0 ? '' : 'figure' }, text), 'columnheader');
		head.scope = 'col';
		return head;
	});
	const body = rows.map(({ head, cells, isMarked = false, kind = '' }) => {
		const first = withRole(element('th', {}, head), 'rowheader');
		first.scope = 'row';
		const row = withRole(element('tr', { className: `${kind}${isMarked ? ' marked' : ''}`.trim() }, first), 'row');
		cells.forEach((text, index) => {
			const cell = withRole(element('td', { className: 'figure' }, ...pieces(text)), 'cell');
			setTextOfStyle(cell, columns[index + 1]!);
			cell.classList.toggle('nothing', text === '');
			row.append(cell);
		});
		return row;
	});
	return withRole(
		element(
			'table',
			{ className: 'plain' },
			withRole(element('thead', {}, withRole(element('tr', {}, ...heads), 'row')), 'rowgroup'),
			withRole(element('tbody', {}, ...body), 'rowgroup'),
		),
		'table',
	);
}

function withRole<Made extends HTMLElement>(made: Made, role: string): Made {
	made.setAttribute('role', role);
	return made;
}
