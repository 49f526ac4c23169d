// Reports how much of a recording has been read, and stops the reading when nobody waits for it any more: the thread that reads does nothing else until it is done.

/** What takes no longer than `FIRST_MS` is not reported; after that, at most one change in `EACH_MS` is. In ms. */
const FIRST_MS = 500;
const EACH_MS = 200;

/** Nobody waits for it any more. */
export class ReadingStopped extends Error {}

export class ReadingProgress {
	private readonly report: (share: number) => void;
	private readonly cancel: Int32Array | undefined;
	private readonly now: () => number;
	private hasReported = false;
	/** When to report the next share; null while nothing is read. */
	private next: number | null = null;

	/**
	 * @param report takes how much was read, from 0 to 1; 1 when reading has ended, in whatever way
	 * @param cancel shared with another thread, which makes it other than 0 to end the reading
	 * @param now the time, in ms of any clock
	 */
	constructor(report: (share: number) => void, cancel: Int32Array | undefined, now = () => performance.now()) {
		this.report = report;
		this.cancel = cancel;
		this.now = now;
	}

	/** @param share of what is to be read, from 0 to 1 @throws ReadingStopped */
	at(share: number): void {
		if (this.cancel !== undefined && Atomics.exchange(this.cancel, 0, 0) !== 0) throw new ReadingStopped();
		const now = this.now();
		this.next ??= now + FIRST_MS;
		if (now < this.next) return;
		this.next = now + EACH_MS;
		this.hasReported = true;
		this.report(share);
	}

	end(): void {
		this.next = null;
		if (this.hasReported) this.report(1);
		this.hasReported = false;
	}
}
