// From which lines' callbacks a line's operations were started.

/** The program's main script, which is nobody's callback. */
export const MAIN = 'main';

/** Starters told apart per line: a helper that the whole program calls has more, and its first ones stand for it. */
const KEPT = 32;

export class Callers<Line extends object> {
	private readonly counts = new Map<Line | typeof MAIN, { count: number }>();
	/** The last one, which is the next one too as a rule. */
	private last: Line | typeof MAIN | null = null;
	private lastCount = { count: 0 };

	/** So many operations of the line were started from there. */
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
