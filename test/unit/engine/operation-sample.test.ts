// The sample of a line's operations: bounded, fair, and the same whenever the same operations come.
import assert from 'node:assert/strict';
import test from 'node:test';
import { OperationSample } from '../../../src/engine/lines/operation-sample.ts';

function sampleOf(waits: Iterable<number>): OperationSample {
	const sample = new OperationSample();
	const parts = { started: 0, queue: -1, execute: -1, lag: -1, run: 0, uncertainty: 0 };
	for (const wait of waits) if (sample.wants()) sample.keep({ ...parts, wait });
	return sample;
}

/** Distinct waits in the sample, found by asking for each. */
function keptOf(sample: OperationSample, most: number): number[] {
	const kept = new Set<number>();
	for (let wait = 0; wait < most; wait++) kept.add(sample.nearest(wait)!.wait);
	return [...kept];
}

test('of a few operations it finds the exact one', () => {
	const sample = sampleOf([5, 80, 3, 41, 9]);
	assert.equal(sample.nearest(9)?.wait, 9);
	assert.equal(sample.nearest(50)?.wait, 41);
	assert.equal(new OperationSample().nearest(1), null);
});

test('of many it keeps 32, from the whole time and not from its ends', () => {
	const kept = keptOf(sampleOf(Array.from({ length: 10_000 }, (_, i) => i)), 10_000);
	assert.equal(kept.length, 32);
	for (let quarter = 0; quarter < 4; quarter++) {
		const inQuarter = kept.filter((wait) => Math.floor(wait / 2500) === quarter).length;
		assert.ok(inQuarter >= 3 && inQuarter <= 16, `${inQuarter} of 32 in quarter ${quarter}`);
	}
});

test('operations that alternate do not bias it', () => {
	const sample = sampleOf(Array.from({ length: 100_000 }, (_, i) => (i % 8 === 0 ? 100 : 1)));
	assert.deepEqual([sample.nearest(1)?.wait, sample.nearest(100)?.wait], [1, 100]);
});

test('the same operations give the same sample', () => {
	const waits = Array.from({ length: 5000 }, (_, i) => (i * 7919) % 5000);
	assert.deepEqual(keptOf(sampleOf(waits), 5000), keptOf(sampleOf(waits), 5000));
});
