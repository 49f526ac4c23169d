// Mouse and keys of the timeline. By mouse: a click selects, the wheel zooms and with Shift scrolls, dragging moves and with Shift measures, a double click
// fits. A touchpad does the same with two fingers, and zooms by pinching. By keyboard: arrows go from operation to operation and from lane to lane, + and - or W
// and S zoom, A and D move, E fits, M measures, 0 shows everything, F follows, P keeps the lane at the top, Escape clears what is selected and measured, Enter
// opens the line.
import { move, type TimeRange } from '../common/time-range.ts';
import type { Target } from './timeline-brush.ts';

/** What one step zooms by. */
export const ZOOM_STEP = 1.5;
/** What a key moves the range by, as a share of its length. */
const MOVE_STEP = 0.2;
/** One notch of a wheel, in CSS pixels, and as much of a pinch. A touchpad sends many small turns where a mouse sends a notch, and smaller ones of a pinch. */
const NOTCH = 100;
const PINCH_NOTCH = 40;
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
	clear(): void;
	limit(range: TimeRange | null): void;
	zoom(factor: number, atMs?: number): void;
	move(by: number): void;
	fit(): void;
	fitTarget(target: Target | null): void;
	follow(): void;
	step(by: number): void;
	stepLane(by: number): void;
	pinSelected(): void;
	open(): void;
}

/** Where a drag began, in CSS pixels of the window, and what was shown then. */
interface Drag {
	clientX: number;
	clientY: number;
	range: TimeRange;
	scrollTop: number;
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
		Escape: () => view.clear(),
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
	let drag: Drag | null = null;
	chart.addEventListener(
		'wheel',
		(event) => {
			event.preventDefault();
			const { deltaX, deltaY } = event;
			if (event.shiftKey) scroll.scrollTop += deltaY || deltaX;
			else if (Math.abs(deltaX) > Math.abs(deltaY)) view.move(deltaX / chart.clientWidth);
			else view.zoom(ZOOM_STEP ** notches(event), view.timeAt(placeOf(event).x));
		},
		{ passive: false },
	);
	chart.addEventListener('pointerdown', (event) => {
		// Other buttons open menus, and where they are let go is not always known.
		if (event.button !== 0) return;
		chart.setPointerCapture(event.pointerId);
		const { clientX, clientY } = event;
		if (event.shiftKey) measureFrom = view.timeAt(placeOf(event).x);
		else drag = { clientX, clientY, range: view.range, scrollTop: scroll.scrollTop };
	});
	chart.addEventListener('pointerleave', () => view.pointAway());
	chart.addEventListener('pointermove', (event) => {
		const { x, y } = placeOf(event);
		view.point(x, y);
		if (measureFrom !== null) {
			view.measure({ fromMs: measureFrom, toMs: view.timeAt(x) });
			return;
		}
		if (drag === null || isClick(drag, event)) return;
		// The lanes follow the pointer in both directions.
		const { range, scrollTop, clientX, clientY } = drag;
		scroll.scrollTop = scrollTop + clientY - event.clientY;
		const byMs = ((clientX - event.clientX) / chart.clientWidth) * (range.toMs - range.fromMs);
		const moved = move(range, byMs, view.whole);
		if (moved.fromMs !== view.range.fromMs) view.limit(moved);
	});
	chart.addEventListener('pointerup', (event) => {
		const wasClick = drag !== null && isClick(drag, event);
		drag = measureFrom = null;
		if (!wasClick) return;
		view.measure(null);
		view.select(view.operationOf(targetOf(event)));
	});
	chart.addEventListener('pointercancel', () => {
		drag = measureFrom = null;
	});
	chart.addEventListener('dblclick', (event) => view.fitTarget(targetOf(event)));
}

function isClick(from: Drag, { clientX, clientY }: MouseEvent): boolean {
	return Math.hypot(clientX - from.clientX, clientY - from.clientY) < LEAST_DRAG;
}

/** By how many notches the wheel was turned, towards the person is positive: no turn zooms by more than one. */
function notches({ deltaY, ctrlKey }: WheelEvent): number {
	return Math.max(-1, Math.min(1, deltaY / (ctrlKey ? PINCH_NOTCH : NOTCH)));
}
