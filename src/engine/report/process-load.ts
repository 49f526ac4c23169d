// How busy a process' loops were, as a share of its own time: a Worker that lived for a moment, or that was terminated while it waited, was busy for all that is
// known of it, and yet left its process most of the time.
import { most, sum } from '../common/sums.ts';
import type { ThreadModel } from '../threads/thread-model.ts';

/** Times in µs. */
type LoopLoad = Pick<ThreadModel, 'lengthUs' | 'idleUs'> & { blocks: readonly { duration: number }[] };

export interface ProcessLoad {
	durationMs: number;
	/** For which share of that its busiest loop was busy, 0 to 1. */
	utilization: number;
	/** The same of the time outside the loop's blocks: of the loop that was busiest between its blocks, 0 to 1. */
	busyBetweenBlocks: number;
}

/** @param threads of one process */
export function loadOf(threads: readonly LoopLoad[]): ProcessLoad {
	const longestUs = most(threads, ({ lengthUs }) => lengthUs);
	return {
		durationMs: longestUs / 1000,
		utilization: most(threads, (thread) => shareOf(busyUs(thread), longestUs)),
		busyBetweenBlocks: most(threads, (thread) => {
			const blocked = sum(thread.blocks, ({ duration }) => duration);
			return blocked >= longestUs ? 1 : shareOf(busyUs(thread) - blocked, longestUs - blocked);
		}),
	};
}

function busyUs({ lengthUs, idleUs }: LoopLoad): number {
	return lengthUs - idleUs;
}

function shareOf(us: number, all: number): number {
	return all <= 0 ? 0 : Math.min(1, Math.max(0, us / all));
}
