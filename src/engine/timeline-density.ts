// How busy each line was over all of the recording, however long: bins of equal width, which double whenever the recording
// outgrows them. What TimelineWindow no longer has one by one is still to be seen here.
import type { LineStats } from './line-stats.ts';

/** Bins per lane: about two per pixel column of a chart of usual width. With 4 bytes each, a lane takes 4 KB. */
const BINS = 1024;
/** The first width, in µs: a recording of a second fits. */
const FIRST_BIN_US = 1024;
/** Lines of threads for which bins are kept, 4 MB in all: more than a person looks at. Others have none. */
const MOST_LANES = 1000;

/** The operations of one line in one thread. */
export interface DensityLane<Thread> {
	readonly thread: Thread;
	readonly stats: LineStats;
	/** Finished operations. */
	count: number;
	/** Of each bin: how long operations were under way in it, added up, in µs. */
	readonly busyUs: Float32Array;
}

export class TimelineDensity<Thread> {
	/** The width of a bin, in µs. */
	binUs = FIRST_BIN_US;
	/** The first bin begins at this many times `binUs`, in µs of hrtime without the pauses of a debugger. */
	first = 0;
	/** Bins in use. */
	length = 0;
	private readonly byStats = new Map<LineStats, DensityLane<Thread>>();

	get lanes(): IterableIterator<DensityLane<Thread>> {
		return this.byStats.values();
	}

	/** When the first bin begins, in µs. */
	get beganUs(): number {
		return this.first * this.binUs;
	}

	/** Adds a finished operation of that line. @param start and `end`, in µs of hrtime without the pauses of a debugger */
	add(thread: Thread, stats: LineStats, start: number, end: number): void {
		const lane = this.byStats.get(stats) ?? this.addLane(thread, stats);
		if (lane === null) return;
		// Nearly all lie within the bins that there are.
		const { beganUs } = this;
		if (start < beganUs || end >= beganUs + this.length * this.binUs) this.cover(start, end);
		const { binUs, first } = this;
		const { busyUs } = lane;
		lane.count++;
		const last = Math.floor(end / binUs) - first;
		let bin = Math.floor(start / binUs) - first;
		if (bin === last) {
			busyUs[bin]! += end - start;
			return;
		}
		busyUs[bin]! += (first + bin + 1) * binUs - start;
		while (++bin < last) busyUs[bin]! += binUs;
		busyUs[last]! += end - (first + last) * binUs;
	}

	private addLane(thread: Thread, stats: LineStats): DensityLane<Thread> | null {
		if (this.byStats.size >= MOST_LANES) return null;
		const lane = { thread, stats, count: 0, busyUs: new Float32Array(BINS) };
		this.byStats.set(stats, lane);
		return lane;
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
		for (const { busyUs } of this.byStats.values()) {
			busyUs.copyWithin(by, 0, this.length);
			busyUs.fill(0, 0, by);
		}
	}

	/** Two bins become one. */
	private widen(): void {
		const { first } = this;
		const widerFirst = Math.floor(first / 2);
		const length = this.length === 0 ? 0 : Math.floor((first + this.length - 1) / 2) - widerFirst + 1;
		for (const { busyUs } of this.byStats.values()) {
			for (let wider = 0; wider < length; wider++) {
				const left = 2 * (widerFirst + wider) - first;
				busyUs[wider] = (left < 0 ? 0 : busyUs[left]!) + (left + 1 < this.length ? busyUs[left + 1]! : 0);
			}
			busyUs.fill(0, length);
		}
		this.binUs *= 2;
		this.first = widerFirst;
		this.length = length;
	}
}
