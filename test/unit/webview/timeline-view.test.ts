// Where the timeline puts its operations, and how its stretch of time is zoomed and divided.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Timeline, TimelineDetail, TimelineQuery } from '../../../src/protocol/timeline.ts';
import {
	around,
	bring,
	move,
	stepOf,
	type TimeRange,
	ticks,
	tickTexts,
	timeText,
	zoom,
} from '../../../src/webview/common/time-range.ts';
import type { Target } from '../../../src/webview/timeline/timeline-brush.ts';
import { causesOf, isRelated } from '../../../src/webview/timeline/timeline-causes.ts';
import { TimelineData } from '../../../src/webview/timeline/timeline-data.ts';
import { listenToTimeline } from '../../../src/webview/timeline/timeline-input.ts';
import {
	type Lane,
	type LaneChoices,
	type LineLane,
	TimelineLanes,
} from '../../../src/webview/timeline/timeline-lanes.ts';
import { jobsByThread } from '../../../src/webview/timeline/timeline-pool.ts';
import { timeOf } from '../../../src/webview/timeline/timeline-target.ts';
import { withoutFolders } from '../../../src/webview/timeline/timeline-texts.ts';
import { emptyDetail } from '../../support/timeline-values.ts';

const COLUMNS = {
	queueMs: Float32Array,
	executeMs: Float32Array,
	lagMs: Float32Array,
	uncertaintyMs: Float32Array,
} as const;

/** An answer with operations as [thread, line, start, wait, run, request]. */
function answer(...operations: number[][]): Timeline {
	const column = (at: number) => operations.map((each) => each[at] ?? -1);
	const none = (type: { from(values: number[]): Float32Array }) => type.from(operations.map(() => -1));
	const lines = ['a', 'b', 'c'].map((op, index) => ({
		file: '/app/main.js',
		line: index + 1,
		op,
		function: `in${op}`,
		class: 'kernel' as const,
	}));
	const busy = new Map<string, number>();
	for (const [thread, line, , wait = 0, run = 0] of operations) {
		busy.set(`${thread} ${line}`, (busy.get(`${thread} ${line}`) ?? 0) + wait + run);
	}
	const lanes = [...busy]
		.sort((a, b) => b[1] - a[1])
		.map(([key, wholeMs]) => {
			const [thread = 0, line = 0] = key.split(' ').map(Number);
			return { thread, line, count: 1, busyMs: wholeMs, longestMs: 1, wholeMs, levels: new Uint8Array(100).fill(9) };
		});
	return {
		fromMs: 0,
		toMs: 100,
		endMs: 100,
		threads: [0, 1].map((threadId) => ({ pid: 1, threadId, startMs: 0, endMs: 100 })),
		lines,
		detail: {
			...emptyDetail(),
			operations: {
				thread: Uint16Array.from(column(0)),
				line: Uint32Array.from(column(1)),
				startMs: Float64Array.from(column(2)),
				waitMs: Float32Array.from(column(3)),
				calledMs: Float64Array.from(operations, ([, , start, wait]) => start! + wait!),
				runMs: Float32Array.from(column(4)),
				...(Object.fromEntries(Object.entries(COLUMNS).map(([name, type]) => [name, none(type)])) as Record<
					keyof typeof COLUMNS,
					Float32Array
				>),
				isOpen: new Uint8Array(operations.length),
				starter: Int32Array.from(operations.map(() => -1)),
				run: Int32Array.from(operations.map(() => -1)),
				behind: Int32Array.from(operations.map(() => -1)),
				request: Int32Array.from(column(5)),
			},
		},
		blocks: [],
		gaps: [],
		density: { fromMs: 0, binMs: 1, length: 100, lanes, loops: [], flights: [], queues: [] },
	};
}

/** A session whose timeline gives these answers, one for each question, and the questions. */
function session(...answers: (Timeline | null)[]) {
	const questions: TimelineQuery[] = [];
	const clock = { ms: 0 };
	const data = new TimelineData(
		(id, query) => {
			questions.push(query);
			pending = id;
		},
		() => clock.ms,
	);
	let pending = -1;
	/** The chart shows that; then the answer comes, if there was a question. */
	const look = (shown: TimeRange | null, width = 100) => {
		data.want(shown, width);
		if (pending < 0) return;
		const id = pending;
		pending = -1;
		data.take(id, answers.shift()!);
	};
	return { data, questions, look, clock };
}

const choices = (): LaneChoices => ({ folded: new Set(), pinned: new Set() });

/** What an answer's lanes are. */
function lanesOf(timeline: Timeline, lanes = new TimelineLanes(), chosen = choices()): Lane[] {
	const { data, look } = session(timeline);
	look(null);
	lanes.arrange(
		data,
		data.whole,
		chosen,
		() => 2,
		() => true,
	);
	return lanes.all;
}

const ofLines = (lanes: readonly Lane[]) => lanes.filter((lane): lane is LineLane => lane.kind === 'line');

test('a lane per thread and line, the busiest first', () => {
	const lanes = ofLines(lanesOf(answer([0, 0, 0, 5, 1], [1, 0, 0, 90, 1], [0, 1, 0, 20, 1], [0, 0, 50, 5, 1])));
	assert.deepEqual(
		lanes.map(({ thread, line, operations }) => [thread, line, operations.length]),
		[
			[0, 1, 1],
			[0, 0, 2],
			[1, 0, 1],
		],
	);
});

test('operations that overlap take rows of their own, and a row is used again', () => {
	const [lane] = ofLines(lanesOf(answer([0, 0, 0, 10, 5], [0, 0, 5, 10, 0], [0, 0, 15, 1, 0], [0, 0, 15.5, 1, 0])));
	assert.deepEqual(lane!.rows, [0, 1, 0, 1]);
});

test('a thousand operations at once fill no screen', () => {
	const [lane] = ofLines(lanesOf(answer(...Array.from({ length: 1000 }, () => [0, 0, 0, 10, 1]))));
	assert.equal(lane!.operations.length, 1000);
	assert.equal(lane!.height, 12 * 10 + 10);
});

test('lanes keep their places and their height when others become busier, and new ones come below', () => {
	const lanes = new TimelineLanes();
	const first = ofLines(lanesOf(answer([0, 0, 0, 5, 0], [0, 1, 0, 90, 0], [0, 1, 0, 90, 0], [0, 1, 0, 90, 0]), lanes));
	const then = ofLines(lanesOf(answer([0, 2, 0, 500, 0], [0, 0, 0, 200, 0], [0, 1, 0, 90, 0]), lanes));
	assert.deepEqual(
		then.map(({ key }) => key.split(' ')[1]),
		['2', '1', '3'],
	);
	assert.equal(then[0]!.height, first[0]!.height);
});

test('a folded section is its heading, and lines are a strip then; what is pinned stands above all', () => {
	const chosen = choices();
	const timeline = () => {
		const made = answer([0, 0, 0, 5, 1], [0, 1, 0, 20, 1]);
		made.density.flights.push({ thread: 0, kind: 'pool', counts: new Float32Array(100), longestMs: 1, worst: 0 });
		return made;
	};
	const kinds = () => lanesOf(timeline(), new TimelineLanes(), chosen).map(({ kind }) => kind);
	const all = ['loop', 'heading', 'queue', 'pool-thread', 'pool-thread', 'heading', 'line', 'line', 'loop'];
	assert.deepEqual(kinds(), all);
	const [, pool, , , , lines, , least] = lanesOf(timeline());
	chosen.folded.add(pool!.key);
	assert.deepEqual(kinds(), ['loop', 'heading', 'queue', 'heading', 'line', 'line', 'loop']);
	chosen.folded.add(lines!.key);
	assert.deepEqual(kinds(), ['loop', 'heading', 'queue', 'heading', 'strip', 'loop']);
	chosen.folded.clear();
	chosen.pinned.add(least!.key);
	assert.equal(lanesOf(timeline(), new TimelineLanes(), chosen)[0]!.key, least!.key);
	assert.equal(kinds().length, all.length);
});

test('a stretch is asked for where all of the session has no single operations, and again where one zooms in', () => {
	const sums = (fromMs: number, toMs: number, isSingle = false) => {
		const made = answer([0, 0, 0, 1, 0]);
		return { ...made, fromMs, toMs, endMs: 1000, detail: isSingle ? made.detail : null };
	};
	const { data, questions, look, clock } = session(
		sums(0, 1000),
		sums(100, 400),
		sums(210, 240),
		sums(214, 220, true),
		sums(0, 1200),
		sums(214, 220, true),
	);
	look({ fromMs: 200, toMs: 300 });
	assert.equal(data.best({ fromMs: 200, toMs: 300 }), data.whole);
	look({ fromMs: 200, toMs: 300 });
	assert.deepEqual(questions[1], { fromMs: 100, toMs: 400, bins: 300 });
	assert.equal(data.best({ fromMs: 200, toMs: 300 }), data.near);
	// Within what is there, and as fine.
	look({ fromMs: 150, toMs: 250 });
	look({ fromMs: 250, toMs: 350 });
	assert.equal(questions.length, 2);
	look({ fromMs: 220, toMs: 230 });
	assert.deepEqual(questions[2], { fromMs: 210, toMs: 240, bins: 300 });
	look({ fromMs: 216, toMs: 218 });
	look({ fromMs: 217, toMs: 217.5 });
	assert.equal(questions.length, 4, 'each operation is there');
	data.age();
	clock.ms = 1000;
	look({ fromMs: 217, toMs: 217.5 });
	assert.equal(questions[4]!.fromMs, 0);
	look({ fromMs: 217, toMs: 217.5 });
	assert.equal(questions.length, 5, 'what is over does not change');
});

test('where the end of a running session is shown, that is asked for each time, and all of the session once a second', () => {
	const made = (fromMs: number, endMs: number) => {
		return { ...answer([0, 0, 0, 1, 0]), fromMs, toMs: endMs, endMs, detail: null };
	};
	const { data, questions, look, clock } = session(
		made(0, 1000),
		made(800, 1000),
		made(800, 1300),
		made(1100, 1600),
		made(0, 2000),
	);
	look({ fromMs: 900, toMs: 1000 });
	look({ fromMs: 900, toMs: 1000 });
	const whole = questions[0]!.toMs;
	assert.deepEqual(questions[1], { fromMs: 800, toMs: whole, bins: 300 });
	for (const endMs of [1300, 1600]) {
		data.age();
		clock.ms += 300;
		look({ fromMs: data.endMs! - 100, toMs: data.endMs! });
		assert.equal(data.endMs, endMs);
		// It has what the view moves to.
		const { length } = questions;
		look({ fromMs: endMs - 100, toMs: endMs });
		assert.equal(questions.length, length);
	}
	assert.deepEqual(
		questions.map(({ fromMs }) => fromMs),
		[0, 800, 800, 1100],
	);
	data.age();
	clock.ms = 1000;
	look({ fromMs: 1500, toMs: 1600 });
	assert.equal(questions[4]!.fromMs, 0);
	assert.equal(data.endMs, 2000);
});

test('where one zooms out from a stretch, all of the session is drawn alike', () => {
	const made = (fromMs: number, toMs: number) => ({ ...answer([0, 0, 0, 1, 0]), fromMs, toMs, endMs: 1000 });
	const { data, look } = session({ ...made(0, 1000), detail: null }, made(100, 400));
	look({ fromMs: 200, toMs: 300 });
	look({ fromMs: 200, toMs: 300 });
	assert.equal(data.best({ fromMs: 200, toMs: 300 }), data.near);
	assert.equal(data.best({ fromMs: 350, toMs: 450 }), data.near, 'half of it is there while one moves');
	assert.equal(data.best({ fromMs: 390, toMs: 490 }), data.whole);
	assert.equal(data.best({ fromMs: 0, toMs: 1000 }), data.whole);
});

test('where there is no answer, nothing is asked until the session goes on', () => {
	const { data, questions, look } = session(null, answer());
	look(null);
	look(null);
	assert.equal(questions.length, 1);
	data.age();
	look(null);
	assert.equal(questions.length, 2);
	assert.ok(data.whole !== null);
});

test('after a stretch that could not be read, another one is asked for', () => {
	const sums = { ...answer([0, 0, 0, 1, 0]), fromMs: 0, toMs: 1000, endMs: 1000, detail: null };
	const { questions, look } = session(sums, null, null);
	look({ fromMs: 200, toMs: 300 });
	look({ fromMs: 200, toMs: 300 });
	look({ fromMs: 150, toMs: 250 });
	assert.equal(questions.length, 2, 'the same again');
	look({ fromMs: 700, toMs: 800 });
	assert.deepEqual(questions[2], { fromMs: 600, toMs: 900, bins: 300 });
});

test('a running session that takes long to read is asked for more rarely', () => {
	let now = 0;
	const asked: number[] = [];
	const data = new TimelineData(
		(id) => asked.push(id),
		() => now,
	);
	data.want(null, 100);
	now = 100;
	data.take(0, answer());
	data.age();
	now = 499;
	assert.equal(data.want(null, 100), 1);
	assert.deepEqual(asked, [0]);
	now = 500;
	data.want(null, 100);
	assert.deepEqual(asked, [0, 1]);
	// A timeline that stood for minutes behind one slow answer.
	now = 60_500;
	data.take(1, answer());
	data.age();
	assert.equal(data.want(null, 100), 10_000);
	now = 70_500;
	data.want(null, 100);
	assert.deepEqual(asked, [0, 1, 2]);
});

test('an answer about other threads is another session’s', () => {
	let asked = -1;
	const data = new TimelineData(
		(id) => {
			asked = id;
		},
		() => 0,
	);
	const take = (pid: number) => {
		data.age();
		data.want(null, 100);
		const made = answer([0, 0, 0, 1, 0]);
		for (const thread of made.threads) thread.pid = pid;
		return data.take(asked, made);
	};
	assert.equal(take(1), 'same');
	assert.equal(take(1), 'same');
	assert.equal(take(2), 'other');
	assert.deepEqual(
		data.threads.map(({ pid }) => pid),
		[2, 2],
	);
});

/** Jobs as [start, began, done], each of an operation of its own on line 0. */
function withJobs(...jobs: number[][]): Timeline & { detail: TimelineDetail } {
	const made = answer(...jobs.map(([start = 0, , done = 0]) => [0, 0, start, done - start, 1]));
	const detail = made.detail!;
	const column = (at: number) => Float64Array.from(jobs, (job) => job[at]!);
	detail.jobs = {
		thread: new Uint16Array(jobs.length),
		line: new Int32Array(jobs.length),
		operation: Int32Array.from(jobs, (_, index) => index),
		startMs: column(0),
		beganMs: column(1),
		doneMs: column(2),
		uncertaintyMs: new Float32Array(jobs.length),
	};
	return { ...made, detail };
}

test('no thread of the pool has two jobs at once', () => {
	const { detail, threads } = withJobs([0, 0, 10], [0, 0, 12], [1, 10, 20], [2, 12, 15], [3, 15, 30]);
	assert.deepEqual(jobsByThread(detail, threads, 1, 2), [
		[0, 2],
		[1, 3, 4],
	]);
	assert.deepEqual(jobsByThread(detail, threads, 2, 2), [[], []]);
});

test('an operation waited behind the jobs that were taken before its own, and for what ran when it was done', () => {
	const { detail, threads } = withJobs([0, 0, 10], [0, 0, 12], [1, 10, 20], [2, 12, 15], [30, 30, 31]);
	assert.deepEqual(causesOf(detail, threads, 3).before, [0, 1, 2]);
	assert.deepEqual(causesOf(detail, threads, 4).before, [], 'it did not wait');
	detail.runs = {
		thread: Uint16Array.of(0, 0, 0, 1),
		line: Int32Array.of(0, 1, 0, 2),
		startMs: Float64Array.of(5, 15, 40, 15),
		durationMs: Float32Array.of(5, 25, 5, 25),
		isMain: new Uint8Array(4),
	};
	const { operations } = detail;
	// The fourth was done at 15 and called at 40.
	operations.waitMs[3] = 38;
	operations.calledMs[3] = 40;
	operations.lagMs[3] = 25;
	operations.run.set([-1, 1, -1, 2, -1]);
	operations.starter.set([-1, -1, 1, 0, 2]);
	const causes = causesOf(detail, threads, 3);
	assert.deepEqual([causes.delaying, causes.starter, causes.parent, causes.children], [[1], 0, -1, [4]]);
	assert.deepEqual(causesOf(detail, threads, 2).parent, 1);
	const isRelatedToIt = isRelated(detail, 3, causes);
	assert.ok(isRelatedToIt({ kind: 'run', index: 1 }) && !isRelatedToIt({ kind: 'run', index: 3 }));
	assert.ok(isRelatedToIt({ kind: 'operation', index: 4 }));
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

test('no two ticks have the same text, however far one zooms in', () => {
	assert.deepEqual(tickTexts([250_120, 250_140, 250_160]), ['4:10.12', '+20 ms', '+40 ms']);
	assert.deepEqual(tickTexts([0, 500, 1000]), ['0.0 s', '+500 ms', '+1 s']);
	assert.deepEqual(tickTexts([12.001, 12.002]), ['0.012001 s', '+1 µs']);
	assert.deepEqual(tickTexts([60_000, 65_000]), ['1:00', '+5 s']);
});

test('the callback and the request of the selected operation are not faint', () => {
	const { detail } = answer([0, 0, 0, 5, 1, 0], [0, 1, 10, 5, 1, 1]);
	detail!.operations.run.set([7, 8]);
	const isShown = isRelated(detail!, 0, causesOf(detail!, [], 0));
	assert.deepEqual(
		[7, 8].map((index) => isShown({ kind: 'run', index })),
		[true, false],
	);
	assert.deepEqual(
		[0, 1].map((index) => isShown({ kind: 'request', index })),
		[true, false],
	);
});

test('a double click fits what it is on, also a block, a request, a job and a collection', () => {
	const timeline = answer([0, 0, 10, 5, 1]);
	timeline.blocks.push({ thread: 0, startMs: 20, durationMs: 30, at: null });
	timeline.gaps.push({ thread: 0, kind: 'lost', fromMs: 60, toMs: 70, stoppedMs: 0 });
	const { requests, collections, jobs } = timeline.detail!;
	Object.assign(requests, { startMs: Float64Array.of(8), durationMs: Float32Array.of(9) });
	Object.assign(collections, { startMs: Float64Array.of(1), durationMs: Float32Array.of(2) });
	Object.assign(jobs, { startMs: Float64Array.of(3), doneMs: Float64Array.of(6) });
	const at = (kind: Target['kind'], index = 0) => timeOf(timeline, { kind, index });
	assert.deepEqual(at('operation'), { fromMs: 10, toMs: 16 });
	assert.deepEqual(at('block'), { fromMs: 20, toMs: 50 });
	assert.deepEqual(at('gap')?.fromMs, 60);
	assert.deepEqual(at('request'), { fromMs: 8, toMs: 17 });
	assert.deepEqual(at('collection'), { fromMs: 1, toMs: 3 });
	assert.deepEqual(at('job'), { fromMs: 3, toMs: 6 });
	assert.equal(at('block', 1), null);
	assert.equal(timeOf({ ...timeline, detail: null }, { kind: 'run', index: 0 }), null);
});

test('a time is written as finely as the stretch shows it', () => {
	const text = (ms: number, length: number) => timeText(ms, stepOf({ fromMs: 0, toMs: length }));
	assert.equal(text(29_103.456, 60_000), '29.10 s');
	assert.equal(text(29_103.456, 1000), '29.103 s');
	assert.equal(text(29_103.456, 1), '29.103456 s');
	assert.equal(text(250_120.4, 1000), '4:10.120');
});

test('a line on a bar is named without its folders', () => {
	assert.equal(withoutFolders('report /tmp/app/src/server.js:28'), 'report server.js:28');
	assert.equal(withoutFolders('in src\\a.js:3 fs.readFile'), 'in a.js:3 fs.readFile');
	assert.equal(withoutFolders('main script'), 'main script');
});

/** A chart that is given events, and what the view is asked for by them. */
function input(width = 1000) {
	const asked: unknown[][] = [];
	const chart = Object.assign(new EventTarget(), {
		clientWidth: width,
		getBoundingClientRect: () => ({ left: 0, top: 0 }),
		setPointerCapture: () => undefined,
	});
	const scroll = { scrollTop: 50 };
	const values: Record<string, unknown> = { range: { fromMs: 400, toMs: 500 }, whole: { fromMs: 0, toMs: 1000 } };
	const view = new Proxy(
		{},
		{
			get: (_, name) =>
				values[String(name)] ??
				((...args: unknown[]) => {
					asked.push([name, ...args]);
					return name === 'timeAt' ? 7 : null;
				}),
		},
	);
	listenToTimeline(chart as never, scroll as never, view as never);
	const send = (type: string, fields: object) => {
		asked.length = 0;
		chart.dispatchEvent(Object.assign(new Event(type, { cancelable: true }), fields));
		return asked.filter(([name]) => !['timeAt', 'point', 'targetAt', 'operationOf'].includes(String(name)));
	};
	return { send, scroll };
}

test('the wheel zooms by a notch at most, a touchpad by as much as the fingers moved, and sideways it moves', () => {
	const { send } = input();
	const turn = (deltaX: number, deltaY: number, ctrlKey = false) =>
		send('wheel', { deltaX, deltaY, ctrlKey, shiftKey: false, clientX: 5, clientY: 5 });
	const [[name, factor, at] = []] = turn(0, -120);
	assert.deepEqual([name, at], ['zoom', 7]);
	assert.ok(Math.abs((factor as number) - 1 / 1.5) < 1e-9);
	let product = 1;
	for (let step = 0; step < 25; step++) product *= turn(0, 4)[0]![1] as number;
	assert.ok(Math.abs(product - 1.5) < 1e-9, 'small turns add up to a notch');
	assert.ok((turn(0, 4, true)[0]![1] as number) > (turn(0, 4)[0]![1] as number), 'a pinch has smaller turns');
	assert.deepEqual(turn(30, 3), [['move', 0.03]]);
});

test('dragging moves in both directions, and another button or a cancelled one does not', () => {
	const { send, scroll } = input();
	const point = (type: string, clientX: number, clientY: number, button = 0) =>
		send(type, { clientX, clientY, button, shiftKey: false, pointerId: 1 });
	point('pointerdown', 100, 100);
	assert.deepEqual(point('pointermove', 200, 80), [['limit', { fromMs: 390, toMs: 490 }]]);
	assert.equal(scroll.scrollTop, 70);
	assert.deepEqual(point('pointerup', 200, 80), []);
	point('pointerdown', 100, 100, 2);
	assert.deepEqual(point('pointermove', 200, 80), []);
	point('pointerdown', 100, 100);
	point('pointercancel', 100, 100);
	assert.deepEqual(point('pointermove', 200, 80), []);
	point('pointerdown', 100, 100);
	assert.deepEqual(point('pointerup', 101, 100), [
		['measure', null],
		['select', null],
	]);
});
