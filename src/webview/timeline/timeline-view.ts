// The timeline: all of the session at every zoom, in lanes. It shows a stretch of time and moves in it; lanes, drawing, texts, the selection and what follows the pointer
// are in files of their own, and timeline-input.ts has the mouse and the keys.
import type { Timeline, TimelineLine, TimelineQuery } from '../../protocol/timeline.ts';
import { formatCount, formatMs } from '../../protocol/units.ts';
import { type Drawn, fill, type ThreadTime, type ViewState, type ViewStrings } from '../../protocol/webview.ts';
import { element, setLabel, setText } from '../common/dom.ts';
import { onThemeChange } from '../common/theme.ts';
import { around, stepOf, type TimeRange, ticks, timeText } from '../common/time-range.ts';
import { button } from '../common/toolkit.ts';
import { LanesInView } from './lanes-in-view.ts';
import { ShownStretch } from './shown-stretch.ts';
import { AboutOperation } from './timeline-about.ts';
import { TimelineAxis } from './timeline-axis.ts';
import { type Hits, Patterns, type Target } from './timeline-brush.ts';
import { isRelated } from './timeline-causes.ts';
import { TimelineData } from './timeline-data.ts';
import { draw, type Places } from './timeline-drawing.ts';
import { listenToTimeline, ZOOM_STEP } from './timeline-input.ts';
import { LaneLabels } from './timeline-labels.ts';
import { endOf, type LaneChoices, type LineLane, TimelineLanes } from './timeline-lanes.ts';
import { TimelinePointer } from './timeline-pointer.ts';
import { jobsByThread } from './timeline-pool.ts';
import type { Scene } from './timeline-scene.ts';
import { Selection } from './timeline-selection.ts';
import { timeOf } from './timeline-target.ts';
import { TimelineTexts, withoutFolders } from './timeline-texts.ts';

/** CSS pixels between two ticks, at least. */
const TICK_WIDTH = 90;
/** Where there is little room, this many ticks stand closer: one alone shows no scale. */
const FEW_TICKS = 3;
const LEAST_TICK_WIDTH = 60;
/** Threads of a pool of which the report says nothing yet: libuv's default. */
const DEFAULT_POOL = 4;

export interface TimelineViewEvents {
	/** Another stretch is shown, or another operation selected. */
	changed(): void;
	open(fileId: number, line: number): void;
	/** Asks for a stretch; `show` takes the answer. */
	ask(id: number, query: TimelineQuery): void;
}

export class TimelineView {
	readonly root: HTMLElement;
	readonly #words: ViewStrings;
	readonly #events: TimelineViewEvents;
	readonly #data: TimelineData;
	readonly #stretch: ShownStretch;
	readonly #texts: TimelineTexts;
	readonly #lanes = new TimelineLanes();
	readonly #choices: LaneChoices = { folded: new Set(), pinned: new Set() };
	readonly #labels: LaneLabels;
	readonly #axis = new TimelineAxis();
	readonly #inView = new LanesInView(this.#axis.root);
	readonly #chart = this.#inView.chart;
	readonly #pointer = new TimelinePointer();
	readonly #scroll: HTMLElement;
	readonly #jump: HTMLElement;
	readonly #about: AboutOperation;
	readonly #selection: Selection;
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
	/** Whether the next picture is to have the lane of the selected operation in view. */
	#bringsLane = false;
	readonly #patterns = new Patterns();
	#hits: Hits | null = null;
	#frame = 0;
	/** The timer for the next question. */
	#later = 0;

	constructor(words: ViewStrings, events: TimelineViewEvents) {
		this.#words = words;
		this.#events = events;
		this.#data = new TimelineData((id, query) => events.ask(id, query));
		this.#stretch = new ShownStretch(this.#data);
		this.#texts = new TimelineTexts(words, this.#data);
		this.#selection = new Selection(this.#data, this.#texts);
		this.#about = new AboutOperation(words.aboutOperation, (operation) => this.#goTo(operation));
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
		this.#spoken.setAttribute('aria-live', 'polite');
		this.#chart.append(this.#pointer.root);
		this.#chart.tabIndex = 0;
		this.#chart.setAttribute('role', 'application');
		setLabel(this.#chart, words.timelineHelp);
		this.#body = element(
			'div',
			{ className: 'timeline-body' },
			element('div', { className: 'axis-row' }, this.#axis.root),
			element('div', { className: 'lanes' }, this.#labels.root, this.#chart),
		);
		this.#scroll = element('div', { className: 'scroll' }, this.#body, this.#note);
		this.root = element('div', { className: 'source' }, bar, this.#scroll, this.#about.root);
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
			selected: this.#selection.text,
			causes: this.#selection.causeTexts.map(({ text }) => text),
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
		this.#selection.clear();
		this.#stretch.clear();
		this.#shown = null;
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
		this.#stretch.goOn();
		this.#lookNow();
		this.#arrange();
		this.#events.changed();
	}

	/** Shows that stretch; null for everything. */
	limit(range: TimeRange | null): void {
		this.#stretch.choose(range);
		this.#showStretch();
	}

	/** Shows a stretch of a thread's time, with as much before and after it, and marks it. */
	look(when: ThreadTime): void {
		this.#stretch.want(when);
		this.#lookNow();
	}

	#lookNow(): void {
		if (this.#stretch.takeWanted()) this.#showStretch();
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
		this.#selection.find(shown);
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
		let places = this.#place();
		if (this.#bringsLane) {
			this.#bringsLane = false;
			const lane = this.#lineLane();
			if (lane !== undefined) this.#inView.bring(this.#lanes.all, lane, this.#scroll);
			places = this.#place();
		}
		const scene = this.#scene(shown);
		const style = getComputedStyle(this.#chart);
		this.#hits = draw(this.#inView.canvases, style, this.#patterns, scene, places);
		this.#axis.draw(scene.range, scene.ticks, this.#chart.clientWidth, `${style.fontSize} ${style.fontFamily}`);
		const behindMs = this.whole.toMs - scene.range.toMs;
		this.#jump.hidden = this.#state?.live !== true || this.#stretch.chosen === null || behindMs <= 0;
		setText(this.#jump, fill(this.#words.jumpToLive, formatMs(behindMs)));
		this.#about.show(this.#detailsText(), this.#selection.causeTexts);
		const [from, to] = [scene.range.fromMs, scene.range.toMs].map((ms) => timeText(ms, stepOf(scene.range)));
		setText(this.#spoken, fill(this.#words.shownTime, from!, to!));
		this.#updatePointerText();
	}

	#place(): Places {
		const places = this.#inView.place(this.#lanes.all, this.#scroll);
		this.#labels.stick(this.#inView.stuckCount);
		return places;
	}

	#detailsText(): string {
		const { measured } = this.#stretch;
		if (measured !== null) {
			const { fromMs, toMs } = measured;
			const [from, to] = [fromMs, toMs].map((ms) => timeText(ms, stepOf(this.range)));
			return fill(this.#words.measured, formatMs(toMs - fromMs), from!, to!);
		}
		return this.#selection.text ?? this.#words.timelineHint;
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
		const { at } = this.#pointer;
		return at === null ? undefined : this.timeAt(at.x);
	}

	/** Shows when the pointer is, and what it is on. */
	point(x: number, y: number): void {
		this.#pointer.point(x, y, this.#chart, this.#scroll);
		this.#updatePointerText();
	}

	/** The stretch may also move under a pointer that rests. */
	#updatePointerText(): void {
		const { at } = this.#pointer;
		if (at === null || this.#shown === null) return;
		const { x, y } = at;
		const target = this.targetAt(x, y);
		const time = timeText(this.timeAt(x), stepOf(this.range));
		const about = target === null ? '' : this.#texts.target(this.#shown, target);
		// A gap lies over an area, which shows what is known in spite of it.
		const area = target === null || target.kind === 'gap' ? this.#areaText(x, y) : '';
		this.#pointer.say(time, about, area);
	}

	#areaText(x: number, y: number): string {
		const lane = this.#inView.at(this.#lanes.all, y);
		const { near, whole } = this.#data;
		const atMs = this.timeAt(x);
		const timeline = near !== null && atMs >= near.fromMs && atMs <= near.toMs ? near : whole;
		return lane === undefined || timeline === null ? '' : this.#texts.area(timeline, lane, atMs);
	}

	pointAway(): void {
		this.#pointer.away();
	}

	/** Measures from one time to another; null for nothing. */
	measure(range: TimeRange | null): void {
		this.#stretch.measure(range);
		this.redraw();
	}

	/** From the start of the operation that is selected to its end; the next time to the end of the one that is selected then. */
	measureSelected(): void {
		const operations = this.#shown?.detail?.operations;
		if (operations === undefined || this.#selection.at < 0) return;
		const fromMs = this.#stretch.measured?.fromMs ?? operations.startMs[this.#selection.at]!;
		this.measure({ fromMs, toMs: endOf(operations, this.#selection.at) });
	}

	/** What is measured, or the operation that is selected with as much time before and after it; everything where there is neither. */
	fit(): void {
		const { measured } = this.#stretch;
		if (measured !== null && measured.toMs > measured.fromMs) this.limit(measured);
		else this.fitTarget(this.#selection.at < 0 ? null : { kind: 'operation', index: this.#selection.at });
	}

	/** What was drawn, with as much time before and after it; everything for nothing. */
	fitTarget(target: Target | null): void {
		const range = target === null || this.#shown === null ? null : timeOf(this.#shown, target);
		this.limit(range === null ? null : around(range, this.whole));
	}

	/** Of a running session, moves with its end from now on; of another one, shows everything. */
	follow(): void {
		this.#stretch.follow(this.#state?.live === true);
		this.#showStretch();
	}

	/** To the next operation of the lane, or the first of all. */
	step(by: number): void {
		const lane = this.#lineLane();
		if (lane === undefined) {
			this.#goTo(this.#lineLanes()[0]?.operations[0] ?? -1);
			return;
		}
		const next = lane.operations[lane.operations.indexOf(this.#selection.at) + by];
		if (next !== undefined) this.#goTo(next);
	}

	/** To the operation of the neighbouring lane that is nearest in time. */
	stepLane(by: number): void {
		const lanes = this.#lineLanes();
		const own = this.#lineLane();
		const lane = lanes[(own === undefined ? -1 : lanes.indexOf(own)) + by];
		const operations = this.#shown?.detail?.operations;
		if (lane === undefined || operations === undefined) return;
		const start = this.#selection.startMs ?? 0;
		const distance = (index: number) => Math.abs(operations.startMs[index]! - start);
		this.#goTo(lane.operations.reduce((best, index) => (distance(index) < distance(best) ? index : best)));
	}

	/** Lanes of lines in which operations are drawn one by one. */
	#lineLanes(): LineLane[] {
		return this.#lanes.all.filter((lane): lane is LineLane => lane.kind === 'line' && lane.operations.length > 0);
	}

	/** The lane of the selected operation. */
	#lineLane(): LineLane | undefined {
		return this.#selection.at < 0
			? undefined
			: this.#lineLanes().find((lane) => lane.operations.includes(this.#selection.at));
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

	#select(index: number): void {
		const operations = this.#shown?.detail?.operations;
		if (index < 0 || operations === undefined) this.#selection.clear();
		else {
			this.#selection.select(this.#shown!, index);
			this.#stretch.bring(operations.startMs[index]!, endOf(operations, index));
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
		const { line } = this.#selection;
		if (line !== undefined) this.#openLine(line);
	}

	#openLine(index: number): void {
		const at = this.#data.lines[index];
		const file = this.#texts.files.find(({ path }) => path === at?.file);
		if (file !== undefined && at !== undefined) this.#events.open(file.id, at.line);
	}

	/** @param atMs what stays where it is; by default what the pointer is on, else the selected operation, where it is in view */
	zoom(factor: number, atMs = this.#pointedMs): void {
		const range = this.range;
		const start = this.#selection.startMs;
		const inView = start !== undefined && start >= range.fromMs && start <= range.toMs ? start : undefined;
		this.#stretch.zoom(factor, atMs ?? inView ?? (range.fromMs + range.toMs) / 2);
		this.#showStretch();
	}

	/** @param by share of the range */
	move(by: number): void {
		if (this.#stretch.chosen === null) return;
		this.#stretch.move(by);
		this.#showStretch();
	}

	#showStretch(): void {
		// Another answer may have more to show of it.
		if (this.#data.best(this.range) !== this.#shown) this.#arrange();
		else this.redraw();
		this.#events.changed();
	}

	#ask(): void {
		clearTimeout(this.#later);
		if (!this.#isWatched || this.#state === null) return;
		const waitMs = this.#data.want(this.#stretch.chosen, this.#chart.clientWidth || this.root.clientWidth);
		if (waitMs < Infinity) this.#later = window.setTimeout(() => this.#ask(), waitMs);
	}

	#scene(shown: Timeline): Scene {
		const { range } = this;
		const { causes } = this.#selection;
		return {
			data: this.#data,
			shown,
			lanes: this.#lanes.all,
			range,
			ticks: ticks(range, tickCount(this.#chart.clientWidth)),
			selected: this.#selection.at,
			causes,
			isRelated: causes === null ? null : isRelated(shown.detail!, this.#selection.at, causes),
			marked: this.#stretch.marked,
			measured: this.#stretch.measured,
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
		return this.#stretch.range;
	}

	/** All of the recording, from its begin to the last known moment. */
	get whole(): TimeRange {
		return this.#stretch.whole;
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
