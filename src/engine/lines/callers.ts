// The lines whose callbacks started a line's operations.

/** The program's main script, which is not a callback. */
export const MAIN = 'main';

/**
 * The most starters distinguished per line: a helper that the whole program calls has more, and the first ones
 * represent it.
 */
const KEPT = 32;

export class Callers<Line extends object> {
	private readonly counts = new Map<Line | typeof MAIN, { count: number }>();
	/** The last one, which is usually the next one too. */
	private last: Line | typeof MAIN | null = null;
	private lastCount = { count: 0 };

	/** `count` operations of the line were started from there. */
	add(starter: Line | typeof MAIN, count = 1): void {
		if (this.last === starter) {
			this.lastCount.count += count;
			return;
		}
		let entry = this.counts.get(starter);
		if (entry === undefined) {
			if (this.counts.size === KEPT) return;
			entry = { count: 0 };
			this.counts.set(starter, entry);
		}
		entry.count += count;
		this.last = starter;
		this.lastCount = entry;
	}

	*[Symbol.iterator](): Generator<[starter: Line | typeof MAIN, count: number]> {
		for (const [starter, { count }] of this.counts) yield [starter, count];
	}
}
