// The window of single operations: the last ones by their ends, whatever the order in which the journals were read, on one clock.
import assert from 'node:assert/strict';
import test from 'node:test';
import { SessionModel } from '../../src/engine/session-model.ts';
import type { Timeline } from '../../src/protocol/timeline.ts';
import { Story } from '../support/story.ts';

const STAT: [string, string] = ['stat', 'node:fs'];
const PBKDF2: [string, string] = ['pbkdf2', 'node:internal/crypto/pbkdf2'];
const TIMEOUT: [string, string] = ['setTimeout', 'node:timers'];

/** The timeline of stories that are read one after the other, as the journals of a recording are read. */
function timelineOf(stories: Story[], fill: (story: Story, index: number) => void): Timeline {
	const recording = new SessionModel();
	for (const [i, story] of stories.entries()) recording.add(`7.${i}.0.journal`, story.model);
	stories.forEach(fill);
	return recording.timeline(({ script, line }) => ({ file: script, line }));
}

/** `thread line: start +wait (queue/execute/lag±uncertainty) +run` of each operation. */
function operationTexts({ operations: o, lines }: Timeline): string[] {
	return o.thread.map((thread, i) => {
		const { line, op } = lines[o.line[i]!]!;
		const parts = `${o.queueMs[i]}/${o.executeMs[i]}/${o.lagMs[i]}±${o.uncertaintyMs[i]}`;
		return `${thread} ${line} ${op}: ${o.startMs[i]} +${o.waitMs[i]} (${parts}) +${o.runMs[i]}`;
	});
}

function timers(story: Story, count: number): void {
	for (let i = 0; i < count; i++) {
		story.start(i + 2, 'Timeout', 5, i * 2, { api: TIMEOUT, delay: 1 }).callback(i + 2, i * 2 + 1, { idle: 1 });
	}
}

test('each operation with its parts; parts without meaning or unknown are -1', () => {
	const timeline = timelineOf([new Story({ pool: 1 })], (story) =>
		story
			.start(2, 'PBKDF2REQUEST', 3, 0, { api: PBKDF2 })
			.start(3, 'PBKDF2REQUEST', 3, 0, { api: PBKDF2 })
			.start(4, 'Timeout', 5, 0, { api: TIMEOUT, delay: 120 })
			.callback(2, 100, { idle: 100, sync: 2 })
			.callback(4, 125, { idle: 23 })
			.begin(3, 200, { idle: 75 })
			.start(5, 'FSREQCALLBACK', 7, 200, { api: STAT })
			.end(240)
			.callback(5, 240)
			.start(6, 'Immediate', 8, 240, { api: ['setImmediate', 'node:timers'] })
			.callback(6, 241),
	);
	assert.deepEqual(operationTexts(timeline), [
		'0 3 crypto.pbkdf2: 0 +100 (0/100/0±0) +2',
		'0 5 setTimeout: 0 +125 (-1/-1/5±0) +0',
		'0 3 crypto.pbkdf2: 0 +200 (100/100/0±0) +40',
		'0 7 fs.stat: 200 +40 (0/20/20±20) +0',
		'0 8 setImmediate: 240 +1 (-1/-1/-1±0) +0',
	]);
	assert.deepEqual(timeline.threads, [{ pid: 7, threadId: 0, startMs: 0, endMs: 241 }]);
	assert.equal(timeline.earlier, 0);
});

test('of many operations the last 4096 stay, and the others are counted', () => {
	for (const count of [4096, 4097, 16_384, 40_000]) {
		const { operations, earlier } = timelineOf([new Story()], (story) => timers(story, count));
		assert.equal(operations.startMs.length, 4096);
		assert.equal(earlier, count - 4096);
		assert.deepEqual([operations.startMs[0], operations.startMs.at(-1)], [(count - 4096) * 2, (count - 1) * 2]);
	}
});

test('journals that are read one after the other give the last operations of all, in the order of their ends', () => {
	const counts = [20_000, 3000];
	const began = [0, 35_000];
	const { operations, threads, earlier } = timelineOf(
		began.map((at) => new Story({ began: at })),
		(story, i) => timers(story, counts[i]!),
	);
	const ends = operations.startMs.map((start, i) => start + operations.waitMs[i]! + operations.runMs[i]!);
	assert.deepEqual(
		ends,
		ends.toSorted((a, b) => a - b),
	);
	const expected = counts
		.flatMap((count, i) => Array.from({ length: count }, (_, k) => began[i]! + k * 2))
		.sort((a, b) => a - b);
	assert.deepEqual(
		operations.startMs.toSorted((a, b) => a - b),
		expected.slice(-4096),
	);
	assert.equal(new Set(operations.thread).size, 2);
	assert.equal(earlier, 23_000 - 4096);
	assert.deepEqual(
		threads.map(({ startMs }) => startMs),
		[0, 35_000],
	);
});

test('a debugger’s stop is no time for any thread, even for one that began after it', () => {
	const first = new Story();
	const second = new Story({ began: 5000 });
	for (const { pauses } of [first.debugger, second.debugger]) {
		pauses.stop(1_000_000);
		pauses.go(4_000_000);
	}
	const { threads, operations } = timelineOf([first, second], (story, i) => {
		const at = i === 0 ? 6000 : 1000;
		story.start(2, 'Timeout', 5, at, { api: TIMEOUT, delay: 1 }).callback(2, at + 1, { idle: 1 });
	});
	assert.deepEqual(
		threads.map(({ startMs }) => startMs),
		[0, 2000],
	);
	assert.deepEqual(operations.startMs, [3000, 3000], 'both started at the same moment');
});

test('the recording began when its first journal did; what is no time is unknown', () => {
	const beganAt = (...stories: Story[]) => timelineOf(stories, () => undefined).beganAt;
	assert.equal(beganAt(new Story({ began: 100, wall: 5100 }), new Story({ began: 0, wall: 5000 })), 5000);
	assert.equal(beganAt(new Story({ wall: 9e15 })), null);
});

test('blocks are on the same clock; nothing at all is an empty timeline', () => {
	const { blocks } = timelineOf([new Story(), new Story({ began: 100 })], (story) =>
		story.start(2, 'Timeout', 5, 0, { api: TIMEOUT, delay: 10 }).callback(2, 10, { idle: 10, sync: 60 }),
	);
	const at = { file: '/app/main.js', line: 5 };
	assert.deepEqual(blocks, [
		{ thread: 0, at, startMs: 10, durationMs: 60 },
		{ thread: 1, at, startMs: 110, durationMs: 60 },
	]);
	assert.deepEqual(
		timelineOf([], () => assert.fail()),
		{
			beganAt: null,
			threads: [],
			lines: [],
			operations: {
				thread: [],
				line: [],
				startMs: [],
				waitMs: [],
				queueMs: [],
				executeMs: [],
				lagMs: [],
				runMs: [],
				uncertaintyMs: [],
			},
			blocks: [],
			earlier: 0,
			density: { fromMs: 0, binMs: 1.024, lanes: [] },
		},
	);
});

test('the density has all operations, also those that are no longer kept one by one', () => {
	const count = 20_000;
	const timeline = timelineOf([new Story()], (story) => timers(story, count));
	const { density, operations, earlier, lines } = timeline;
	assert.ok(earlier > 0 && operations.thread.length + earlier === count);
	assert.deepEqual(
		density.lanes.map((lane) => [lines[lane.line]!.line, lane.count]),
		[[5, count]],
	);
	const { levels } = density.lanes[0]!;
	// Each timer takes 1 ms of every 2.
	const used = Array.from(levels.subarray(1, -1));
	assert.ok(
		used.every((level) => Math.abs(level - 128) <= 2),
		String(used.filter((level) => Math.abs(level - 128) > 2)),
	);
	assert.ok(Math.abs(density.binMs * levels.length - 2 * count) <= 2 * density.binMs);
});
