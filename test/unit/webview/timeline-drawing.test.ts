// What the timeline puts where on its canvas, as the pointer finds it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Timeline, TimelineGap } from '../../../src/protocol/timeline.ts';
import { type Hits, Patterns } from '../../../src/webview/timeline/timeline-brush.ts';
import { TimelineData } from '../../../src/webview/timeline/timeline-data.ts';
import { type Canvases, draw } from '../../../src/webview/timeline/timeline-drawing.ts';
import {
	type LaneChoices,
	laneAt,
	NONE_STUCK,
	type Stuck,
	stuckIn,
	TimelineLanes,
	tops,
} from '../../../src/webview/timeline/timeline-lanes.ts';
import { emptyDetail } from '../../support/timeline-values.ts';

/** As wide as its time in ms. */
const WIDTH = 100;

/** A canvas that notes where it fills what. */
class FakeCanvas {
	readonly clientWidth = WIDTH;
	readonly clientHeight = 1000;
	readonly filled: { style: string; left: number; top: number; width: number; height: number }[] = [];
	readonly #context = new Proxy(
		{
			fillStyle: '',
			fillRect: (left: number, top: number, width: number, height: number) =>
				this.filled.push({ style: this.#context.fillStyle, left, top, width, height }),
			measureText: () => ({ width: 8 }),
		},
		{ get: (target, name) => Reflect.get(target, name) ?? (() => undefined) },
	);

	getContext() {
		return this.#context;
	}
}

/** Patterns take a document to be made. */
class NamedPatterns extends Patterns {
	override of(_context: CanvasRenderingContext2D, colour: string): string {
		return `pattern ${colour}`;
	}
}

/** Two threads with a line each, one of which has gaps. */
function timelineWith(gaps: TimelineGap[]): Timeline {
	const lane = (thread: number) => {
		const levels = new Uint8Array(WIDTH).fill(9);
		return { thread, line: thread, count: 1, busyMs: 50, longestMs: 50, wholeMs: 50, levels };
	};
	return {
		fromMs: 0,
		toMs: WIDTH,
		endMs: WIDTH,
		threads: [0, 1].map((threadId) => ({ pid: 1, threadId, startMs: 0, endMs: WIDTH })),
		lines: [1, 2].map((line) => ({ file: '/a.js', line, op: 'op', function: '', class: 'kernel' })),
		detail: emptyDetail(),
		blocks: [],
		gaps,
		density: { fromMs: 0, binMs: 1, length: WIDTH, lanes: [lane(0), lane(1)], loops: [], flights: [], queues: [] },
	};
}

/** @param stuckAt where pinned lanes with room for `stuckRoom` pixels are while the others have scrolled */
function drawn(timeline: Timeline, choices: LaneChoices, stuckAt = 0, stuckRoom = 0) {
	let asked = 0;
	const data = new TimelineData((id) => {
		asked = id;
	});
	data.want(null, WIDTH);
	data.take(asked, timeline);
	const lanes = new TimelineLanes();
	const all = () => {
		lanes.arrange(
			data,
			timeline,
			choices,
			() => 4,
			() => true,
		);
		return lanes.all;
	};
	const scene = {
		data,
		shown: timeline,
		lanes: all(),
		range: { fromMs: 0, toMs: WIDTH },
		ticks: [],
		selected: -1,
		causes: null,
		isRelated: null,
		marked: null,
		measured: null,
		jobsOf: () => [],
		blockLabel: () => '',
		runLabel: () => '',
	};
	const [canvas, stuckCanvas] = [new FakeCanvas(), new FakeCanvas()];
	const stuck: Stuck = { ...stuckIn(scene.lanes, stuckRoom), top: stuckAt };
	const style = { getPropertyValue: (name: string) => name, fontSize: '10px', fontFamily: 'mono' };
	const hits = draw(
		{ scrolled: canvas, stuck: stuckCanvas } as unknown as Canvases,
		style as unknown as CSSStyleDeclaration,
		new NamedPatterns(),
		scene,
		{ offset: 0, stuck },
	);
	return { hits: hits as Hits, canvas, stuckCanvas, lanes: scene.lanes, stuck };
}

before(() => {
	Object.assign(globalThis, { devicePixelRatio: 1 });
});

const gap = (kind: TimelineGap['kind'], fromMs: number, toMs: number): TimelineGap => ({
	thread: 1,
	kind,
	fromMs,
	toMs,
	stoppedMs: 0,
});

test('a gap is drawn over every lane of its thread and found in each, also in a pinned one, and in no other thread’s', () => {
	for (const kind of ['sampled', 'rested', 'lost', 'stopped'] as const) {
		// The recording's time stood still in a stop.
		const gaps = [kind === 'stopped' ? gap(kind, 50, 50) : gap(kind, 40, 60)];
		const unpinned = drawn(timelineWith(gaps), { folded: new Set(), pinned: new Set() });
		const line = unpinned.lanes.find((lane) => lane.kind === 'line' && lane.thread === 1)!;
		const { hits, canvas, lanes } = drawn(timelineWith(gaps), {
			folded: new Set(),
			pinned: new Set([line.key]),
		});
		assert.ok(lanes[0]!.isPinned);
		const { tops: all } = tops(lanes);
		for (const [index, lane] of lanes.entries()) {
			const middle = all[index]! + lane.height / 2;
			assert.equal(hits.at(50, middle)?.kind, lane.thread === 1 ? 'gap' : undefined, `${kind} ${lane.key}`);
			assert.equal(hits.at(30, middle), null, `before it: ${kind} ${lane.key}`);
			if (kind === 'stopped') continue;
			const crossed = canvas.filled.filter(({ style }) => style === 'pattern --wl-gap');
			const covers = crossed.some(({ left, top, width, height }) => {
				return left === 40 && width === 20 && top <= middle && top + height > middle;
			});
			assert.equal(covers, lane.thread === 1, `${kind} ${lane.key}`);
		}
	}
});

test('a pinned lane that stays in view hides what has scrolled under it, also from the pointer', () => {
	const timeline = timelineWith([gap('lost', 40, 60)]);
	const { lanes: plain } = drawn(timeline, { folded: new Set(), pinned: new Set() });
	const lineOf = (thread: number) => plain.find((lane) => lane.kind === 'line' && lane.thread === thread)!.key;
	for (const [pinned, under] of [
		[0, 1],
		[1, 0],
	] as const) {
		const choices = { folded: new Set<string>(), pinned: new Set([lineOf(pinned)]) };
		const { tops: unscrolled } = tops(drawn(timeline, choices).lanes);
		const target = drawn(timeline, choices).lanes.findIndex((lane) => lane.thread === under && lane.kind === 'line');
		const { hits, canvas, stuckCanvas, lanes, stuck } = drawn(timeline, choices, unscrolled[target]!, 50);
		assert.equal(stuck.count, 1);
		const middle = unscrolled[target]! + lanes[target]!.height / 2;
		assert.equal(laneAt(lanes, stuck, middle)?.key, lineOf(pinned));
		assert.equal(laneAt(lanes, NONE_STUCK, middle)?.key, lineOf(under));
		// The gap is one of thread 1.
		assert.equal(hits.at(50, middle)?.kind, pinned === 1 ? 'gap' : undefined);
		const isCrossed = (on: FakeCanvas) =>
			on.filled.some(
				({ style, top, height }) => style === 'pattern --wl-gap' && top <= middle && top + height > middle,
			);
		assert.deepEqual([isCrossed(stuckCanvas), isCrossed(canvas)], [pinned === 1, under === 1]);
	}
});

test('as many pinned lanes stay in view as have room, and no others', () => {
	const timeline = timelineWith([]);
	const { lanes: plain } = drawn(timeline, { folded: new Set(), pinned: new Set() });
	const lines = plain.filter(({ kind }) => kind === 'line');
	const { lanes } = drawn(timeline, { folded: new Set(), pinned: new Set(lines.map(({ key }) => key)) });
	const [first, second] = lanes as [(typeof lanes)[0], (typeof lanes)[0]];
	const both = first.height + second.height;
	assert.deepEqual(stuckIn(lanes, first.height - 1), { count: 0, height: 0 });
	assert.deepEqual(stuckIn(lanes, both - 1), { count: 1, height: first.height });
	assert.deepEqual(stuckIn(lanes, 10 * both), { count: 2, height: both });
});
