// How each kind of lane is drawn: what is there one by one as bars, otherwise how much there was over time as an area.
import type { FlightKind, Timeline } from '../../protocol/timeline.ts';
import type { Brush } from './timeline-brush.ts';
import { endOf, LANE_PADDING, type Lane, type LineLane, ROW_HEIGHT } from './timeline-lanes.ts';
import type { DrawnPart, Scene } from './timeline-scene.ts';

/** @param parts of the time, each with the answer from which it is drawn */
export function paintLane(brush: Brush, scene: Scene, parts: readonly DrawnPart[], lane: Lane, top: number): void {
	if (lane.kind === 'heading') {
		brush.context.fillStyle = brush.colour('--wl-heading');
		brush.context.fillRect(0, top + 1, brush.width, lane.height - 1);
		return;
	}
	const inner = { top: top + LANE_PADDING, height: lane.height - 2 * LANE_PADDING };
	for (const part of parts) {
		// Bars are clipped at the limits of what is drawn from each answer.
		const { context } = brush;
		context.save();
		context.beginPath();
		context.rect(brush.x(part.fromMs), top, brush.x(part.toMs) - brush.x(part.fromMs), lane.height);
		context.clip();
		paintPart(brush, scene, part, lane, inner);
		context.restore();
	}
}

/** The room inside a lane, in CSS pixels. */
interface RoomInLane {
	top: number;
	height: number;
}

function paintPart(
	brush: Brush,
	scene: Scene,
	part: DrawnPart,
	lane: Exclude<Lane, { kind: 'heading' }>,
	room: RoomInLane,
): void {
	const { timeline } = part;
	switch (lane.kind) {
		case 'loop':
			paintLoop(brush, scene, part, lane.thread, room);
			return;
		case 'queue':
			brush.context.fillStyle = brush.hatched;
			paintArea(
				brush,
				part,
				queueOf(scene, timeline, lane.thread),
				peak(scene, (each) => queueOf(scene, each, lane.thread)),
				room,
			);
			return;
		case 'pool-thread':
			paintPoolThread(brush, scene, part, lane.thread, lane.index, room);
			return;
		case 'flight':
			paintFlight(brush, scene, part, lane.thread, lane.flight, room);
			return;
		case 'timers':
			paintTimers(brush, scene, part, lane.thread, room);
			return;
		case 'requests':
			paintRequests(brush, scene, part, lane, room);
			return;
		case 'strip':
			brush.context.fillStyle = brush.colour('--wl-density');
			paintArea(
				brush,
				part,
				stripOf(timeline, lane.thread),
				peak(scene, (each) => stripOf(each, lane.thread)),
				room,
			);
			return;
		case 'line':
			paintLine(brush, scene, part, lane, room);
			return;
		default:
			lane satisfies never;
	}
}

/** Values by bin as an area, as high as the room where they reach `most`. */
function paintArea(
	brush: Brush,
	{ timeline, fromMs, toMs }: DrawnPart,
	values: ArrayLike<number>,
	most: number,
	room: RoomInLane,
): void {
	const { fromMs: began, binMs } = timeline.density;
	if (most <= 0) return;
	const first = Math.max(0, Math.floor((fromMs - began) / binMs));
	const last = Math.min(values.length - 1, Math.floor((toMs - began) / binMs));
	const { context } = brush;
	const bottom = room.top + room.height;
	const edge = (bin: number) => Math.round(brush.x(began + bin * binMs));
	// In whole pixels, and bins of the same height as one: thousands of rectangles would take longer to draw.
	let from = first;
	let height = 0;
	for (let bin = first; bin <= last + 1; bin++) {
		const value = bin <= last ? values[bin]! : 0;
		const next = value <= 0 ? 0 : Math.max(1, Math.round(Math.min(1, value / most) * room.height));
		if (next === height && bin <= last) continue;
		const left = edge(from);
		if (height > 0) context.fillRect(left, bottom - height, Math.max(1, edge(bin) - left), height);
		from = bin;
		height = next;
	}
}

/** The largest value in any of the answers, so that heights do not change while one moves. */
function peak({ data: { whole }, shown }: Scene, values: (timeline: Timeline) => ArrayLike<number>): number {
	let most = 0;
	for (const timeline of new Set([whole, shown])) {
		if (timeline === null) continue;
		const all = values(timeline);
		for (let bin = 0; bin < all.length; bin++) if (all[bin]! > most) most = all[bin]!;
	}
	return most;
}

const NOTHING = new Float32Array(0);

function queueOf({ data }: Scene, { density }: Timeline, thread: number): ArrayLike<number> {
	const { pid } = data.threads[thread]!;
	return density.queues.find((queue) => data.threads[queue.thread]!.pid === pid)?.jobs ?? NOTHING;
}

function flightOf({ density }: Timeline, thread: number, kind: FlightKind): ArrayLike<number> {
	return density.flights.find((flight) => flight.thread === thread && flight.kind === kind)?.counts ?? NOTHING;
}

/** How many of a thread's lines were under way at once, as far as levels say. */
function stripOf({ density }: Timeline, thread: number): ArrayLike<number> {
	const sums = new Float32Array(density.length);
	for (const lane of density.lanes) {
		if (lane.thread !== thread) continue;
		for (let bin = 0; bin < sums.length; bin++) sums[bin]! += lane.levels[bin]!;
	}
	return sums;
}

/** How many of the pool's threads were at work, on average, by bin. */
function busyThreads(scene: Scene, timeline: Timeline, thread: number): Float32Array {
	const { pid } = scene.data.threads[thread]!;
	const queued = queueOf(scene, timeline, thread);
	const sums = new Float32Array(timeline.density.length);
	for (const flight of timeline.density.flights) {
		if (flight.kind !== 'pool' || scene.data.threads[flight.thread]!.pid !== pid) continue;
		for (let bin = 0; bin < sums.length; bin++) sums[bin]! += flight.counts[bin]!;
	}
	for (let bin = 0; bin < queued.length; bin++) sums[bin]! -= queued[bin]!;
	return sums;
}

/** The callbacks of a loop, on it the blocks with what they are, and collections of garbage as a line below. */
function paintLoop(brush: Brush, scene: Scene, part: DrawnPart, thread: number, { top, height }: RoomInLane): void {
	const { timeline } = part;
	const { detail } = timeline;
	const { context } = brush;
	const isShown = timeline === scene.shown;
	if (detail === null) {
		context.fillStyle = brush.colour('--wl-loop');
		const busy = timeline.density.loops.find((loop) => loop.thread === thread)?.busy ?? NOTHING;
		paintArea(brush, part, busy, 255, { top, height });
	} else {
		const { runs } = detail;
		const background = brush.colour('--vscode-editor-background');
		for (let run = 0; run < runs.thread.length; run++) {
			const [from, to] = [runs.startMs[run]!, runs.startMs[run]! + runs.durationMs[run]!];
			if (runs.thread[run] !== thread || !brush.isIn(from, to)) continue;
			brush.faint(isFaint(scene, { kind: 'run', index: run }));
			context.fillStyle = brush.colour('--wl-loop');
			brush.fill(from, to, top, height);
			brush.text(scene.runLabel(run), from, to, top, height, background);
			brush.note('run', run, from, to, top, height);
		}
	}
	timeline.blocks.forEach((block, index) => {
		const { startMs, durationMs } = block;
		if (block.thread !== thread || !brush.isIn(startMs, startMs + durationMs)) return;
		brush.faint(false);
		context.fillStyle = brush.colour('--wl-blocked');
		brush.fill(startMs, startMs + durationMs, top, height);
		if (!isShown) return;
		brush.text(scene.blockLabel(index), startMs, startMs + durationMs, top, height, brush.colour('--wl-on-blocked'));
		// Where a callback can be selected, its operation is of more use.
		if (detail === null) brush.note('block', index, startMs, startMs + durationMs, top, height);
	});
	if (detail === null) return;
	brush.faint(false);
	context.fillStyle = brush.colour('--wl-collection');
	const { collections } = detail;
	for (let index = 0; index < collections.thread.length; index++) {
		if (collections.thread[index] !== thread) continue;
		const [from, to] = [collections.startMs[index]!, collections.startMs[index]! + collections.durationMs[index]!];
		brush.fill(from, to, top + height, 3);
		brush.note('collection', index, from, to, top + height, LANE_PADDING);
	}
}

/** The jobs that the thread may have had, hatched: which thread it was is not recorded. */
function paintPoolThread(
	brush: Brush,
	scene: Scene,
	part: DrawnPart,
	thread: number,
	index: number,
	{ top, height }: RoomInLane,
): void {
	const { timeline } = part;
	const { detail } = timeline;
	brush.context.fillStyle = brush.hatchedJobs;
	if (detail === null) {
		const share = busyThreads(scene, timeline, thread).map((busy) => Math.min(1, busy - index));
		paintArea(brush, part, share, 1, { top, height });
		return;
	}
	const { pid } = scene.data.threads[thread]!;
	const own = scene.jobsOf(pid)[index] ?? [];
	for (const job of own) {
		const [from, to] = [detail.jobs.beganMs[job]!, detail.jobs.doneMs[job]!];
		if (!brush.isIn(from, to)) continue;
		brush.faint(isFaint(scene, { kind: 'job', index: job }));
		brush.fill(from, to, top, height);
		brush.note('job', job, from, to, top, height);
	}
	brush.faint(false);
}

/** How many operations of that kind were under way. */
function paintFlight(
	brush: Brush,
	scene: Scene,
	part: DrawnPart,
	thread: number,
	kind: FlightKind,
	room: RoomInLane,
): void {
	brush.context.fillStyle = brush.colour('--wl-density');
	const most = peak(scene, (each) => flightOf(each, thread, kind));
	paintArea(brush, part, flightOf(part.timeline, thread, kind), most, room);
}

/** Of each timer when it was due, and how late it fired. */
function paintTimers(brush: Brush, scene: Scene, part: DrawnPart, thread: number, room: RoomInLane): void {
	const { detail } = part.timeline;
	if (detail === null) {
		paintFlight(brush, scene, part, thread, 'timer', room);
		return;
	}
	const { operations } = detail;
	const { top, height } = room;
	for (let index = 0; index < operations.thread.length; index++) {
		if (operations.thread[index] !== thread) continue;
		if (scene.data.lines[operations.line[index]!]!.class !== 'timer') continue;
		const fired = operations.calledMs[index]!;
		const due = fired - Math.max(0, operations.lagMs[index]!);
		if (!brush.isIn(due, fired)) continue;
		brush.faint(isFaint(scene, { kind: 'operation', index }));
		brush.context.fillStyle = brush.dotted;
		brush.fill(due, fired, top + 3, height - 6);
		brush.context.fillStyle = brush.colour('--wl-lag');
		brush.fill(due, due, top, height);
		brush.context.fillStyle = brush.colour('--wl-run');
		brush.fill(fired, fired, top + 3, height - 6);
		brush.note('operation', index, due, fired, top, height);
	}
	brush.faint(false);
}

/** Each request as a frame around its operations. */
function paintRequests(
	brush: Brush,
	scene: Scene,
	part: DrawnPart,
	lane: Lane & { kind: 'requests' },
	room: RoomInLane,
): void {
	const { detail } = part.timeline;
	if (detail === null) {
		paintFlight(brush, scene, part, lane.thread, 'request', room);
		return;
	}
	const { requests, operations } = detail;
	const { context } = brush;
	for (let index = 0; index < requests.thread.length; index++) {
		const row = lane.rows[index] ?? -1;
		const [from, to] = [requests.startMs[index]!, requests.startMs[index]! + requests.durationMs[index]!];
		if (row < 0 || !brush.isIn(from, to)) continue;
		const top = room.top + row * ROW_HEIGHT;
		brush.faint(isFaint(scene, { kind: 'request', index }));
		context.fillStyle = brush.colour('--wl-request');
		brush.fill(from, to, top, ROW_HEIGHT - 1);
		brush.note('request', index, from, to, top, ROW_HEIGHT);
	}
	for (let index = 0; index < operations.thread.length; index++) {
		const request = operations.request[index]!;
		const row = request < 0 ? -1 : (lane.rows[request] ?? -1);
		if (row < 0 || !brush.isIn(operations.startMs[index]!, endOf(operations, index))) continue;
		brush.faint(isFaint(scene, { kind: 'operation', index }));
		paintOperation(brush, part.timeline, index, room.top + row * ROW_HEIGHT + 1, ROW_HEIGHT - 3);
	}
	brush.faint(false);
}

/** The operations of a line one by one, or how busy it was. */
function paintLine(brush: Brush, scene: Scene, part: DrawnPart, lane: LineLane, room: RoomInLane): void {
	const { timeline } = part;
	const { detail } = timeline;
	if (detail === null || timeline !== scene.shown) {
		const levels = timeline.density.lanes.find(
			({ thread, line }) => thread === lane.thread && line === lane.line,
		)?.levels;
		brush.context.fillStyle = brush.colour('--wl-density');
		paintArea(brush, part, levels ?? NOTHING, 255, room);
		return;
	}
	const { operations } = detail;
	lane.operations.forEach((index, order) => {
		if (!brush.isIn(operations.startMs[index]!, endOf(operations, index))) return;
		const top = room.top + (lane.rows[order] ?? 0) * ROW_HEIGHT;
		brush.faint(isFaint(scene, { kind: 'operation', index }));
		paintOperation(brush, timeline, index, top, ROW_HEIGHT - 1);
		brush.note('operation', index, operations.startMs[index]!, endOf(operations, index), top, ROW_HEIGHT);
		if (index === scene.selected) paintFrame(brush, timeline, index, top);
	});
	brush.faint(false);
}

/** Its wait with its parts, and its run. */
function paintOperation(brush: Brush, { detail }: Timeline, index: number, top: number, height: number): void {
	const { operations } = detail!;
	const { context } = brush;
	const start = operations.startMs[index]!;
	const called = start + operations.waitMs[index]!;
	const queue = Math.max(0, operations.queueMs[index]!);
	const lag = Math.max(0, operations.lagMs[index]!);
	const waitTop = top + Math.round(height / 5);
	const waitHeight = Math.max(2, height - 2 * Math.round(height / 5));
	if (queue > 0) {
		context.fillStyle = brush.hatched;
		brush.fill(start, start + queue, waitTop, waitHeight);
	}
	context.fillStyle = brush.colour(operations.executeMs[index]! >= 0 ? '--wl-execute' : '--wl-rest');
	brush.fill(start + queue, called - lag, waitTop, waitHeight);
	if (lag > 0) {
		context.fillStyle = brush.dotted;
		brush.fill(called - lag, called, waitTop, waitHeight);
	}
	if (operations.isOpen[index] === 1) return;
	context.fillStyle = brush.colour('--wl-run');
	brush.fill(called, called + operations.runMs[index]!, top, height);
}

/** Around the selected operation. */
function paintFrame(brush: Brush, { detail }: Timeline, index: number, top: number): void {
	const { operations } = detail!;
	const left = brush.x(operations.startMs[index]!);
	const right = Math.max(brush.x(endOf(operations, index)), left + 1.5);
	brush.context.strokeStyle = brush.colour('--vscode-focusBorder');
	brush.context.lineWidth = 2;
	brush.context.strokeRect(left - 2, top - 1, right - left + 4, ROW_HEIGHT + 1);
}

function isFaint({ isRelated, shown, data }: Scene, target: Parameters<NonNullable<Scene['isRelated']>>[0]): boolean {
	return isRelated !== null && (shown === data.whole || shown.detail !== null) && !isRelated(target);
}
