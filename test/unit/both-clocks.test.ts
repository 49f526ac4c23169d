// One moment by two clocks, although the first reading of one takes long: whole journals were off by that time.
import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { it, mock } from 'node:test';
import { bothClocks } from '../../tracer/process/both-clocks.ts';

it('the clocks agree although the first readings take 50 ms', (t) => {
	const now = performance.now.bind(performance);
	const offset = Number(process.hrtime.bigint()) / 1e6 - now();
	let calls = 0;
	mock.method(performance, 'now', () => {
		const ms = now();
		if (calls++ < 2) while (now() - ms < 50);
		return ms;
	});
	t.after(() => mock.restoreAll());
	const { hrtime, ms } = bothClocks();
	assert.ok(Math.abs(Number(hrtime) / 1e6 - ms - offset) < 10, `${Number(hrtime) / 1e6 - ms} ms apart, not ${offset}`);
});
