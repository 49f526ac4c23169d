// The distribution of one part of the time: exact for a line's first operations, then in logarithmic buckets, so that
// memory is bounded by lines and not by operations.

/** Up to this many values are kept as they are. */
const EXACT_VALUES = 64;
/** Two neighbouring buckets differ by 2 %, so a percentile is within 1 % of the true one (DDSketch, Masson 2019). */
const GROWTH = 1.02;
const LOG_GROWTH = Math.log(GROWTH);

export class Distribution {
	count = 0;
	total = 0;
	max = 0;
	private values: number[] | null = [];
	/**
	 * The buckets that are not empty, the lowest first, and the number of values in each: reports read them several
	 * times a second.
	 */
	private readonly buckets: number[] = [];
	private readonly counts: number[] = [];
	/** Where the last value went: the next one is often as long. */
	private last = 0;

	/**
	 * @param value any unit, finite; below zero counts as zero
	 * @param times how often it came
	 */
	add(value: number, times = 1): void {
		const positive = value > 0 ? value : 0;
		this.count += times;
		this.total += positive * times;
		if (positive > this.max) this.max = positive;
		if (this.values !== null && this.values.length + times <= EXACT_VALUES) {
			for (let i = 0; i < times; i++) this.values.push(positive);
		} else {
			this.toBuckets();
			this.addBucket(bucketOf(positive), times);
		}
	}

	/** A copy with the same values. */
	copy(): Distribution {
		const other = new Distribution();
		other.addAll(this);
		return other;
	}

	addAll(other: Distribution): void {
		if (other.values !== null) {
			for (const value of other.values) this.add(value);
			return;
		}
		this.toBuckets();
		this.addBuckets(other);
		this.count += other.count;
		this.total += other.total;
		this.max = Math.max(this.max, other.max);
	}

	/**
	 * The smallest value that at least that share of all values does not exceed; 0 when there is none.
	 * @param share 0 to 1
	 */
	percentile(share: number): number {
		return this.percentiles([share])[0]!;
	}

	/** The same for several shares, the smallest first: the values are sorted only once. */
	percentiles(shares: readonly number[]): number[] {
		const ranks = shares.map((share) => Math.max(1, Math.ceil(share * this.count)));
		if (this.values !== null) {
			const sorted = Float64Array.from(this.values).sort();
			return ranks.map((rank) => sorted[rank - 1] ?? 0);
		}
		const { buckets, counts } = this;
		let at = 0;
		let seen = counts[0]!;
		return ranks.map((rank) => {
			while (seen < rank && at + 1 < counts.length) seen += counts[++at]!;
			return Math.min(this.max, middleOf(buckets[at]!));
		});
	}

	/** Calls `add` with each value, to within 1 %, and how often it came, the smallest first. */
	each(add: (value: number, count: number) => void): void {
		if (this.values !== null) {
			for (const value of Float64Array.from(this.values).sort()) add(value, 1);
			return;
		}
		const { buckets, counts, max } = this;
		for (let place = 0; place < buckets.length; place++) {
			add(Math.min(max, middleOf(buckets[place]!)), counts[place]!);
		}
	}

	private toBuckets(): void {
		if (this.values === null) return;
		for (const value of this.values) this.addBucket(bucketOf(value), 1);
		this.values = null;
	}

	/** Both are in order, so that one walk through them is enough: a report adds up the lines of all threads. */
	private addBuckets(other: Distribution): void {
		const { buckets, counts } = this;
		let place = 0;
		for (let i = 0; i < other.buckets.length; i++) {
			const bucket = other.buckets[i]!;
			while (place < buckets.length && buckets[place]! < bucket) place++;
			if (buckets[place] === bucket) {
				counts[place]! += other.counts[i]!;
			} else {
				buckets.splice(place, 0, bucket);
				counts.splice(place, 0, other.counts[i]!);
			}
		}
	}

	private addBucket(bucket: number, count: number): void {
		const { buckets, counts } = this;
		if (buckets[this.last] === bucket) {
			counts[this.last]! += count;
			return;
		}
		let place = 0;
		for (let end = buckets.length; place < end; ) {
			const middle = (place + end) >>> 1;
			if (buckets[middle]! < bucket) place = middle + 1;
			else end = middle;
		}
		this.last = place;
		if (buckets[place] === bucket) {
			counts[place]! += count;
		} else {
			buckets.splice(place, 0, bucket);
			counts.splice(place, 0, count);
		}
	}
}

/**
 * The buckets of whole values below its length, as most are: computing a logarithm is a third of the cost of adding a
 * value.
 */
const WHOLE_BUCKETS = Uint16Array.from({ length: 1 << 14 }, (_, value) => computeBucket(value));

function bucketOf(value: number): number {
	const whole = value | 0;
	return whole === value && whole < WHOLE_BUCKETS.length ? WHOLE_BUCKETS[whole]! : computeBucket(value);
}

/** Values up to 1 (a µs, the journal's resolution) share the bucket 0. */
function computeBucket(value: number): number {
	return value <= 1 ? 0 : Math.ceil(Math.log(value) / LOG_GROWTH);
}

function middleOf(bucket: number): number {
	return bucket === 0 ? 0 : (2 * GROWTH ** bucket) / (1 + GROWTH);
}
