// The lanes of the timeline, top to bottom: of each process and Worker its event loop, its pool's queue and threads, what it waits for, its requests, and a
// lane for each line. They keep their places and never get lower while one session is shown, so that nothing moves while a person looks.
import type { FlightKind, Timeline, TimelineOperations } from '../../protocol/timeline.ts';
import type { TimelineData } from './timeline-data.ts';

/** More lanes of lines than a person compares. */
const MOST_LINES = 60;
/** Things that overlap with more than this many others share the last row: a lane must not fill the screen. */
const MOST_ROWS = 12;
/** Of a pool with more threads, the first are drawn. */
const MOST_POOL_THREADS = 16;
/** By how much, in ms, an end may seem later than the start of what followed: durations have 24 bits. */
const ROUNDING_MS = 0.001;
/** In CSS pixels. */
export const ROW_HEIGHT = 10;
export const LANE_PADDING = 5;
/** Every lane has room for its label. */
const LEAST_HEIGHT = 24;
const POOL_THREAD_HEIGHT = 20;
const AREA_HEIGHT = 30;

/** The parts of a thread that can be folded. */
export type LaneSection = 'pool' | 'waiting' | 'lines';

interface Common {
	/** What it is in any answer about the session. */
	readonly key: string;
	readonly thread: number;
	height: number;
	isPinned: boolean;
}

export interface LineLane extends Common {
	readonly kind: 'line';
	/** Index into the data's lines. */
	readonly line: number;
	/** Indices of its operations, by start, and the row of each, from 0. */
	operations: number[];
	rows: number[];
}

export type Lane =
	| (Common & { readonly kind: 'loop' | 'queue' | 'timers' | 'strip' })
	| (Common & { readonly kind: 'pool-thread'; readonly index: number })
	| (Common & { readonly kind: 'flight'; readonly flight: FlightKind })
	| (Common & { readonly kind: 'requests'; rows: number[] })
	| (Common & { readonly kind: 'heading'; readonly section: LaneSection; readonly isFolded: boolean })
	| LineLane;

export type LaneKind = Lane['kind'];

/** What a person chose of the lanes. */
export interface LaneChoices {
	/** Keys of headings. */
	folded: Set<string>;
	/** Keys of lanes that stand above all others, in their order, and stay there as far as they leave room. */
	pinned: Set<string>;
}

/** The flights that are lanes of their own, top to bottom; timers and requests have theirs. */
const FLIGHTS: readonly FlightKind[] = ['kernel', 'connection', 'dns'];

export class TimelineLanes {
	all: Lane[] = [];
	/** Lanes of lines without the filter. */
	lineCount = 0;
	/** The places of lines' lanes, by key. */
	readonly #order = new Map<string, number>();
	/** The most rows that a lane has had. */
	readonly #rows = new Map<string, number>();
	/** What each thread has had to show, by thread and kind: it stays. */
	readonly #seen = new Set<string>();

	clear(): void {
		this.all = [];
		this.lineCount = 0;
		this.#order.clear();
		this.#rows.clear();
		this.#seen.clear();
	}

	/**
	 * @param shown the answer whose operations are drawn one by one
	 * @param poolSize of a process, by its id
	 * @param isShown whether the filter leaves a line
	 */
	arrange(
		data: TimelineData,
		shown: Timeline | null,
		choices: LaneChoices,
		poolSize: (pid: number) => number,
		isShown: (line: number) => boolean,
	): void {
		const firstOf = (pid: number) => data.threads.findIndex((thread) => thread.pid === pid);
		for (const timeline of [data.whole, data.near]) {
			if (timeline !== null) this.#see(timeline, (thread) => firstOf(data.threads[thread]!.pid));
		}
		const lines = this.#lineLanes(data, shown);
		this.lineCount = lines.length;
		const filtered = lines.filter(({ line }) => isShown(line));
		const all: Lane[] = [];
		for (const [thread, { pid, threadId }] of data.threads.entries()) {
			const own = filtered.filter((lane) => lane.thread === thread);
			const of = <K extends LaneKind>(kind: K, height: number, name: string = kind) => {
				const key = `${pid}/${threadId} ${name}`;
				return { kind, key, thread, height, isPinned: choices.pinned.has(key) };
			};
			/** A heading, and what is below it unless it is folded. */
			const section = (name: LaneSection, lanes: Lane[], folded: Lane[] = []) => {
				if (lanes.length === 0) return;
				const heading = of('heading', LEAST_HEIGHT, `heading ${name}`);
				const isFolded = choices.folded.has(heading.key);
				all.push({ ...heading, section: name, isFolded }, ...(isFolded ? folded : lanes));
			};
			all.push(of('loop', LEAST_HEIGHT));
			if (this.#seen.has(`${thread} queue`)) {
				const threads = Array.from(
					{ length: Math.min(MOST_POOL_THREADS, poolSize(pid)) },
					(_, index): Lane => ({
						...of('pool-thread', POOL_THREAD_HEIGHT, `pool ${index}`),
						index,
					}),
				);
				section('pool', [of('queue', AREA_HEIGHT), ...threads], [of('queue', AREA_HEIGHT)]);
			}
			const flights = FLIGHTS.filter((kind) => this.#seen.has(`${thread} ${kind}`));
			const waiting: Lane[] = flights.map((flight) => ({ ...of('flight', AREA_HEIGHT, flight), flight }));
			if (this.#seen.has(`${thread} timer`)) waiting.push(of('timers', LEAST_HEIGHT));
			section('waiting', waiting);
			if (this.#seen.has(`${thread} request`)) {
				const rows = shown?.detail ? rowsOf(shown.detail.requests, thread) : [];
				const lane = of('requests', LEAST_HEIGHT);
				all.push({ ...lane, rows, height: this.#heightFor(lane.key, rows) });
			}
			for (const lane of own) lane.isPinned = choices.pinned.has(lane.key);
			section('lines', own, [of('strip', LEAST_HEIGHT)]);
		}
		const pinned = [...choices.pinned].flatMap((key) => all.find((lane) => lane.key === key) ?? []);
		this.all = [...pinned, ...all.filter((lane) => !lane.isPinned)];
	}

	/** Remembers what each thread has to show. @param firstOf the first thread of a thread's process, which stands for the pool */
	#see({ density, detail }: Timeline, firstOf: (thread: number) => number): void {
		for (const { thread, kind } of density.flights) {
			this.#seen.add(kind === 'pool' ? `${firstOf(thread)} queue` : `${thread} ${kind}`);
		}
		for (const thread of detail?.requests.thread ?? []) this.#seen.add(`${thread} request`);
	}

	/** A lane for each line, the busiest first when they are first seen. */
	#lineLanes(data: TimelineData, shown: Timeline | null): LineLane[] {
		const lanes = new Map<string, LineLane>();
		const keys: string[] = [];
		const laneAt = (thread: number, line: number): LineLane => {
			const id = `${thread} ${line}`;
			let lane = lanes.get(id);
			if (lane === undefined) {
				const { pid, threadId } = data.threads[thread]!;
				const { file, line: number, op, class: kind } = data.lines[line]!;
				const key = `${pid}/${threadId} ${number} ${op} ${kind} ${file}`;
				lane = { kind: 'line', key, thread, line, height: LEAST_HEIGHT, isPinned: false, operations: [], rows: [] };
				lanes.set(id, lane);
				keys.push(id);
			}
			return lane;
		};
		for (const { thread, line } of (data.whole ?? shown)?.density.lanes ?? []) laneAt(thread, line);
		const operations = shown?.detail?.operations;
		for (let index = 0; index < (operations?.thread.length ?? 0); index++) {
			laneAt(operations!.thread[index]!, operations!.line[index]!).operations.push(index);
		}
		const placed: LineLane[] = [];
		for (const id of keys) {
			const lane = lanes.get(id)!;
			if (!this.#order.has(lane.key) && this.#order.size < MOST_LINES) this.#order.set(lane.key, this.#order.size);
			if (!this.#order.has(lane.key)) continue;
			if (operations !== undefined) lane.rows = stack(lane.operations, operations);
			lane.height = this.#heightFor(lane.key, lane.rows);
			placed.push(lane);
		}
		return placed.sort((a, b) => this.#order.get(a.key)! - this.#order.get(b.key)!);
	}

	/** Room for as many rows as a lane has had at most. */
	#heightFor(key: string, rows: readonly number[]): number {
		const most = Math.max(this.#rows.get(key) ?? 0, ...rows.map((row) => row + 1));
		this.#rows.set(key, most);
		return Math.max(LEAST_HEIGHT, most * ROW_HEIGHT + 2 * LANE_PADDING);
	}
}

/** The first pinned lanes, which stay in view while the others scroll under them. Edges in CSS pixels from the chart's top. */
export interface Stuck {
	count: number;
	/** Where the first of them is now. */
	top: number;
	height: number;
}

export const NONE_STUCK: Stuck = { count: 0, top: 0, height: 0 };

/** As many pinned lanes as fit into some room, in CSS pixels: the others must not lose all of theirs. */
export function stuckIn(lanes: readonly Lane[], room: number): Omit<Stuck, 'top'> {
	let [count, height] = [0, 0];
	for (const lane of lanes) {
		if (!lane.isPinned || height + lane.height > room) break;
		count++;
		height += lane.height;
	}
	return { count, height };
}

/** Top edge of each lane, and the height of all. */
export function tops(lanes: readonly Lane[], stuck = NONE_STUCK): { tops: number[]; height: number } {
	let height = 0;
	const all = lanes.map((lane, index) => {
		const top = height + (index < stuck.count ? stuck.top : 0);
		height += lane.height;
		return top;
	});
	return { tops: all, height };
}

/** The lane at a height of the chart: those that stay lie over the others. */
export function laneAt(lanes: readonly Lane[], stuck: Stuck, y: number): Lane | undefined {
	const { tops: all } = tops(lanes, stuck);
	return lanes.find((lane, index) => y >= all[index]! && y < all[index]! + lane.height);
}

/** When an operation's callback was over, in ms. */
export function endOf({ startMs, waitMs, runMs }: TimelineOperations, index: number): number {
	return startMs[index]! + waitMs[index]! + runMs[index]!;
}

/** Puts each operation into the first row that is free when it starts. @param indices by start */
export function stack(indices: readonly number[], operations: TimelineOperations): number[] {
	const ends: number[] = [];
	return indices.map((index) => rowFor(ends, operations.startMs[index]!, endOf(operations, index)));
}

/** The row of each request of a thread; -1 for those of others. */
function rowsOf({ thread, startMs, durationMs }: NonNullable<Timeline['detail']>['requests'], of: number): number[] {
	const ends: number[] = [];
	return Array.from(thread, (each, index) =>
		each === of ? rowFor(ends, startMs[index]!, startMs[index]! + durationMs[index]!) : -1,
	);
}

/** @param ends when what is in each row is over */
function rowFor(ends: number[], start: number, end: number): number {
	let row = ends.findIndex((each) => each <= start + ROUNDING_MS);
	if (row < 0) row = Math.min(ends.length, MOST_ROWS - 1);
	ends[row] = Math.max(ends[row] ?? 0, end);
	return row;
}
