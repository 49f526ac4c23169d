// The queue of libuv's pool (src/threadpool.c, post and worker): one FIFO, in which all look-ups of names together have one place, the
// sentinel's, and of which at most half of the threads may take.

export class LibuvQueue {
	private readonly slowLimit: number;
	/** Jobs, and `SENTINEL` where look-ups have their turn. */
	private readonly all = new Fifo();
	private readonly slow = new Fifo();
	private hasSentinel = false;
	private slowRunning = 0;

	/** @param threads at least 1 */
	constructor(threads: number) {
		this.slowLimit = Math.floor((threads + 1) / 2);
	}

	/** @param job any number from 0 on */
	push(job: number, isSlow: boolean): void {
		if (!isSlow) {
			this.all.push(job);
			return;
		}
		this.slow.push(job);
		if (!this.hasSentinel) this.pushSentinel();
	}

	/** A look-up is done. */
	endSlow(): void {
		this.slowRunning--;
		if (this.slow.length > 0 && !this.hasSentinel) this.pushSentinel();
	}

	/** The job that an idle thread takes; undefined when there is none for it. */
	take(): number | undefined {
		for (;;) {
			const next = this.all.shift();
			if (next !== SENTINEL) return next;
			this.hasSentinel = false;
			if (this.slow.length === 0) continue;
			if (this.slowRunning >= this.slowLimit) {
				this.pushSentinel();
				// Alone in the queue, it waits for a look-up to end.
				if (this.all.length === 1) return undefined;
				continue;
			}
			this.slowRunning++;
			const job = this.slow.shift();
			if (this.slow.length > 0) this.pushSentinel();
			return job;
		}
	}

	private pushSentinel(): void {
		this.all.push(SENTINEL);
		this.hasSentinel = true;
	}
}

const SENTINEL = -1;
/** Places before the first one are freed once there are this many, and they are half of all. */
const LEAST_GONE = 1024;

/** Numbers, first in, first out. */
export class Fifo {
	private items: number[] = [];
	private head = 0;

	get length(): number {
		return this.items.length - this.head;
	}

	push(item: number): void {
		this.items.push(item);
	}

	shift(): number | undefined {
		const first = this.items[this.head];
		if (first === undefined) return undefined;
		if (++this.head >= LEAST_GONE && this.head * 2 > this.items.length) {
			this.items = this.items.slice(this.head);
			this.head = 0;
		}
		return first;
	}
}
