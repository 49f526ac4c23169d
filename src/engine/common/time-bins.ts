// Sums over all of a recording's time, however long: bins of equal width, which double whenever the recording outgrows them. What covers whole bins is noted
// at its ends only, so that an operation costs the same however long it lasts, and coarser sums are made when they are asked for.

/** Bins, over all lanes, in which sums are kept: 24 bytes each, so that all of it takes at most 32 MiB. */
export const MOST_CELLS = 1_400_000;
/** The most bins of one lane: a second each in a session of four hours, and eight per pixel column of a wide chart. */
export const MOST_BINS = 16_384;
/** What a lane begins with: a short session, or a short-lived thread, takes little memory. */
const FIRST_BINS = 256;
/** The first width, in µs. */
const FIRST_BIN_US = 1024;

/** What is added up over time. */
export interface BinLane {
	/** What lasted for a part of the bin, in µs. */
	part: Float32Array;
	/** By how much more lasts from here on than in the bin before. */
	step: Float64Array;
	/** What ended in the bin, and the longest of it, in µs. */
	count: Uint32Array;
	longest: Float32Array;
	/** Of the bins in use, what `step` adds up to; null when something was added since. */
	levels: Float64Array | null;
}

/** A line's sums over time. */
export interface LineSums {
	/** Identifies its owner: a line remembers its lane, because looking the lane up took as long as adding to it. */
	readonly owner: object;
	/** Finished operations, and how long they were under way, added up, in µs. */
	count: number;
	wholeUs: number;
	/** How long operations were under way, how many ended, and the longest. */
	readonly bins: BinLane;
}

/** Bins of a stretch of time, each as wide as several of those that are kept. */
export interface BinRange {
	/** The first bin that is kept, counted from the first of all, and how many there are per bin; a power of two. */
	readonly first: number;
	readonly per: number;
	readonly length: number;
	/** When the first begins, in µs, and how wide each is. */
	readonly beganUs: number;
	readonly binUs: number;
}

export class TimeBins {
	/** The width of a bin, in µs. */
	binUs = FIRST_BIN_US;
	/** The first bin begins at this many times `binUs`, in µs of hrtime without the pauses of a debugger. */
	first = 0;
	/** Bins in use. */
	length = 0;
	/** Bins for which there is memory in each lane. */
	private size = FIRST_BINS;
	private readonly lanes: BinLane[] = [];
	/** The bin in which something ended last, and its limits, in µs: most of what comes next is in it, too. */
	private latest = 0;
	private latestFrom = Infinity;
	private latestTo = -Infinity;

	/** When the first bin begins, in µs. */
	get beganUs(): number {
		return this.first * this.binUs;
	}

	/** Bins that each lane may have. */
	private get most(): number {
		let most = MOST_BINS;
		while (most > FIRST_BINS && most * this.lanes.length > MOST_CELLS) most /= 2;
		return most;
	}

	addLane(): BinLane {
		const lane = sized(null, this.size);
		this.lanes.push(lane);
		if (this.size <= this.most) return lane;
		this.latestFrom = Infinity;
		while (this.length > this.most) this.widen();
		this.resize(this.most);
		return lane;
	}

	/** Adds to a lane what lasted from `start` to `end`, in µs of hrtime without the pauses of a debugger, and counts it as ended then. */
	end(lane: BinLane, start: number, end: number): void {
		let last = this.latest;
		if (start >= this.latestFrom && end < this.latestTo) lane.part[last]! += end - start;
		else {
			last = this.spread(lane, start, end);
			this.latest = last;
			this.latestFrom = (this.first + last) * this.binUs;
			this.latestTo = this.latestFrom + this.binUs;
		}
		lane.count[last]!++;
		if (end - start > lane.longest[last]!) lane.longest[last] = end - start;
	}

	/**
	 * Adds to a lane what lasted from `start` to `end`, in µs of hrtime without the pauses of a debugger.
	 * @param perUs what a µs of it adds
	 * @returns the bin of its end
	 */
	spread(lane: BinLane, start: number, end: number, perUs = 1): number {
		this.reach(start, end);
		const { binUs, first } = this;
		const last = Math.floor(end / binUs) - first;
		const bin = Math.floor(start / binUs) - first;
		if (bin === last) {
			lane.part[bin]! += (end - start) * perUs;
			return last;
		}
		lane.part[bin]! += ((first + bin + 1) * binUs - start) * perUs;
		lane.part[last]! += (end - (first + last) * binUs) * perUs;
		if (last - bin < 2) return last;
		lane.step[bin + 1]! += perUs;
		lane.step[last]! -= perUs;
		lane.levels = null;
		return last;
	}

	/**
	 * At most `most` bins that cover what there is of the time from `from` to `to`, in µs. As time goes by, their limits stay the same.
	 */
	range(from: number, to: number, most: number): BinRange {
		const begin = Math.max(0, Math.floor(from / this.binUs) - this.first);
		const end = Math.min(this.length, Math.floor(to / this.binUs) - this.first + 1);
		for (let per = 1; ; per *= 2) {
			const start = Math.floor((this.first + begin) / per) * per - this.first;
			const length = Math.max(0, Math.ceil((end - start) / per));
			if (end > begin && length > most) continue;
			const beganUs = (this.first + start) * this.binUs;
			return { first: start, per, length: end > begin ? length : 0, beganUs, binUs: per * this.binUs };
		}
	}

	/** For how long each bin's things lasted, added up, in µs. */
	sums(lane: BinLane, { first, per, length }: BinRange): Float64Array {
		const { binUs } = this;
		const levels = this.levelsOf(lane);
		const sums = new Float64Array(length);
		for (let i = 0; i < length; i++) {
			const from = Math.max(0, first + i * per);
			const to = Math.min(this.length, first + (i + 1) * per);
			let sum = 0;
			for (let bin = from; bin < to; bin++) sum += lane.part[bin]! + levels[bin]! * binUs;
			// What was added and taken away again leaves roundings.
			sums[i] = sum > 1e-6 * binUs ? sum : 0;
		}
		return sums;
	}

	/** How many things ended in each bin, and the longest of them, in µs. */
	ends(lane: BinLane, { first, per, length }: BinRange): { count: Uint32Array; longest: Float32Array } {
		const count = new Uint32Array(length);
		const longest = new Float32Array(length);
		for (let i = 0; i < length; i++) {
			const from = Math.max(0, first + i * per);
			const to = Math.min(this.length, first + (i + 1) * per);
			for (let bin = from; bin < to; bin++) {
				count[i]! += lane.count[bin]!;
				if (lane.longest[bin]! > longest[i]!) longest[i] = lane.longest[bin]!;
			}
		}
		return { count, longest };
	}

	private levelsOf(lane: BinLane): Float64Array {
		if (lane.levels !== null && lane.levels.length === this.length) return lane.levels;
		const levels = new Float64Array(this.length);
		let level = 0;
		for (let bin = 0; bin < this.length; bin++) {
			level += lane.step[bin]!;
			levels[bin] = level;
		}
		lane.levels = levels;
		return levels;
	}

	/** Makes the bins reach from `start` to `end`; nearly all times lie within those that there are. */
	private reach(start: number, end: number): void {
		const { beganUs } = this;
		if (start < beganUs || end >= beganUs + this.length * this.binUs) this.cover(start, end);
	}

	/** Journals of a recording are read one by one, so a time may be earlier than any before. */
	private cover(start: number, end: number): void {
		this.latestFrom = Infinity;
		if (this.length === 0) this.first = Math.floor(start / this.binUs);
		for (;;) {
			const first = Math.min(this.first, Math.floor(start / this.binUs));
			const last = Math.max(this.first + this.length - 1, Math.floor(end / this.binUs));
			const length = last - first + 1;
			if (length <= this.most) {
				if (length > this.size) this.resize(Math.min(this.most, 2 ** Math.ceil(Math.log2(length))));
				if (first < this.first) this.shift(this.first - first);
				this.first = first;
				this.length = length;
				return;
			}
			this.widen();
		}
	}

	private resize(size: number): void {
		this.size = size;
		for (const lane of this.lanes) Object.assign(lane, sized(lane, size));
	}

	private shift(by: number): void {
		for (const lane of this.lanes) {
			for (const values of [lane.part, lane.step, lane.count, lane.longest]) {
				values.copyWithin(by, 0, this.length);
				values.fill(0, 0, by);
			}
			lane.levels = null;
		}
	}

	/** Two bins become one. */
	private widen(): void {
		const { first, length: before } = this;
		const widerFirst = Math.floor(first / 2);
		const length = before === 0 ? 0 : Math.floor((first + before - 1) / 2) - widerFirst + 1;
		const range: BinRange = { first: 2 * widerFirst - first, per: 2, length, beganUs: 0, binUs: 0 };
		for (const lane of this.lanes) {
			const sums = this.sums(lane, range);
			const { count, longest } = this.ends(lane, range);
			for (const values of [lane.part, lane.step, lane.count, lane.longest]) values.fill(0);
			lane.part.set(sums);
			lane.count.set(count);
			lane.longest.set(longest);
			lane.levels = null;
		}
		this.binUs *= 2;
		this.first = widerFirst;
		this.length = length;
	}
}

/** A lane with room for `bins` bins, and the contents of as many of another lane's. */
function sized(lane: BinLane | null, size: number): BinLane {
	const take = <T extends Float32Array | Float64Array | Uint32Array>(values: T, old: T | undefined): T => {
		if (old !== undefined) values.set(old.subarray(0, size));
		return values;
	};
	return {
		part: take(new Float32Array(size), lane?.part),
		step: take(new Float64Array(size), lane?.step),
		count: take(new Uint32Array(size), lane?.count),
		longest: take(new Float32Array(size), lane?.longest),
		levels: null,
	};
}
