// The timeline: all of the session, the last operations one by one and how busy each line was before, in lanes per line, with the stretches in which the loop was blocked. By
// mouse: a click selects, the wheel zooms and with Shift scrolls, dragging moves and with Shift measures, a double click fits. By keyboard: arrows go from
// operation to operation and from lane to lane, + and - or W and S zoom, A and D move, E fits, M measures, 0 or F shows everything and follows, Enter opens
// the line.
import type { Timeline, TimelineLine } from '../protocol/timeline.ts';
import { formatCount, formatMs, formatRange } from '../protocol/units.ts';
import {
	type Drawn,
	fill,
	type ThreadTime,
	type ViewFile,
	type ViewState,
	type ViewStrings,
} from '../protocol/webview.ts';
import { element, setLabel, setText } from './dom.ts';
import { around, bring, move, type TimeRange, ticks, tickTexts, zoom } from './time-range.ts';
import { draw, laneHeight, operationAt, type Scene, tops } from './timeline-drawing.ts';
import { endOf, type Lane, lanesOf } from './timeline-lanes.ts';
import { button } from './toolkit.ts';

/** CSS pixels between two ticks, at least. */
const TICK_WIDTH = 90;
const ZOOM_STEP = 1.5;
/** What a key moves the range by, as a share of its length. */
const MOVE_STEP = 0.2;
/** What one turn of the wheel to the side moves by, as a share of the range. */
const WHEEL_MOVE = 0.05;
/** Of the text from the pointer, in CSS pixels. */
const POINTER_DISTANCE = 14;

export interface TimelineViewEvents {
	/** Another stretch is shown, or another operation selected. */
	changed(): void;
	open(fileId: number, line: number): void;
}

export class TimelineView {
	readonly root: HTMLElement;
	readonly #words: ViewStrings;
	readonly #events: TimelineViewEvents;
	readonly #axis = element('div', { className: 'axis' });
	readonly #labels = element('div', { className: 'lane-labels' });
	readonly #canvas = element('canvas');
	readonly #pointerText = element('span');
	readonly #pointer = element('div', { className: 'pointer' }, this.#pointerText);
	readonly #chart = element('div', { className: 'chart' }, this.#canvas, this.#pointer);
	readonly #scroll: HTMLElement;
	readonly #jump: HTMLElement;
	readonly #details = element('p', { className: 'details' });
	readonly #note = element('p', { className: 'note' });
	readonly #body: HTMLElement;
	#files: ViewFile[] = [];
	#timeline: Timeline | null = null;
	/** Whether the filter leaves a line. */
	#isShown: (line: TimelineLine) => boolean = () => true;
	#lanes: Lane[] = [];
	/** The places of lanes, by what they are, for as long as one session is shown. */
	#order = new Map<string, number>();
	/** The range to which the person zoomed; null: everything, including what is still to come. */
	#chosen: TimeRange | null = null;
	/** Index of the selected operation, or -1. */
	#selected = -1;
	/** Whether the session is under way. */
	#isLive = false;
	/** A stretch to show as soon as there is a timeline, and the one that was shown last. */
	#wanted: ThreadTime | null = null;
	#marked: TimeRange | null = null;
	/** When a measurement began, in ms, and what is measured. */
	#measureFrom: number | null = null;
	#measured: TimeRange | null = null;
	#dragFrom: { x: number; range: TimeRange } | null = null;

	constructor(words: ViewStrings, events: TimelineViewEvents) {
		this.#words = words;
		this.#events = events;
		this.#jump = button('', () => this.#show(null));
		this.#jump.hidden = true;
		const bar = element(
			'div',
			{ className: 'source-bar' },
			button(words.zoomIn, () => this.#zoom(1 / ZOOM_STEP)),
			button(words.zoomOut, () => this.#zoom(ZOOM_STEP)),
			button(words.showAll, () => this.#show(null)),
			this.#jump,
			this.#details,
		);
		this.#details.setAttribute('role', 'status');
		this.#chart.tabIndex = 0;
		this.#chart.setAttribute('role', 'application');
		setLabel(this.#chart, words.timelineHelp);
		this.#body = element(
			'div',
			{ className: 'timeline-body' },
			element('div', { className: 'axis-row' }, this.#axis),
			element('div', { className: 'lanes' }, this.#labels, this.#chart),
		);
		this.#pointer.hidden = true;
		this.#pointer.setAttribute('aria-hidden', 'true');
		this.#scroll = element('div', { className: 'scroll' }, this.#body, this.#note);
		this.root = element('div', { className: 'source' }, bar, this.#scroll);
		this.#listen();
	}

	/** What is shown, for the host's tests. */
	get drawn(): Drawn['timeline'] {
		if (this.#timeline === null) return null;
		const range = this.#range();
		return {
			fromMs: range.fromMs,
			toMs: range.toMs,
			lanes: this.#lanes.map((lane) => ({ label: this.#labelOf(lane), operations: lane.operations.length })),
			selected: this.#selected < 0 ? null : this.#describe(this.#selected),
		};
	}

	update(state: ViewState | null): void {
		this.#files = state?.files ?? [];
		this.#isLive = state?.live === true;
		if (state === null) this.show(null);
	}

	/** @param isShown whether to show a line's lanes */
	show(timeline: Timeline | null, isShown = this.#isShown): void {
		// The columns shift as operations come and go: a selection survives only for an operation of the same start and
		// line.
		const before = this.#timeline;
		const index = this.#selected;
		this.#timeline = timeline;
		this.#isShown = isShown;
		this.#selected = before === null || timeline === null || index < 0 ? -1 : find(timeline, before, index);
		if (timeline === null) {
			this.#measured = null;
			this.#order.clear();
			this.#marked = null;
		}
		this.#arrange();
		this.#lookNow();
	}

	/** Shows that stretch; null for everything. */
	limit(range: TimeRange | null): void {
		this.#show(range);
	}

	/** Shows a stretch of a thread's time, with as much before and after it, and marks it. */
	look(when: ThreadTime): void {
		this.#wanted = when;
		this.#lookNow();
	}

	#lookNow(): void {
		const when = this.#wanted;
		const thread = this.#timeline?.threads.find((each) => each.pid === when?.pid && each.threadId === when.threadId);
		if (when === null || thread === undefined) return;
		this.#wanted = null;
		const [fromMs, toMs] = [thread.startMs + when.fromMs, thread.startMs + when.toMs];
		this.#marked = { fromMs, toMs };
		this.#show(around(this.#marked, this.#whole()));
	}

	/** Shows only the lanes of these lines. */
	filter(isShown: (line: TimelineLine) => boolean): void {
		this.#isShown = isShown;
		this.#arrange();
	}

	#arrange(): void {
		const timeline = this.#timeline;
		const lanes = timeline === null ? [] : lanesOf(timeline, this.#order);
		this.#lanes = lanes.filter(({ line }) => this.#isShown(timeline!.lines[line]!));
		const isEmpty = this.#lanes.length === 0;
		this.#body.hidden = isEmpty;
		setText(this.#note, this.#noteText(lanes.length));
		this.#labels.replaceChildren(...this.#lanes.map((lane) => this.#label(lane)));
		this.redraw();
	}

	/** Draws again; also when the view has become visible or another size. */
	redraw(): void {
		if (this.#timeline === null || this.#chart.clientWidth === 0) return;
		const scene = this.#scene(this.#timeline);
		this.#canvas.style.height = `${tops(this.#lanes).height}px`;
		draw(this.#canvas, getComputedStyle(this.#chart), scene);
		const { fromMs, toMs } = scene.range;
		const texts = tickTexts(scene.ticks);
		this.#axis.replaceChildren(
			...scene.ticks.map((tick, index) => {
				const mark = element('span', {}, texts[index]!);
				mark.style.left = `${(100 * (tick - fromMs)) / (toMs - fromMs)}%`;
				return mark;
			}),
		);
		// A time that is cut off would be read as a different one.
		const last = this.#axis.lastElementChild as HTMLElement | null;
		if (last !== null && last.offsetLeft + last.offsetWidth > this.#axis.clientWidth) setText(last, '');
		const behindMs = this.#whole().toMs - toMs;
		this.#jump.hidden = !this.#isLive || this.#chosen === null || behindMs <= 0;
		setText(this.#jump, fill(this.#words.jumpToLive, formatMs(behindMs)));
		setText(this.#details, this.#detailsText());
	}

	#detailsText(): string {
		if (this.#measured !== null) {
			const { fromMs, toMs } = this.#measured;
			return fill(this.#words.measured, formatMs(toMs - fromMs), formatMs(fromMs), formatMs(toMs));
		}
		return this.#selected < 0 ? this.#words.timelineHint : this.#describe(this.#selected);
	}

	#listen(): void {
		const chart = this.#chart;
		new ResizeObserver(() => this.redraw()).observe(chart);
		chart.addEventListener('keydown', (event) => this.#key(event));
		chart.addEventListener(
			'wheel',
			(event) => {
				event.preventDefault();
				if (event.shiftKey) this.#scroll.scrollTop += event.deltaY || event.deltaX;
				else if (event.deltaY === 0) this.#move(Math.sign(event.deltaX) * WHEEL_MOVE);
				else this.#zoom(event.deltaY < 0 ? 1 / ZOOM_STEP : ZOOM_STEP, this.#timeAt(event.offsetX));
			},
			{ passive: false },
		);
		chart.addEventListener('pointerdown', (event) => {
			chart.setPointerCapture(event.pointerId);
			if (event.shiftKey) this.#measureFrom = this.#timeAt(event.offsetX);
			else this.#dragFrom = { x: event.offsetX, range: this.#range() };
		});
		chart.addEventListener('pointerleave', () => {
			this.#pointer.hidden = true;
		});
		chart.addEventListener('pointermove', (event) => {
			this.#point(event.offsetX, event.offsetY);
			if (this.#measureFrom !== null) {
				this.#measure(this.#measureFrom, this.#timeAt(event.offsetX));
				return;
			}
			if (this.#dragFrom === null || Math.abs(event.offsetX - this.#dragFrom.x) < 3) return;
			const { x, range } = this.#dragFrom;
			const byMs = ((x - event.offsetX) / chart.clientWidth) * (range.toMs - range.fromMs);
			if (this.#chosen !== null) this.#show(move(range, byMs, this.#whole()));
		});
		chart.addEventListener('pointerup', (event) => {
			const isClick = this.#dragFrom !== null && Math.abs(event.offsetX - this.#dragFrom.x) < 3;
			this.#dragFrom = null;
			this.#measureFrom = null;
			if (isClick) this.#measured = null;
			if (!isClick || this.#timeline === null) return;
			this.#select(this.#operationAt(event.offsetX, event.offsetY));
		});
		chart.addEventListener('dblclick', (event) => this.#fit(this.#operationAt(event.offsetX, event.offsetY)));
	}

	/** The operation under a point of the chart, in CSS pixels; -1 where there is none. */
	#operationAt(x: number, y: number): number {
		if (this.#timeline === null) return -1;
		return operationAt(this.#scene(this.#timeline), this.#chart.clientWidth, x, y);
	}

	/** Shows when the pointer is, and the times of what it is on. */
	#point(x: number, y: number): void {
		const index = this.#operationAt(x, y);
		const time = formatMs(this.#timeAt(x));
		setText(this.#pointerText, index < 0 ? time : `${time} · ${this.#describe(index)}`);
		this.#pointer.style.left = `${x}px`;
		this.#pointerText.style.top = `${y + POINTER_DISTANCE}px`;
		this.#pointer.classList.toggle('left', x > this.#chart.clientWidth / 2);
		this.#pointer.hidden = false;
	}

	#measure(a: number, b: number): void {
		this.#measured = { fromMs: Math.min(a, b), toMs: Math.max(a, b) };
		this.redraw();
	}

	/** An operation with as much time before and after it; everything where there is none. */
	#fit(index: number): void {
		const timeline = this.#timeline;
		if (timeline === null || index < 0) {
			this.#show(null);
			return;
		}
		const stretch = { fromMs: timeline.operations.startMs[index]!, toMs: endOf(timeline, index) };
		this.#show(around(stretch, this.#whole()));
	}

	#key(event: KeyboardEvent): void {
		const actions: Record<string, () => void> = {
			ArrowRight: () => this.#step(1),
			ArrowLeft: () => this.#step(-1),
			ArrowDown: () => this.#stepLane(1),
			ArrowUp: () => this.#stepLane(-1),
			'+': () => this.#zoom(1 / ZOOM_STEP),
			'-': () => this.#zoom(ZOOM_STEP),
			w: () => this.#zoom(1 / ZOOM_STEP),
			s: () => this.#zoom(ZOOM_STEP),
			a: () => this.#move(-MOVE_STEP),
			d: () => this.#move(MOVE_STEP),
			'0': () => this.#show(null),
			f: () => this.#show(null),
			Enter: () => this.#open(),
			m: () => this.#measureSelected(),
			e: () => this.#fit(this.#selected),
		};
		const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
		if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
		event.preventDefault();
		action();
	}

	/** From the start of the operation that is selected to its end; the next time to the end of the one that is selected then. */
	#measureSelected(): void {
		if (this.#timeline === null || this.#selected < 0) return;
		const fromMs = this.#measured?.fromMs ?? this.#timeline.operations.startMs[this.#selected]!;
		this.#measure(fromMs, endOf(this.#timeline, this.#selected));
	}

	/** To the next operation of the lane, or the first of all. */
	#step(by: number): void {
		const lane = this.#lanes[this.#laneOf(this.#selected)];
		if (lane === undefined) {
			this.#select(this.#lanes[0]?.operations[0] ?? -1);
			return;
		}
		const at = lane.operations.indexOf(this.#selected) + by;
		const next = lane.operations[at];
		if (next !== undefined) this.#select(next);
	}

	/** To the operation of the neighbouring lane that is nearest in time. */
	#stepLane(by: number): void {
		const { startMs } = this.#timeline?.operations ?? { startMs: [] };
		const lane = this.#lanes[this.#laneOf(this.#selected) + by];
		if (lane === undefined) return;
		const start = startMs[this.#selected] ?? 0;
		const distance = (index: number) => Math.abs(startMs[index]! - start);
		this.#select(lane.operations.reduce((best, index) => (distance(index) < distance(best) ? index : best)));
	}

	#select(index: number): void {
		this.#selected = index;
		if (index >= 0 && this.#timeline !== null && this.#chosen !== null) {
			const start = this.#timeline.operations.startMs[index]!;
			this.#chosen = bring(this.#chosen, start, endOf(this.#timeline, index), this.#whole());
		}
		this.redraw();
		this.#events.changed();
	}

	#open(): void {
		const lane = this.#lanes[this.#laneOf(this.#selected)];
		if (lane !== undefined) this.#openLane(lane);
	}

	#openLane(lane: Lane): void {
		const at = this.#timeline?.lines[lane.line];
		const file = this.#files.find(({ path }) => path === at?.file);
		if (file !== undefined && at !== undefined) this.#events.open(file.id, at.line);
	}

	#zoom(factor: number, atMs?: number): void {
		const range = this.#range();
		const start = this.#timeline?.operations.startMs[this.#selected];
		const inView = start !== undefined && start >= range.fromMs && start <= range.toMs ? start : undefined;
		this.#show(zoom(range, atMs ?? inView ?? (range.fromMs + range.toMs) / 2, factor, this.#whole()));
	}

	/** @param by share of the range */
	#move(by: number): void {
		const range = this.#range();
		if (this.#chosen !== null) this.#show(move(range, by * (range.toMs - range.fromMs), this.#whole()));
	}

	#show(range: TimeRange | null): void {
		this.#chosen = range;
		this.redraw();
		this.#events.changed();
	}

	#scene(timeline: Timeline): Scene {
		const range = this.#range();
		const count = Math.floor(this.#chart.clientWidth / TICK_WIDTH);
		return {
			timeline,
			lanes: this.#lanes,
			range,
			selected: this.#selected,
			marked: this.#marked,
			measured: this.#measured,
			ticks: ticks(range, count),
		};
	}

	#range(): TimeRange {
		return this.#chosen ?? this.#whole();
	}

	/** All of the recording, from its begin to the last known moment. */
	#whole(): TimeRange {
		const timeline = this.#timeline;
		if (timeline === null) return { fromMs: 0, toMs: 1 };
		const known = timeline.threads.reduce((most, { endMs }) => Math.max(most, endMs), 0.01);
		return {
			fromMs: 0,
			toMs: timeline.operations.startMs.reduce((most, _, index) => Math.max(most, endOf(timeline, index)), known),
		};
	}

	#timeAt(x: number): number {
		const { fromMs, toMs } = this.#range();
		return fromMs + (x / this.#chart.clientWidth) * (toMs - fromMs);
	}

	#laneOf(index: number): number {
		return index < 0 ? -1 : this.#lanes.findIndex((lane) => lane.operations.includes(index));
	}

	#label(lane: Lane): HTMLElement {
		const text = this.#labelOf(lane);
		const open = element('button', { className: 'link', title: text }, element('bdi', { dir: 'ltr' }, text));
		open.addEventListener('click', () => this.#openLane(lane));
		const label = element('div', { className: 'lane-label' }, open);
		label.style.height = `${laneHeight(lane)}px`;
		return label;
	}

	/** `src/app.js:12 fs.readFile`, after the process where there are several threads. */
	#labelOf(lane: Lane): string {
		const { threads, lines } = this.#timeline!;
		const { file, line, op } = lines[lane.line]!;
		const label = this.#files.find(({ path }) => path === file)?.label ?? file;
		const { pid, threadId } = threads[lane.thread]!;
		const thread = threads.length === 1 ? '' : threadId === 0 ? `${pid} · ` : `${pid}/${threadId} · `;
		return `${thread}${label}:${line} ${op}`;
	}

	#describe(index: number): string {
		const { operations, lines } = this.#timeline!;
		const words = this.#words;
		const { op } = lines[operations.line[index]!]!;
		const uncertainty = operations.uncertaintyMs[index]!;
		const parts = (['queue', 'execute', 'lag'] as const).flatMap((part) => {
			const ms = operations[`${part}Ms`][index]!;
			if (ms < 0) return [];
			const text = uncertainty > 0 ? formatRange(Math.max(0, ms - uncertainty), ms + uncertainty) : formatMs(ms);
			return [`${words[part]} ${text}`];
		});
		const split = parts.length === 0 ? '' : ` (${parts.join(' · ')})`;
		const wait = `${words.wait} ${formatMs(operations.waitMs[index]!)}${split}`;
		return `${op} · ${fill(words.startedAt, formatMs(operations.startMs[index]!))} · ${wait} · ${words.run} ${formatMs(operations.runMs[index]!)}`;
	}

	/** @param count of lanes without the filter */
	#noteText(count: number): string {
		if (this.#timeline === null) return this.#words.noSession;
		if (count === 0) return this.#words.empty;
		if (this.#lanes.length < count)
			return fill(this.#words.filteredRows, formatCount(this.#lanes.length), formatCount(count));
		return this.#timeline.earlier > 0 ? fill(this.#words.earlier, formatCount(this.#timeline.earlier)) : '';
	}
}

/** The same operation in a newer timeline; -1 when it is no longer there. */
function find(timeline: Timeline, before: Timeline, index: number): number {
	const start = before.operations.startMs[index];
	const at = before.lines[before.operations.line[index]!];
	return timeline.operations.startMs.findIndex((ms, candidate) => {
		const line = timeline.lines[timeline.operations.line[candidate]!];
		return ms === start && line?.file === at?.file && line?.line === at?.line && line?.op === at?.op;
	});
}
