// For how much wall time at least one operation of a line was under way: twenty that wait at once for 50 ms take 50 ms of it, twenty that wait one after
// the other take 1 s. Waits arrive as they end; only the latest gaps between them are kept, so that memory does not grow with operations.

/**
 * The least number of gaps kept: a wait that ends fills all gaps that it spans, and few waits are longer than 16 others
 * with their gaps.
 */
const GAPS_KEPT = 16;

interface Gap {
	from: number;
	to: number;
}

function lengthOf({ from, to }: Gap): number {
	return to - from;
}

/** Times in µs, of one clock. */
export class WallTime {
	/** µs; at least, where a wait was longer than the kept gaps reach back, or several threads waited. */
	us = 0;
	/** When the first operation was started: a timer is under way from when it is due. Infinity while there was none. */
	private began = Infinity;
	/** When the first wait began and the last one ended; Infinity and -Infinity while there was none. */
	first = Infinity;
	last = -Infinity;
	/** Stretches between `first` and `last` in which nothing was under way, in their order. */
	private gaps: Gap[] = [];

	/** A wait is over. Waits may arrive in any order. @param started when its operation was started */
	add(from: number, to: number, started = from): void {
		if (to < from) return;
		this.began = Math.min(this.began, started);
		if (this.last === -Infinity) {
			this.first = from;
			this.last = to;
			this.us = to - from;
			return;
		}
		if (to > this.last) {
			if (from > this.last) this.addGap({ from: this.last, to: from });
			this.us += to - Math.max(from, this.last);
			this.last = to;
		}
		if (from < this.first) {
			if (to < this.first) this.gaps.unshift({ from: to, to: this.first });
			this.us += Math.min(to, this.first) - from;
			this.first = from;
		}
		this.fill(from, to);
	}

	/**
	 * Adds the waits of another thread. Only their first begin and last end are known: of two threads that overlap, the
	 * longer wait counts.
	 * @param offset from its clock to this one's, in µs
	 */
	addAll(other: WallTime, offset = 0): void {
		if (other.last === -Infinity) return;
		const [first, last] = [other.first + offset, other.last + offset];
		this.us = first >= this.last || last <= this.first ? this.us + other.us : Math.max(this.us, other.us);
		this.began = Math.min(this.began, other.began + offset);
		this.first = Math.min(this.first, first);
		this.last = Math.max(this.last, last);
		this.gaps = [];
	}

	/** From the first operation's start to the last wait's end, in µs. */
	get span(): number {
		return Math.max(0, this.last - this.began);
	}

	/** A gap that lies in a wait was none, as far as it does. */
	private fill(from: number, to: number): void {
		const { gaps } = this;
		for (let i = gaps.length - 1; i >= 0 && gaps[i]!.to > from; i--) {
			const gap = gaps[i]!;
			if (gap.from >= to) continue;
			this.us += Math.min(gap.to, to) - Math.max(gap.from, from);
			const left = [
				{ from: gap.from, to: from },
				{ from: to, to: gap.to },
			].filter((part) => part.from < part.to);
			gaps.splice(i, 1, ...left);
		}
	}

	private addGap(gap: Gap): void {
		this.gaps.push(gap);
		if (this.gaps.length < 2 * GAPS_KEPT) return;
		// Dropping the shortest ones loses least where a later wait spans them.
		const { gaps } = this;
		const lengths = new Float64Array(gaps.length);
		for (let i = 0; i < gaps.length; i++) lengths[i] = lengthOf(gaps[i]!);
		const least = lengths.sort()[gaps.length - 1 - GAPS_KEPT]!;
		// The latest of them, moved to the end, and from there to the beginning.
		let kept = gaps.length;
		for (let i = gaps.length - 1; i >= 0 && gaps.length - kept < GAPS_KEPT; i--) {
			if (lengthOf(gaps[i]!) >= least) gaps[--kept] = gaps[i]!;
		}
		gaps.copyWithin(0, kept);
		gaps.length -= kept;
	}
}
