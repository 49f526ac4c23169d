// When a debugger collected asynchronous call stacks, and what is marked by it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { AsyncStackLog } from '../../../src/engine/clocks/async-stack-log.ts';
import { Story } from '../../support/story.ts';

test('a time is covered from the begin of a stretch to before its end', () => {
	const log = new AsyncStackLog();
	assert.equal(log.covers(5), false);
	log.begin(10);
	log.begin(12);
	assert.deepEqual(
		[9, 10, 1e9].map((at) => log.covers(at)),
		[false, true, true],
	);
	log.end(20);
	log.end(25);
	log.begin(30);
	assert.deepEqual(
		[9, 10, 19, 20, 29, 30].map((at) => log.covers(at)),
		[false, true, true, false, false, true],
	);
	assert.deepEqual(log.list(), [
		{ from: 10, to: 20 },
		{ from: 30, to: Infinity },
	]);
	assert.deepEqual([log.within(0, 100), log.within(15, 35), log.within(20, 30)], [80, 10, 0]);
});

test('only what runs while the debugger collects them is marked, and the report shows for how long it did', () => {
	const story = new Story({ began: 1000 });
	const timer = (op: number, at: number) =>
		story
			.start(op, 'Timeout', 4, at, { delay: 10, api: ['setTimeout', 'node:timers'] })
			.callback(op, at + 10, { sync: 1 });
	timer(2, 0);
	story.debugger.asyncStacks.begin(1_050_000);
	timer(3, 100);
	timer(4, 200);
	story.debugger.asyncStacks.end(1_250_000);
	timer(5, 300);
	const report = story.report();
	assert.deepEqual(
		report.lines.map(({ count, asyncStackRuns }) => [count, asyncStackRuns]),
		[[4, 2]],
	);
	assert.deepEqual(
		report.warnings.map(({ code, message }) => [code, /for 0\.2 s/.test(message)]),
		[['async-stacks-on', true]],
	);
});
