// One line has more operations under way than whatever serves them can process: they only make one another wait.
import type { Line } from '../../protocol/report.ts';
import { counted, formatCount, formatFigure, formatTotal } from '../../protocol/units.ts';
import { basisOf, known, limitsOf, named, type ProcessFacts, percent, type Rule, rangesOf } from './rule.ts';

/** Pool: this many per thread, and at least LEAST_IN_POOL, which nobody starts by hand. */
const PER_THREAD = 16;
const LEAST_IN_POOL = 64;
/** Pool: how long most of them then queue; less does not matter. */
const LEAST_QUEUE_MS = 100;
/** Sockets and look-ups: browsers open 6 to a server, and 256 open files were the limit of a process on many systems. */
const LEAST_IN_KERNEL = 256;
/** Child processes: more than most machines have cores. */
const LEAST_PROCESSES = 64;

/**
 * A loop that is busy for this share of its time has no time left: then starting and completing operations is the
 * limit, not the threads.
 */
const BUSY_LOOP = 0.9;
/** A pool that was surely full for a larger share of the time is a limit too. */
const FULL_POOL = 0.1;

export const unboundedConcurrency: Rule = (process) => {
	const { lines, poolSize } = process;
	return lines.flatMap((line) => {
		const { queue, wait, maxInFlight } = line;
		if (maxInFlight === null || !isTooMuch(line, maxInFlight, poolSize)) return [];
		const isPool = line.class === 'threadpool';
		const isLoopLimit = isPool && isLoopBusier(process);
		const waits = `. One in twenty took ${formatFigure(wait, 'p95Ms')} or longer`;
		const cost = isLoopLimit
			? `${waits}. The event loop was ${percent(process.utilization)} busy: it is the limit, and more threads would not help`
			: isPool
				? ` for ${counted(poolSize, 'thread')}${waits} (${formatTotal(queue)} in the queue in total)`
				: waits;
		return [
			{
				code: 'unbounded-concurrency' as const,
				file: line.file,
				line: line.line,
				op: line.op,
				evidence: {
					maxInFlight,
					count: line.count,
					waitP95Ms: wait!.p95Ms,
					...(isPool ? { poolSize, queueP95Ms: queue!.p95Ms } : {}),
					...(isLoopLimit ? { utilization: process.utilization } : {}),
				},
				ranges: rangesOf({
					waitP95Ms: limitsOf(wait, 'p95Ms'),
					...(isPool ? { queueP95Ms: limitsOf(queue, 'p95Ms') } : {}),
				}),
				basis: basisOf([wait, queue]),
				victim: null,
				cause: null,
				message: `${named(line)} had ${formatCount(maxInFlight)} operations under way at once${cost}.`,
				// Thousands that queue at once add up to minutes that nobody waits.
				lostMs: Math.min(known(queue), line.wallMs),
				savesMs: null,
			},
		];
	});
};

/** Whether the loop had no time left while the pool was not surely full. */
function isLoopBusier({ utilization, pool, recordedMs }: ProcessFacts): boolean {
	return utilization >= BUSY_LOOP && (pool?.saturatedMs ?? 0) < FULL_POOL * recordedMs;
}

function isTooMuch({ class: name, queue, wait, callers }: Line, maxInFlight: number, poolSize: number): boolean {
	if (wait === null) return false;
	switch (name) {
		case 'threadpool':
			return (
				maxInFlight >= Math.max(LEAST_IN_POOL, PER_THREAD * poolSize) &&
				queue !== null &&
				queue.basis !== 'unknown' &&
				queue.p95Ms >= LEAST_QUEUE_MS
			);
		case 'kernel':
			// Requests that come in are not started by the program.
			return maxInFlight >= LEAST_IN_KERNEL && callers.length > 0;
		case 'process':
			return maxInFlight >= LEAST_PROCESSES;
		case 'io_uring':
		case 'timer':
		case 'loop':
		case 'worker':
		case 'other':
			return false;
		default:
			return name satisfies never;
	}
}
