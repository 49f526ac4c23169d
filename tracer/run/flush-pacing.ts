// When buffered records are written, and when the loop is woken to write them.

/**
 * Once this much time has passed, the next callback that ends writes the buffered records: a program that is killed
 * loses no more than that of a running loop. While callbacks run, the loop is woken equally often, to write the records
 * once it rests and to measure its delay: the host takes a thread that is busy and silent for 300 ms for a blocked one.
 * A loop that sleeps more than half of the time is woken less often, since with cold caches each wake-up costs 0.2 ms;
 * a live view, which is refreshed four times a second, lags by no more.
 */
const FLUSH_US = 50_000;
const WAKE_CALM_US = 200_000;
/** A thread younger than a second also loses no more than this share of its life: test runners kill their workers. */
const FLUSH_SHARE = 1 / 20;
const FLUSH_LEAST_US = 5000;

/** Times are µs since the journal began. */
export class FlushPacing {
	private lastFlush = 0;
	/** Idle time at the last flush, in ms, and whether the loop had slept for more than half of the time before it. */
	private idleAtFlush: number;
	private isCalm = false;

	/** @param idle the loop's idle time when the journal began, in ms */
	constructor(idle: number) {
		this.idleAtFlush = idle;
	}

	/** How long until the loop is woken, in µs. */
	pauseAt(now: number): number {
		return Math.min(this.isCalm ? WAKE_CALM_US : FLUSH_US, leastAt(now));
	}

	/** Whether a callback that has just ended should write the buffered records. */
	isDue(now: number): boolean {
		return now - this.lastFlush > Math.min(FLUSH_US, leastAt(now));
	}

	/** Whether the loop, which was woken, has slept for a pause since the last flush. */
	isDueAfterPause(now: number): boolean {
		return now - this.lastFlush >= this.pauseAt(now);
	}

	/** The buffered records are written now. @param idle the loop's idle time at its last reading, in ms */
	flush(now: number, idle: number): void {
		this.isCalm = (idle - this.idleAtFlush) * 2000 > now - this.lastFlush;
		this.idleAtFlush = idle;
		this.lastFlush = now;
	}
}

function leastAt(now: number): number {
	return Math.max(FLUSH_LEAST_US, now * FLUSH_SHARE);
}
