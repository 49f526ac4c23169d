// One thing the program started, as a line counts it: one async resource, or several of fs that follow one another. The
// waits and runs of its steps are added up until all have called back, and are then added to the line's figures.
import type { ResourceFacts } from '../../protocol/resource-facts.ts';
import {
	addEstimate,
	type Estimate,
	type Interval,
	middle,
	noTime,
	uncertaintyOf,
	WaitEstimates,
} from '../common/estimate.ts';
import type { LineStats, PartStats } from '../lines/line-stats.ts';
import type { FinishedOperation } from '../lines/operation-sample.ts';
import { StepsSideBySide } from './steps-side-by-side.ts';

/** Receives the parts of waits that no line counts; nothing reads it. */
const NOWHERE = new WaitEstimates();
/** A part that an operation does not have. */
const NO_TIME: Readonly<Estimate> = noTime();

/** Times in µs of its thread. */
export class LogicalOperation {
	stats: LineStats | null;
	readonly family: ResourceFacts['family'];
	private readonly hasRun: boolean;
	/** Each callback counts: an interval timer. */
	readonly repeats: boolean;
	/** Whether its first step is known; else it continues an operation that was counted before. */
	isWhole: boolean;
	started: number;
	/** When it began to wait again after none of its steps had; -Infinity while that was never so. */
	private resumed = -Infinity;
	/** For how long none of its steps waited, between them. */
	private between = 0;
	/** The number of the callback that started it; -1 where that is not known. */
	startedIn = -1;
	ended: number;
	/** Steps that have not called back yet. */
	open = 0;
	/** Whether it has waited for anything since the last `finish`. */
	hasWaited = false;
	/** The parts of its wait, added up over its steps; null where none has any. */
	private estimates: WaitEstimates | null = null;
	/** Its steps that wait or have waited at the same time; null where none do now. */
	private sideBySide: StepsSideBySide | null = null;
	isSplitKnown = true;
	/** Whether its split assumes that an add-on's work is jobs of the pool. */
	assumesAddonJobs = false;
	isWaitKnown = true;
	/** By how much later than `started` it may have begun to wait. */
	mayStartLater = 0;
	/** By how much later than `ended` it may have ended; then its callback ran as a part of another one. */
	mayEndLater = 0;
	run = 0;
	/** Whether its line counts it among those that wait. */
	private isInFlight = false;
	/** Whether what it waits for now is an operation of its own: it begins once that is over. */
	isPostponed = false;

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
	}

	get queue(): Readonly<Estimate> {
		return this.estimates?.queue ?? NO_TIME;
	}

	get execute(): Readonly<Estimate> {
		return this.estimates?.execute ?? NO_TIME;
	}

	get lag(): Readonly<Estimate> {
		return this.estimates?.lag ?? NO_TIME;
	}

	/** To add the parts of a step's wait to; nothing reads those that the class does not have. */
	waitParts(): WaitEstimates {
		if (this.stats === null) return NOWHERE;
		this.estimates ??= this.stats.takeEstimates();
		return this.estimates;
	}

	/** One of its steps begins to wait at `started`. */
	beginStep(started: number): void {
		if (++this.open > 1) {
			if (this.stats !== null) this.sideBySide ??= new StepsSideBySide();
		} else if (this.hasWaited) this.resume(started);
		this.depart();
	}

	/** Since its last step called back, it has waited for nothing: the program used what that brought, or wanted no more. */
	private resume(started: number): void {
		this.addStretch();
		this.between += Math.max(0, started - this.ended);
		this.resumed = started;
	}

	/**
	 * A step that was a job of the pool calls back at `called`, and no longer counts as open.
	 * @param began when a thread took it @param done when it was done
	 */
	splitStep(started: number, began: Interval, done: Interval, called: number): void {
		const { open, sideBySide } = this;
		const parts = this.waitParts();
		if (sideBySide !== null) {
			sideBySide.add(started, began, done, called);
			if (open > 0) return;
			sideBySide.addTo(parts);
			this.sideBySide = null;
			return;
		}
		// The shown values add up to the wait.
		const beganAt = middle(began);
		const doneAt = Math.max(beganAt, middle(done));
		addEstimate(parts.queue, began.low - started, beganAt - started, began.high - started);
		addEstimate(parts.execute, done.low - began.high, doneAt - beganAt, done.high - began.low);
		addEstimate(parts.lag, called - done.high, called - doneAt, called - done.low);
	}

	/** It waits. */
	depart(): void {
		this.isPostponed = false;
		if (this.isInFlight || !this.isWhole || this.stats === null) return;
		this.isInFlight = true;
		this.stats.begin();
	}

	/** The first step, which waits and has no other beside it, turns out to begin later. */
	postpone(): void {
		this.isPostponed = true;
		if (!this.isInFlight) return;
		this.isInFlight = false;
		this.stats!.withdraw();
	}

	/** The line of an operation that has done nothing but wait turns out to be another one. */
	moveTo(stats: LineStats | null): void {
		const { isInFlight } = this;
		this.arrive();
		this.stats = stats;
		if (isInFlight) this.depart();
		// It had waited as an operation of this line, though it does so no more.
		else if (this.isWhole) stats?.sawAtOnce(1);
	}

	/** None of its steps waits any more: what its callback starts on the same line comes after it. */
	arrive(): void {
		if (!this.isInFlight) return;
		this.isInFlight = false;
		this.stats!.end();
	}

	/** All steps have called back: adds the operation to its line's figures. */
	finish(): void {
		const { stats, hasWaited } = this;
		if (stats !== null) {
			stats.changes++;
			if (this.isWhole || (this.repeats && hasWaited)) stats.count++;
			this.arrive();
			if (hasWaited) this.addWaits(stats);
			if (this.hasRun && this.mayEndLater === 0) stats.run.addExactly(this.run);
		}
		this.isWhole = false;
		this.hasWaited = false;
		this.started = this.ended;
		this.resumed = -Infinity;
		this.between = 0;
		if (this.estimates !== null) stats!.giveBack(this.estimates);
		this.estimates = null;
		this.sideBySide = null;
		this.isSplitKnown = true;
		this.assumesAddonJobs = false;
		this.isWaitKnown = true;
		this.mayStartLater = this.mayEndLater = 0;
		this.run = 0;
	}

	private addWaits(stats: LineStats): void {
		const { isSplitKnown, isWaitKnown } = this;
		if (this.assumesAddonJobs) stats.assumeAddonJobs();
		if (isWaitKnown) {
			const { wait } = this;
			if (uncertaintyOf(wait) === 0) stats.wait.addExactly(wait.value);
			else stats.wait.add(wait);
			this.addStretch();
		} else {
			stats.wait.addUnknown();
		}
		const { parts } = stats;
		const isKnown = isSplitKnown && isWaitKnown;
		if (parts === 'all') {
			addPart(stats.queue, this.queue, isKnown);
			addPart(stats.execute, this.execute, isKnown);
			if (isKnown && this.estimates !== null) stats.addBeyondExecute(this.estimates.beyondExecute);
		}
		if (parts !== 'none') addPart(stats.lag, this.lag, isKnown);
		if ((this.isWhole || this.repeats) && isWaitKnown && stats.sample.wants())
			stats.sample.keep(this.asFinished(stats));
	}

	/** Adds to its line's wall time that its steps have waited until `ended`. */
	private addStretch(): void {
		const { stats, started, ended } = this;
		if (stats === null) return;
		// A timer waits on purpose until it is due.
		const from =
			stats.class === 'timer' ? ended - this.lag.value : Math.max(this.resumed, started + this.mayStartLater / 2);
		stats.addToWall(Math.max(from, stats.since), ended, Math.max(started, stats.since));
	}

	/** How long it waited from its start until its last callback began: what lay between its steps does not count. */
	get waited(): number {
		return Math.max(0, this.ended - this.started - this.between);
	}

	private get wait(): Estimate {
		const { mayStartLater, mayEndLater, waited: high } = this;
		const low = Math.max(0, high - mayStartLater);
		return { low, value: (low + high) / 2, high: high + mayEndLater };
	}

	/** The same as the times of one operation. */
	private asFinished(stats: LineStats): FinishedOperation {
		const { started, run, isSplitKnown } = this;
		const wait = this.wait.value;
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

function addPart(part: PartStats, estimate: Readonly<Estimate>, isKnown: boolean): void {
	if (isKnown) part.add(estimate);
	else part.addUnknown();
}
