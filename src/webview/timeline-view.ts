// The timeline: all of the session at every zoom, in lanes. It shows a stretch of time, keeps what a person selected in it, and describes it in words; lanes, drawing
// and texts are in files of their own, and timeline-input.ts has the mouse and the keys.
import type { Timeline, TimelineLine, TimelineQuery } from '../protocol/timeline.ts';
import { formatCount, formatMs } from '../protocol/units.ts';
import { type Drawn, fill, type ThreadTime, type ViewState, type ViewStrings } from '../protocol/webview.ts';
import { element, setLabel, setText } from './dom.ts';
import { onThemeChange } from './theme.ts';
import { around, bring, move, stepOf, type TimeRange, ticks, timeText, zoom } from './time-range.ts';
import { TimelineAxis } from './timeline-axis.ts';
import { type Hits, Patterns, type Target } from './timeline-brush.ts';
import { type Causes, causesOf, isRelated } from './timeline-causes.ts';
import { TimelineData } from './timeline-data.ts';
import { draw, type Places } from './timeline-drawing.ts';
import { listenToTimeline, ZOOM_STEP } from './timeline-input.ts';
import { LaneLabels } from './timeline-labels.ts';
import {
	endOf,
	type LaneChoices,
	type LineLane,
	laneAt,
	NONE_STUCK,
	stuckIn,
	TimelineLanes,
	tops,
} from './timeline-lanes.ts';
import { jobsByThread } from './timeline-pool.ts';
import type { Scene } from './timeline-scene.ts';
import { timeOf } from './timeline-target.ts';
import { type CauseText, TimelineTexts, withoutFolders } from './timeline-texts.ts';
import { button } from './toolkit.ts';

/** CSS pixels between two ticks, at least. */
const TICK_WIDTH = 90;
/** Where there is little room, this many ticks stand closer: one alone shows no scale. */
const FEW_TICKS = 3;
const LEAST_TICK_WIDTH = 60;
/** Of the text from the pointer, in CSS pixels. */
const POINTER_DISTANCE = 14;
/** Between the pointer, its text with its edges, and the end of the view, in CSS pixels. */
const POINTER_MARGIN = 24;
/** How much is drawn above and below the view, so that scrolling shows something at once, in CSS pixels. */
const BEYOND = 100;
/** The share of the view that pinned lanes may keep, however low it is. */
const STUCK_SHARE = 0.5;
/** Threads of a pool of which the report says nothing yet: libuv's default. */
const DEFAULT_POOL = 4;

export interface TimelineViewEvents {
	/** Another stretch is shown, or another operation selected. */
	changed(): void;
	open(fileId: number, line: number): void;
	/** Asks for a stretch; `show` takes the answer. */
	ask(id: number, query: TimelineQuery): void;
}

/** An operation in any answer of the session. */
interface Selected {
	thread: number;
	line: number;
	startMs: number;
	/** What was said of it when it was there last. */
	text: string;
}

export class TimelineView {
	readonly root: HTMLElement;
	readonly #words: ViewStrings;
	readonly #events: TimelineViewEvents;
	readonly #data: TimelineData;
	readonly #texts: TimelineTexts;
	readonly #lanes = new TimelineLanes();
	readonly #choices: LaneChoices = { folded: new Set(), pinned: new Set() };
	readonly #labels: LaneLabels;
	readonly #axis = new TimelineAxis();
	readonly #canvas = element('canvas');
	/** Of the pinned lanes that stay in view. */
	readonly #stuckCanvas = element('canvas', { className: 'stuck' });
	readonly #pointerText = element('span');
	readonly #pointer = element('div', { className: 'pointer' }, this.#pointerText);
	readonly #chart = element('div', { className: 'chart' }, this.#canvas, this.#stuckCanvas, this.#pointer);
	readonly #scroll: HTMLElement;
	readonly #jump: HTMLElement;
	readonly #details = element('p', { className: 'details' });
	readonly #causes = element('p', { className: 'causes' });
	/** What a screen reader says when another stretch is shown. */
	readonly #spoken = element('p', { className: 'spoken' });
	readonly #note = element('p', { className: 'note' });
	readonly #body: HTMLElement;
	#state: ViewState | null = null;
	/** Whether the tab is on screen. */
	#isWatched = false;
	/** Whether the filter leaves a line. */
	#isShown: (line: TimelineLine) => boolean = () => true;
	/** The answer from which the stretch is drawn. */
	#shown: Timeline | null = null;
	#jobs = new Map<number, number[][]>();
	/** The range to which the person zoomed; null: everything, including what is still to come. */
	#chosen: TimeRange | null = null;
	/** Whether the range moves with the end of a running session. */
	#isFollowing = false;
	#selected: Selected | null = null;
	/** Its index in the answer that is drawn, or -1, and why it waited. */
	#selectedAt = -1;
	#selectedCauses: Causes | null = null;
	#causeTexts: CauseText[] = [];
	/** A stretch to show as soon as there is a timeline, and the one that was shown last. */
	#wanted: ThreadTime | null = null;
	#marked: TimeRange | null = null;
	#measured: TimeRange | null = null;
	/** Whether the next picture is to have the lane of the selected operation in view. */
	#bringsLane = false;
	/** Where the pointer is, in CSS pixels of the chart; null while it is elsewhere. */
	#pointed: { x: number; y: number } | null = null;
	readonly #patterns = new Patterns();
	#hits: Hits | null = null;
	/** The pinned lanes that stay in view, as they were drawn last. */
	#stuck = NONE_STUCK;
	#frame = 0;
	/** The timer for the next question. */
	#later = 0;

	constructor(words: ViewStrings, events: TimelineViewEvents) {
		this.#words = words;
		this.#events = events;
		this.#data = new TimelineData((id, query) => events.ask(id, query));
		this.#texts = new TimelineTexts(words, this.#data);
		this.#jump = button('', () => this.follow());
		this.#jump.hidden = true;
		this.#labels = new LaneLabels(words, {
			open: (lane) => this.#openLine(lane.line),
			fold: (lane) => this.#toggle(this.#choices.folded, lane.key),
			pin: (lane) => this.#toggle(this.#choices.pinned, lane.key),
		});
		const bar = element(
			'div',
			{ className: 'source-bar' },
			button(words.zoomIn, () => this.zoom(1 / ZOOM_STEP)),
			button(words.zoomOut, () => this.zoom(ZOOM_STEP)),
			button(words.showAll, () => this.limit(null)),
			this.#jump,
			this.#spoken,
		);
		// Below the chart, which stays where it is whatever is said of an operation.
		const about = element('div', { className: 'about-operation' }, this.#details, this.#causes);
		about.tabIndex = 0;
		about.setAttribute('role', 'region');
		setLabel(about, words.aboutOperation);
		this.#details.setAttribute('role', 'status');
		this.#spoken.setAttribute('aria-live', 'polite');
		this.#chart.tabIndex = 0;
		this.#chart.setAttribute('role', 'application');
		setLabel(this.#chart, words.timelineHelp);
		this.#body = element(
			'div',
			{ className: 'timeline-body' },
			element('div', { className: 'axis-row' }, this.#axis.root),
			element('div', { className: 'lanes' }, this.#labels.root, this.#chart),
		);
		this.#pointer.hidden = true;
		this.#pointer.setAttribute('aria-hidden', 'true');
		this.#scroll = element('div', { className: 'scroll' }, this.#body, this.#note);
		this.root = element('div', { className: 'source' }, bar, this.#scroll, about);
		new ResizeObserver(() => this.redraw()).observe(this.#chart);
		onThemeChange(() => this.redraw());
		this.#scroll.addEventListener('scroll', () => this.redraw());
		listenToTimeline(this.#chart, this.#scroll, this);
	}

	/** What is shown, for the host's tests. */
	get drawn(): Drawn['timeline'] {
		if (this.#data.whole === null) return null;
		const { fromMs, toMs } = this.range;
		return {
			fromMs,
			toMs,
			lanes: this.#lanes.all.map((lane) => ({
				kind: lane.kind,
				label: this.#texts.lane(lane),
				operations: lane.kind === 'line' ? lane.operations.length : 0,
			})),
			selected: this.#selected?.text ?? null,
			causes: this.#causeTexts.map(({ text }) => text),
		};
	}

	/** @param isOther whether another session than before is shown */
	update(state: ViewState | null, isOther = false): void {
		this.#state = state;
		this.#texts.files = state?.files ?? [];
		this.#texts.report = state?.report ?? null;
		if (state === null || isOther) this.#forget();
		else this.#data.age();
		this.#ask();
		if (state === null) this.#arrange();
	}

	#forget(): void {
		this.#data.clear();
		this.#forgetView();
	}

	/** Nothing that was chosen is about another session. */
	#forgetView(): void {
		this.#lanes.clear();
		this.#choices.folded.clear();
		this.#choices.pinned.clear();
		this.#shown = this.#selected = this.#measured = this.#marked = this.#chosen = null;
		this.#isFollowing = false;
	}

	/** Whether the tab is on screen: only then is anything asked for. */
	watch(isWatched: boolean): void {
		this.#isWatched = isWatched;
		this.#ask();
	}

	/** Takes an answer. */
	show(id: number, timeline: Timeline | null): void {
		const taken = this.#data.take(id, timeline);
		if (taken === null) return;
		if (taken === 'other') this.#forgetView();
		if (this.#isFollowing && this.#chosen !== null) {
			const { fromMs, toMs } = this.whole;
			const length = this.#chosen.toMs - this.#chosen.fromMs;
			this.#chosen = { fromMs: Math.max(fromMs, toMs - length), toMs };
		}
		this.#lookNow();
		this.#arrange();
		this.#events.changed();
	}

	/** Shows that stretch; null for everything. */
	limit(range: TimeRange | null): void {
		this.#isFollowing = false;
		this.#show(range);
	}

	/** Shows a stretch of a thread's time, with as much before and after it, and marks it. */
	look(when: ThreadTime): void {
		this.#wanted = when;
		this.#lookNow();
	}

	#lookNow(): void {
		const when = this.#wanted;
		const thread = this.#data.threads.find((each) => each.pid === when?.pid && each.threadId === when.threadId);
		if (when === null || thread === undefined) return;
		this.#wanted = null;
		const [fromMs, toMs] = [thread.startMs + when.fromMs, thread.startMs + when.toMs];
		this.#marked = { fromMs, toMs };
		this.limit(around(this.#marked, this.whole));
	}

	/** Shows only the lanes of these lines. */
	filter(isShown: (line: TimelineLine) => boolean): void {
		this.#isShown = isShown;
		this.#arrange();
	}

	#toggle(keys: Set<string>, key: string): void {
		if (!keys.delete(key)) keys.add(key);
		this.#arrange();
		this.#events.changed();
	}

	/** Chooses what is drawn, and puts the lanes in their places. */
	#arrange(): void {
		const data = this.#data;
		const shown = data.best(this.range);
		if (shown !== this.#shown) this.#jobs.clear();
		this.#shown = shown;
		this.#findSelected();
		this.#lanes.arrange(
			data,
			shown,
			this.#choices,
			(pid) => this.#poolSize(pid),
			(line) => this.#isShown(data.lines[line]!),
		);
		this.#body.hidden = this.#lanes.all.length === 0;
		setText(this.#note, this.#noteText());
		this.#labels.set(
			this.#lanes.all,
			(lane) => this.#texts.lane(lane),
			(lane) => this.#texts.operationOf(lane),
		);
		this.redraw();
	}

	#poolSize(pid: number): number {
		return this.#state?.report.pools.find((pool) => pool.pid === pid)?.size ?? DEFAULT_POOL;
	}

	/** The selected operation in the answer that is drawn now. */
	#findSelected(): void {
		const [selected, operations] = [this.#selected, this.#shown?.detail?.operations];
		this.#selectedAt = -1;
		this.#selectedCauses = null;
		this.#causeTexts = [];
		if (selected === null || operations === undefined) return;
		this.#selectedAt = operations.startMs.findIndex(
			(ms, index) =>
				Math.abs(ms - selected.startMs) < 1e-6 &&
				operations.line[index] === selected.line &&
				operations.thread[index] === selected.thread,
		);
		if (this.#selectedAt < 0) return;
		selected.text = this.#texts.operation(this.#shown!, this.#selectedAt);
		this.#selectedCauses = causesOf(this.#shown!.detail!, this.#data.threads, this.#selectedAt);
		this.#causeTexts = this.#texts.causes(this.#shown!, this.#selectedAt, this.#selectedCauses);
	}

	/** Draws again with the next picture of the screen. */
	redraw(): void {
		if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#draw());
	}

	#draw(): void {
		this.#frame = 0;
		this.#ask();
		const shown = this.#shown;
		if (shown === null || this.#chart.clientWidth === 0) return;
		// What the browser is asked comes before what changes the page, or it would have to lay it out in between.
		let places = this.#placeCanvases();
		if (this.#bringsLane) {
			this.#bringsLane = false;
			this.#bringLane();
			places = this.#placeCanvases();
		}
		const scene = this.#scene(shown);
		const style = getComputedStyle(this.#chart);
		const canvases = { scrolled: this.#canvas, stuck: this.#stuckCanvas };
		this.#hits = draw(canvases, style, this.#patterns, scene, places);
		this.#axis.draw(scene.range, scene.ticks, this.#chart.clientWidth, `${style.fontSize} ${style.fontFamily}`);
		const behindMs = this.whole.toMs - scene.range.toMs;
		this.#jump.hidden = this.#state?.live !== true || this.#chosen === null || behindMs <= 0;
		setText(this.#jump, fill(this.#words.jumpToLive, formatMs(behindMs)));
		setText(this.#details, this.#detailsText());
		const [from, to] = [scene.range.fromMs, scene.range.toMs].map((ms) => timeText(ms, stepOf(scene.range)));
		setText(this.#spoken, fill(this.#words.shownTime, from!, to!));
		this.#announceCauses();
		this.#updatePointerText();
	}

	/** Puts the canvas where the chart is in view, as all of it may be many screens high, and over it one with the pinned lanes that have room to stay. */
	#placeCanvases(): Places {
		const lanes = this.#lanes.all;
		const { height } = tops(lanes);
		const heightText = `${height}px`;
		if (this.#chart.style.height !== heightText) this.#chart.style.height = heightText;
		const chart = this.#chart.getBoundingClientRect();
		const view = this.#scroll.getBoundingClientRect();
		const axisHeight = this.#axis.root.offsetHeight;
		const offset = Math.max(0, Math.min(height, view.top - chart.top) - BEYOND);
		const bottom = Math.min(height, Math.max(0, view.bottom - chart.top) + BEYOND);
		const fits = stuckIn(lanes, (view.height - axisHeight) * STUCK_SHARE);
		const under = Math.max(0, view.top + axisHeight - chart.top);
		this.#stuck = { ...fits, top: Math.min(under, height - fits.height) };
		this.#canvas.style.top = `${offset}px`;
		this.#canvas.style.height = `${Math.max(1, bottom - offset)}px`;
		this.#stuckCanvas.hidden = fits.count === 0;
		this.#stuckCanvas.style.height = `${fits.height}px`;
		// What the Tab key reaches must not stop under them.
		this.#scroll.style.scrollPaddingTop = `${axisHeight + fits.height}px`;
		this.#labels.stick(fits.count);
		return { offset, stuck: this.#stuck };
	}

	#detailsText(): string {
		if (this.#measured !== null) {
			const { fromMs, toMs } = this.#measured;
			const [from, to] = [fromMs, toMs].map((ms) => timeText(ms, stepOf(this.range)));
			return fill(this.#words.measured, formatMs(toMs - fromMs), from!, to!);
		}
		return this.#selected?.text ?? this.#words.timelineHint;
	}

	/** Why the selected operation waited: each part leads to the operation that it names. */
	#announceCauses(): void {
		const texts = this.#causeTexts;
		const shown = [...this.#causes.children].map((each) => each.textContent).join();
		if (texts.map(({ text }) => text).join() === shown) return;
		this.#causes.replaceChildren(
			...texts.map(({ text, operation }) => {
				if (operation < 0) return element('span', {}, text);
				const link = element('button', { className: 'link' }, text);
				link.addEventListener('click', () => this.#goTo(operation));
				return link;
			}),
		);
	}

	/** What is under a point of the chart, in CSS pixels; null where nothing is. */
	targetAt(x: number, y: number): Target | null {
		return this.#hits?.at(x, y) ?? null;
	}

	/** The operation of something that was drawn; -1 where it has none. */
	operationOf(target: Target | null): number {
		const detail = this.#shown?.detail ?? null;
		if (target === null || detail === null) return -1;
		if (target.kind === 'operation') return target.index;
		if (target.kind === 'job') return detail.jobs.operation[target.index]!;
		if (target.kind === 'run') return detail.operations.run.indexOf(target.index);
		return target.kind === 'request' ? detail.operations.request.indexOf(target.index) : -1;
	}

	/** When the pointer is, in ms; undefined while it is elsewhere. */
	get #pointedMs(): number | undefined {
		return this.#pointed === null ? undefined : this.timeAt(this.#pointed.x);
	}

	/** Shows when the pointer is, and what it is on. */
	point(x: number, y: number): void {
		this.#pointed = { x, y };
		this.#updatePointerText();
		this.#pointer.style.left = `${x}px`;
		this.#pointerText.style.top = `${y + POINTER_DISTANCE}px`;
		this.#placePointerText(x);
		this.#pointer.hidden = false;
	}

	/** The stretch may also move under a pointer that rests. */
	#updatePointerText(): void {
		if (this.#pointed === null || this.#shown === null) return;
		const { x, y } = this.#pointed;
		const target = this.targetAt(x, y);
		const time = timeText(this.timeAt(x), stepOf(this.range));
		const about = target === null ? '' : this.#texts.target(this.#shown, target);
		// A gap lies over an area, which shows what is known in spite of it.
		const area = target === null || target.kind === 'gap' ? this.#areaText(x, y) : '';
		setText(this.#pointerText, [time, about, area].filter((text) => text !== '').join(' · '));
	}

	/** On the side of the pointer that has more room, over the labels too, and no wider than that: what is beyond is cut off. */
	#placePointerText(x: number): void {
		const [chart, view] = [this.#chart.getBoundingClientRect(), this.#scroll.getBoundingClientRect()];
		const left = chart.left + x - view.left;
		const right = Math.min(chart.right, view.right) - chart.left - x;
		this.#pointer.classList.toggle('left', left > right);
		this.#pointerText.style.maxWidth = `min(50ch, ${Math.max(left, right) - POINTER_MARGIN}px)`;
	}

	#areaText(x: number, y: number): string {
		const lane = laneAt(this.#lanes.all, this.#stuck, y);
		const { near, whole } = this.#data;
		const atMs = this.timeAt(x);
		const timeline = near !== null && atMs >= near.fromMs && atMs <= near.toMs ? near : whole;
		return lane === undefined || timeline === null ? '' : this.#texts.area(timeline, lane, atMs);
	}

	pointAway(): void {
		this.#pointed = null;
		this.#pointer.hidden = true;
	}

	/** Measures from one time to another; null for nothing. */
	measure(range: TimeRange | null): void {
		this.#measured =
			range === null ? null : { fromMs: Math.min(range.fromMs, range.toMs), toMs: Math.max(range.fromMs, range.toMs) };
		this.redraw();
	}

	/** From the start of the operation that is selected to its end; the next time to the end of the one that is selected then. */
	measureSelected(): void {
		const operations = this.#shown?.detail?.operations;
		if (operations === undefined || this.#selectedAt < 0) return;
		const fromMs = this.#measured?.fromMs ?? operations.startMs[this.#selectedAt]!;
		this.measure({ fromMs, toMs: endOf(operations, this.#selectedAt) });
	}

	/** What is measured, or the operation that is selected with as much time before and after it; everything where there is neither. */
	fit(): void {
		if (this.#measured !== null && this.#measured.toMs > this.#measured.fromMs) this.limit(this.#measured);
		else this.fitTarget(this.#selectedAt < 0 ? null : { kind: 'operation', index: this.#selectedAt });
	}

	/** What was drawn, with as much time before and after it; everything for nothing. */
	fitTarget(target: Target | null): void {
		const range = target === null || this.#shown === null ? null : timeOf(this.#shown, target);
		this.limit(range === null ? null : around(range, this.whole));
	}

	/** Of a running session, moves with its end from now on; of another one, shows everything. */
	follow(): void {
		this.#isFollowing = this.#state?.live === true;
		if (!this.#isFollowing || this.#chosen === null) {
			this.#show(null);
			return;
		}
		const { toMs } = this.whole;
		this.#show({ fromMs: Math.max(0, toMs - (this.#chosen.toMs - this.#chosen.fromMs)), toMs });
	}

	/** To the next operation of the lane, or the first of all. */
	step(by: number): void {
		const lane = this.#lineLane();
		if (lane === undefined) {
			this.#goTo(this.#lineLanes()[0]?.operations[0] ?? -1);
			return;
		}
		const next = lane.operations[lane.operations.indexOf(this.#selectedAt) + by];
		if (next !== undefined) this.#goTo(next);
	}

	/** To the operation of the neighbouring lane that is nearest in time. */
	stepLane(by: number): void {
		const lanes = this.#lineLanes();
		const own = this.#lineLane();
		const lane = lanes[(own === undefined ? -1 : lanes.indexOf(own)) + by];
		const operations = this.#shown?.detail?.operations;
		if (lane === undefined || operations === undefined) return;
		const start = this.#selected?.startMs ?? 0;
		const distance = (index: number) => Math.abs(operations.startMs[index]! - start);
		this.#goTo(lane.operations.reduce((best, index) => (distance(index) < distance(best) ? index : best)));
	}

	/** Lanes of lines in which operations are drawn one by one. */
	#lineLanes(): LineLane[] {
		return this.#lanes.all.filter((lane): lane is LineLane => lane.kind === 'line' && lane.operations.length > 0);
	}

	/** The lane of the selected operation. */
	#lineLane(): LineLane | undefined {
		return this.#selectedAt < 0
			? undefined
			: this.#lineLanes().find((lane) => lane.operations.includes(this.#selectedAt));
	}

	/** @param index in the answer that is drawn; -1 for nothing */
	select(index: number): void {
		this.#select(index);
	}

	/** Selects an operation that may be in a lane out of view. */
	#goTo(index: number): void {
		this.#bringsLane = true;
		this.#select(index);
	}

	/** Scrolls to the lane of the selected operation, where it is not all in view. */
	#bringLane(): void {
		const lane = this.#lineLane();
		const at = lane === undefined ? -1 : this.#lanes.all.indexOf(lane);
		// Those that stay are always in view.
		if (at < this.#stuck.count) return;
		const chart = this.#chart.getBoundingClientRect();
		const view = this.#scroll.getBoundingClientRect();
		const top = chart.top + tops(this.#lanes.all).tops[at]!;
		const bottom = top + lane!.height;
		// The axis and pinned lanes lie over what scrolls under them.
		const first = view.top + this.#axis.root.offsetHeight + this.#stuck.height;
		if (top < first) this.#scroll.scrollTop -= first - top;
		else if (bottom > view.bottom) this.#scroll.scrollTop += Math.min(bottom - view.bottom, top - first);
	}

	#select(index: number): void {
		const operations = this.#shown?.detail?.operations;
		if (index < 0 || operations === undefined) this.#selected = null;
		else {
			const [thread, line, startMs] = [operations.thread[index]!, operations.line[index]!, operations.startMs[index]!];
			this.#selected = { thread, line, startMs, text: '' };
			if (this.#chosen !== null) this.#chosen = bring(this.#chosen, startMs, endOf(operations, index), this.whole);
		}
		this.#arrange();
		this.#events.changed();
	}

	/** Ends the selection and the measurement. */
	clear(): void {
		this.measure(null);
		this.#select(-1);
	}

	/** Keeps the lane of the selected operation at the top, or puts it back. */
	pinSelected(): void {
		const lane = this.#lineLane();
		if (lane !== undefined) this.#toggle(this.#choices.pinned, lane.key);
	}

	/** Opens the line of the selected operation. */
	open(): void {
		if (this.#selected !== null) this.#openLine(this.#selected.line);
	}

	#openLine(index: number): void {
		const at = this.#data.lines[index];
		const file = this.#texts.files.find(({ path }) => path === at?.file);
		if (file !== undefined && at !== undefined) this.#events.open(file.id, at.line);
	}

	/** @param atMs what stays where it is; by default what the pointer is on, else the selected operation, where it is in view */
	zoom(factor: number, atMs = this.#pointedMs): void {
		const range = this.range;
		const start = this.#selected?.startMs;
		const inView = start !== undefined && start >= range.fromMs && start <= range.toMs ? start : undefined;
		this.limit(zoom(range, atMs ?? inView ?? (range.fromMs + range.toMs) / 2, factor, this.whole));
	}

	/** @param by share of the range */
	move(by: number): void {
		const range = this.range;
		if (this.#chosen !== null) this.limit(move(range, by * (range.toMs - range.fromMs), this.whole));
	}

	#show(range: TimeRange | null): void {
		this.#chosen = range;
		// Another answer may have more to show of it.
		if (this.#data.best(this.range) !== this.#shown) this.#arrange();
		else this.redraw();
		this.#events.changed();
	}

	#ask(): void {
		clearTimeout(this.#later);
		if (!this.#isWatched || this.#state === null) return;
		const waitMs = this.#data.want(this.#chosen, this.#chart.clientWidth || this.root.clientWidth);
		if (waitMs < Infinity) this.#later = window.setTimeout(() => this.#ask(), waitMs);
	}

	#scene(shown: Timeline): Scene {
		const { range } = this;
		const causes = this.#selectedCauses;
		return {
			data: this.#data,
			shown,
			lanes: this.#lanes.all,
			range,
			ticks: ticks(range, tickCount(this.#chart.clientWidth)),
			selected: this.#selectedAt,
			causes,
			isRelated: causes === null ? null : isRelated(shown.detail!, this.#selectedAt, causes),
			marked: this.#marked,
			measured: this.#measured,
			jobsOf: (pid) => this.#jobsOf(shown, pid),
			blockLabel: (index) => withoutFolders(this.#texts.block(shown, index)),
			runLabel: (index) => withoutFolders(this.#texts.run(shown, index)),
		};
	}

	#jobsOf({ detail }: Timeline, pid: number): number[][] {
		let jobs = this.#jobs.get(pid);
		if (jobs === undefined) {
			jobs = detail === null ? [] : jobsByThread(detail, this.#data.threads, pid, this.#poolSize(pid));
			this.#jobs.set(pid, jobs);
		}
		return jobs;
	}

	/** The stretch that is shown. */
	get range(): TimeRange {
		return this.#chosen ?? this.whole;
	}

	/** All of the recording, from its begin to the last known moment. */
	get whole(): TimeRange {
		return { fromMs: 0, toMs: Math.max(0.01, this.#data.endMs ?? 1) };
	}

	/** @param x in CSS pixels of the chart */
	timeAt(x: number): number {
		const { fromMs, toMs } = this.range;
		return fromMs + (x / this.#chart.clientWidth) * (toMs - fromMs);
	}

	#noteText(): string {
		if (this.#state === null) return this.#words.noSession;
		if (this.#data.whole === null) return '';
		const { lineCount, all } = this.#lanes;
		if (all.length === 0) return this.#words.empty;
		const lines = all.filter(({ kind }) => kind === 'line').length;
		const isFolded = all.some(({ kind }) => kind === 'strip');
		if (lines < lineCount && !isFolded)
			return fill(this.#words.filteredRows, formatCount(lines), formatCount(lineCount));
		return this.#shown?.detail === null ? this.#words.timelineSums : '';
	}
}

/** How many ticks an axis has room for. @param width in CSS pixels */
function tickCount(width: number): number {
	return Math.max(Math.floor(width / TICK_WIDTH), Math.min(FEW_TICKS, Math.floor(width / LEAST_TICK_WIDTH)));
}
