// What Node's idle time lacks while stacks are sampled. The signal of V8's profiler ends the system call in which the loop sleeps, libuv calls that
// again and counts only the last one. The kernel knows how long the thread was busy, so what is missing can be told: without it the rest of a sleep
// would pass for code that ran behind an `await`, and a long one for a block.

/** A shorter stretch between two callbacks needs no question to the kernel, which takes 2 µs; what it lacks is found with the next longer one. In µs. */
const LEAST_US = 1000;

export class LostIdle {
	/** All that was missing, in ms. */
	total = 0;
	private readonly busyUs: () => number;
	/** When the kernel was last asked, what it said, and how long the loop has slept since by Node's word; in µs. */
	private askedAt: number;
	private busyThen: number;
	private slept = 0;

	/** @param busyUs how long the thread was on a CPU or waiting for one, µs, or -1 @param now µs since the journal began */
	constructor(busyUs: () => number, now: number) {
		this.busyUs = busyUs;
		this.askedAt = now;
		this.busyThen = busyUs();
	}

	/**
	 * The time between two callbacks is over.
	 * @param now µs since the journal began
	 * @param grown how long the loop has slept in it by Node's word, µs
	 * @param rest what else there was of it, µs
	 * @returns how much of that rest it has slept too, µs
	 */
	between(now: number, grown: number, rest: number): number {
		this.slept += grown;
		// A loop that has slept was woken just now, by which the kernel's count is as of now.
		if (grown === 0 || rest < LEAST_US) return 0;
		const busy = this.busyUs();
		const missing = now - this.askedAt - (busy - this.busyThen) - this.slept;
		const isKnown = busy >= 0 && this.busyThen >= 0;
		this.askedAt = now;
		this.busyThen = busy;
		this.slept = 0;
		if (!isKnown || missing <= 0) return 0;
		const lost = Math.min(missing, rest);
		this.total += lost / 1000;
		return lost;
	}
}
