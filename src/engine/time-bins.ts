// Sums over all of a recording's time, however long: bins of equal width, which double whenever the recording outgrows them.

/** Bins per lane: about two per pixel column of a chart of usual width. With 4 bytes each, a lane takes 4 KB. */
const BINS = 1024;
/** The first width, in µs: a recording of a second fits. */
const FIRST_BIN_US = 1024;

/** What is added up over time, one sum per bin. */
export type BinLane = Float32Array;

export class TimeBins {
	/** The width of a bin, in µs. */
	binUs = FIRST_BIN_US;
	/** The first bin begins at this many times `binUs`, in µs of hrtime without the pauses of a debugger. */
	first = 0;
	/** Bins in use. */
	length = 0;
	private readonly lanes: BinLane[] = [];

	/** When the first bin begins, in µs. */
	get beganUs(): number {
		return this.first * this.binUs;
	}

	addLane(): BinLane {
		const lane = new Float32Array(BINS);
		this.lanes.push(lane);
		return lane;
	}

	/**
	 * Adds to a lane what lasted from `start` to `end`, in µs of hrtime without the pauses of a debugger.
	 * @param perUs what a µs of it adds
	 */
	spread(lane: BinLane, start: number, end: number, perUs = 1): void {
		// Nearly all lie within the bins that there are.
		const { beganUs } = this;
		if (start < beganUs || end >= beganUs + this.length * this.binUs) this.cover(start, end);
		const { binUs, first } = this;
		const last = Math.floor(end / binUs) - first;
		let bin = Math.floor(start / binUs) - first;
		if (bin === last) {
			lane[bin]! += (end - start) * perUs;
			return;
		}
		lane[bin]! += ((first + bin + 1) * binUs - start) * perUs;
		while (++bin < last) lane[bin]! += binUs * perUs;
		lane[last]! += (end - (first + last) * binUs) * perUs;
	}

	/** Makes the bins reach from `start` to `end`. Journals of a recording are read one by one, so a time may be earlier than any before. */
	private cover(start: number, end: number): void {
		if (this.length === 0) this.first = Math.floor(start / this.binUs);
		for (;;) {
			const first = Math.min(this.first, Math.floor(start / this.binUs));
			const last = Math.max(this.first + this.length - 1, Math.floor(end / this.binUs));
			if (last - first < BINS) {
				if (first < this.first) this.shift(this.first - first);
				this.first = first;
				this.length = last - first + 1;
				return;
			}
			this.widen();
		}
	}

	private shift(by: number): void {
		for (const lane of this.lanes) {
			lane.copyWithin(by, 0, this.length);
			lane.fill(0, 0, by);
		}
	}

	/** Two bins become one. */
	private widen(): void {
		const { first } = this;
		const widerFirst = Math.floor(first / 2);
		const length = this.length === 0 ? 0 : Math.floor((first + this.length - 1) / 2) - widerFirst + 1;
		for (const lane of this.lanes) {
			for (let wider = 0; wider < length; wider++) {
				const left = 2 * (widerFirst + wider) - first;
				lane[wider] = (left < 0 ? 0 : lane[left]!) + (left + 1 < this.length ? lane[left + 1]! : 0);
			}
			lane.fill(0, length);
		}
		this.binUs *= 2;
		this.first = widerFirst;
		this.length = length;
	}
}
