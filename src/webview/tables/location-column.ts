// The first column of the tables of lines and of requests: where each row's line is.
import { formatCount } from '../../protocol/units.ts';
import { fill } from '../../protocol/webview.ts';
import type { Column, TableItem } from './table-model.ts';

export const LOCATION: Column<TableItem> = {
	id: 'location',
	label: 'columnLocation',
	figure: false,
	rank: 0,
	text: ({ location }) => location,
	// Digits are padded so that line 9 sorts before line 10.
	key: ({ location, line }) => `${location.replace(/\d+$/, '')}${String(line).padStart(9, '0')}`,
	total: (items, words) => fill(words.rowCount, formatCount(items.length)),
};
