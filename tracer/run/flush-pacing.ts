// When what waits in the buffer is written, and when the loop is woken for it.

/**
 * A callback that is over writes what waits after so much time: a program that is killed loses no more of a loop that runs. As often the loop is
 * woken while callbacks run, to write what waits once it rests and to see by how much it is delayed: the host takes a thread that is busy and silent
 * for 300 ms for a blocked one. A loop that sleeps for more than half of the time is woken less often, for that takes 0.2 ms there, with nothing of it
 * in the caches: a live view, which is made anew four times a second, lags by no more.
 */
const FLUSH_US = 50_000;
const WAKE_CALM_US = 200_000;
/** Of a thread that is younger than a second, what is lost is no more than this share either: test runners kill their workers. */
const FLUSH_SHARE = 1 / 20;
const FLUSH_LEAST_US = 5000;

/** Times are µs since the journal began. */
export class FlushPacing {
	private lastFlush = 0;
	/** Idle time at the last flush, in ms, and whether the loop had slept for more than half of the time before that. */
	private idleAtFlush: number;
	private isCalm = false;

	/** @param idle the loop's idle time at the journal's begin, in ms */
	constructor(idle: number) {
		this.idleAtFlush = idle;
	}

	/** Until the loop is woken, in µs. */
	pauseAt(now: number): number {
		return Math.min(this.isCalm ? WAKE_CALM_US : FLUSH_US, leastAt(now));
	}

	/** Whether a callback that is over is to write what waits. */
	isDue(now: number): boolean {
		return now - this.lastFlush > Math.min(FLUSH_US, leastAt(now));
	}

	/** Whether the loop, which was woken, has slept for a pause since the last flush. */
	isDueAfterPause(now: number): boolean {
		return now - this.lastFlush >= this.pauseAt(now);
	}

	/** What waits is written now. @param idle the loop's idle time, in ms, when that was asked for last */
	flush(now: number, idle: number): void {
		this.isCalm = (idle - this.idleAtFlush) * 2000 > now - this.lastFlush;
		this.idleAtFlush = idle;
		this.lastFlush = now;
	}
}

function leastAt(now: number): number {
	return Math.max(FLUSH_LEAST_US, now * FLUSH_SHARE);
}
