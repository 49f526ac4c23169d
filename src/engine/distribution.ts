// The distribution of one part of the time: exact for a line's first operations, then in logarithmic buckets, so that
// memory is bounded by lines and not by operations.

/** Up to so many values are kept as they are. */
const EXACT_VALUES = 64;
/** Two neighbouring buckets differ by 2 %, so a percentile is within 1 % of the true one (DDSketch, Masson 2019). */
const GROWTH = 1.02;
const LOG_GROWTH = Math.log(GROWTH);

export class Distribution {
	count = 0;
	total = 0;
	max = 0;
	private values: number[] | null = [];
	private buckets: Map<number, number> | null = null;
	/** The buckets in order, until there is a new one: reports ask for them several times a second. */
	private sorted: Int32Array | null = null;

	/** @param value any unit, finite; below zero counts as zero */
	add(value: number): void {
		const positive = Math.max(0, value);
		this.count++;
		this.total += positive;
		this.max = Math.max(this.max, positive);
		if (this.values !== null) {
			this.values.push(positive);
			if (this.values.length > EXACT_VALUES) this.toBuckets();
		} else {
			this.addBucket(bucketOf(positive), 1);
		}
	}

	addAll(other: Distribution): void {
		if (other.values !== null) {
			for (const value of other.values) this.add(value);
			return;
		}
		this.toBuckets();
		for (const [bucket, count] of other.buckets ?? []) this.addBucket(bucket, count);
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

	/** The same for several shares, the smallest first: the values are put in order but once. */
	percentiles(shares: readonly number[]): number[] {
		const ranks = shares.map((share) => Math.max(1, Math.ceil(share * this.count)));
		if (this.values !== null) {
			const sorted = Float64Array.from(this.values).sort();
			return ranks.map((rank) => sorted[rank - 1] ?? 0);
		}
		const sorted = this.sortedBuckets();
		let at = 0;
		let seen = this.buckets!.get(sorted[0]!)!;
		return ranks.map((rank) => {
			while (seen < rank && at + 1 < sorted.length) seen += this.buckets!.get(sorted[++at]!)!;
			return Math.min(this.max, middleOf(sorted[at]!));
		});
	}

	/** The values, to within 1 %, with how often each came, the smallest first. */
	entries(): [value: number, count: number][] {
		if (this.values !== null) return Array.from(Float64Array.from(this.values).sort(), (value) => [value, 1]);
		return Array.from(this.sortedBuckets(), (bucket) => [
			Math.min(this.max, middleOf(bucket)),
			this.buckets!.get(bucket)!,
		]);
	}

	private sortedBuckets(): Int32Array {
		this.sorted ??= Int32Array.from(this.buckets!.keys()).sort();
		return this.sorted;
	}

	private toBuckets(): void {
		if (this.values === null) return;
		this.buckets = new Map();
		for (const value of this.values) this.addBucket(bucketOf(value), 1);
		this.values = null;
	}

	private addBucket(bucket: number, count: number): void {
		const before = this.buckets!.get(bucket);
		if (before === undefined) this.sorted = null;
		this.buckets!.set(bucket, (before ?? 0) + count);
	}
}

/** Values up to 1 (a µs, the journal's resolution) share the bucket 0. */
function bucketOf(value: number): number {
	return value <= 1 ? 0 : Math.ceil(Math.log(value) / LOG_GROWTH);
}

function middleOf(bucket: number): number {
	return bucket === 0 ? 0 : (2 * GROWTH ** bucket) / (1 + GROWTH);
}
