// For how long at least one job was in some state, for instance in the queue: the union of the jobs' stretches in it.

/** Stretches that a job may still join, at least: jobs end a little out of order, by about as many as there are threads. */
const KEPT = 64;

export class TimeUnion {
	/** The latest stretches, in order and without overlap. */
	private stretches: { from: number; to: number }[] = [];
	/** The length of the earlier stretches, in µs. */
	private before = 0;
	/** The end of the last of these. */
	private countedTo = 0;

	/** In µs; slightly too small where jobs were done far out of order. */
	get us(): number {
		return this.stretches.reduce((sum, { from, to }) => sum + to - from, this.before);
	}

	/** A job was in that state from `begun` to `over`, in µs. */
	add(begun: number, over: number): void {
		let from = Math.max(begun, this.countedTo);
		let to = over;
		if (to <= from) return;
		const { stretches } = this;
		let at = stretches.length;
		const last = stretches[at - 1];
		// Usually it continues the last one.
		if (last !== undefined && from >= last.from && from <= last.to) {
			if (to > last.to) last.to = to;
			return;
		}
		while (at > 0 && stretches[at - 1]!.to >= from) {
			at--;
			if (stretches[at]!.from > to) continue;
			from = Math.min(from, stretches[at]!.from);
			to = Math.max(to, stretches[at]!.to);
			stretches.splice(at, 1);
		}
		if (at === stretches.length) stretches.push({ from, to });
		else stretches.splice(at, 0, { from, to });
		if (stretches.length === 2 * KEPT) this.dropOldest();
	}

	private dropOldest(): void {
		const { stretches } = this;
		for (let i = 0; i < KEPT; i++) this.before += stretches[i]!.to - stretches[i]!.from;
		this.countedTo = stretches[KEPT - 1]!.to;
		this.stretches = stretches.slice(KEPT);
	}
}
