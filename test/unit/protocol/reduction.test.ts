// The text about a tracer that was over its budget: the same in the terminal, the panel and the status bar.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reductionOf, worstReduction } from '../../../src/protocol/reduction.ts';

const change = (startMs: number, stage: number, costPercent: number) => ({ startMs, stage, costPercent });
const whole = { durationMs: 20_000, recordedMs: 20_000 };
const within = { ...whole, stages: [] };
const verified = { ...whole, stages: [change(3000, 1, 9), change(4000, 2, 3), change(8000, 0, 0.5)] };
const sampled = { ...whole, stages: [change(2000, 1, 4), change(3000, 3, 3), change(9000, 1, 0.2)] };
const rested = { ...whole, recordedMs: 3100, stages: [change(2000, 1, 3), change(3000, 4, 2.5)] };

test('there is no text about a tracer within its budget', () => {
	assert.equal(reductionOf(within), null);
	assert.equal(worstReduction([within]), null);
	assert.equal(worstReduction([]), null);
});

test('it shows since when, at which cost, and whether operations were left out for a while', () => {
	assert.deepEqual(reductionOf(verified), {
		startMs: 3000,
		costPercent: 9,
		isSampled: false,
		recordedPercent: null,
	});
	assert.deepEqual(reductionOf(sampled), {
		startMs: 2000,
		costPercent: 4,
		isSampled: true,
		recordedPercent: null,
	});
	assert.equal(reductionOf(rested)?.recordedPercent, 16);
});

test('of several threads the one with a sample counts most, then the costlier', () => {
	assert.equal(worstReduction([within, verified, sampled])?.costPercent, 4);
	assert.equal(worstReduction([sampled, rested, verified])?.costPercent, 3, 'and one that rested most');
	const costlier = { ...whole, stages: [change(5000, 1, 12)] };
	assert.equal(worstReduction([verified, costlier])?.costPercent, 12);
});
