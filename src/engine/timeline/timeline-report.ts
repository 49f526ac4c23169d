// Makes the timeline of a stretch from the sums over all of the time, and from what was read of it one by one.
import { AGENT_SOCKET, CONNECTION_QUEUE, EARLIER_COMMAND, POOL_CONNECTION } from '../../protocol/connection-wait.ts';
import type { OperationClass } from '../../protocol/report.ts';
import type {
	DensityLane,
	Flight,
	FlightKind,
	Timeline,
	TimelineBlock,
	TimelineDensity,
	TimelineLine,
	TimelineQuery,
	TimelineThread,
} from '../../protocol/timeline.ts';
import type { Place, Resolve } from '../common/place.ts';
import type { BinRange } from '../common/time-bins.ts';
import { columnsOf } from './timeline-columns.ts';
import type { SummedLine, TimelineSums } from './timeline-density.ts';
import type { StretchDetail } from './timeline-detail.ts';
import { gapsOf } from './timeline-gaps.ts';
import type { TimelineSource } from './timeline-summary.ts';

/** The most lanes with a density: as many lines as the panel draws (src/webview/timeline/timeline-lanes.ts). */
const MOST_LANES = 60;
/** More bins than a chart has columns of pixels show nothing more. */
const MOST_BINS = 1024;
/** Blocks of one thread that are sent: the longest of the stretch. */
const MOST_BLOCKS = 200;

/** What is done over a connection that is open. */
const ON_CONNECTION = new Set(['net.Socket.write', POOL_CONNECTION, CONNECTION_QUEUE, AGENT_SOCKET, EARLIER_COMMAND]);

/**
 * @param models the threads of the session
 * @param detail what happened in the stretch one by one; null where that is too much
 */
export function timelineOf(
	sums: TimelineSums<TimelineSource>,
	models: readonly TimelineSource[],
	query: TimelineQuery,
	detail: StretchDetail | null,
	resolve: Resolve,
): Timeline {
	const known = models.filter(({ facts }) => facts !== null);
	const clock = clockOf(known);
	const { ms, us } = clock;
	const threads = known.map(({ facts, now, originUs }): TimelineThread => {
		const { pid, threadId } = facts!;
		return { pid, threadId, startMs: ms(originUs), endMs: ms(originUs + now) };
	});
	const { endMs } = clock;
	const fromMs = Math.max(0, Math.min(query.fromMs, endMs));
	const toMs = Math.max(fromMs, Math.min(query.toMs, endMs));
	const range = sums.bins.range(us(fromMs), us(toMs), Math.min(MOST_BINS, Math.max(1, Math.floor(query.bins))));
	const lines = new LineIndices(resolve);
	const threadAt = new Map(known.map((model, index) => [model, index]));
	const density = densityOf(sums, range, threadAt, lines, ms);
	return {
		fromMs,
		toMs,
		endMs,
		threads,
		density,
		detail: detail === null ? null : columnsOf(detail, threadIndex(threads, known), lines, ms),
		blocks: known.flatMap((model, thread) => blocksOf(model, thread, fromMs, toMs, ms, resolve)),
		gaps: known.flatMap((model, thread) => gapsOf(model, thread, ms)),
		lines: lines.all,
	};
}

/** The clock of a recording: its begin and its end. */
export function clockOf(known: readonly TimelineSource[]): {
	endMs: number;
	/** @param us µs of hrtime without the pauses of a debugger */
	ms(us: number): number;
	us(ms: number): number;
} {
	const beganUs = known.reduce((least, { originUs }) => Math.min(least, originUs), Infinity);
	const ms = (us: number) => (us - beganUs) / 1000;
	const endMs = known.reduce((latest, { originUs, now }) => Math.max(latest, ms(originUs + now)), 0);
	return { endMs, ms, us: (time) => beganUs + time * 1000 };
}

/** Which thread a model of its own stands for, by what its journal says of it. */
function threadIndex(
	threads: readonly TimelineThread[],
	known: readonly TimelineSource[],
): (thread: Pick<TimelineSource, 'facts'>) => number {
	const keyOf = ({ facts }: Pick<TimelineSource, 'facts'>) => `${facts?.pid} ${facts?.threadId} ${facts?.beganUs}`;
	const indices = new Map(threads.map((_, index) => [keyOf(known[index]!), index]));
	return (thread) => indices.get(keyOf(thread)) ?? -1;
}

function densityOf(
	sums: TimelineSums<TimelineSource>,
	range: BinRange,
	threadAt: ReadonlyMap<TimelineSource, number>,
	lines: LineIndices,
	ms: (us: number) => number,
): TimelineDensity {
	const { bins } = sums;
	const { binUs, beganUs, length } = range;
	const lanes = new Map<string, { lane: Omit<DensityLane, 'levels'>; busyUs: Float64Array }>();
	const flights = new Map<string, { flight: Flight; busyUs: Float64Array }>();
	for (const { thread: model, stats, bins: lane, wholeUs } of sums.lanes) {
		const thread = threadAt.get(model);
		const line = lines.indexOf(stats.place, stats.op, stats.class);
		if (thread === undefined || line < 0) continue;
		const busyUs = bins.sums(lane, range);
		const { count, longest } = bins.ends(lane, range);
		const longestMs = longest.reduce((most, us) => Math.max(most, us), 0) / 1000;
		// Several places in the code may be on one line of the source.
		const sum = entry(lanes, `${thread} ${line}`, () => ({
			lane: { thread, line, count: 0, busyMs: 0, longestMs: 0, wholeMs: 0 },
			busyUs: new Float64Array(length),
		}));
		add(sum.busyUs, busyUs);
		sum.lane.count += total(count);
		sum.lane.busyMs += total(busyUs) / 1000;
		sum.lane.wholeMs += wholeUs / 1000;
		sum.lane.longestMs = Math.max(sum.lane.longestMs, longestMs);
		const kind = flightKind(stats);
		if (kind === null) continue;
		const { flight, busyUs: flown } = entry(flights, `${thread} ${kind}`, () => ({
			flight: { thread, kind, counts: new Float32Array(length), longestMs: 0, worst: -1 },
			busyUs: new Float64Array(length),
		}));
		add(flown, busyUs);
		if (longestMs > flight.longestMs) Object.assign(flight, { longestMs, worst: line });
	}
	const loops: TimelineDensity['loops'] = [];
	const queues = new Map<number, { thread: number; jobs: Float32Array }>();
	for (const { thread: model, busy, queued, requests } of sums.threads) {
		const thread = threadAt.get(model);
		if (thread === undefined) continue;
		const toByte = (us: number) => Math.min(255, Math.round((255 * us) / binUs));
		loops.push({ thread, busy: Uint8Array.from(bins.sums(busy, range), toByte) });
		if (requests !== null) {
			const busyUs = bins.sums(requests, range);
			const longestMs = bins.ends(requests, range).longest.reduce((most, us) => Math.max(most, us), 0) / 1000;
			const flight: Flight = { thread, kind: 'request', counts: new Float32Array(), longestMs, worst: -1 };
			flights.set(`${thread} request`, { flight, busyUs });
		}
		if (queued === null) continue;
		const queue = entry(queues, model.facts!.pid, () => ({ thread, jobs: new Float32Array(length) }));
		queue.thread = Math.min(queue.thread, thread);
		bins.sums(queued, range).forEach((us, bin) => {
			queue.jobs[bin]! += us / binUs;
		});
	}
	const busiest = [...lanes.values()].sort((a, b) => b.lane.wholeMs - a.lane.wholeMs).slice(0, MOST_LANES);
	return {
		fromMs: length === 0 ? 0 : ms(beganUs),
		binMs: binUs / 1000,
		length,
		lanes: busiest.map(({ lane, busyUs }) => ({
			...lane,
			levels: Uint8Array.from(busyUs, (us) => levelOf(us, binUs)),
		})),
		loops,
		flights: [...flights.values()].map(({ flight, busyUs }) => ({
			...flight,
			counts: Float32Array.from(busyUs, (us) => us / binUs),
		})),
		queues: [...queues.values()],
	};
}

function levelOf(us: number, binUs: number): number {
	return us > 0 ? Math.max(1, Math.min(255, Math.round((255 * us) / binUs))) : 0;
}

/** Which lane of its thread an operation belongs to, beside its line's; null for none. */
function flightKind({ op, class: kind }: SummedLine): FlightKind | null {
	if (op.startsWith('dns.')) return 'dns';
	if (ON_CONNECTION.has(op)) return 'connection';
	if (kind === 'threadpool') return 'pool';
	if (kind === 'timer') return 'timer';
	return kind === 'kernel' || kind === 'io_uring' ? 'kernel' : null;
}

/** The longest of those that lie in the stretch. */
function blocksOf(
	{ blocks, originUs }: TimelineSource,
	thread: number,
	fromMs: number,
	toMs: number,
	ms: (us: number) => number,
	resolve: Resolve,
): TimelineBlock[] {
	const within = blocks.filter(({ start, end }) => ms(originUs + start) <= toMs && ms(originUs + end) >= fromMs);
	if (within.length > MOST_BLOCKS) within.sort((a, b) => b.duration - a.duration);
	return within.slice(0, MOST_BLOCKS).map(({ place, start, duration }) => {
		const at = place === null ? null : resolve(place);
		return { thread, at, startMs: ms(originUs + start), durationMs: duration / 1000 };
	});
}

/** The lines of a timeline, each once. */
export class LineIndices {
	readonly all: TimelineLine[] = [];
	private readonly resolve: Resolve;
	private readonly indices = new Map<string, number>();

	constructor(resolve: Resolve) {
		this.resolve = resolve;
	}

	/** -1 for a line that should not be shown. */
	indexOf(place: Place, op: string, kind: OperationClass): number {
		const at = this.resolve(place);
		if (at === null) return -1;
		const key = `${at.line} ${op} ${kind} ${at.file}`;
		let index = this.indices.get(key);
		if (index === undefined) {
			index = this.all.push({ file: at.file, line: at.line, op, function: '', class: kind }) - 1;
			this.indices.set(key, index);
		}
		this.all[index]!.function ||= place.function ?? '';
		return index;
	}
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
	let value = map.get(key);
	if (value === undefined) {
		value = make();
		map.set(key, value);
	}
	return value;
}

function add(to: Float64Array, values: Float64Array): void {
	for (let i = 0; i < values.length; i++) to[i]! += values[i]!;
}

function total(values: Float64Array | Uint32Array): number {
	let sum = 0;
	for (const value of values) sum += value;
	return sum;
}
