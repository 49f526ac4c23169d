// Says how far reading a recording is, and stops it when nobody waits for it any more. The thread that reads does nothing else until it has read.

/** What takes no longer than `FIRST_MS` is not worth a word; after that a person sees no more than one change in `EACH_MS`. */
const FIRST_MS = 500;
const EACH_MS = 200;

/** Nobody waits for it any more. */
export class ReadingStopped extends Error {}

export class ReadingProgress {
	private readonly tell: (share: number) => void;
	private readonly cancel: Int32Array | undefined;
	private readonly now: () => number;
	private isTold = false;
	/** When to tell the next share; null while nothing is read. */
	private next: number | null = null;

	/**
	 * @param tell takes how much was read, from 0 to 1; 1 when reading has ended, in whatever way
	 * @param cancel shared with another thread, which makes it other than 0 to end the reading
	 * @param now the time, in ms of any clock
	 */
	constructor(tell: (share: number) => void, cancel: Int32Array | undefined, now = () => performance.now()) {
		this.tell = tell;
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
		this.isTold = true;
		this.tell(share);
	}

	end(): void {
		this.next = null;
		if (this.isTold) this.tell(1);
		this.isTold = false;
	}
}
