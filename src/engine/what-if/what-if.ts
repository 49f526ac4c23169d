// What a process would have been like under other conditions, in the figures of its lines: how long each operation that used the pool waited, when it
// was recorded and in a replay. (docs/times.md says what the replay assumes.)
import type { Durations, SourceLine } from '../../protocol/report.ts';
import type { Predicted, WhatIfConditions, WhatIfFigures, WhatIfLine, WhatIfProcess } from '../../protocol/what-if.ts';
import type { Resolve } from '../common/place.ts';
import { type Demands, demandsOf } from './demands.ts';
import { NONE, type ProgramLog } from './program-log.ts';
import { type Replayed, replay } from './replay.ts';

/** One operation of a line that used the pool: its jobs, and what it took in µs when it was recorded. */
interface PoolOperation {
	readonly jobs: number[];
	readonly waitUs: number;
	readonly queueUs: number;
}

interface LineOperations {
	readonly at: SourceLine;
	readonly op: string;
	readonly operations: PoolOperation[];
}

export class WhatIf {
	private readonly log: ProgramLog;
	/** Under which conditions it ran. */
	readonly recorded: { threads: number; cores: number };
	private readonly demands: Demands;
	private readonly groups: LineOperations[];
	/** The line of each operation, and its group. */
	private readonly groupOf = new Map<number, LineOperations>();
	/** Under the conditions of the recording. */
	private readonly same: Replayed;
	private readonly beganUs: number;

	/** @param recorded under which conditions the process ran */
	constructor(log: ProgramLog, recorded: { threads: number; cores: number }, resolve: Resolve) {
		this.log = log;
		this.recorded = recorded;
		this.demands = demandsOf(log, recorded.cores);
		this.groups = this.groupsOf(resolve);
		this.same = this.replay(recorded, this.demands.middle);
		const first = log.runs.reduce((least, { begin }) => Math.min(least, begin), Number.POSITIVE_INFINITY);
		this.beganUs = log.operations.reduce((least, { started }) => Math.min(least, started), first);
	}

	/** Whether any line used the pool. */
	get isEmpty(): boolean {
		return this.groups.length === 0;
	}

	/** The lines that used it. */
	get lines(): SourceLine[] {
		return this.groups.map(({ at }) => at);
	}

	predict(conditions: WhatIfConditions): WhatIfProcess {
		const { least, middle, most } = this.demands;
		const factors = this.factorsOf(conditions);
		const scaled = (jobs: Float64Array) => (factors === null ? jobs : jobs.map((us, index) => us * factors[index]!));
		const runs = [middle, least, most].map((jobs) => this.replay(conditions, scaled(jobs)));
		const figures = (operations: readonly PoolOperation[]) => this.figuresOf(operations, runs);
		const lines = this.groups.map(({ at, op, operations }): WhatIfLine => ({ ...at, op, ...figures(operations) }));
		const { recorded, log, beganUs } = this;
		const endUs = log.runs.reduce((latest, { end }) => Math.max(latest, end), beganUs);
		const since = (us: number) => Math.max(0, us - beganUs) / 1000;
		return {
			pid: log.pid,
			recorded,
			conditions,
			lines: lines.sort((a, b) => b.recorded.totalMs - a.recorded.totalMs),
			total: figures(this.groups.flatMap(({ operations }) => operations)),
			endedMs: { recorded: since(endUs), replayed: since(this.same.ended), predicted: since(runs[0]!.ended) },
			left: log.left,
		};
	}

	private replay({ threads, cores }: { threads: number; cores: number }, jobs: Float64Array): Replayed {
		return replay(this.log, { threads, cores, runs: this.demands.runs, jobs });
	}

	/** By what the jobs of lines that are changed are multiplied; null where there are none. */
	private factorsOf({ changed }: WhatIfConditions): Float64Array | null {
		if (changed.length === 0) return null;
		const factors = new Float64Array(this.log.operations.length).fill(1);
		for (const [index, { at }] of this.groupOf) {
			for (const { file, line, percent } of changed) {
				if (at.file === file && at.line === line) factors[index]! *= 1 + percent / 100;
			}
		}
		return factors;
	}

	private groupsOf(resolve: Resolve): LineOperations[] {
		const { operations, lines } = this.log;
		const groups = new Map<string, LineOperations>();
		const byLine = lines.map((stats) => {
			const at = resolve(stats.place);
			if (at === null) return null;
			const key = `${at.line} ${stats.op} ${at.file}`;
			const group = groups.get(key) ?? { at, op: stats.op, operations: [] };
			groups.set(key, group);
			return group;
		});
		const jobsOf = new Map<number, number[]>();
		operations.forEach(({ job }, index) => {
			if (job === null) return;
			const jobs = jobsOf.get(job.logical);
			if (jobs === undefined) jobsOf.set(job.logical, [index]);
			else jobs.push(index);
		});
		for (const jobs of jobsOf.values()) {
			const all = jobs.map((index) => operations[index]!);
			const line = all[0]!.job!.line;
			const group = line === NONE ? null : byLine[line]!;
			// One that was not over is in no figure.
			if (group === null || all.some(({ job }) => job!.times === null)) continue;
			const from = Math.min(...all.map(({ started }) => started));
			const to = Math.max(...all.map(({ job }) => job!.called));
			const queueUs = all.reduce((sum, { started, job }) => {
				const { low, high } = job!.times!.began;
				return sum + Math.max(0, (low + high) / 2 - started);
			}, 0);
			group.operations.push({ jobs, waitUs: Math.max(0, to - from), queueUs });
			for (const index of jobs) this.groupOf.set(index, group);
		}
		return [...groups.values()].filter((group) => group.operations.length > 0);
	}

	private figuresOf(operations: readonly PoolOperation[], runs: readonly Replayed[]): WhatIfFigures {
		const recorded = durationsOf(operations.map(({ waitUs }) => waitUs));
		const replayed = durationsOf(waitsOf(operations, this.same));
		const all = runs.map((run) => durationsOf(waitsOf(operations, run)));
		const predicted = withRange(all, recorded, replayed);
		const queueMs = {
			recorded: operations.reduce((sum, { queueUs }) => sum + queueUs, 0) / 1000,
			predicted: queuedUs(operations, runs[0]!) / 1000,
		};
		return { count: operations.length, recorded, replayed, predicted, queueMs };
	}
}

/** How long each operation waited in a replay, in µs. */
function waitsOf(operations: readonly PoolOperation[], { started, called }: Replayed): number[] {
	return operations.flatMap(({ jobs }) => {
		let from = Number.POSITIVE_INFINITY;
		let to = Number.NEGATIVE_INFINITY;
		for (const job of jobs) {
			from = Math.min(from, started[job]!);
			to = Math.max(to, called[job]!);
		}
		return to >= from ? [to - from] : [];
	});
}

function queuedUs(operations: readonly PoolOperation[], { started, began }: Replayed): number {
	let sum = 0;
	for (const { jobs } of operations) for (const job of jobs) sum += began[job]! - started[job]! || 0;
	return sum;
}

const FIGURES = ['totalMs', 'p50Ms', 'p95Ms', 'maxMs'] as const;

function durationsOf(waitsUs: readonly number[]): Durations {
	const sorted = Float64Array.from(waitsUs).sort();
	const at = (share: number) => (sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? 0) / 1000;
	const totalMs = sorted.reduce((sum, us) => sum + us, 0) / 1000;
	return { totalMs, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}

/** The first with limits: those of all, and what the replay of the recording itself differs from it. */
function withRange(all: readonly Durations[], recorded: Durations, replayed: Durations): Predicted {
	const low = { ...all[0]! };
	const high = { ...all[0]! };
	for (const figure of FIGURES) {
		const values = all.map((each) => each[figure]);
		const off = replayed[figure] > 0 ? recorded[figure] / replayed[figure] : 1;
		low[figure] = Math.min(...values) * Math.min(1, off);
		high[figure] = Math.max(...values) * Math.max(1, off);
	}
	return { ...all[0]!, range: { low, high } };
}
