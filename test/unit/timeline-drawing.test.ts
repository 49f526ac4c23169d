// What the timeline puts where on its canvas, as the pointer finds it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Timeline, TimelineGap } from '../../src/protocol/timeline.ts';
import { type Hits, Patterns } from '../../src/webview/timeline-brush.ts';
import { TimelineData } from '../../src/webview/timeline-data.ts';
import { draw } from '../../src/webview/timeline-drawing.ts';
import { type LaneChoices, TimelineLanes, tops } from '../../src/webview/timeline-lanes.ts';
import { emptyDetail } from '../support/timeline-values.ts';

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

function drawn(timeline: Timeline, choices: LaneChoices) {
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
	const canvas = new FakeCanvas();
	const style = { getPropertyValue: (name: string) => name, fontSize: '10px', fontFamily: 'mono' };
	const hits = draw(
		canvas as unknown as HTMLCanvasElement,
		style as unknown as CSSStyleDeclaration,
		new NamedPatterns(),
		scene,
		0,
	);
	return { hits: hits as Hits, canvas, lanes: scene.lanes };
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
