// From which lines' callbacks a line's operations were started.
import type { LineStats } from './line-stats.ts';

/** The program's main script, which is nobody's callback. */
export const MAIN = 'main';
export type Starter = LineStats | typeof MAIN;

/** Starters told apart per line: a helper that the whole program calls has more, and its first ones stand for it. */
const KEPT = 32;

export class Callers {
	private readonly counts = new Map<Starter, { count: number }>();
	/** The last one, which is the next one too as a rule. */
	private last: Starter | null = null;
	private lastCount = { count: 0 };

	/** So many operations of the line were started from there. */
	add(starter: Starter, count = 1): void {
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

	*[Symbol.iterator](): Generator<[starter: Starter, count: number]> {
		for (const [starter, { count }] of this.counts) yield [starter, count];
	}
}
