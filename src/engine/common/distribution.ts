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
	/** How many values lie in each bucket from the `first` on: to add one is one step, and to add up two distributions one walk. */
	private counts: Float64Array = NONE;
	private first = 0;

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

	/** Forgets the values, but not how much room they took. */
	clear(): void {
		this.count = this.total = this.max = 0;
		this.values = [];
		this.counts.fill(0);
	}

	/** A copy with the same values. */
	copy(): Distribution {
		const other = new Distribution();
		other.addAll(this);
		return other;
	}

	addAll(other: Distribution): void {
		if (other.count === 0) return;
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
		const { counts, first } = this;
		let at = 0;
		let seen = counts[0]!;
		return ranks.map((rank) => {
			while (seen < rank && at + 1 < counts.length) seen += counts[++at]!;
			return Math.min(this.max, middleOf(first + at));
		});
	}

	/** Calls `add` with each value, to within 1 %, and how often it came, the smallest first. */
	each(add: (value: number, count: number) => void): void {
		if (this.values !== null) {
			for (const value of Float64Array.from(this.values).sort()) add(value, 1);
			return;
		}
		const { counts, first, max } = this;
		for (let at = 0; at < counts.length; at++) {
			if (counts[at]! > 0) add(Math.min(max, middleOf(first + at)), counts[at]!);
		}
	}

	private toBuckets(): void {
		if (this.values === null) return;
		for (const value of this.values) this.addBucket(bucketOf(value), 1);
		this.values = null;
	}

	private addBuckets({ counts: more, first }: Distribution): void {
		if (this.counts.length === 0) {
			this.counts = more.slice();
			this.first = first;
			return;
		}
		this.reach(first, first + more.length - 1);
		const { counts } = this;
		const from = first - this.first;
		for (let at = 0; at < more.length; at++) counts[from + at]! += more[at]!;
	}

	private addBucket(bucket: number, count: number): void {
		const at = bucket - this.first;
		if (at < 0 || at >= this.counts.length) this.reach(bucket, bucket);
		this.counts[bucket - this.first]! += count;
	}

	/** Makes room for all buckets from the `low` to the `high` one. */
	private reach(low: number, high: number): void {
		const { counts, first } = this;
		const isEmpty = counts.length === 0;
		const from = floorTo(isEmpty ? low : Math.min(low, first));
		const to = floorTo(isEmpty ? high : Math.max(high, first + counts.length - 1)) + STEP;
		if (!isEmpty && from === first && to === first + counts.length) return;
		this.counts = new Float64Array(to - from);
		this.counts.set(counts, isEmpty ? 0 : first - from);
		this.first = from;
	}
}

/** Room is made for this many buckets at a time. */
const STEP = 8;
const NONE = new Float64Array(0);

function floorTo(bucket: number): number {
	return Math.floor(bucket / STEP) * STEP;
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
