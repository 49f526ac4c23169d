// The times in a journal: µs since it began.
import { bothClocks } from './both-clocks.ts';
import { performanceNow } from './clock.ts';

// Taken now: the program may replace it later (fake timers do).
const { now: dateNow } = Date;

/** A stopped clock that has been read this many times runs again: whoever stopped it has gone. */
const MOST_STILL_READINGS = 1000;

export class JournalClock {
	/** Whether it stands still. */
	isStill = false;
	private readonly beginning = bothClocks();
	/** When the journal began, by `hrtime`, in ns. */
	readonly beganNs = this.beginning.hrtime;
	/** The same by the clock of performance entries, in ms. */
	private readonly beganMs = this.beginning.ms;
	/** What it shows while it stands still, and how often it was asked since. */
	private still = 0;
	private readings = 0;
	/** `Date.now()` when it was stopped. */
	private stoppedAt = 0;

	/** µs since the journal began. */
	now(): number {
		return this.isStill ? this.readStill() : (performanceNow() - this.beganMs) * 1000;
	}

	/** µs since the journal began. @param ms of `performance.now()` */
	at(ms: number): number {
		return (ms - this.beganMs) * 1000;
	}

	/**
	 * A debugger is about to stop the thread, and steps through all functions of Node on its way, some 40 ms for each step: from the first reading
	 * on, which is exact to 1 ms, the clock stands still and calls none.
	 * @param isRunning whether a callback is under way, so that it stands still from now on
	 * @returns now, in µs of `hrtime`
	 */
	stop(isRunning: boolean): number {
		this.still = this.now();
		this.stoppedAt = dateNow();
		this.readings = isRunning ? 1 : 0;
		this.isStill = true;
		return Number(this.beganNs) / 1000 + this.still;
	}

	/** It goes on. @returns whether anything has run since it was stopped */
	go(): boolean {
		this.isStill = false;
		return this.readings > 0;
	}

	private readStill(): number {
		if (this.readings === 0) this.still += Math.max(0, dateNow() - this.stoppedAt) * 1000;
		if (++this.readings > MOST_STILL_READINGS) this.go();
		return this.still;
	}
}
