// All of a session in a few rows: beside what the report says of the same recording, and beside figures that are worked out by hand.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BusySlices } from '../../../src/engine/clocks/busy-slices.ts';
import { DensitySums } from '../../../src/engine/timeline/timeline-density.ts';
import { readRecording } from '../../../src/host/recordings/recording-file.ts';
import { reportSourceOf } from '../../../src/host/sessions/report-source.ts';
import type { Overview } from '../../../src/protocol/overview.ts';
import { busiestLoop, isUnderWay, lineIndex, onClock, queuedJobs } from '../../../src/webview/common/session-rows.ts';
import { inSteps } from '../../../src/webview/common/spark.ts';

const RECORDINGS = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'recordings');

const sum = (values: ArrayLike<number>) => Array.from(values).reduce((all, value) => all + value, 0);

for (const name of readdirSync(RECORDINGS).filter((file) => file.endsWith('.waitline'))) {
	test(`the loops of ${name} are as busy over time as the report says that they were altogether`, async () => {
		const source = reportSourceOf(await readRecording(path.join(RECORDINGS, name)));
		const report = await source.report();
		const overview = source.overview();
		for (const { pid, threadId, busy } of overview.threads) {
			const loop = report.loops.find((each) => each.pid === pid && each.threadId === threadId)!;
			const { durationMs } = report.processes.find((each) => each.pid === pid && each.threadId === threadId)!;
			const busyMs = (sum(busy) / 255) * overview.binMs;
			// A byte for each bin rounds; and what the loop does after its last callback is not in any bin.
			const rounding = (overview.length * overview.binMs) / 255;
			assert.ok(
				Math.abs(busyMs - loop.utilization * durationMs) <= rounding + 0.02 * durationMs,
				`${busyMs} ms of ${durationMs}`,
			);
		}
	});

	test(`the lines of ${name} are there when they were under way`, async () => {
		const source = reportSourceOf(await readRecording(path.join(RECORDINGS, name)));
		const report = await source.report();
		const overview = source.overview();
		const overviewOf = lineIndex(overview);
		for (const line of report.lines) {
			if (line.typical === null) continue;
			const { pid, threadId, startMs, waitMs } = line.typical;
			const time = onClock(overview, { pid, threadId, fromMs: startMs, toMs: startMs + waitMs });
			const found = overviewOf(line);
			if (time === null || found === undefined) continue;
			assert.ok(isUnderWay(overview, found, time), `${line.file}:${line.line} at ${time.fromMs} ms`);
		}
	});
}

test('a busy loop and queued jobs are added up by bin', () => {
	const density = new DensitySums<string>();
	density.addBusy('main', 0, 1024, 1024);
	// Half of it.
	density.addBusy('main', 1024, 3072, 1024);
	density.addQueued('main', 0, 2048);
	density.addQueued('main', 1024, 2048);
	const [lane] = [...density.threads];
	const { bins } = density;
	const range = bins.range(0, 3071, 3);
	assert.deepEqual([...bins.sums(lane!.busy, range)], [1024, 512, 512]);
	assert.deepEqual([...bins.sums(lane!.queued!, range)], [1024, 2048, 0]);
});

test('short pieces of a loop become slices, a long one is one of its own, and what is unknown is in none', () => {
	const slices: number[][] = [];
	const busy = new BusySlices((...slice) => slices.push(slice));
	for (let piece = 1; piece <= 20; piece++) busy.add(piece * 100, 50);
	// Idle.
	busy.add(9000, 0);
	busy.add(9010, 10);
	busy.add(20_000, 10_990);
	busy.skip(30_000);
	busy.add(31_024, 1);
	assert.deepEqual(slices, [
		[0, 1100, 550],
		[1100, 2000, 450],
		[9000, 9010, 10],
		[9010, 20_000, 10_990],
		[30_000, 31_024, 1],
	]);
});

test('threads beyond the first 250 take no memory', () => {
	const density = new DensitySums<number>();
	for (let thread = 0; thread < 1000; thread++) density.addBusy(thread, 0, 10, 10);
	assert.equal([...density.threads].length, 250);
});

const OVERVIEW: Overview = {
	fromMs: 0,
	binMs: 10,
	length: 4,
	endMs: 40,
	threads: [
		{ pid: 1, threadId: 0, startMs: 0, busy: Uint8Array.of(255, 0, 51, 0) },
		{ pid: 1, threadId: 1, startMs: 5, busy: Uint8Array.of(0, 255, 0, 0) },
	],
	queues: [
		{ pid: 1, jobs: Float32Array.of(1, 0, 0, 2) },
		{ pid: 2, jobs: Float32Array.of(0, 3, 0, 1) },
	],
	lines: [],
};

test('the busiest loop and all queues are what is drawn', () => {
	assert.deepEqual(busiestLoop(OVERVIEW), [1, 1, 0.2, 0]);
	assert.deepEqual(queuedJobs(OVERVIEW), [1, 3, 0, 3]);
});

test('a line is under way in the steps in which something of it was', () => {
	const line = { file: '/a.js', line: 1, op: 'fetch', class: 'kernel', fromMs: 20, toMs: 30 } as const;
	const found = { ...line, trend: Uint8Array.of(0, 0, 9, 0) };
	assert.ok(isUnderWay(OVERVIEW, found, { fromMs: 29, toMs: 35 }));
	assert.ok(!isUnderWay(OVERVIEW, found, { fromMs: 30, toMs: 35 }));
	assert.ok(!isUnderWay(OVERVIEW, found, { fromMs: 0, toMs: 20 }));
});

test('a thread that began later is later on the clock', () => {
	assert.deepEqual(onClock(OVERVIEW, { pid: 1, threadId: 1, fromMs: 1, toMs: 2 }), { fromMs: 6, toMs: 7 });
	assert.equal(onClock(OVERVIEW, { pid: 9, threadId: 1, fromMs: 1, toMs: 2 }), null);
});

test('a small picture shows means', () => {
	assert.deepEqual(inSteps([0, 1, 1, 1], 2), [0.5, 1]);
	assert.deepEqual(inSteps([0.5], 8), [0.5]);
	assert.deepEqual(inSteps([], 8), []);
});
