// What the running callback has started while it is unknown whose callback it is: a connection's callback is assigned
// to a request when it is over.
import type { LineStats } from '../lines/line-stats.ts';

export class UnclaimedStarts {
	private readonly counts = new Map<LineStats, number>();

	/** An operation of that line was started. */
	add(stats: LineStats): void {
		this.counts.set(stats, (this.counts.get(stats) ?? 0) + 1);
	}

	/** All of them were started from that line's callback. */
	claim(starter: LineStats): void {
		for (const [stats, count] of this.counts) stats.addCaller(starter, count);
		this.clear();
	}

	clear(): void {
		// To clear even an empty map makes a new table.
		if (this.counts.size > 0) this.counts.clear();
	}
}
