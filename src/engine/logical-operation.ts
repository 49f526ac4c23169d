// One thing the program started, as a line counts it: one async resource, or several of fs that follow one another. The
// waits and runs of its steps are added up until all have called back, and are then added to the line's figures.
import type { ResourceFacts } from '../protocol/resource-facts.ts';
import { type Estimate, noTime, reset, uncertaintyOf } from './estimate.ts';
import type { LineStats, Part } from './line-stats.ts';
import type { FinishedOperation } from './operation-sample.ts';

/** Receives what is added to a part that the class does not have; nothing reads it. */
const NOWHERE = noTime();

/** Times in µs of its thread. */
export class LogicalOperation {
	readonly stats: LineStats | null;
	readonly family: ResourceFacts['family'];
	private readonly hasRun: boolean;
	/** Each callback counts: an interval timer. */
	readonly repeats: boolean;
	/** Whether its first step is known; else it continues an operation that was counted before. */
	isWhole: boolean;
	started: number;
	ended: number;
	/** Steps that have not called back yet. */
	open = 0;
	/** Whether it has waited for anything since the last `finish`. */
	hasWaited = false;
	readonly queue: Estimate;
	readonly execute: Estimate;
	readonly lag: Estimate;
	isSplitKnown = true;
	/** Whether its split assumes that an add-on's work is jobs of the pool. */
	assumesAddonJobs = false;
	isWaitKnown = true;
	/** By how much later than `ended` it may have ended; then its callback ran as a part of another one. */
	mayEndLater = 0;
	run = 0;

	constructor(
		stats: LineStats | null,
		{ family, hasRun }: ResourceFacts,
		started: number,
		isWhole: boolean,
		repeats: boolean,
	) {
		this.stats = stats;
		this.family = family;
		this.hasRun = hasRun;
		this.repeats = repeats;
		this.isWhole = isWhole;
		this.started = started;
		this.ended = started;
		const parts = stats?.parts ?? 'none';
		this.queue = parts === 'all' ? noTime() : NOWHERE;
		this.execute = parts === 'all' ? noTime() : NOWHERE;
		this.lag = parts === 'none' ? NOWHERE : noTime();
	}

	/** All steps have called back: adds the operation to its line's figures. */
	finish(): void {
		const { stats, hasWaited } = this;
		if (stats !== null) {
			stats.changes++;
			if (this.isWhole || (this.repeats && hasWaited)) stats.count++;
			if (this.isWhole) stats.end();
			if (hasWaited) this.addWaits(stats);
			if (this.hasRun && this.mayEndLater === 0) stats.run.addExactly(this.run);
		}
		this.isWhole = false;
		this.hasWaited = false;
		this.started = this.ended;
		reset(this.queue);
		reset(this.execute);
		reset(this.lag);
		this.isSplitKnown = true;
		this.assumesAddonJobs = false;
		this.isWaitKnown = true;
		this.mayEndLater = 0;
		this.run = 0;
	}

	private addWaits(stats: LineStats): void {
		const { isSplitKnown, isWaitKnown } = this;
		if (this.assumesAddonJobs) stats.assumeAddonJobs();
		if (isWaitKnown) {
			const { wait, mayEndLater } = this;
			if (mayEndLater === 0) stats.wait.addExactly(wait);
			else stats.wait.add({ low: wait, value: wait, high: wait + mayEndLater });
			// A timer waits on purpose until it is due.
			const from = stats.class === 'timer' ? this.ended - this.lag.value : this.started;
			stats.wall.add(from, this.ended, this.started);
		} else {
			stats.wait.addUnknown();
		}
		const { parts } = stats;
		const isKnown = isSplitKnown && isWaitKnown;
		if (parts === 'all') {
			addPart(stats.queue, this.queue, isKnown);
			addPart(stats.execute, this.execute, isKnown);
		}
		if (parts !== 'none') addPart(stats.lag, this.lag, isKnown);
		if ((this.isWhole || this.repeats) && isWaitKnown && stats.sample.wants())
			stats.sample.keep(this.asFinished(stats));
	}

	private get wait(): number {
		return Math.max(0, this.ended - this.started);
	}

	/** The same as the times of one operation. */
	private asFinished(stats: LineStats): FinishedOperation {
		const { started, wait, run, isSplitKnown } = this;
		const { parts } = stats;
		const finished = { started, wait, queue: -1, execute: -1, lag: -1, run, uncertainty: 0 };
		if (parts === 'none') return finished;
		if (!isSplitKnown) return { ...finished, uncertainty: Infinity };
		finished.lag = this.lag.value;
		finished.uncertainty = uncertaintyOf(this.lag);
		if (parts === 'lag') return finished;
		finished.queue = this.queue.value;
		finished.execute = this.execute.value;
		finished.uncertainty = Math.max(finished.uncertainty, uncertaintyOf(this.queue), uncertaintyOf(this.execute));
		return finished;
	}
}

function addPart(part: Part, estimate: Estimate, isKnown: boolean): void {
	if (isKnown) part.add(estimate);
	else part.addUnknown();
}
