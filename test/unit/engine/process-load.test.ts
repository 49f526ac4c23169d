// How busy a process' loops were, for its findings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOf } from '../../../src/engine/report/process-load.ts';

const thread = (lengthUs: number, idleUs: number, ...blocks: number[]) => ({
	lengthUs,
	idleUs,
	blocks: blocks.map((duration) => ({ duration })),
});

test('a Worker that was busy for the moment that it lived does not make its process busy', () => {
	const [main, worker] = [thread(2_000_000, 1_600_000), thread(80_000, 0)];
	assert.deepEqual(loadOf([main, worker]), { durationMs: 2000, utilization: 0.2, busyBetweenBlocks: 0.2 });
	assert.deepEqual(loadOf([worker]), { durationMs: 80, utilization: 1, busyBetweenBlocks: 1 });
});

test('blocks are left out where the rest is asked for, and nothing is busy before anything was recorded', () => {
	const main = thread(2_000_000, 1_000_000, 400_000, 400_000);
	assert.deepEqual(loadOf([main]), { durationMs: 2000, utilization: 0.5, busyBetweenBlocks: 200 / 1200 });
	assert.deepEqual(loadOf([thread(100, 0, 100)]).busyBetweenBlocks, 1);
	assert.deepEqual(loadOf([thread(0, 0)]).utilization, 0);
});
