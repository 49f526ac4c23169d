// The wait of steps of one operation some of which wait at the same time, as those of `fs.rm` do. Each moment of it counts once: the operation executes while any
// of them has a thread, else it queues while any of them does, else all are done and it lags.
import { addEstimate, type Estimate, type Interval, middle, noTime, type WaitEstimates } from '../common/estimate.ts';
import { TimeUnion } from '../common/time-union.ts';

/** Times in µs of the thread. */
export class StepsSideBySide {
	/** From a step's start until its callback begins, ... */
	private readonly waited = new TimeUnion();
	/** ... and until it was done: at the earliest, as shown, and at the latest. */
	private readonly leastUndone = new TimeUnion();
	private readonly undone = new TimeUnion();
	private readonly mostUndone = new TimeUnion();
	/** While it had a thread: for certain, as shown, and at most. */
	private readonly leastExecuted = new TimeUnion();
	private readonly executed = new TimeUnion();
	private readonly mostExecuted = new TimeUnion();
	/** While it queued at most, or had a thread for certain. */
	private readonly mostQueuedOrExecuted = new TimeUnion();
	/** How long the steps had threads, added up. */
	private readonly onThreads = noTime();

	/**
	 * A step calls back at `called`.
	 * @param began when a thread took it @param done when it was done
	 */
	add(started: number, began: Interval, done: Interval, called: number): void {
		const beganAt = middle(began);
		const doneAt = Math.max(beganAt, middle(done));
		this.waited.add(started, called);
		this.leastUndone.add(started, done.low);
		this.undone.add(started, doneAt);
		this.mostUndone.add(started, done.high);
		this.leastExecuted.add(began.high, done.low);
		this.executed.add(beganAt, doneAt);
		this.mostExecuted.add(began.low, done.high);
		this.mostQueuedOrExecuted.add(started, Math.max(began.high, done.low));
		addEstimate(this.onThreads, done.low - began.high, doneAt - beganAt, done.high - began.low);
	}

	/** All of them have called back. */
	addTo(sum: WaitEstimates): void {
		const { waited, leastUndone, undone, mostUndone, leastExecuted, executed, mostExecuted } = this;
		const most = this.mostQueuedOrExecuted.us - leastExecuted.us;
		addPart(sum.queue, mostUndone.us - mostExecuted.us, undone.us - executed.us, most);
		addPart(sum.execute, leastExecuted.us, executed.us, mostExecuted.us);
		addPart(sum.lag, waited.us - mostUndone.us, waited.us - undone.us, waited.us - leastUndone.us);
		const { onThreads } = this;
		addEstimate(
			sum.beyondExecute,
			onThreads.low - leastExecuted.us,
			onThreads.value - executed.us,
			onThreads.high - mostExecuted.us,
		);
	}
}

/** A union may be slightly too small (time-union.ts). */
function addPart(sum: Estimate, low: number, value: number, high: number): void {
	addEstimate(sum, Math.min(low, value), value, Math.max(value, high));
}
