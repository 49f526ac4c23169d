// Measures what the tracer costs the program, and takes it down a stage when that is more than its budget: a profile that slows a
// program down tells of another program. Each change is told in the journal.
import { performanceNow } from '../process/clock.ts';

/** One call in so many is timed. A prime, for programs repeat their calls in the rhythm of small numbers. */
const TIMED_EVERY = 61;
/**
 * No call takes longer by itself, and nothing rare but a write to a slow disk: more is time in which the thread had no CPU, which is
 * not the tracer's.
 */
const CALL_US = 50;
const RARE_US = 2000;
/** A program's start has all its lines captured for the first time; nothing is judged by that. */
const WARM_UP_US = 1_000_000;
const WINDOW_US = 1_000_000;
/** Back up below so much of the budget: the stage above costs a quarter more at most, where servers, files and immediates were tried. */
const CALM_SHARE = 0.75;
/** Windows of calm before the way up; twice as many each time when it proves too early, up to the most. */
const PATIENCE = 3;
const MOST_PATIENCE = 60;

/** The ways to spend less, step by step; the steps of the last stage differ in how much they leave out. */
const STEPS = [
	{ stage: 0, rarer: 1, timesTicks: true, every: 1 },
	{ stage: 1, rarer: 8, timesTicks: true, every: 1 },
	{ stage: 2, rarer: 8, timesTicks: false, every: 1 },
	{ stage: 3, rarer: 8, timesTicks: false, every: 8 },
	{ stage: 3, rarer: 8, timesTicks: false, every: 64 },
] as const;

export class Governor {
	/** Whether it is worth a clock to know that a tick or microtask holds the loop. */
	timesTicks: boolean = STEPS[0].timesTicks;
	/** One operation of so many per line is recorded. */
	every: number = STEPS[0].every;
	/** So many times fewer sites are verified. */
	rarer: number = STEPS[0].rarer;
	/** The tracer's share of the last window, 0 to 1. */
	cost = 0;
	private readonly budget: number;
	private step = 0;
	private untilTimed = TIMED_EVERY;
	/** What it took to read the clock just before the call that is timed, in µs: half of what a short call takes. */
	private reading = 0;
	/** µs of the tracer's own time since the window began: of all calls, as the timed ones tell, and of what is always timed. */
	private spent = 0;
	private alwaysTimed = 0;
	private windowBegan = WARM_UP_US;
	private calm = 0;
	private patience = PATIENCE;
	private sinceUp = Number.POSITIVE_INFINITY;

	/** @param budget the share of the time that the tracer may take, 0 to 1; 0 for any */
	constructor(budget: number) {
		this.budget = budget;
	}

	get stage(): number {
		return STEPS[this.step]!.stage;
	}

	/** A call of the tracer begins. Returns what `end` wants. */
	begin(): number {
		return --this.untilTimed > 0 ? -1 : this.beginTimed();
	}

	/** The call is over. */
	end(began: number): void {
		if (began >= 0) this.endTimed(began);
	}

	// Functions of their own, and so are other rare turns of what runs for each callback: V8 puts only what is called often into its caller, and
	// whatever is there has to come into the caches of a program that has other things to do.
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

	/** Something begins that is rare and long: in a sample it would be there too often or not at all. Returns what `endRare` wants. */
	beginRare(): number {
		return clock();
	}

	endRare(began: number): void {
		this.alwaysTimed += Math.min(RARE_US, clock() - began);
	}

	/**
	 * Looks at the budget, once a second at most.
	 * @param now µs since the journal began
	 * @returns whether the stage, or what it leaves out, is another now
	 */
	judge(now: number): boolean {
		if (this.budget === 0 || now - this.windowBegan < WINDOW_US) return false;
		this.cost = (this.spent + this.alwaysTimed) / (now - this.windowBegan);
		this.spent = this.alwaysTimed = 0;
		const isFirst = this.windowBegan === WARM_UP_US;
		this.windowBegan = now;
		// What the start cost is in the first window's sums.
		if (isFirst) return false;
		this.sinceUp++;
		if (this.cost > this.budget) return this.goDown();
		this.calm = this.cost < this.budget * CALM_SHARE ? this.calm + 1 : 0;
		return this.step > 0 && this.calm >= this.patience && this.goUp();
	}

	private goDown(): boolean {
		this.calm = 0;
		if (this.sinceUp <= this.patience) this.patience = Math.min(this.patience * 2, MOST_PATIENCE);
		return this.step < STEPS.length - 1 && this.go(this.step + 1);
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
