// Sums over time as bytes: what was written is what is read, and what nobody has written is not taken.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { BinLane } from '../../../src/engine/common/time-bins.ts';
import { rowsIn, rowsOf } from '../../../src/engine/timeline/bin-rows.ts';
import { random } from '../../support/random.ts';

const LENGTH = 500;

function emptyRow(length = LENGTH): BinLane {
	return {
		part: new Float32Array(length),
		step: new Float64Array(length),
		count: new Uint32Array(length),
		longest: new Float32Array(length),
		levels: null,
	};
}

/** Values of every size and kind, in some of the bins. */
function drawnRow(draw: () => number): BinLane {
	const row = emptyRow();
	const amount = () => (draw() < 0.5 ? Math.floor(10 ** (16 * draw())) : 10 ** (16 * draw() - 8));
	for (let bin = 0; bin < LENGTH; bin++) {
		if (draw() < 0.5) continue;
		if (draw() < 0.8) row.part[bin] = amount();
		if (draw() < 0.2) row.step[bin] = (draw() < 0.5 ? 1 : -1) * (draw() < 0.5 ? 1 + Math.floor(9 * draw()) : draw());
		if (draw() < 0.5) row.count[bin] = Math.floor(2 ** (32 * draw()));
		if (row.count[bin] !== 0) row.longest[bin] = amount();
	}
	return row;
}

test('rows are read as they were written', () => {
	const draw = random(5);
	const rows = [emptyRow(), drawnRow(draw), drawnRow(draw), emptyRow()];
	const bytes = rowsOf(rows, LENGTH, Infinity)!;
	assert.deepEqual(rowsIn(bytes, rows.length, LENGTH), rows);
});

test('only the bins that are in use are written, however much room a row has', () => {
	const row = emptyRow(4 * LENGTH);
	row.part[LENGTH - 1] = 7;
	row.part[LENGTH] = 9;
	const read = rowsIn(rowsOf([row], LENGTH, Infinity)!, 1, LENGTH)!;
	assert.deepEqual([read[0]!.part.length, read[0]!.part.at(-1)], [LENGTH, 7]);
	assert.ok(rowsOf([emptyRow()], LENGTH, Infinity)!.length === 1);
});

test('what takes more bytes than it may is not written', () => {
	const rows = [drawnRow(random(1))];
	const { length } = rowsOf(rows, LENGTH, Infinity)!;
	assert.equal(rowsOf(rows, LENGTH, length)!.length, length);
	assert.equal(rowsOf(rows, LENGTH, length - 1), null);
});

test('bytes that are cut off, go on, or are of more rows or shorter ones are no rows', () => {
	const rows = [drawnRow(random(2)), drawnRow(random(3))];
	const bytes = rowsOf(rows, LENGTH, Infinity)!;
	for (let length = 0; length < bytes.length; length += 7) {
		assert.equal(rowsIn(bytes.subarray(0, length), 2, LENGTH), null, `${length} bytes`);
	}
	assert.equal(rowsIn(Uint8Array.of(...bytes, 0), 2, LENGTH), null);
	assert.equal(rowsIn(bytes, 3, LENGTH), null);
	assert.equal(rowsIn(bytes, 2, 10), null);
});

test('numbers that no session has are no rows', () => {
	const fraction = (value: number) => [1, ...new Uint8Array(Float64Array.of(value).buffer)];
	const part = (...number: number[]) => Uint8Array.of(1, 0, ...number);
	assert.deepEqual(rowsIn(part(...fraction(0.5)), 1, 1)?.[0]?.part[0], 0.5, 'the others are refused for their number');
	for (const value of [Number.NaN, Infinity, -Infinity, -0.5, 1e300, 2 ** 60]) {
		assert.equal(rowsIn(part(...fraction(value)), 1, 1), null, String(value));
	}
	assert.equal(rowsIn(part(4 + 2), 1, 1), null, 'a part below zero');
	assert.equal(rowsIn(part(3), 1, 1), null, 'a whole number of no kind');
	assert.equal(rowsIn(Uint8Array.of(1, 1, 0, ...fraction(1e300)), 1, 1), null, 'a step beyond all');
	assert.equal(rowsIn(Uint8Array.of(1, 2, 0, 0xff, 0xff, 0xff, 0xff, 0x7f, 0), 1, 1), null, 'a count beyond all');
	assert.equal(rowsIn(Uint8Array.of(...Array<number>(20).fill(0xff)), 1, 1), null, 'a number without an end');
});
