// How long the oldest pending operation of a line, or request of a route, has been under way, up to the latest record of its thread.
import type { Line, Process } from './report.ts';

/** In ms; null where none is pending, or its thread is unknown. */
export function pendingAgeMs(
	{ oldestPending }: Pick<Line, 'oldestPending'>,
	processes: readonly Process[],
): number | null {
	if (oldestPending === null) return null;
	const { pid, threadId, startMs } = oldestPending;
	const process = processes.find((each) => each.pid === pid && each.threadId === threadId);
	return process === undefined ? null : Math.max(0, process.durationMs - startMs);
}
