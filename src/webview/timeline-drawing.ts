// Draws the timeline's bars on a canvas. A wait is as high as two thirds of its row, hatched where it queues and dotted
// where it lags; a run fills its row: nothing is distinguished by colour alone.
import type { Timeline } from '../protocol/timeline.ts';
import type { TimeRange } from './time-range.ts';
import { completeSince, endOf, type Lane } from './timeline-lanes.ts';

/** In CSS pixels. */
export const ROW_HEIGHT = 10;
export const LANE_PADDING = 5;
/** Every lane has room for its label. */
export const LEAST_LANE_HEIGHT = 24;
/** Where all operations that are there one by one would be narrower than this, the density says more. */
const LEAST_OPERATIONS_WIDTH = 60;
/** Shorter bars are drawn as wide as this, or they would be invisible. */
const LEAST_WIDTH = 1.5;

/** What is to be drawn. */
export interface Scene {
	timeline: Timeline;
	lanes: readonly Lane[];
	range: TimeRange;
	/** Index of an operation, or -1. */
	selected: number;
	/** A stretch to point at. */
	marked: TimeRange | null;
	/** A stretch that is measured. */
	measured: TimeRange | null;
	/** Times of the grid's lines, in ms. */
	ticks: readonly number[];
}

export function laneHeight(lane: Lane): number {
	return Math.max(LEAST_LANE_HEIGHT, lane.rowCount * ROW_HEIGHT + 2 * LANE_PADDING);
}

/** Top edge of each lane, and the height of all. */
export function tops(lanes: readonly Lane[]): { tops: number[]; height: number } {
	let height = 0;
	const all = lanes.map((lane) => {
		const top = height;
		height += laneHeight(lane);
		return top;
	});
	return { tops: all, height };
}

/** The operation under a point of the canvas, in CSS pixels; -1 where there is none. */
export function operationAt({ timeline, lanes, range }: Scene, width: number, x: number, y: number): number {
	const { tops: all } = tops(lanes);
	const at = all.findLastIndex((top) => top <= y);
	const lane = lanes[at];
	if (lane === undefined) return -1;
	const row = Math.floor((y - all[at]! - LANE_PADDING) / ROW_HEIGHT);
	const fromMs = singlyFrom({ timeline, lanes, range, selected: -1, marked: null, measured: null, ticks: [] }, width);
	const scale = width / (range.toMs - range.fromMs);
	let found = -1;
	lane.operations.forEach((index, order) => {
		if (lane.rows[order] !== row || endOf(timeline, index) < fromMs) return;
		const from = (timeline.operations.startMs[index]! - range.fromMs) * scale;
		const to = (endOf(timeline, index) - range.fromMs) * scale;
		if (x >= from - 2 && x <= Math.max(to, from + LEAST_WIDTH) + 2) found = index;
	});
	return found;
}

/** Since when operations are drawn one by one, in ms; what was before is drawn as its density. Infinity for nothing. */
export function singlyFrom({ timeline, range }: Scene, width: number): number {
	const since = completeSince(timeline);
	const shown = range.toMs - Math.max(since, range.fromMs);
	const isVisible = since <= range.fromMs || (shown / (range.toMs - range.fromMs)) * width >= LEAST_OPERATIONS_WIDTH;
	return isVisible ? since : Number.POSITIVE_INFINITY;
}

/** Draws the scene over the whole canvas; `style` has the theme's colours. */
export function draw(canvas: HTMLCanvasElement, style: CSSStyleDeclaration, scene: Scene): void {
	const context = canvas.getContext('2d');
	if (context === null) return;
	const width = canvas.clientWidth;
	const height = canvas.clientHeight;
	canvas.width = Math.round(width * devicePixelRatio);
	canvas.height = Math.round(height * devicePixelRatio);
	context.scale(devicePixelRatio, devicePixelRatio);
	new Painter(context, style, scene, width, height).paint();
}

class Painter {
	readonly #context: CanvasRenderingContext2D;
	readonly #scene: Scene;
	readonly #width: number;
	readonly #height: number;
	readonly #colour: (name: string) => string;
	readonly #hatched: CanvasPattern | string;
	readonly #dotted: CanvasPattern | string;

	constructor(
		context: CanvasRenderingContext2D,
		style: CSSStyleDeclaration,
		scene: Scene,
		width: number,
		height: number,
	) {
		this.#context = context;
		this.#scene = scene;
		this.#width = width;
		this.#height = height;
		this.#colour = (name) => style.getPropertyValue(name).trim();
		this.#hatched = pattern(context, this.#colour('--wl-queue'), [
			[0, 3],
			[1, 2],
			[2, 1],
			[3, 0],
		]);
		this.#dotted = pattern(context, this.#colour('--wl-lag'), [
			[0, 0],
			[1, 0],
			[0, 1],
			[1, 1],
			[2, 2],
			[3, 2],
			[2, 3],
			[3, 3],
		]);
	}

	paint(): void {
		const { lanes, timeline, ticks, selected } = this.#scene;
		const { tops: all } = tops(lanes);
		this.#context.clearRect(0, 0, this.#width, this.#height);
		this.#paintBlocks(all);
		this.#context.fillStyle = this.#colour('--wl-grid');
		for (const tick of ticks) this.#context.fillRect(Math.round(this.#x(tick)), 0, 1, this.#height);
		for (const top of all) this.#context.fillRect(0, top, this.#width, 1);
		const fromMs = singlyFrom(this.#scene, this.#width);
		lanes.forEach((lane, at) => {
			this.#paintDensity(lane, all[at]!, fromMs);
			lane.operations.forEach((index, order) => {
				if (endOf(timeline, index) < Math.max(fromMs, this.#scene.range.fromMs)) return;
				if (timeline.operations.startMs[index]! > this.#scene.range.toMs) return;
				this.#paintOperation(index, all[at]! + LANE_PADDING + lane.rows[order]! * ROW_HEIGHT, index === selected);
			});
		});
		this.#paintMeasure();
		this.#paintMark();
	}

	/** How busy the line was up to that time, as an area. */
	#paintDensity(lane: Lane, top: number, toMs: number): void {
		if (lane.levels === null) return;
		const { fromMs, binMs } = this.#scene.timeline.density;
		const height = laneHeight(lane) - 2 * LANE_PADDING;
		const bottom = top + LANE_PADDING + height;
		this.#context.fillStyle = this.#colour('--wl-density');
		const first = Math.max(0, Math.floor((this.#scene.range.fromMs - fromMs) / binMs));
		for (let bin = first; bin < lane.levels.length; bin++) {
			const from = fromMs + bin * binMs;
			if (from >= toMs || from > this.#scene.range.toMs) return;
			const share = lane.levels[bin]! / 255;
			if (share === 0) continue;
			const part = Math.max(1, share * height);
			this.#fill(from, Math.min(from + binMs, toMs), bottom - part, part);
		}
	}

	#paintMeasure(): void {
		const { measured } = this.#scene;
		if (measured === null) return;
		this.#context.fillStyle = this.#colour('--vscode-focusBorder');
		this.#context.globalAlpha = 0.25;
		this.#fill(measured.fromMs, measured.toMs, 0, this.#height);
		this.#context.globalAlpha = 1;
	}

	/** A frame over all lanes. */
	#paintMark(): void {
		const { marked } = this.#scene;
		if (marked === null) return;
		const [left, right] = [this.#x(marked.fromMs), this.#x(marked.toMs)];
		this.#context.strokeStyle = this.#colour('--vscode-focusBorder');
		this.#context.lineWidth = 1;
		this.#context.setLineDash([4, 3]);
		this.#context.strokeRect(left - 1.5, 0.5, Math.max(LEAST_WIDTH, right - left) + 3, this.#height - 1);
		this.#context.setLineDash([]);
	}

	/** A band over all lanes of the thread whose loop was blocked. */
	#paintBlocks(all: number[]): void {
		const { lanes, timeline } = this.#scene;
		this.#context.fillStyle = this.#colour('--wl-block');
		for (const { thread, startMs, durationMs } of timeline.blocks) {
			const first = lanes.findIndex((lane) => lane.thread === thread);
			const last = lanes.findLastIndex((lane) => lane.thread === thread);
			if (first < 0) continue;
			const top = all[first]!;
			const bottom = all[last]! + laneHeight(lanes[last]!);
			this.#fill(startMs, startMs + durationMs, top, bottom - top);
		}
	}

	#paintOperation(index: number, top: number, isSelected: boolean): void {
		const { operations } = this.#scene.timeline;
		const start = operations.startMs[index]!;
		const called = start + operations.waitMs[index]!;
		const queue = Math.max(0, operations.queueMs[index]!);
		const lag = Math.max(0, operations.lagMs[index]!);
		const waitTop = top + 2;
		const waitHeight = ROW_HEIGHT - 5;
		this.#context.fillStyle = this.#hatched;
		if (queue > 0) this.#fill(start, start + queue, waitTop, waitHeight);
		this.#context.fillStyle = this.#colour(operations.executeMs[index]! >= 0 ? '--wl-execute' : '--wl-rest');
		this.#fill(start + queue, called - lag, waitTop, waitHeight);
		this.#context.fillStyle = this.#dotted;
		if (lag > 0) this.#fill(called - lag, called, waitTop, waitHeight);
		this.#context.fillStyle = this.#colour('--wl-run');
		this.#fill(called, called + operations.runMs[index]!, top, ROW_HEIGHT - 1);
		if (!isSelected) return;
		this.#context.strokeStyle = this.#colour('--vscode-focusBorder');
		this.#context.lineWidth = 2;
		const left = this.#x(start);
		const right = Math.max(this.#x(called + operations.runMs[index]!), left + LEAST_WIDTH);
		this.#context.strokeRect(left - 2, top - 1, right - left + 4, ROW_HEIGHT + 1);
	}

	#fill(fromMs: number, toMs: number, top: number, height: number): void {
		const left = Math.max(-1, this.#x(fromMs));
		const right = Math.min(this.#width + 1, this.#x(toMs));
		if (right >= left) this.#context.fillRect(left, top, Math.max(LEAST_WIDTH, right - left), height);
	}

	#x(ms: number): number {
		const { fromMs, toMs } = this.#scene.range;
		return ((ms - fromMs) / (toMs - fromMs)) * this.#width;
	}
}

/** A fill of 4 × 4 pixels of which these are set. */
function pattern(
	context: CanvasRenderingContext2D,
	colour: string,
	pixels: [number, number][],
): CanvasPattern | string {
	const tile = document.createElement('canvas');
	tile.width = 4;
	tile.height = 4;
	const paint = tile.getContext('2d');
	if (paint === null) return colour;
	paint.fillStyle = colour;
	for (const [x, y] of pixels) paint.fillRect(x, y, 1, 1);
	return context.createPattern(tile, 'repeat') ?? colour;
}
