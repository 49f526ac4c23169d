// What is known of a time that was not measured to the microsecond.

/** An interval of time, in µs, that contains the true value. */
export interface Interval {
	low: number;
	high: number;
}

/** An interval together with the value in it that is shown. */
export interface Estimate extends Interval {
	value: number;
}

/** An empty sum. */
export function noTime(): Estimate {
	return { low: 0, value: 0, high: 0 };
}

/** The parts of one operation's wait. */
export class WaitEstimates {
	readonly queue = noTime();
	readonly execute = noTime();
	readonly lag = noTime();
	/** By how much the time on threads, added up over steps, exceeds `execute`, which counts each moment once. Its limits are the differences of their limits. */
	readonly beyondExecute = noTime();

	reset(): void {
		reset(this.queue);
		reset(this.execute);
		reset(this.lag);
		reset(this.beyondExecute);
	}
}

export function middle({ low, high }: Interval): number {
	return (low + high) / 2;
}

/** How far the value may be from the true one. */
export function uncertaintyOf({ low, value, high }: Estimate): number {
	return Math.max(value - low, high - value);
}

/** Adds one step's figure to its operation's; times cannot be negative. */
export function addEstimate(sum: Estimate, low: number, value: number, high: number): void {
	sum.low += Math.max(0, low);
	sum.value += Math.max(0, value);
	sum.high += Math.max(0, high);
}

export function addExactly(sum: Estimate, us: number): void {
	addEstimate(sum, us, us, us);
}

export function reset(sum: Estimate): void {
	sum.low = sum.value = sum.high = 0;
}
