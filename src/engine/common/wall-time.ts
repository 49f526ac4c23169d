// For how much wall time at least one operation of a line was under way: twenty that wait at once for 50 ms take 50 ms of it, twenty that wait one after
// the other take 1 s. Waits arrive as they end; only the latest gaps between them are kept, so that memory does not grow with operations.

/**
 * The least number of gaps kept: a wait that ends fills all gaps that it spans, and few waits are longer than 16 others
 * with their gaps.
 */
const GAPS_KEPT = 16;

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
	private gapsFrom: Float64Array = NONE;
	private gapsTo: Float64Array = NONE;
	private gaps = 0;

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
			if (from > this.last) this.addGap(this.last, from);
			this.us += to - Math.max(from, this.last);
			this.last = to;
		}
		if (from < this.first) {
			if (to < this.first) this.insertGap(0, to, this.first);
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
		this.gaps = 0;
	}

	/** Operations of which nothing was recorded went on until then. */
	extend(until: number): void {
		if (until <= this.last || this.last === -Infinity) return;
		this.addGap(this.last, until);
		this.last = until;
	}

	/** From the first operation's start to the last wait's end, in µs. */
	get span(): number {
		return Math.max(0, this.last - this.began);
	}

	/** A gap that lies in a wait was none, as far as it does. */
	private fill(from: number, to: number): void {
		for (let i = this.gaps - 1; i >= 0 && this.gapsTo[i]! > from; i--) {
			const [gapFrom, gapTo] = [this.gapsFrom[i]!, this.gapsTo[i]!];
			if (gapFrom >= to) continue;
			this.us += Math.min(gapTo, to) - Math.max(gapFrom, from);
			if (gapFrom < from) {
				this.gapsTo[i] = from;
				if (to < gapTo) this.insertGap(i + 1, to, gapTo);
			} else if (to < gapTo) this.gapsFrom[i] = to;
			else this.removeGap(i);
		}
	}

	private addGap(from: number, to: number): void {
		this.insertGap(this.gaps, from, to);
		const { gaps, gapsFrom, gapsTo } = this;
		if (gaps < 2 * GAPS_KEPT) return;
		// Dropping the shortest ones loses least where a later wait spans them.
		const lengths = new Float64Array(gaps);
		for (let i = 0; i < gaps; i++) lengths[i] = gapsTo[i]! - gapsFrom[i]!;
		const least = smallest(lengths, gaps - 1 - GAPS_KEPT);
		// The latest of them, moved to the end, and from there to the beginning.
		let kept = gaps;
		for (let i = gaps - 1; i >= 0 && gaps - kept < GAPS_KEPT; i--) {
			if (gapsTo[i]! - gapsFrom[i]! < least) continue;
			gapsFrom[--kept] = gapsFrom[i]!;
			gapsTo[kept] = gapsTo[i]!;
		}
		gapsFrom.copyWithin(0, kept, gaps);
		gapsTo.copyWithin(0, kept, gaps);
		this.gaps = gaps - kept;
	}

	private insertGap(at: number, from: number, to: number): void {
		const { gaps } = this;
		if (gaps === this.gapsFrom.length) {
			this.gapsFrom = enlarged(this.gapsFrom);
			this.gapsTo = enlarged(this.gapsTo);
		}
		const { gapsFrom, gapsTo } = this;
		if (at < gaps) {
			gapsFrom.copyWithin(at + 1, at, gaps);
			gapsTo.copyWithin(at + 1, at, gaps);
		}
		gapsFrom[at] = from;
		gapsTo[at] = to;
		this.gaps++;
	}

	private removeGap(at: number): void {
		this.gapsFrom.copyWithin(at, at + 1, this.gaps);
		this.gapsTo.copyWithin(at, at + 1, this.gaps);
		this.gaps--;
	}
}

const NONE = new Float64Array(0);

/** The same with room for more. */
function enlarged(values: Float64Array): Float64Array {
	const larger = new Float64Array(Math.max(2 * GAPS_KEPT, 2 * values.length));
	larger.set(values);
	return larger;
}

/** The value that would be at that place if the values were sorted; changes their order (quickselect, Hoare 1961). */
function smallest(values: Float64Array, place: number): number {
	for (let low = 0, high = values.length - 1; low < high; ) {
		const middle = values[(low + high) >>> 1]!;
		let left = low;
		let right = high;
		while (left <= right) {
			while (values[left]! < middle) left++;
			while (values[right]! > middle) right--;
			if (left > right) break;
			const other = values[left]!;
			values[left++] = values[right]!;
			values[right--] = other;
		}
		if (place <= right) high = right;
		else if (place >= left) low = left;
		else break;
	}
	return values[place]!;
}
