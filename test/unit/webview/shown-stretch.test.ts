// Which stretch of the session the timeline shows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TimelineThread } from '../../../src/protocol/timeline.ts';
import { ShownStretch } from '../../../src/webview/timeline/shown-stretch.ts';

function stretchOf(endMs: number | null) {
	const session = { endMs, threads: [] as TimelineThread[] };
	return { session, stretch: new ShownStretch(session) };
}

test('all of a session is shown, also what is still to come, until one zooms', () => {
	const { session, stretch } = stretchOf(null);
	assert.deepEqual(stretch.range, { fromMs: 0, toMs: 1 });
	session.endMs = 1000;
	assert.deepEqual(stretch.range, { fromMs: 0, toMs: 1000 });
	stretch.zoom(0.5, 500);
	session.endMs = 2000;
	assert.deepEqual(stretch.range, { fromMs: 250, toMs: 750 });
	stretch.choose(null);
	assert.deepEqual(stretch.range, { fromMs: 0, toMs: 2000 });
});

test('what is shown follows the end of a running session once it is asked to, until one moves', () => {
	const { session, stretch } = stretchOf(1000);
	stretch.choose({ fromMs: 100, toMs: 300 });
	session.endMs = 1500;
	stretch.goOn();
	assert.deepEqual(stretch.range, { fromMs: 100, toMs: 300 });
	stretch.follow(true);
	assert.deepEqual(stretch.range, { fromMs: 1300, toMs: 1500 });
	session.endMs = 1600;
	stretch.goOn();
	assert.deepEqual(stretch.range, { fromMs: 1400, toMs: 1600 });
	stretch.move(-1);
	session.endMs = 1700;
	stretch.goOn();
	assert.deepEqual(stretch.range, { fromMs: 1200, toMs: 1400 });
	stretch.follow(false);
	assert.equal(stretch.chosen, null);
});

test('a stretch of a thread is shown and marked as soon as the thread is known', () => {
	const { session, stretch } = stretchOf(1000);
	stretch.want({ pid: 7, threadId: 0, fromMs: 50, toMs: 60 });
	assert.equal(stretch.takeWanted(), false);
	session.threads.push({ pid: 7, threadId: 0, startMs: 100 } as TimelineThread);
	assert.equal(stretch.takeWanted(), true);
	assert.deepEqual(
		[stretch.marked, stretch.range],
		[
			{ fromMs: 150, toMs: 160 },
			{ fromMs: 140, toMs: 170 },
		],
	);
	assert.equal(stretch.takeWanted(), false);
});

test('a measurement begins at its earlier end', () => {
	const { stretch } = stretchOf(1000);
	stretch.measure({ fromMs: 30, toMs: 10 });
	assert.deepEqual(stretch.measured, { fromMs: 10, toMs: 30 });
	stretch.clear();
	assert.equal(stretch.measured, null);
});
