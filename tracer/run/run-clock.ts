// The run of the top-level callback: when it began and ended, how long its drain took, and what the loop and the
// scheduler did between two runs.

import { BEGIN_FLAG } from '../../src/protocol/journal-records.ts';
import { performance } from '../process/node-functions.ts';
import { CpuWait } from './cpu-wait.ts';

/**
 * A shorter wait for a CPU does not change the basis of any figure, and a shorter time between two callbacks cannot
 * contain a longer wait.
 */
const CPU_WAIT_US = 200;
/** After a callback this long it is worth 1 µs to ask Node whether the loop has polled since. */
const LONG_RUN_US = 1000;

// Taken now: the program may replace it later.
const { nodeTiming } = performance as unknown as { nodeTiming: NodeTiming };

interface NodeTiming {
	/** ms. */
	readonly idleTime: number;
	/** From Node 22.8. */
	readonly uvMetricsInfo?: { loopCount: number };
}

/** Corrects Node's idle time while stacks are sampled (tracer/stacks/lost-idle.ts). */
interface IdleCorrection {
	/** All that was missing, in ms. */
	readonly total: number;
	/** A time between two callbacks is over. @returns how much more of `rest` the loop has slept; all in µs */
	between(now: number, grown: number, rest: number, blocked: number | undefined): number;
}

/** Times are µs since the journal began. */
export class RunClock {
	/** Whether the last top-level callback is not closed yet: it runs, or its drain does. */
	isOpen: boolean;
	/** When it began, and when its `after` came (-1: not yet). */
	began = 0;
	after = -1;
	/** Whether a callback began since the last `takeHasRun`. */
	hasRun = true;
	/** What the journal records about the beginning of the latest run: flags of BEGIN_FLAG, ... */
	flags = 0;
	/** ... the µs that the loop slept since the run before, and the µs that the thread may have waited for a CPU. */
	idleUs = 0;
	cpuWaitUs = 0;
	/** The loop's idle time at its last reading, in ms. */
	idleMs = nodeTiming.idleTime;
	private readonly idleAtBegin = this.idleMs;
	/** By how much it had grown then, in ms. */
	private grownMs = 0;
	/** What a flush took since the callback's end, which is not the program's own time. */
	private flushing = 0;
	/** Loop iteration at the end of a long callback, or -1. */
	private loopTurn = -1;
	private readonly cpuWait = new CpuWait();
	/** Idle time, in ms, that a flush outside of callbacks read before the next callback could. */
	private idleInFlush = 0;
	/** How long the thread waited for a CPU before that flush, in µs. */
	private cpuWaitInFlush = 0;

	private readonly lostIdle: IdleCorrection | null;

	/**
	 * @param isOpen whether the main script runs now
	 * @param lostIdle corrects the idle time while stacks are sampled; null while they are not
	 */
	constructor(isOpen: boolean, lostIdle: IdleCorrection | null) {
		this.isOpen = isOpen;
		this.lostIdle = lostIdle;
	}

	/**
	 * Reads the loop's idle time. Call it before `begin`, and before the open run is closed.
	 * @param blocked for how long something certainly blocked the loop until now, in µs
	 */
	readIdle(now: number, blocked?: number): void {
		const { lostIdle } = this;
		let grown = Math.max(0, this.idleNow - this.idleMs);
		if (lostIdle !== null) {
			const rest = now - Math.max(this.began, this.after) - grown * 1000 - this.flushing;
			grown += lostIdle.between(now, grown * 1000, rest, blocked) / 1000;
		}
		this.grownMs = grown;
		this.idleMs += grown;
	}

	/** Whether the loop has slept between the last two readings. */
	get hasSlept(): boolean {
		return this.grownMs > 0;
	}

	/** The loop's idle time, in ms. */
	get idleNow(): number {
		return nodeTiming.idleTime + (this.lostIdle?.total ?? 0);
	}

	/** µs that the loop slept since the journal began, up to the last reading. */
	get idleInAll(): number {
		return (this.idleMs - this.idleAtBegin) * 1000;
	}

	/**
	 * A top-level callback begins.
	 * @param isServer whether it brings something from outside, for which nobody in the program waits
	 */
	begin(now: number, isServer: boolean): void {
		const grownSince = this.grownMs * 1000;
		const grown = grownSince + this.idleInFlush * 1000;
		const between = now - Math.max(this.began, this.after);
		let cpuWait = 0;
		if (between > CPU_WAIT_US && (grown > 0 || this.loopTurn >= 0)) {
			// Where the loop has slept since the flush, everything that arrived before the flush was delivered before
			// it slept.
			const earlier = grownSince > 0 ? 0 : this.cpuWaitInFlush;
			// Nobody in the program waits for what comes from outside: no figure needs the exact wait.
			cpuWait = isServer ? between : Math.min(between, this.cpuWait.grownUs() + earlier);
		}
		this.idleInFlush = 0;
		this.cpuWaitInFlush = 0;
		let flags = 0;
		if (this.loopTurn >= 0) {
			if (nodeTiming.uvMetricsInfo?.loopCount === this.loopTurn) flags = BEGIN_FLAG.samePoll;
			else {
				flags = BEGIN_FLAG.newPoll;
				this.loopTurn = -1;
			}
		}
		if (cpuWait > CPU_WAIT_US) flags |= BEGIN_FLAG.cpuWait;
		this.flags = flags;
		this.idleUs = grown;
		this.cpuWaitUs = cpuWait;
		this.began = now;
		this.after = -1;
		this.flushing = 0;
		this.isOpen = true;
		this.hasRun = true;
	}

	/** The top-level callback is over; its drain follows, or more of the run. */
	end(now: number): void {
		this.after = now;
		this.flushing = 0;
		if (now - this.began > LONG_RUN_US) this.loopTurn = nodeTiming.uvMetricsInfo?.loopCount ?? -1;
	}

	/** The run is over, with its drain. */
	closeRun(): void {
		this.isOpen = false;
	}

	/** Whether a callback began since the previous call. */
	takeHasRun(): boolean {
		const { hasRun } = this;
		this.hasRun = false;
		return hasRun;
	}

	/** A flush that began at the callback's end is over. */
	endFlush(now: number): void {
		this.flushing = now - this.after;
	}

	/** Whether a run that ends now was short: then it needs no record unless something in it does. */
	isShort(now: number): boolean {
		return now - this.began < LONG_RUN_US;
	}

	/** When the callback of the run ended, or began where no `after` came. */
	get drainBegan(): number {
		return this.after < 0 ? this.began : this.after;
	}

	/** How long the run's drain took until now, in µs: without what the loop slept and what a flush took. */
	drain(now: number): number {
		return Math.max(0, now - this.drainBegan - this.grownMs * 1000 - this.flushing);
	}

	/** How long the callback that has just ended took, in µs. */
	get ran(): number {
		return this.isOpen ? Math.max(0, this.after - this.began) : 0;
	}

	/** The loop was woken and the open run closed: keeps what it slept until then for the next callback. */
	keepIdle(): void {
		this.idleInFlush += this.grownMs;
	}

	/** What the loop has slept since the last callback, in µs, which the next one does not count. */
	takeIdle(): number {
		const idle = (this.idleInFlush + this.grownMs) * 1000;
		this.idleInFlush = this.grownMs = this.cpuWaitInFlush = 0;
		this.loopTurn = -1;
		this.cpuWait.grownUs();
		return idle;
	}

	/**
	 * A flush follows outside of all callbacks: keeps what the thread waited for a CPU until then for the next
	 * callback.
	 */
	keepCpuWait(): void {
		this.cpuWaitInFlush += this.cpuWait.grownUs();
	}

	/** The thread ends, or recording does. */
	close(): void {
		this.cpuWait.close();
	}
}
