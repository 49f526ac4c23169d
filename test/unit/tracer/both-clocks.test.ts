// One moment by two clocks, although the first reading of one takes long: whole journals were off by that time.
import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { it, mock } from 'node:test';
import { bothClocks } from '../../../tracer/process/both-clocks.ts';

/** Much less than what the first readings take. */
const CLOSE_MS = 10;

it('the clocks agree although the first readings take 50 ms', (t) => {
	const now = performance.now.bind(performance);
	// The thread may lose its CPU between two readings.
	const before = now();
	const shared = Number(process.hrtime.bigint()) / 1e6;
	const [least, most] = [shared - now() - CLOSE_MS, shared - before + CLOSE_MS];
	let calls = 0;
	mock.method(performance, 'now', () => {
		const ms = now();
		if (calls++ < 2) while (now() - ms < 50);
		return ms;
	});
	t.after(() => mock.restoreAll());
	const { hrtime, ms } = bothClocks();
	const apart = Number(hrtime) / 1e6 - ms;
	assert.ok(apart > least && apart < most, `${apart} ms apart, not ${least} to ${most}`);
});
