// Mouse and keys of the timeline. By mouse: a click selects, the wheel zooms and with Shift scrolls, dragging moves and with Shift measures, a double click
// fits. By keyboard: arrows go from operation to operation and from lane to lane, + and - or W and S zoom, A and D move, E fits, M measures, 0 shows everything,
// F follows, P keeps the lane at the top, Escape clears the selection, Enter opens the line.
import { move, type TimeRange } from './time-range.ts';
import type { Target } from './timeline-brush.ts';

/** What one step zooms by. */
export const ZOOM_STEP = 1.5;
/** What a key moves the range by, as a share of its length. */
const MOVE_STEP = 0.2;
/** What one turn of the wheel to the side moves by, as a share of the range. */
const WHEEL_MOVE = 0.05;
/** A shorter drag is a click, in CSS pixels. */
const LEAST_DRAG = 3;

/** What the input acts on. */
export interface Movable {
	readonly range: TimeRange;
	readonly whole: TimeRange;
	timeAt(x: number): number;
	targetAt(x: number, y: number): Target | null;
	operationOf(target: Target | null): number;
	point(x: number, y: number): void;
	pointAway(): void;
	measure(range: TimeRange | null): void;
	measureSelected(): void;
	select(operation: number): void;
	limit(range: TimeRange | null): void;
	zoom(factor: number, atMs?: number): void;
	move(by: number): void;
	fit(operation?: number): void;
	follow(): void;
	step(by: number): void;
	stepLane(by: number): void;
	pinSelected(): void;
	open(): void;
}

/** @param scroll is what the wheel with Shift scrolls */
export function listenToTimeline(chart: HTMLElement, scroll: HTMLElement, view: Movable): void {
	listenToMouse(chart, scroll, view);
	const actions: Record<string, () => void> = {
		ArrowRight: () => view.step(1),
		ArrowLeft: () => view.step(-1),
		ArrowDown: () => view.stepLane(1),
		ArrowUp: () => view.stepLane(-1),
		'+': () => view.zoom(1 / ZOOM_STEP),
		'-': () => view.zoom(ZOOM_STEP),
		w: () => view.zoom(1 / ZOOM_STEP),
		s: () => view.zoom(ZOOM_STEP),
		a: () => view.move(-MOVE_STEP),
		d: () => view.move(MOVE_STEP),
		'0': () => view.limit(null),
		f: () => view.follow(),
		Enter: () => view.open(),
		m: () => view.measureSelected(),
		e: () => view.fit(),
		p: () => view.pinSelected(),
		Escape: () => view.select(-1),
	};
	chart.addEventListener('keydown', (event) => {
		const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
		if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
		event.preventDefault();
		action();
	});
}

function listenToMouse(chart: HTMLElement, scroll: HTMLElement, view: Movable): void {
	/** When a measurement began, in ms. */
	let measureFrom: number | null = null;
	/** Where in the chart, whose canvas is only a part of it. */
	const placeOf = ({ clientX, clientY }: MouseEvent) => {
		const { left, top } = chart.getBoundingClientRect();
		return { x: clientX - left, y: clientY - top };
	};
	const targetOf = (event: MouseEvent) => {
		const { x, y } = placeOf(event);
		return view.targetAt(x, y);
	};
	let drag: { x: number; range: TimeRange } | null = null;
	chart.addEventListener(
		'wheel',
		(event) => {
			event.preventDefault();
			if (event.shiftKey) scroll.scrollTop += event.deltaY || event.deltaX;
			else if (event.deltaY === 0) view.move(Math.sign(event.deltaX) * WHEEL_MOVE);
			else view.zoom(event.deltaY < 0 ? 1 / ZOOM_STEP : ZOOM_STEP, view.timeAt(placeOf(event).x));
		},
		{ passive: false },
	);
	chart.addEventListener('pointerdown', (event) => {
		chart.setPointerCapture(event.pointerId);
		if (event.shiftKey) measureFrom = view.timeAt(placeOf(event).x);
		else drag = { x: placeOf(event).x, range: view.range };
	});
	chart.addEventListener('pointerleave', () => view.pointAway());
	chart.addEventListener('pointermove', (event) => {
		const { x, y } = placeOf(event);
		view.point(x, y);
		if (measureFrom !== null) {
			view.measure({ fromMs: measureFrom, toMs: view.timeAt(x) });
			return;
		}
		if (drag === null || Math.abs(x - drag.x) < LEAST_DRAG) return;
		const { range } = drag;
		const byMs = ((drag.x - x) / chart.clientWidth) * (range.toMs - range.fromMs);
		const moved = move(range, byMs, view.whole);
		if (moved.fromMs !== view.range.fromMs) view.limit(moved);
	});
	chart.addEventListener('pointerup', (event) => {
		const isClick = drag !== null && Math.abs(placeOf(event).x - drag.x) < LEAST_DRAG;
		drag = measureFrom = null;
		if (!isClick) return;
		view.measure(null);
		view.select(view.operationOf(targetOf(event)));
	});
	chart.addEventListener('dblclick', (event) => view.fit(view.operationOf(targetOf(event))));
}
