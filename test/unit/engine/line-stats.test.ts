// The figures of a line in several threads, and of a stretch of time: none is left out, whatever figures there are.
import assert from 'node:assert/strict';
import test from 'node:test';
import { LineStats } from '../../../src/engine/lines/line-stats.ts';

/** No figures: what changes with each of them, and where a stretch of time began. */
const NONE = new Set(['changes', 'countBefore', 'since']);
const empty = () => new LineStats({ script: '/app/main.js', line: 1, column: 1 }, 'fs.readFile', 'threadpool');
const figuresOf = (stats: LineStats) =>
	Object.entries(stats).filter(([name, value]) => /^(number|boolean)$/.test(typeof value) && !NONE.has(name));

test('each figure of a line is added up, and is forgotten with the sum and where a stretch of time begins', () => {
	const line = empty();
	for (const [name, value] of figuresOf(line)) Reflect.set(line, name, typeof value === 'number' ? 7 : true);
	assert.ok(figuresOf(line).length > 3);
	const sum = empty();
	sum.addAll(line);
	assert.deepEqual(figuresOf(sum), figuresOf(line));
	sum.emptySum();
	assert.deepEqual(figuresOf(sum), figuresOf(empty()));
	line.beginPart(0);
	assert.deepEqual(figuresOf(line), figuresOf(empty()));
});
