// Bars of a histogram: few, with bounds for people, without gaps, and with every value in the right one.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Distribution } from '../../../src/engine/common/distribution.ts';
import { histogram } from '../../../src/engine/common/histogram.ts';

/** `1-2 ×3` per bar, in ms. */
function barsOf(values: number[]): string[] {
	const sorted = values.toSorted((a, b) => a - b);
	return histogram({ each: (add) => sorted.forEach((value) => void add(value * 1000, 1)) }).map(
		({ fromMs, toMs, count }) => `${fromMs}-${toMs} ×${count}`,
	);
}

test('values of one size get bars of equal width', () => {
	assert.deepEqual(barsOf([100, 104, 105, 119, 131]), ['100-110 ×3', '110-120 ×1', '120-130 ×0', '130-140 ×1']);
});

test('values of many sizes get bars that grow', () => {
	assert.deepEqual(barsOf([0.9, 1, 3, 30, 49.9, 50]), [
		'0.5-1 ×1',
		'1-2 ×1',
		'2-5 ×1',
		'5-10 ×0',
		'10-20 ×0',
		'20-50 ×2',
		'50-100 ×1',
	]);
});

test('from nothing to an hour there is one bar per power of ten', () => {
	const bars = barsOf([0, 0.001, 3_600_000]);
	assert.deepEqual(bars.slice(0, 3), ['0-0.001 ×1', '0.001-0.01 ×1', '0.01-0.1 ×0']);
	assert.equal(bars.at(-1), '1000000-10000000 ×1');
	assert.equal(bars.length, 11);
});

test('nothing has no bars, one value has one', () => {
	assert.deepEqual(barsOf([]), []);
	assert.deepEqual(barsOf([0]), ['0-0.001 ×1']);
	assert.deepEqual(barsOf([250]), ['240-260 ×1']);
});

for (const [name, value] of [
	['even', (i: number) => 1000 + i],
	['growing', (i: number) => 1.013 ** i],
	['with an outlier', (i: number) => (i === 0 ? 3e7 : 200 + (i % 7))],
	['tiny', (i: number) => i % 3],
] as const) {
	test(`at most 16 bars that contain every value: ${name}`, () => {
		for (const count of [1, 10, 64, 65, 1000]) {
			const distribution = new Distribution();
			for (let i = 0; i < count; i++) distribution.add(value(i));
			const bars = histogram(distribution);
			assert.ok(bars.length >= 1 && bars.length <= 16, `${bars.length} bars`);
			assert.equal(
				bars.reduce((sum, bar) => sum + bar.count, 0),
				count,
			);
			assert.ok(bars[0]!.count > 0 && bars.at(-1)!.count > 0, 'no empty bar at an end');
			for (const [i, { fromMs, toMs }] of bars.entries()) {
				assert.ok(fromMs < toMs);
				if (i > 0) assert.equal(fromMs, bars[i - 1]!.toMs);
			}
		}
	});
}
