// How busy a loop was, piece by piece as its callbacks come: short pieces are put together, so that a million callbacks a minute cost no more than a few
// thousand slices.

/** No shorter than the narrowest bin of the overview, in µs (time-bins.ts). */
const SLICE_US = 1024;

export class BusySlices {
	private from = 0;
	private to = 0;
	private busyUs = 0;
	private readonly emit: (from: number, to: number, busyUs: number) => void;

	/** @param emit takes a slice: its limits, and for how much of it the loop was busy, in µs */
	constructor(emit: (from: number, to: number, busyUs: number) => void) {
		this.emit = emit;
	}

	/** The loop was busy for `busyUs` of the time from the last piece's end to `to`, in µs. */
	add(to: number, busyUs: number): void {
		// A long piece is a slice of its own: a block and the rest before it do not become one.
		if (to - this.to >= SLICE_US) this.flush();
		this.to = Math.max(this.to, to);
		this.busyUs += Math.max(0, busyUs);
		if (this.to - this.from >= SLICE_US) this.flush();
	}

	/** What happened up to `to`, in µs, is unknown. */
	skip(to: number): void {
		this.flush();
		this.from = this.to = Math.max(this.to, to);
	}

	private flush(): void {
		if (this.busyUs > 0) this.emit(this.from, this.to, this.busyUs);
		this.from = this.to;
		this.busyUs = 0;
	}
}
