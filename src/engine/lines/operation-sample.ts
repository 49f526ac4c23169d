// A few finished operations of one line, in full detail: enough to show one whose wait was near the median.

/** One finished operation; times in µs, -1 for a part that its class does not have or that is unknown. */
export interface FinishedOperation {
	/** Since the journal began. */
	started: number;
	wait: number;
	queue: number;
	execute: number;
	lag: number;
	run: number;
	/** The largest distance of a part from the true value; Infinity when the parts are unknown. */
	uncertainty: number;
}

/** Operations kept per line: the nearest of 32 is within a few percent of the median's rank. */
const KEPT = 32;

/**
 * Each operation has the same chance of being kept, however many come (Li's algorithm L, 1994). The random numbers are
 * the same in every run: the same journal gives the same sample.
 */
export class OperationSample {
	private readonly kept: FinishedOperation[] = [];
	private seen = 0;
	/** The number of the next operation that is kept. */
	private next = 1;
	private weight = 1;
	private state = 0x9e3779b9;

	/** Whether the operation that has just finished should be kept: then call `keep`. */
	wants(): boolean {
		return ++this.seen === this.next;
	}

	keep(operation: FinishedOperation): void {
		if (this.kept.length < KEPT) {
			this.kept.push(operation);
			this.next++;
			if (this.kept.length < KEPT) return;
		} else {
			this.kept[Math.floor(this.chance() * KEPT)] = operation;
			this.next++;
		}
		this.weight *= this.chance() ** (1 / KEPT);
		this.next += Math.floor(Math.log(this.chance()) / Math.log(1 - this.weight));
	}

	/** The kept operation whose wait is nearest to `wait`; null when none has finished. */
	nearest(wait: number): FinishedOperation | null {
		let best: FinishedOperation | null = null;
		for (const operation of this.kept) {
			if (best === null || Math.abs(operation.wait - wait) < Math.abs(best.wait - wait)) best = operation;
		}
		return best;
	}

	/** A random number above 0 and below 1 (xorshift32, Marsaglia 2003). */
	private chance(): number {
		this.state ^= this.state << 13;
		this.state ^= this.state >>> 17;
		this.state ^= this.state << 5;
		return ((this.state >>> 0) + 0.5) / 2 ** 32;
	}
}
