// The operations of a recording that finished last, one by one: a fixed number, so that memory is bounded however long
// a program runs. Everything older remains only in its line's figures. A saved recording is read journal by journal, so
// the operations read last are not those that finished last: the time decides.
import type { Overview } from '../protocol/overview.ts';
import type { OperationClass, SourceLine } from '../protocol/report.ts';
import type {
	TimelineDensity as Density,
	DensityLane,
	Timeline,
	TimelineBlock,
	TimelineLine,
	TimelineThread,
} from '../protocol/timeline.ts';
import { type Estimate, uncertaintyOf } from './estimate.ts';
import { type LineStats, MEASURED_US } from './line-stats.ts';
import type { LoopBlock } from './loop-block.ts';
import { overviewOf } from './overview.ts';
import type { Resolve } from './place.ts';
import type { ThreadFacts } from './thread-facts.ts';
import { TimelineDensity } from './timeline-density.ts';

/** The most lanes with a density: as many as the panel draws (src/webview/timeline-lanes.ts). */
const DENSITY_LANES = 60;
/** Operations kept: more bars than a screen has columns of pixels. */
const KEPT = 4096;
/**
 * Places for them, at about 80 bytes, 1.3 MB in all: with this many, compacting them when all are taken costs little
 * per operation.
 */
const PLACES = 4 * KEPT;

/** The thread that ran an operation; times in µs since its begin. */
interface Thread {
	readonly facts: ThreadFacts | null;
	/** Its begin, in µs of hrtime without the pauses of a debugger. */
	readonly originUs: number;
	readonly now: number;
	readonly blocks: readonly LoopBlock[];
}

/** A finished operation's times in µs of its thread; a part is null when it is unknown. */
interface Finished {
	started: number;
	ended: number;
	run: number;
	queue: Estimate;
	execute: Estimate;
	lag: Estimate;
	isSplitKnown: boolean;
}

export class TimelineWindow {
	private readonly density = new TimelineDensity<Thread>();
	private readonly threads: Thread[] = [];
	private readonly stats: LineStats[] = [];
	/**
	 * µs, by place; starts and ends are of hrtime without the pauses of a debugger; -1 for a part that does not exist.
	 */
	private readonly columns = {
		start: new Float64Array(PLACES),
		end: new Float64Array(PLACES),
		wait: new Float64Array(PLACES),
		queue: new Float64Array(PLACES),
		execute: new Float64Array(PLACES),
		lag: new Float64Array(PLACES),
		run: new Float64Array(PLACES),
		uncertainty: new Float64Array(PLACES),
	};
	private count = 0;
	/** The number of operations that were dropped ... */
	private earlier = 0;
	/** ... all of which had ended by this time. */
	private knownSince = -Infinity;

	add(thread: Thread, stats: LineStats, finished: Finished): void {
		const start = thread.originUs + finished.started;
		const wait = Math.max(0, finished.ended - finished.started);
		const end = start + wait + finished.run;
		this.density.add(thread, stats, start, end);
		const { parts } = stats;
		if (finished.isSplitKnown && parts === 'all' && finished.queue.value > 0) {
			this.density.addQueued(thread, start, start + finished.queue.value);
		}
		if (end < this.knownSince) {
			this.earlier++;
			return;
		}
		const place = this.count++;
		const { columns } = this;
		this.threads[place] = thread;
		this.stats[place] = stats;
		columns.start[place] = start;
		columns.end[place] = end;
		columns.wait[place] = wait;
		columns.run[place] = finished.run;
		columns.queue[place] = columns.execute[place] = columns.lag[place] = -1;
		columns.uncertainty[place] = 0;
		if (finished.isSplitKnown && parts !== 'none') {
			const { queue, execute, lag } = finished;
			columns.lag[place] = lag.value;
			columns.uncertainty[place] = uncertaintyOf(lag);
			if (parts === 'all') {
				columns.queue[place] = queue.value;
				columns.execute[place] = execute.value;
				columns.uncertainty[place] = Math.max(uncertaintyOf(lag), uncertaintyOf(queue), uncertaintyOf(execute));
			}
		}
		if (this.count === PLACES) this.keepLast();
	}

	/**
	 * The loop was busy for `busyUs` of the time from `from` to `to`.
	 * @param from and `to`, in µs of the thread
	 */
	addBusy(thread: Thread, from: number, to: number, busyUs: number): void {
		const { originUs } = thread;
		this.density.addBusy(thread, originUs + from, originUs + to, busyUs);
	}

	/** All of the session in a few rows. @param models the threads of the session */
	overview(models: readonly Thread[], resolve: Resolve): Overview {
		return overviewOf(this.density, models, resolve);
	}

	/** Drops all but the operations that ended last. */
	private keepLast(): void {
		const surplus = this.count - KEPT;
		if (surplus <= 0) return;
		const { end } = this.columns;
		const taken = end.subarray(0, this.count);
		this.earlier += surplus;
		// One thread's operations usually come in order.
		if (isInOrder(taken)) {
			this.knownSince = end[surplus]!;
			this.dropFirst(surplus);
			return;
		}
		const ends = taken.slice().sort();
		const least = ends[surplus]!;
		// Of several that ended at that moment, the first to come are dropped.
		let going = surplus - ends.indexOf(least);
		let kept = 0;
		for (let place = 0; place < this.count; place++) {
			if (end[place]! < least || (end[place] === least && going-- > 0)) continue;
			this.move(place, kept++);
		}
		this.count = kept;
		this.knownSince = least;
	}

	private dropFirst(going: number): void {
		for (const column of Object.values(this.columns)) column.copyWithin(0, going, this.count);
		this.threads.splice(0, going);
		this.stats.splice(0, going);
		this.count -= going;
	}

	private move(from: number, to: number): void {
		this.threads[to] = this.threads[from]!;
		this.stats[to] = this.stats[from]!;
		for (const column of Object.values(this.columns)) column[to] = column[from]!;
	}

	/** @param models the threads whose operations these are */
	timeline(models: readonly Thread[], resolve: Resolve): Timeline {
		this.keepLast();
		const known = models.filter(({ facts }) => facts !== null);
		const beganUs = known.reduce((least, { originUs }) => Math.min(least, originUs), Infinity);
		const ms = (us: number) => (us - beganUs) / 1000;
		const beganAt = wallClock(known.find(({ originUs }) => originUs === beganUs)?.facts?.wallMs);
		const threads = known.map(({ facts, now, originUs }): TimelineThread => {
			const { pid, threadId } = facts!;
			return { pid, threadId, startMs: ms(originUs), endMs: ms(originUs + now) };
		});
		const threadAt = new Map(known.map((model, index) => [model, index]));
		const lines = new Lines(resolve);
		const operations: Timeline['operations'] = {
			thread: [],
			line: [],
			startMs: [],
			waitMs: [],
			queueMs: [],
			executeMs: [],
			lagMs: [],
			runMs: [],
			uncertaintyMs: [],
		};
		const { end } = this.columns;
		const places = Array.from({ length: this.count }, (_, place) => place).sort((a, b) => end[a]! - end[b]!);
		for (const place of places) {
			const thread = threadAt.get(this.threads[place]!);
			const line = lines.indexOf(this.stats[place]!);
			if (thread === undefined || line < 0) continue;
			operations.thread.push(thread);
			operations.line.push(line);
			operations.startMs.push(ms(this.columns.start[place]!));
			operations.waitMs.push(this.columns.wait[place]! / 1000);
			for (const part of ['queue', 'execute', 'lag'] as const) {
				const us = this.columns[part][place]!;
				operations[`${part}Ms`].push(us < 0 ? -1 : us / 1000);
			}
			operations.runMs.push(this.columns.run[place]! / 1000);
			const uncertainty = this.columns.uncertainty[place]!;
			operations.uncertaintyMs.push(uncertainty <= MEASURED_US ? 0 : uncertainty / 1000);
		}
		const blocks = known.flatMap((model, thread) => blocksOf(model, thread, ms, resolve));
		const density = this.densityOf(threadAt, lines, ms);
		return { beganAt, threads, lines: lines.all, operations, blocks, earlier: this.earlier, density };
	}

	private densityOf(threadAt: ReadonlyMap<Thread, number>, lines: Lines, ms: (us: number) => number): Density {
		const { binUs, beganUs, length } = this.density.bins;
		const sums = new Map<string, { thread: number; line: number; count: number; busyUs: Float64Array }>();
		for (const lane of this.density.lanes) {
			const thread = threadAt.get(lane.thread);
			const line = lines.indexOf(lane.stats);
			if (thread === undefined || line < 0) continue;
			// Several places in the code may be on one line of the source.
			const key = `${thread} ${line}`;
			const sum = sums.get(key) ?? { thread, line, count: 0, busyUs: new Float64Array(length) };
			sums.set(key, sum);
			sum.count += lane.count;
			for (let bin = 0; bin < length; bin++) sum.busyUs[bin]! += lane.busyUs[bin]!;
		}
		const lanes = [...sums.values()].map(({ thread, line, count, busyUs }): DensityLane => {
			const levels = Uint8Array.from(busyUs, (us) =>
				us > 0 ? Math.max(1, Math.min(255, Math.round((255 * us) / binUs))) : 0,
			);
			return { thread, line, count, busyMs: busyUs.reduce((sum, us) => sum + us, 0) / 1000, levels };
		});
		lanes.sort((a, b) => b.busyMs - a.busyMs);
		return { fromMs: length === 0 ? 0 : ms(beganUs), binMs: binUs / 1000, lanes: lanes.slice(0, DENSITY_LANES) };
	}
}

/** JavaScript has no date beyond this, in ms since 1970. */
const LAST_DATE_MS = 8.64e15;

/** What a journal says of the wall clock, where it can be a time. */
function wallClock(ms: number | undefined): number | null {
	return ms !== undefined && ms > 0 && ms <= LAST_DATE_MS ? ms : null;
}

function isInOrder(values: Float64Array): boolean {
	for (let i = 1; i < values.length; i++) if (values[i]! < values[i - 1]!) return false;
	return true;
}

/** The lines of a timeline, each once. */
class Lines {
	readonly all: TimelineLine[] = [];
	private readonly resolve: Resolve;
	private readonly indices = new Map<string, number>();

	constructor(resolve: Resolve) {
		this.resolve = resolve;
	}

	/** -1 for a line that should not be shown. */
	indexOf(stats: { place: LineStats['place']; op: string; class: OperationClass }): number {
		const at = this.resolve(stats.place);
		if (at === null) return -1;
		const key = `${at.line} ${stats.op} ${stats.class} ${at.file}`;
		let index = this.indices.get(key);
		if (index === undefined) {
			index = this.all.push({ file: at.file, line: at.line, op: stats.op, class: stats.class }) - 1;
			this.indices.set(key, index);
		}
		return index;
	}
}

function blocksOf(
	{ blocks, originUs }: Thread,
	thread: number,
	ms: (us: number) => number,
	resolve: Resolve,
): TimelineBlock[] {
	return blocks.map(({ place, start, duration }) => {
		const at: SourceLine | null = place === null ? null : resolve(place);
		return { thread, at, startMs: ms(originUs + start), durationMs: duration / 1000 };
	});
}
