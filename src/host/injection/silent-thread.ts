// Judges from the scheduler's statistics whether one callback blocks the loop of a thread that writes nothing. Claims
// only what is certain, however busy the machine is: a thread that only waits for a CPU proves nothing, and neither
// does the time at which the host read its statistics.

/** A loop that one callback has blocked for this long, in ms, is reported while that lasts. */
const BLOCKED_MS = 300;
/**
 * A blocked thread has or wants a CPU for at least this share of a stretch; the rest it may have waited, for instance
 * for a helper of the garbage collector.
 */
const RUNNING_SHARE = 0.8;
/**
 * CPU time, in ms, that a loop may take between callbacks, and callbacks whose end is not recorded. Time beyond that is
 * one callback's: whenever one ends, the tracer writes its journal, if it has not done so in the last 50 ms
 * (tracer/run/flush-pacing.ts), which is less than the time between two looks.
 */
const BETWEEN_MS = 20;

/** One reading of a thread's statistics. All times are ms. */
export interface Look {
	/** The moments right before and right after the statistics were read. */
	before: number;
	after: number;
	/** How long the thread had been on a CPU by then, and how long it had been on one or waiting for one. */
	onCpu: number;
	wanted: number;
}

/** A thread whose journal has not grown between any two of the looks at it. */
export class SilentThread {
	/** The look at which the stretch began in which the thread has not slept. */
	private start: Look;
	/** The callback that blocks the loop had begun by then; Infinity while it is not certain that there is one. */
	private begunBy = Infinity;

	constructor(first: Look) {
		this.start = first;
	}

	/** @returns for how long, in ms, one callback has certainly blocked the loop; null while that is too short */
	lookAgain(look: Look): number | null {
		const { start } = this;
		if (look.wanted - start.wanted < RUNNING_SHARE * (look.before - start.before)) {
			this.start = look;
			this.begunBy = Infinity;
			return null;
		}
		const atLeast = look.onCpu - start.onCpu - BETWEEN_MS;
		if (atLeast > 0) this.begunBy = Math.min(this.begunBy, look.after - atLeast);
		const blocked = look.before - this.begunBy;
		return blocked >= BLOCKED_MS ? blocked : null;
	}
}
