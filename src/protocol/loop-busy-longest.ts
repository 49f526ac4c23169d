// The loop that was busy for the longest time. A Worker that lived for a moment, or whose end was not recorded, may have been busy for all that is known of it.
import type { Loop, Report } from './report.ts';

/** How long a loop was surely busy, in ms; 0 where its thread is not known. */
function busyMs({ pid, threadId, utilization }: Loop, processes: Report['processes']): number {
	const thread = processes.find((each) => each.pid === pid && each.threadId === threadId);
	return utilization * (thread?.durationMs ?? 0);
}

/** @returns undefined where there is no loop */
export function loopBusyLongest(loops: readonly Loop[], processes: Report['processes']): Loop | undefined {
	return [...loops].sort((a, b) => busyMs(b, processes) - busyMs(a, processes))[0];
}
