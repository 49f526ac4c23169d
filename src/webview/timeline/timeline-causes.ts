// Why an operation waited and what belongs to it, as far as what was read one by one shows it: the callback that started it and what its own started, the jobs
// that had the pool's threads before it, and the callbacks for which the loop was late.
import type { TimelineDetail, TimelineThread } from '../../protocol/timeline.ts';
import type { Target } from './timeline-brush.ts';

/** A shorter callback delays nothing that a person sees, in ms. */
const LEAST_RUN_MS = 0.05;
/** Of a time in a column of 24 bits, in ms. */
const ROUNDING_MS = 0.002;

export interface Causes {
	/** The callback that started it, and the operation whose that was; -1 where they are not known. */
	starter: number;
	parent: number;
	/** Operations that its callback started. */
	children: number[];
	/** Jobs that were on the pool's threads, or before it in the queue, while it queued. */
	before: number[];
	/** The earlier command over the same connection for whose answer it waited; -1 for none. */
	behind: number;
	/** Callbacks that ran while it was done already. */
	delaying: number[];
	/** The other operations of its request. */
	siblings: number[];
}

/** @param operation its index in `detail` */
export function causesOf(detail: TimelineDetail, threads: readonly TimelineThread[], operation: number): Causes {
	const { operations, runs } = detail;
	const starter = operations.starter[operation]!;
	const own = operations.run[operation]!;
	const request = operations.request[operation]!;
	const all = Array.from(operations.run.keys());
	return {
		starter,
		parent: starter < 0 ? -1 : all.findIndex((index) => operations.run[index] === starter),
		children: own < 0 ? [] : all.filter((index) => operations.starter[index] === own && index !== operation),
		before: jobsBefore(detail, threads, operation),
		behind: operations.behind[operation]!,
		delaying: Array.from(runs.startMs.keys()).filter((run) => run !== own && delays(detail, run, operation)),
		siblings: request < 0 ? [] : all.filter((index) => operations.request[index] === request && index !== operation),
	};
}

/** Jobs of the process that a thread took before it took this operation's, and that were not done when this was submitted. */
function jobsBefore({ jobs }: TimelineDetail, threads: readonly TimelineThread[], operation: number): number[] {
	const all = Array.from(jobs.startMs.keys());
	const own = all.filter(
		(job) => jobs.operation[job] === operation && jobs.beganMs[job]! - jobs.startMs[job]! > ROUNDING_MS,
	);
	const pid = (job: number) => threads[jobs.thread[job]!]!.pid;
	return all.filter(
		(job) =>
			jobs.operation[job] !== operation &&
			own.some(
				(each) =>
					pid(job) === pid(each) &&
					jobs.beganMs[job]! < jobs.beganMs[each]! &&
					jobs.doneMs[job]! > jobs.startMs[each]! + ROUNDING_MS,
			),
	);
}

/** Whether a callback of the same loop ran in the time for which the operation waited for it. */
function delays({ operations, runs }: TimelineDetail, run: number, operation: number): boolean {
	const lag = operations.lagMs[operation]!;
	if (lag <= ROUNDING_MS || runs.thread[run] !== operations.thread[operation]) return false;
	const called = operations.calledMs[operation]!;
	const from = Math.max(runs.startMs[run]!, called - lag);
	const to = Math.min(runs.startMs[run]! + runs.durationMs[run]!, called);
	return to - from >= LEAST_RUN_MS;
}

/** What stays as it is while the rest is drawn faintly: a test of what belongs to the selected one. */
export function isRelated(
	{ jobs, operations: all }: TimelineDetail,
	selected: number,
	causes: Causes,
): (target: Target) => boolean {
	const operations = new Set([selected, causes.parent, causes.behind, ...causes.children, ...causes.siblings]);
	const runs = new Set([causes.starter, all.run[selected], ...causes.delaying]);
	const request = all.request[selected]!;
	const before = new Set(causes.before);
	for (const job of before) operations.add(jobs.operation[job]!);
	return ({ kind, index }) => {
		if (kind === 'operation') return operations.has(index);
		if (kind === 'run') return runs.has(index);
		if (kind === 'job') return before.has(index) || jobs.operation[index] === selected;
		return kind !== 'request' || (request >= 0 && index === request);
	};
}
