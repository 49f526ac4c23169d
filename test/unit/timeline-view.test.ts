// Where the timeline puts its operations, and how its stretch of time is zoomed and divided.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Timeline } from '../../src/protocol/timeline.ts';
import { around, bring, move, ticks, tickTexts, zoom } from '../../src/webview/time-range.ts';
import { lanesOf } from '../../src/webview/timeline-lanes.ts';

/** Operations as [thread, line, start, wait, run]. */
function timeline(...operations: [number, number, number, number, number][]): Timeline {
	const none = operations.map(() => -1);
	const column = (at: number) => operations.map((each) => each[at]!);
	return {
		beganAt: null,
		threads: [0, 1].map((threadId) => ({ pid: 1, threadId, startMs: 0, endMs: 100 })),
		lines: ['a', 'b', 'c'].map((op, index) => ({ file: '/app/main.js', line: index + 1, op, class: 'kernel' })),
		operations: {
			thread: column(0),
			line: column(1),
			startMs: column(2),
			waitMs: column(3),
			queueMs: none,
			executeMs: none,
			lagMs: none,
			runMs: column(4),
			uncertaintyMs: none.map(() => 0),
		},
		blocks: [],
		earlier: 0,
		density: { fromMs: 0, binMs: 1, lanes: [] },
	};
}

test('a lane per thread and line, the busiest first', () => {
	const lanes = lanesOf(timeline([0, 0, 0, 5, 1], [1, 0, 0, 90, 1], [0, 1, 0, 20, 1], [0, 0, 50, 5, 1]));
	const found = lanes.map(({ thread, line, busyMs }) => [thread, line, busyMs]);
	assert.deepEqual(found, [
		[0, 1, 21],
		[0, 0, 12],
		[1, 0, 91],
	]);
});

test('operations that overlap take rows of their own, and a row is used again', () => {
	const [lane] = lanesOf(timeline([0, 0, 0, 10, 5], [0, 0, 5, 10, 0], [0, 0, 15, 1, 0], [0, 0, 15.5, 1, 0]));
	assert.deepEqual(lane!.rows, [0, 1, 0, 1]);
	assert.equal(lane!.rowCount, 2);
});

test('a thousand operations at once fill no screen', () => {
	const crowd = Array.from({ length: 1000 }, () => [0, 0, 0, 10, 1] as [number, number, number, number, number]);
	const [lane] = lanesOf(timeline(...crowd));
	assert.equal(lane!.operations.length, 1000);
	assert.equal(lane!.rowCount, 12);
});

const WHOLE = { fromMs: 0, toMs: 1000 };

test('a stretch is shown with as much before and after it, as far as there is time', () => {
	assert.deepEqual(around({ fromMs: 400, toMs: 500 }, WHOLE), { fromMs: 300, toMs: 600 });
	assert.deepEqual(around({ fromMs: 0, toMs: 100 }, WHOLE), { fromMs: 0, toMs: 300 });
	assert.deepEqual(around({ fromMs: 100, toMs: 900 }, WHOLE), WHOLE);
});

test('zooming keeps the time under the pointer where it is', () => {
	assert.deepEqual(zoom(WHOLE, 250, 0.5, WHOLE), { fromMs: 125, toMs: 625 });
	assert.deepEqual(zoom({ fromMs: 125, toMs: 625 }, 250, 4, WHOLE), WHOLE);
});

test('no zoom and no move leaves what there is', () => {
	assert.deepEqual(move({ fromMs: 100, toMs: 200 }, -500, WHOLE), { fromMs: 0, toMs: 100 });
	assert.deepEqual(move({ fromMs: 100, toMs: 200 }, 5000, WHOLE), { fromMs: 900, toMs: 1000 });
	const closest = zoom({ fromMs: 0, toMs: 0.02 }, 0.01, 0.001, WHOLE);
	assert.ok(closest.toMs - closest.fromMs >= 0.0099);
});

test('what is selected comes into view', () => {
	assert.deepEqual(bring({ fromMs: 0, toMs: 100 }, 10, 20, WHOLE), { fromMs: 0, toMs: 100 });
	assert.deepEqual(bring({ fromMs: 0, toMs: 100 }, 500, 520, WHOLE), { fromMs: 460, toMs: 560 });
});

test('ticks are round times', () => {
	assert.deepEqual(ticks({ fromMs: 0, toMs: 1000 }, 5), [0, 200, 400, 600, 800, 1000]);
	assert.deepEqual(ticks({ fromMs: 13, toMs: 27 }, 4), [15, 20, 25]);
});

test('lanes keep their places when others become busier, and new ones come below', () => {
	const order = new Map<string, number>();
	lanesOf(timeline([0, 0, 0, 5, 0], [0, 1, 0, 90, 0]), order);
	const lanes = lanesOf(timeline([0, 2, 0, 500, 0], [0, 0, 0, 200, 0], [0, 1, 0, 90, 0]), order);
	assert.deepEqual(
		lanes.map(({ line }) => line),
		[1, 0, 2],
	);
});

test('no two ticks have the same text, however far one zooms in', () => {
	assert.deepEqual(tickTexts([250_120, 250_140, 250_160]), ['4:10.12', '+20 ms', '+40 ms']);
	assert.deepEqual(tickTexts([0, 500, 1000]), ['0.0 s', '+500 ms', '+1 s']);
	assert.deepEqual(tickTexts([12.001, 12.002]), ['0.012001 s', '+1 µs']);
	assert.deepEqual(tickTexts([60_000, 65_000]), ['1:00', '+5 s']);
});
