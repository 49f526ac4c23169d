// Which thread of the pool had which job. Nothing records that: of the threads that were free when a job was taken, any may have had it, so the first is drawn.
import type { TimelineDetail, TimelineThread } from '../../protocol/timeline.ts';

/** Times are known to a part of a µs, in ms. */
const ROUNDING_MS = 0.001;

/** The jobs of a process's pool by its threads. @param size how many there are @returns indices of jobs, by when they were taken */
export function jobsByThread(
	{ jobs }: TimelineDetail,
	threads: readonly TimelineThread[],
	pid: number,
	size: number,
): number[][] {
	const byThread = Array.from({ length: size }, (): number[] => []);
	const free = new Array<number>(size).fill(-Infinity);
	const own = Array.from(jobs.beganMs.keys()).filter((job) => threads[jobs.thread[job]!]!.pid === pid);
	own.sort((a, b) => jobs.beganMs[a]! - jobs.beganMs[b]!);
	for (const job of own) {
		let at = free.findIndex((since) => since <= jobs.beganMs[job]! + ROUNDING_MS);
		// Where times are estimated, more may seem to be at work than there are threads: then the one that is free first.
		if (at < 0) at = free.indexOf(Math.min(...free));
		if (at < 0) continue;
		byThread[at]!.push(job);
		free[at] = Math.max(free[at]!, jobs.doneMs[job]!);
	}
	return byThread;
}
