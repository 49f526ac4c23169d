// The last finished operations of a recording, one by one: a ring of fixed size, so that memory is bounded however long a
// program runs. Everything older lives on in its line's figures only.
import type { OperationClass, SourceLine } from '../protocol/report.ts';
import type { Timeline, TimelineBlock, TimelineLine, TimelineThread } from '../protocol/timeline.ts';
import type { ThreadFacts } from './journal-reader.ts';
import { type LineStats, MEASURED_US } from './line-stats.ts';
import type { Estimate } from './pool-replay.ts';
import type { Resolve } from './recording-model.ts';
import type { ThreadModel } from './thread-model.ts';

/** Operations kept, at about 80 bytes each: more bars than a screen has columns of pixels. */
const KEPT = 4096;

type Part = 'queue' | 'execute' | 'lag';

/** A finished operation's times in µs of its thread; parts are null when they cannot be told. */
interface Finished {
	started: number;
	ended: number;
	run: number;
	queue: Estimate;
	execute: Estimate;
	lag: Estimate;
	isSplitKnown: boolean;
}

const COLUMNS = ['start', 'wait', 'queue', 'execute', 'lag', 'run', 'uncertainty'] as const;

export class TimelineWindow {
	private readonly threads: ThreadFacts[] = [];
	private readonly stats: LineStats[] = [];
	/** µs, by slot; starts are of hrtime, -1 is a part that there is not. */
	private readonly columns = Object.fromEntries(COLUMNS.map((name) => [name, new Float64Array(KEPT)])) as Record<
		(typeof COLUMNS)[number],
		Float64Array
	>;
	private count = 0;

	/** @param parts those that have a meaning for the operation's class */
	add(thread: ThreadFacts, stats: LineStats, parts: readonly Part[], finished: Finished): void {
		const slot = this.count++ % KEPT;
		const { columns } = this;
		this.threads[slot] = thread;
		this.stats[slot] = stats;
		columns.start[slot] = thread.beganUs + finished.started;
		columns.wait[slot] = Math.max(0, finished.ended - finished.started);
		columns.run[slot] = finished.run;
		columns.queue[slot] = columns.execute[slot] = columns.lag[slot] = -1;
		let uncertainty = 0;
		if (finished.isSplitKnown) {
			for (const part of parts) {
				const { low, value, high } = finished[part];
				columns[part][slot] = value;
				uncertainty = Math.max(uncertainty, value - low, high - value);
			}
		}
		columns.uncertainty[slot] = uncertainty;
	}

	/** @param models whose operations these are */
	timeline(models: readonly ThreadModel[], resolve: Resolve): Timeline {
		const told = models.filter(({ facts }) => facts !== null);
		const beganUs = Math.min(...told.map(({ facts }) => facts!.beganUs));
		const ms = (hrtimeUs: number) => (hrtimeUs - beganUs) / 1000;
		const threads = told.map(({ facts, now }): TimelineThread => {
			const { pid, threadId } = facts!;
			return { pid, threadId, startMs: ms(facts!.beganUs), endMs: ms(facts!.beganUs + now) };
		});
		const threadAt = new Map(told.map(({ facts }, index) => [facts!, index]));
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
		for (let number = Math.max(0, this.count - KEPT); number < this.count; number++) {
			const slot = number % KEPT;
			const thread = threadAt.get(this.threads[slot]!);
			const line = lines.indexOf(this.stats[slot]!);
			if (thread === undefined || line < 0) continue;
			operations.thread.push(thread);
			operations.line.push(line);
			operations.startMs.push(ms(this.columns.start[slot]!));
			operations.waitMs.push(this.columns.wait[slot]! / 1000);
			for (const part of ['queue', 'execute', 'lag'] as const) {
				const us = this.columns[part][slot]!;
				operations[`${part}Ms`].push(us < 0 ? -1 : us / 1000);
			}
			operations.runMs.push(this.columns.run[slot]! / 1000);
			const uncertainty = this.columns.uncertainty[slot]!;
			operations.uncertaintyMs.push(uncertainty <= MEASURED_US ? 0 : uncertainty / 1000);
		}
		const blocks = told.flatMap((model, thread) => blocksOf(model, thread, ms, resolve));
		return { threads, lines: lines.all, operations, blocks, earlier: Math.max(0, this.count - KEPT) };
	}
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
	{ blocks, facts }: ThreadModel,
	thread: number,
	ms: (hrtimeUs: number) => number,
	resolve: Resolve,
): TimelineBlock[] {
	return blocks.map(({ place, start, duration }) => {
		const at: SourceLine | null = place === null ? null : resolve(place);
		return { thread, at, startMs: ms(facts!.beganUs + start), durationMs: duration / 1000 };
	});
}
