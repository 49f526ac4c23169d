// What distinguishes the requests of one handler: the line of the handler that each route leads to, or the function that one call of it chooses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HandlerCall, HandlerCalls } from '../../../src/engine/lines/handler-calls.ts';

const at = (line: number) => ({ script: '/app/main.js', line, column: 3 });

/** What the handler did: each as its line, the line of the function that it called there (0: none) and the number of the route. */
function shown(...did: [line: number, begin: number, route: number][]): (string | null)[] {
	const calls = new HandlerCalls();
	const all = did.map(([line, begin, route]): HandlerCall => {
		return { at: at(line), begin: begin === 0 ? null : at(begin), route };
	});
	for (const call of all) calls.add({ changes: 0 }, call);
	return all.map((call) => calls.shownBy(call));
}

test('each route leads to another line of the handler', () => {
	assert.deepEqual(shown([5, 20, 1]), [null], 'one route is the handler’s');
	assert.deepEqual(shown([5, 20, 1], [5, 20, 2]), [null, null]);
	assert.deepEqual(shown([5, 20, 1], [8, 0, 2], [8, 0, 3]), ['at', 'at', 'at']);
});

test('one call leads to several functions', () => {
	assert.deepEqual(shown([5, 20, 0], [5, 30, 0]), ['begin', 'begin']);
	assert.deepEqual(shown([5, 20, 1], [5, 30, 2], [9, 0, 3]), ['begin', 'begin', 'at']);
	assert.deepEqual(shown([5, 20, 0], [5, 30, 0], [9, 40, 0]), ['begin', 'begin', null]);
});

test('what differs within a route is chance: a cache, a session', () => {
	assert.deepEqual(shown([5, 20, 1], [8, 30, 1], [8, 30, 2]), [null, null, null]);
	assert.deepEqual(shown([5, 20, 1], [5, 30, 1]), [null, null]);
});

test('where more routes were asked for than have numbers, their paths have names in them', () => {
	assert.deepEqual(shown([5, 0, 1], [8, 0, 2], [5, 0, 0]), [null, null, null]);
});

test('what has changed since is shown: all requests of a handler move at once', () => {
	const calls = new HandlerCalls();
	const [first, second] = [{ changes: 0 }, { changes: 0 }];
	calls.add(first, { at: at(5), begin: null, route: 1 });
	const before = first.changes;
	calls.add(second, { at: at(8), begin: null, route: 2 });
	assert.ok(first.changes > before);
});
