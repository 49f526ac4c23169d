// Corrects Node's idle time while stacks are sampled. The signal of V8's profiler interrupts the system call in which
// the loop sleeps; libuv repeats the call and counts only the last one as idle. The kernel knows how long the thread
// was busy, so the missing part can be computed: without it the rest of a sleep would pass for code that ran behind an
// `await`, and a long one for a block.

import type { LostCpu } from './lost-cpu.ts';

/**
 * For a shorter stretch between two callbacks the kernel is not asked, which would take 2 µs; what is missing in it is
 * found with the next longer one. In µs.
 */
const LEAST_US = 1000;
/** The loop often wakes this late though nothing blocks it, in µs: such waits end on whole milliseconds. */
const SLACK_US = 5000;

export class LostIdle {
	/** All that was missing, in ms. */
	total = 0;
	private readonly busyUs: () => number;
	private readonly lostCpu: LostCpu;
	/**
	 * When the kernel was last asked, its answer, and how long the loop has slept since then according to Node; in µs.
	 */
	private askedAt: number;
	private busyThen: number;
	private slept = 0;

	/** @param busyUs how long the thread was on a CPU or waiting for one, µs, or -1 @param lostCpu is to look after each run @param now µs since the journal began */
	constructor(busyUs: () => number, lostCpu: LostCpu, now: number) {
		this.busyUs = busyUs;
		this.lostCpu = lostCpu;
		this.askedAt = now;
		this.busyThen = busyUs();
	}

	/**
	 * The time between two callbacks is over.
	 * @param now µs since the journal began
	 * @param grown how long the loop has slept in it according to Node, µs
	 * @param rest the rest of that time, µs
	 * @param blocked for how long the loop, until now, did not turn though it would have been woken: something blocked it, and
	 * the thread slept in that, as it does in `execSync`
	 * @returns how much of that rest the loop has slept as well, µs
	 */
	between(now: number, grown: number, rest: number, blocked = 0): number {
		this.lostCpu.look(now);
		this.slept += grown;
		// A loop that has slept was woken just now, so the kernel's count is up to date.
		if (grown === 0 || rest < LEAST_US) return 0;
		const busy = this.busyUs();
		const missing = now - this.askedAt - (busy - this.busyThen) - this.slept;
		const isKnown = busy >= 0 && this.busyThen >= 0;
		this.askedAt = now;
		this.busyThen = busy;
		this.slept = 0;
		if (!isKnown || missing <= 0) return 0;
		const lost = Math.max(0, Math.min(missing, blocked < SLACK_US ? rest : rest - blocked));
		this.total += lost / 1000;
		return lost;
	}
}
