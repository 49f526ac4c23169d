// The tables of the panel: which columns fit, which rows exist, and how rows are ordered, grouped and added up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Line } from '../../../src/protocol/report.ts';
import type { ViewStrings } from '../../../src/protocol/webview.ts';
import { fittingColumns } from '../../../src/webview/tables/column-fit.ts';
import { COLUMNS, type LineItem } from '../../../src/webview/tables/columns.ts';
import { packageOfLine } from '../../../src/webview/tables/grouping.ts';
import { ROUTE_COLUMNS, type RouteItem } from '../../../src/webview/tables/route-columns.ts';
import { rowsInView } from '../../../src/webview/tables/rows-in-view.ts';
import { sections } from '../../../src/webview/tables/table-model.ts';
import { line, process, route, split } from '../../support/report-values.ts';

const FIT = [
	{ id: 'location', rank: 0, width: 100 },
	{ id: 'p50', rank: 2, width: 50 },
	{ id: 'p95', rank: 0, width: 50 },
	{ id: 'lag', rank: 3, width: 50 },
];

test('the least important columns leave until the others fit', () => {
	const shown = (room: number) => [...fittingColumns(FIT, room)];
	assert.deepEqual(shown(250), ['location', 'p50', 'p95', 'lag']);
	assert.deepEqual(shown(249), ['location', 'p50', 'p95']);
	assert.deepEqual(shown(199), ['location', 'p95']);
	assert.deepEqual(shown(10), ['location', 'p95']);
});

test('only rows around the view exist, and the others keep their place', () => {
	const heights = Array.from({ length: 1000 }, (_, index) => (index === 500 ? 200 : 20));
	const sum = (from: number, to: number) => heights.slice(from, to).reduce((all, height) => all + height, 0);
	for (const top of [0, 5, 4000, 10_050, 20_000, 19_800]) {
		const { first, end, above, below } = rowsInView(heights, top, 300);
		assert.equal(above, sum(0, first));
		assert.equal(below, sum(end, heights.length));
		assert.ok(above <= top, 'nothing is missing at the top');
		assert.ok(end === heights.length || sum(0, end) >= top + 300, 'nothing is missing at the bottom');
		assert.ok(end - first <= 45);
	}
	assert.deepEqual(rowsInView([], 0, 300), { first: 0, end: 0, above: 0, below: 0 });
});

function item(values: Partial<Line>, label = 'main.js'): LineItem {
	const entry = line(values);
	const key = JSON.stringify([entry.line, entry.op]);
	return {
		key,
		fileId: 0,
		line: entry.line,
		location: `${label}:${entry.line}`,
		entry,
		label,
		allMs: 400,
		longestMs: 300,
		trend: null,
	};
}

const ITEMS = [
	item({ line: 9, op: 'fetch', class: 'kernel', count: 3, wait: split(100), wallMs: 100 }),
	item({ line: 10, op: 'fs.stat', count: 1000, wait: split(300), wallMs: 300 }),
	item({ line: 2, op: 'fs.open', pending: 2, count: 0, wallMs: 0 }),
];

test('rows are ordered by a column, figures the largest first, places by line', () => {
	const lines = (column: string, descending: boolean) =>
		sections(ITEMS, COLUMNS, { column, descending }, null)[0]!.items.map((each) => each.line);
	assert.deepEqual(lines('wall', true), [10, 9, 2]);
	assert.deepEqual(lines('location', false), [2, 9, 10]);
	assert.deepEqual(lines('p95', true), [10, 9, 2]);
});

test('groups come in the order of their first rows', () => {
	const grouped = sections(ITEMS, COLUMNS, { column: 'count', descending: false }, ({ entry }) => entry.class);
	assert.deepEqual(
		grouped.map(({ label, items }) => [label, items.map((each) => each.line)]),
		[
			['threadpool', [2, 10]],
			['kernel', [9]],
		],
	);
});

test('totals add up what can be added: counts and times, not percentiles', () => {
	const words = { rowCount: 'Rows: {0}' } as ViewStrings;
	const totals = Object.fromEntries(COLUMNS.map(({ id, total }) => [id, total?.(ITEMS, words)]));
	assert.equal(totals.location, 'Rows: 3');
	assert.equal(totals.count, '1,003');
	assert.equal(totals.pending, '2');
	assert.equal(totals.wait, '400 ms');
	assert.equal(totals.share, '100 %');
	assert.equal(totals.p95, undefined);
	assert.equal(totals.rate, undefined);
});

test('a share is one of the time of all lines, and its bar one of the longest', () => {
	const share = COLUMNS.find(({ id }) => id === 'share')!;
	assert.equal(share.text(ITEMS[0]!, {} as ViewStrings), '25 %');
	assert.equal(share.text(ITEMS[2]!, {} as ViewStrings), '');
	const bar = Object.values(share.bar!(ITEMS[1]!)).reduce((sum, part) => sum + part, 0);
	assert.equal(bar, 100);
});

test('a line belongs to the package that called Node for it', () => {
	const of = (file: string, ...libraries: string[]) =>
		packageOfLine({ file, libraries: libraries.map((library) => ({ file: library, line: 1 })) });
	assert.equal(of('/app/main.js', '/app/node_modules/pg/lib/client.js'), 'pg');
	assert.equal(of('/app/main.js', '/app/node_modules/pg/node_modules/@scope/pool/index.js'), '@scope/pool');
	assert.equal(of('/app/main.js', 'C:\\app\\node_modules\\@scope\\pool\\index.js'), '@scope/pool');
	assert.equal(of('/app/node_modules/lib/index.js'), 'lib');
	assert.equal(of('/app/main.js'), '');
});

test('a route that has answered nothing says so where the others have a typical request, and adds nothing to the sums', () => {
	const words = { unanswered: '{0} unanswered', oldest: 'oldest {0}', rowCount: '{0} rows' } as ViewStrings;
	const itemOf = (parts: Partial<RouteItem>): RouteItem => {
		const open = { file: '/app/main.js', line: 5, op: 'request', pending: 0, oldestPending: null, closedEarly: 0 };
		const place = { key: '', fileId: 0, line: 5, location: 'main.js:5', label: 'main.js', placeOf: () => '' };
		const parent = { processes: [process({ durationMs: 13_000 })], allMs: 31, longestMs: 31, trend: null };
		return { ...place, ...parent, open, route: null, ...parts };
	};
	const answered = route({ count: 2, pending: 1 });
	const unanswered = itemOf({}).open;
	const oldestPending = { pid: 1, threadId: 0, startMs: 1000 };
	const items = [
		itemOf({ route: answered, open: answered }),
		itemOf({ open: { ...unanswered, pending: 3, oldestPending } }),
	];
	const texts = (at: RouteItem) => Object.fromEntries(ROUTE_COLUMNS.map(({ id, text }) => [id, text(at, words)]));
	const { typical, p50, count, pending, share } = texts(items[1]!);
	assert.deepEqual([typical, p50, count, pending, share], ['3 unanswered · oldest 12 s', '', '0', '3', '']);
	const total = (id: string) => ROUTE_COLUMNS.find((column) => column.id === id)!.total!(items, words);
	assert.deepEqual(['count', 'pending', 'share'].map(total), ['2', '4', '100 %']);
	const ids = (column: string) =>
		sections(items, ROUTE_COLUMNS, { column, descending: true }, null)[0]!.items.map(
			({ route: each }) => each === null,
		);
	assert.deepEqual(ids('p95'), [false, true]);
});
