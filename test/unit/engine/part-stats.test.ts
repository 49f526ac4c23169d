// What is said of a part of a line's time that is unknown for some of its operations.
import assert from 'node:assert/strict';
import test from 'node:test';
import { PartStats } from '../../../src/engine/lines/line-stats.ts';

/** Operations of 1, 2, 3 … ms. */
function parts(known: number, unknown: number): PartStats {
	const stats = new PartStats();
	for (let at = 1; at <= known; at++) stats.addExactly(at * 1000);
	for (let at = 0; at < unknown; at++) stats.addUnknown();
	return stats;
}

test('percentiles are at least what they would be if the unknown operations had taken no time', () => {
	assert.deepEqual(parts(20, 0).split()?.atLeast, null);
	// The eleventh and the twentieth of 21, the first of which took none.
	assert.deepEqual(parts(20, 1).split()?.atLeast, { totalMs: 210, p50Ms: 10, p95Ms: 19, maxMs: 20, unknown: 1 });
	assert.deepEqual(parts(4, 6).split()?.atLeast, { totalMs: 10, p50Ms: 0, p95Ms: 4, maxMs: 4, unknown: 6 });
	assert.deepEqual(parts(0, 3).split()?.atLeast, { totalMs: 0, p50Ms: 0, p95Ms: 0, maxMs: 0, unknown: 3 });
});

test('percentiles have no lower limit where only some operations were recorded', () => {
	const sampled = parts(20, 1);
	sampled.addUnrecorded(100);
	assert.deepEqual(sampled.split()?.atLeast, { totalMs: 210, p50Ms: 0, p95Ms: 0, maxMs: 20, unknown: 1 });
});
