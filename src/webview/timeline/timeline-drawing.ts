// Draws the timeline: one lane after the other, and over them what was selected, measured and marked. Pinned lanes have a canvas of their own, which stays while the
// other one scrolls under it. A wait is as high as two thirds of its row,
// hatched where it queues and dotted where it lags; a run fills its row: nothing is distinguished by colour alone.
import type { Timeline } from '../../protocol/timeline.ts';
import { paintArrows } from './timeline-arrows.ts';
import { Brush, Hits, LEAST_WIDTH, type Patterns } from './timeline-brush.ts';
import { paintLane } from './timeline-lane-painters.ts';
import { type Lane, type Stuck, tops } from './timeline-lanes.ts';
import type { DrawnPart, Scene } from './timeline-scene.ts';

/** On what a scene is drawn. */
export interface Canvases {
	/** What scrolls: the part of it that is in view. */
	scrolled: HTMLCanvasElement;
	/** The pinned lanes that stay where they are. */
	stuck: HTMLCanvasElement;
}

/** Where the canvases are, in CSS pixels below the first lane's top edge. */
export interface Places {
	/** Where the canvas of what scrolls begins. */
	offset: number;
	stuck: Stuck;
}

/** A canvas with its lanes. */
interface Surface {
	brush: Brush;
	lanes: readonly Lane[];
	tops: readonly number[];
	/** What of it is in view. */
	from: number;
	to: number;
}

/**
 * Draws a part of the scene over both canvases.
 * @param style has the theme's colours
 * @returns what is where, in CSS pixels from the first lane's top edge
 */
export function draw(
	canvases: Canvases,
	style: CSSStyleDeclaration,
	patterns: Patterns,
	scene: Scene,
	{ offset, stuck }: Places,
): Hits | null {
	const hits = new Hits();
	const { lanes } = scene;
	const { tops: all, height } = tops(lanes, stuck);
	const surfaceOf = (canvas: HTMLCanvasElement, top: number, first: number, end: number): Surface | null => {
		const context = contextOf(canvas, top);
		if (context === null) return null;
		const brush = new Brush(context, hits, style, patterns, scene.range, canvas.clientWidth, height);
		const [own, ownTops] = [lanes.slice(first, end), all.slice(first, end)];
		return { brush, lanes: own, tops: ownTops, from: top, to: top + canvas.clientHeight };
	};
	const scrolled = surfaceOf(canvases.scrolled, offset, stuck.count, lanes.length);
	if (scrolled === null) return null;
	paintSurface(scrolled, scene);
	const over = stuck.count === 0 ? null : surfaceOf(canvases.stuck, stuck.top, 0, stuck.count);
	if (over !== null) {
		hits.cover(stuck.top, stuck.top + stuck.height);
		paintSurface(over, scene);
		over.brush.context.fillStyle = over.brush.colour('--wl-edge');
		over.brush.context.fillRect(0, stuck.top + stuck.height - 1, over.brush.width, 1);
	}
	// An arrow may lead from one to the other.
	for (const { brush } of [scrolled, ...(over === null ? [] : [over])]) {
		if (scene.causes !== null) paintArrows(brush, scene.shown, scene.selected, scene.causes);
		paintMeasure(brush, scene);
		paintMark(brush, scene);
	}
	return hits;
}

/** A clear canvas in CSS pixels from the first lane's top edge. @param offset where it begins */
function contextOf(canvas: HTMLCanvasElement, offset: number): CanvasRenderingContext2D | null {
	const context = canvas.getContext('2d');
	if (context === null) return null;
	const { clientWidth, clientHeight } = canvas;
	const size = {
		width: Math.round(clientWidth * devicePixelRatio),
		height: Math.round(clientHeight * devicePixelRatio),
	};
	// To set the same size again would have the page laid out again with each frame.
	if (canvas.width === size.width && canvas.height === size.height) context.reset();
	else Object.assign(canvas, size);
	context.scale(devicePixelRatio, devicePixelRatio);
	context.translate(0, -offset);
	return context;
}

function paintSurface({ brush, lanes, tops: all, from, to }: Surface, scene: Scene): void {
	const { context } = brush;
	const parts = partsOf(scene);
	paintBlocks(brush, lanes, parts, all);
	context.fillStyle = brush.colour('--wl-grid');
	for (const tick of scene.ticks) context.fillRect(Math.round(brush.x(tick)), 0, 1, brush.height);
	for (const top of all) context.fillRect(0, top, brush.width, 1);
	noteGaps(brush, scene.shown, lanes, all);
	lanes.forEach((lane, index) => {
		const top = all[index]!;
		const isInView = top < to && top + lane.height > from;
		// An arrow may come from a lane that is out of view.
		if (isInView || scene.causes !== null) paintLane(brush, scene, parts, lane, top);
	});
	paintGaps(brush, lanes, parts, all);
}

/** What is not in the answer for the stretch is drawn from that for all of the session, so that nothing is empty while one moves. */
function partsOf({ data: { whole }, shown, range }: Scene): DrawnPart[] {
	if (whole === null || shown === whole) return [{ timeline: shown, ...range }];
	const { fromMs, toMs } = shown;
	const parts: DrawnPart[] = [
		{ timeline: shown, fromMs: Math.max(range.fromMs, fromMs), toMs: Math.min(range.toMs, toMs) },
	];
	if (range.fromMs < fromMs) parts.push({ timeline: whole, fromMs: range.fromMs, toMs: fromMs });
	if (range.toMs > toMs) parts.push({ timeline: whole, fromMs: toMs, toMs: range.toMs });
	return parts;
}

/** Where the lanes of a thread are: those that lie together, and each pinned one. */
function extentsOf(lanes: readonly Lane[], all: readonly number[], thread: number): { top: number; height: number }[] {
	const isOwn = (lane: Lane) => lane.thread === thread && !lane.isPinned;
	const first = lanes.findIndex(isOwn);
	const last = lanes.findLastIndex(isOwn);
	const pinned = lanes.flatMap(({ isPinned, thread: own, height }, index) =>
		isPinned && own === thread ? [{ top: all[index]!, height }] : [],
	);
	if (first < 0) return pinned;
	return [{ top: all[first]!, height: all[last]! + lanes[last]!.height - all[first]! }, ...pinned];
}

/** A band over all lanes of the thread whose loop was blocked. */
function paintBlocks(brush: Brush, lanes: readonly Lane[], parts: readonly DrawnPart[], all: readonly number[]): void {
	brush.context.fillStyle = brush.colour('--wl-block');
	for (const part of parts) {
		for (const { thread, startMs, durationMs } of part.timeline.blocks) {
			const [from, to] = [Math.max(startMs, part.fromMs), Math.min(startMs + durationMs, part.toMs)];
			if (from > to || !brush.isIn(from, to)) continue;
			for (const { top, height } of extentsOf(lanes, all, thread)) brush.fill(from, to, top, height);
		}
	}
}

/** The pointer finds a gap in every lane of its thread, where nothing else is: it is noted before anything that is drawn in them. */
function noteGaps(brush: Brush, shown: Timeline, lanes: readonly Lane[], all: readonly number[]): void {
	shown.gaps.forEach(({ thread, fromMs, toMs }, index) => {
		if (!brush.isIn(fromMs, toMs)) return;
		for (const { top, height } of extentsOf(lanes, all, thread)) brush.note('gap', index, fromMs, toMs, top, height);
	});
}

/** Over all lanes of the thread: crossed where something is missing, a dashed line where a debugger had stopped it. */
function paintGaps(brush: Brush, lanes: readonly Lane[], parts: readonly DrawnPart[], all: readonly number[]): void {
	const { context } = brush;
	const gaps = parts.flatMap((part) =>
		part.timeline.gaps.map((gap) => ({
			...gap,
			fromMs: Math.max(gap.fromMs, part.fromMs),
			toMs: Math.min(gap.toMs, part.toMs),
		})),
	);
	for (const { thread, kind, fromMs, toMs } of gaps) {
		if (fromMs > toMs || !brush.isIn(fromMs, toMs)) continue;
		for (const { top, height } of extentsOf(lanes, all, thread)) {
			if (kind === 'stopped') {
				paintStop(brush, fromMs, top, height);
				continue;
			}
			context.fillStyle = brush.crossed;
			brush.fill(fromMs, toMs, top, height);
		}
	}
}

/** As on a player: the program stood still here. */
function paintStop(brush: Brush, atMs: number, top: number, height: number): void {
	const { context } = brush;
	const x = Math.round(brush.x(atMs));
	context.strokeStyle = brush.colour('--wl-gap');
	context.lineWidth = 1;
	context.setLineDash([3, 3]);
	context.strokeRect(x + 0.5, top, 0, height);
	context.setLineDash([]);
	context.fillStyle = brush.colour('--vscode-editor-background');
	context.fillRect(x - 6, top, 12, 11);
	context.fillStyle = brush.colour('--vscode-foreground');
	for (const left of [-4, 1]) context.fillRect(x + left, top + 1, 3, 9);
}

function paintMeasure(brush: Brush, { measured }: Scene): void {
	if (measured === null) return;
	brush.context.fillStyle = brush.colour('--vscode-focusBorder');
	brush.context.globalAlpha = 0.25;
	brush.fill(measured.fromMs, measured.toMs, 0, brush.height);
	brush.context.globalAlpha = 1;
}

/** A frame over all lanes. */
function paintMark(brush: Brush, { marked }: Scene): void {
	if (marked === null) return;
	const [left, right] = [brush.x(marked.fromMs), brush.x(marked.toMs)];
	const { context } = brush;
	context.strokeStyle = brush.colour('--vscode-focusBorder');
	context.lineWidth = 1;
	context.setLineDash([4, 3]);
	context.strokeRect(left - 1.5, 0.5, Math.max(LEAST_WIDTH, right - left) + 3, brush.height - 1);
	context.setLineDash([]);
}
