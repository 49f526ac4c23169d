// Which function a line belongs to that V8 gives for the function into which it has inlined that one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inlinedAt } from '../../../src/host/positions/inlined-function.ts';

const TEXT = `function distance(a, b) {
	return a.length - b.length;
}
const twice = (n) =>
	n + n;
function other() {
	return 1;
}
class Report {
	async build(rows) {
		const parts = rows.map((row) => distance(row, 'x'));
		return twice(this.weigh(parts.length));
	}
	weigh(n) {
		return n ** 2;
	}
}
`;

/** `build` begins at its parameters. */
const BUILD = { line: 10, column: 13 };

test('the line of a function, an arrow function or a method that the function calls', () => {
	assert.deepEqual(inlinedAt(TEXT, BUILD, 2), { name: 'distance', line: 1, column: 18 });
	assert.deepEqual(inlinedAt(TEXT, BUILD, 5), { name: 'twice', line: 4, column: 15 });
	assert.deepEqual(inlinedAt(TEXT, BUILD, 15), { name: 'weigh', line: 14, column: 7 });
});

test('its own lines, those of what it does not call, and those of another script are none', () => {
	assert.equal(inlinedAt(TEXT, BUILD, 11), null);
	assert.equal(inlinedAt(TEXT, BUILD, 7), null);
	assert.equal(inlinedAt(TEXT, BUILD, 700), null);
	assert.equal(inlinedAt('', BUILD, 2), null);
});
