// Measures what the tracer costs the program, and reduces its detail by a stage when that exceeds the budget: a profile
// that slows a program down describes a different program. Each change is written to the journal.
import { performanceNow } from '../process/clock.ts';

/** One call in 61 is timed: a prime, because programs repeat their calls in the rhythm of small numbers. */
const TIMED_EVERY = 61;
/** Calls without a timed one while the journal's clock stands still: more than a debugger steps through. */
const UNTIMED_WHILE_STILL = 10_000;
/**
 * The longest that one call takes by itself; nothing takes longer but a rare write to a slow disk. The rest of a longer
 * call is time in which the thread had no CPU, and is not the tracer's.
 */
const CALL_US = 50;
const RARE_US = 2000;
/** While a program starts, all its lines are captured for the first time; this time is not judged. */
const WARM_UP_US = 1_000_000;
const WINDOW_US = 1_000_000;
/**
 * The cost must fall below this share of the budget before the governor goes back a stage: the stage above costs at
 * most a quarter more, as tested with servers, files and immediates.
 */
const CALM_SHARE = 0.75;
/**
 * Windows of calm before going back a stage; twice as many each time when that proves too early, up to MOST_PATIENCE.
 */
const PATIENCE = 3;
const MOST_PATIENCE = 60;
/**
 * What the tracer costs beyond the time that it measures, as a multiple of it: Node's calls of the hooks, and the caches that the program no longer has
 * for itself. A saturated hello server takes 55 to 90 % more CPU time while everything is recorded, and the tracer measures 12 % of the time.
 */
const UNSEEN = 2;
/** The longest rest, in windows: a live view must not stand still for longer than half a minute. */
const MOST_REST = 29;

/**
 * The ways to spend less, step by step; the two steps of stage 3 differ in how much they leave out. In the last stage
 * the tracer rests after each window that was over the budget. What it then records, it records in full: what is left
 * out of a short time is not worth its cost.
 */
const STEPS = [
	{ stage: 0, rarer: 1, timesTicks: true, every: 1 },
	{ stage: 1, rarer: 8, timesTicks: true, every: 1 },
	{ stage: 2, rarer: 8, timesTicks: false, every: 1 },
	{ stage: 3, rarer: 8, timesTicks: false, every: 8 },
	{ stage: 3, rarer: 8, timesTicks: false, every: 64 },
	{ stage: 4, rarer: 8, timesTicks: true, every: 1 },
] as const;

export class Governor {
	/** Whether blocking ticks and microtasks are worth a clock reading. */
	timesTicks: boolean = STEPS[0].timesTicks;
	/** One operation in `every` is recorded, per line. */
	every: number = STEPS[0].every;
	/** The factor by which fewer sites are verified. */
	rarer: number = STEPS[0].rarer;
	/** The tracer's share of the last window, 0 to 1. */
	cost = 0;
	/** For how long the hooks are to be off now, in µs, so that the last window and this rest together cost what the budget allows. */
	restUs = 0;
	private readonly budget: number;
	private step = 0;
	private untilTimed = TIMED_EVERY;
	/** What reading the clock just before the timed call took, in µs: half of what a short call takes. */
	private reading = 0;
	/**
	 * µs of the tracer's own time since the window began: of all calls, extrapolated from the timed ones, and of what
	 * is always timed.
	 */
	private spent = 0;
	private alwaysTimed = 0;
	private windowBegan = WARM_UP_US;
	private calm = 0;
	private patience = PATIENCE;
	private sinceUp = Infinity;

	/** @param budget the share of the time that the tracer may take, 0 to 1; 0 for any */
	constructor(budget: number) {
		this.budget = budget;
	}

	get stage(): number {
		return STEPS[this.step]!.stage;
	}

	/** @param isStill whether the journal's clock stands still from now on, or goes on: no call is timed meanwhile */
	rest(isStill: boolean): void {
		this.untilTimed = isStill ? UNTIMED_WHILE_STILL : TIMED_EVERY;
	}

	/** The hooks are on again after a rest. @param now µs since the journal began */
	goOn(now: number): void {
		this.restUs = this.spent = this.alwaysTimed = 0;
		this.windowBegan = now;
	}

	/** A call of the tracer begins. Returns the argument for `end`. */
	begin(): number {
		return --this.untilTimed > 0 ? -1 : this.beginTimed();
	}

	/** The call is over. */
	end(began: number): void {
		if (began >= 0) this.endTimed(began);
	}

	// A function of its own, like other rare branches of what runs for each callback: V8 inlines only what is called
	// often, and whatever it inlines takes room in the caches of a program that has other things to do.
	private beginTimed(): number {
		this.untilTimed = TIMED_EVERY;
		const before = clock();
		const began = clock();
		this.reading = began - before;
		return began - this.alwaysTimed;
	}

	private endTimed(began: number): void {
		const took = clock() - this.alwaysTimed - began - this.reading;
		this.spent += Math.max(0, Math.min(CALL_US, took)) * TIMED_EVERY;
	}

	/**
	 * Something rare and long begins, which a sample would show too often or not at all. Returns the argument for
	 * `endRare`.
	 */
	beginRare(): number {
		return clock();
	}

	endRare(began: number): void {
		this.alwaysTimed += Math.min(RARE_US, clock() - began);
	}

	/**
	 * Compares the cost with the budget, once a second at most.
	 * @param now µs since the journal began
	 * @returns whether the stage, or what it leaves out, has changed
	 */
	judge(now: number): boolean {
		if (this.budget === 0 || now - this.windowBegan < WINDOW_US) return false;
		const took = now - this.windowBegan;
		this.cost = (this.spent + this.alwaysTimed) / took;
		this.spent = this.alwaysTimed = 0;
		const isFirst = this.windowBegan === WARM_UP_US;
		this.windowBegan = now;
		// The first window's sums include what the start cost.
		if (isFirst) return false;
		this.sinceUp++;
		if (this.cost > this.budget) return this.goDown(took);
		this.calm = this.cost < this.budget * CALM_SHARE ? this.calm + 1 : 0;
		return this.step > 0 && this.calm >= this.patience && this.goUp();
	}

	/** @param took µs of the window that was over the budget */
	private goDown(took: number): boolean {
		this.calm = 0;
		if (this.sinceUp <= this.patience) this.patience = Math.min(this.patience * 2, MOST_PATIENCE);
		if (this.step < STEPS.length - 1) return this.go(this.step + 1);
		this.restUs = took * Math.min(MOST_REST, (this.cost * UNSEEN) / this.budget - 1);
		return false;
	}

	private goUp(): boolean {
		this.calm = 0;
		this.sinceUp = 0;
		return this.go(this.step - 1);
	}

	private go(step: number): boolean {
		this.step = step;
		this.timesTicks = STEPS[step]!.timesTicks;
		this.every = STEPS[step]!.every;
		this.rarer = STEPS[step]!.rarer;
		return true;
	}
}

/** µs. */
function clock(): number {
	return performanceNow() * 1000;
}
