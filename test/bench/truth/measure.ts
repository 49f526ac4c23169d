// Runs one load under the tracer and the probes at once, and puts each job of the pool as Waitline reports it beside
// what really happened.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PoolJob } from '../../../src/engine/pool/thread-jobs.ts';
import { SessionModel } from '../../../src/engine/session-model.ts';
import { ThreadModel } from '../../../src/engine/threads/thread-model.ts';
import { JOURNAL_SUFFIX, LEASE_FILE } from '../../../src/protocol/journal.ts';
import { root } from '../../support/paths.ts';
import { execute } from '../../support/process.ts';
import { sum } from '../../support/report.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { type Span, united } from './cpu-waits.ts';
import { type PoolTruth, poolTruth, probePool, type TrueJob } from './pool-truth.ts';

export interface Load {
	/** Of loads.cjs. */
	name: string;
	poolSize?: number;
	/** Share of its jobs whose interval may be wider than the busy stretch that caused it; 0 where nothing else makes one wide. */
	tooWide?: number;
}

export const loads: Load[] = [
	{ name: 'five-derivations', poolSize: 1 },
	{ name: 'five-derivations', poolSize: 2 },
	{ name: 'five-derivations', poolSize: 4 },
	{ name: 'reads-and-derivations' },
	{ name: 'stat-and-staggered-derivations' },
	{ name: 'lookups-and-reads' },
	{ name: 'steady-with-short-spins' },
	{ name: 'long-spins' },
	{ name: 'sockets-with-spins' },
	{ name: 'compressing', poolSize: 2 },
	{ name: 'compressing' },
	// A loop that has no CPU reports ends with a delay: what other loops had in the queue meanwhile may have been taken at
	// any time.
	{ name: 'three-threads', poolSize: 2, tooWide: 0.1 },
];

export function titleOf({ name, poolSize }: Load): string {
	return poolSize === undefined ? name : `${name}, pool of ${poolSize}`;
}

export interface Run {
	/** In the order of their submits; times of both sides are CLOCK_MONOTONIC, µs. */
	pairs: { reported: PoolJob; truth: TrueJob }[];
	/** Jobs of either side that have no partner on the other. */
	unmatched: number;
	/** When some loop did not sleep. */
	busy: Span[];
	delays: PoolTruth['delays'];
	noCpu: PoolTruth['noCpu'];
}

/** What `npm run build` made. */
const TRACER = join(root, 'dist', 'tracer.cjs');

/** A Node of our own: probes strike whoever runs the same file, and others may. */
export class Bench {
	private readonly folder = scratchFolder('truth');
	private readonly node = join(this.folder, 'node');
	private runs = 0;

	constructor(node: string) {
		cpSync(node, this.node);
	}

	/** @param plantedPoolSize what the replay is made to believe, to see that the truth shows the error */
	async run(load: Load, plantedPoolSize?: number): Promise<Run> {
		const folder = join(this.folder, `journals ${++this.runs}`);
		mkdirSync(folder);
		writeFileSync(join(folder, LEASE_FILE), '');
		const env: Record<string, string> = {
			NODE_OPTIONS: `--require ${JSON.stringify(TRACER)}`,
			WAITLINE_FOLDER: folder,
		};
		if (load.poolSize !== undefined) env.UV_THREADPOOL_SIZE = String(load.poolSize);
		const probes = probePool(this.node);
		try {
			const program = join(import.meta.dirname, 'loads.cjs');
			const { code, stderr } = await execute(this.node, [program, load.name], { env });
			if (code !== 0 || stderr.length > 0) throw new Error(`${load.name} ended with ${code}: ${stderr}`);
			const threads = readJournals(folder, plantedPoolSize);
			const called = (jobs: PoolJob[]) => jobs.map((job) => job.called).sort((a, b) => a - b);
			const truth = poolTruth(
				probes.read(),
				threads.map(({ tid, jobs }) => ({ tid, called: called(jobs) })),
			);
			const paired = threads.map(({ tid, jobs }) =>
				pair(
					jobs,
					truth.jobs.filter(({ submitter }) => submitter === tid),
				),
			);
			return {
				pairs: paired.flatMap(({ pairs }) => pairs).sort((a, b) => a.truth.submitted - b.truth.submitted),
				unmatched: sum(paired.map(({ unmatched }) => unmatched)),
				busy: united(threads.flatMap(({ busy }) => busy)),
				delays: truth.delays,
				noCpu: truth.noCpu,
			};
		} finally {
			probes.close();
		}
	}
}

/** The records of one thread. */
interface ThreadJobs {
	tid: number;
	jobs: PoolJob[];
	busy: Span[];
}

/** A model that keeps what the comparison needs, and can be led to believe in another pool. */
class WatchedModel extends ThreadModel {
	readonly completed: PoolJob[] = [];
	/** When the loop slept, in the journal's time. */
	readonly sleeps: Span[] = [];
	private readonly plantedPoolSize: number | undefined;

	constructor(plantedPoolSize: number | undefined) {
		super();
		this.plantedPoolSize = plantedPoolSize;
		this.jobs.watch = (job) => this.completed.push(job);
	}

	override pool(effective: number, wanted: number): void {
		super.pool(this.plantedPoolSize ?? effective, wanted);
	}

	override begin(op: number, time: number, flags: number, idle: number, cpuWait: number): void {
		if (idle > cpuWait) this.sleeps.push({ from: time - idle, to: time - cpuWait });
		super.begin(op, time, flags, idle, cpuWait);
	}
}

function readJournals(folder: string, plantedPoolSize: number | undefined): ThreadJobs[] {
	const names = readdirSync(folder).filter((name) => name.endsWith(JOURNAL_SUFFIX));
	const recording = new SessionModel();
	const models = names.map((name) => {
		const model = new WatchedModel(plantedPoolSize);
		recording.add(name, model);
		return model;
	});
	for (const name of names) recording.push(name, readFileSync(join(folder, name)));
	for (const name of names) recording.finish(name, true);
	const { lost, dropped } = recording.report(() => null).accounting;
	if (lost + dropped > 0) throw new Error('a journal is not whole');
	return models.map(reportedBy);
}

function reportedBy({ facts, sleeps, now, completed }: WatchedModel): ThreadJobs {
	const { beganUs, tid } = facts!;
	const busy: Span[] = [];
	let from = 0;
	for (const sleep of [...sleeps, { from: now, to: now }]) {
		busy.push({ from: from + beganUs, to: sleep.from + beganUs });
		from = sleep.to;
	}
	return { tid, busy, jobs: completed.map((job) => shifted(job, beganUs)).sort(inOrder) };
}

/** Of their starts. Ids of two of a kind that started in one µs go away from 0. */
function inOrder(a: PoolJob, b: PoolJob): number {
	return a.started - b.started || Math.abs(a.id) - Math.abs(b.id);
}

function shifted({ id, started, began, done, called }: PoolJob, by: number): PoolJob {
	return {
		id,
		started: started + by,
		began: began && { low: began.low + by, high: began.high + by },
		done: { low: done.low + by, high: done.high + by },
		called: called + by,
	};
}

/** An earlier reading may be reported one µs later: both sides round. */
const ROUNDING_US = 2;

/**
 * An operation's `init` is followed by its submit before any other `init` comes, so the n-th job reported is the n-th
 * submitted; where that does not hold, one of them has no partner.
 */
function pair(jobs: PoolJob[], truths: TrueJob[]): Pick<Run, 'pairs' | 'unmatched'> {
	const pairs: Run['pairs'] = [];
	let at = 0;
	for (const [i, reported] of jobs.entries()) {
		const next = jobs[i + 1]?.started ?? Number.POSITIVE_INFINITY;
		while (at < truths.length && truths[at]!.submitted < reported.started - ROUNDING_US) at++;
		const truth = truths[at];
		if (truth === undefined || truth.submitted > next + ROUNDING_US) continue;
		pairs.push({ reported, truth });
		at++;
	}
	return { pairs, unmatched: jobs.length + truths.length - 2 * pairs.length };
}
