// V8's CPU profiler, always on, read in windows. To start it, V8 walks over the whole heap (some 10 ms for a new
// program, a second for one of 400 MB), so it is started once and never stopped while it is needed: each window begins
// before the one before it ends. Only the console's `profile` can have two under way. A window's begin and end take 0.3
// ms together, however large the heap is.
import inspector from 'node:inspector';

const { profile, profileEnd } = globalThis.console;
const hrtime = process.hrtime.bigint;

/**
 * The time between two samples, in µs. At 200 requests a second 10 ms cost 3 to 5 % of an express request's CPU time
 * and 20 ms less than what differs between two bare runs (docs/cost-experiments.md). A block is 50 ms long at least, so
 * it has at least two samples.
 */
const INTERVAL_US = 20_000;

/** A function that was on the stack, as `Profiler.ProfileNode` of the inspector's protocol has it; numbers of lines and columns are 0-based. */
export interface ProfileNode {
	id: number;
	callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number };
	children?: number[];
	/** How often samples found the thread in this function itself, by line, 1-based. */
	positionTicks?: { line: number; ticks: number }[];
}

/** What the thread did in one window. */
export interface CpuProfile {
	nodes: ProfileNode[];
	/** When it began, µs. */
	startTime: number;
	endTime: number;
	/** Ids of the innermost functions. */
	samples: number[];
	/** µs since the sample before, or since the window began. */
	timeDeltas: number[];
}

/** A window and how its clock relates to hrtime. */
export interface Window {
	profile: CpuProfile;
	/** To be added to the profile's times, µs. */
	toHrtime: number;
}

/** Clocks that differ by no more, in µs, are taken for the same one: they are the same on Linux, macOS and Windows. */
const SAME_CLOCK_US = 5000;

interface Finished {
	method: string;
	params: { title?: string; profile: CpuProfile };
}

export class ProfileWindows {
	private readonly session: inspector.Session;
	private window = 0;
	private finished: CpuProfile | null = null;

	/** Starts the profiler. @throws where this Node has no inspector or may not use it */
	constructor() {
		this.session = new inspector.Session();
		// Otherwise events would go to the program's own `emit`, if it has replaced that of all emitters.
		Object.defineProperty(this.session, 'emit', { value: (_name: string, event: unknown) => this.onEvent(event) });
		this.session.connect();
		this.session.post('Profiler.enable');
		this.session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
		profile(titleOf(this.window));
	}

	/** Ends the window and begins the next. @returns null when someone else has ended it */
	next(): Window | null {
		const title = titleOf(this.window);
		profile(titleOf(++this.window));
		const before = Number(hrtime()) / 1000;
		profileEnd(title);
		const after = Number(hrtime()) / 1000;
		const finished = this.takeFinished();
		if (finished === null) return null;
		const { endTime } = finished;
		const isSame = endTime > before - SAME_CLOCK_US && endTime < after + SAME_CLOCK_US;
		return { profile: finished, toHrtime: isSame ? 0 : before - endTime };
	}

	/** Ends all windows without reading the last one. */
	stop(): void {
		this.session.post('Profiler.disable');
		this.session.disconnect();
	}

	private takeFinished(): CpuProfile | null {
		const { finished } = this;
		this.finished = null;
		return finished;
	}

	private onEvent(event: unknown): boolean {
		const { method, params } = event as Finished;
		if (method === 'Profiler.consoleProfileFinished' && params.title?.startsWith(TITLE)) this.finished = params.profile;
		return true;
	}
}

/** Distinguishes our profiles from the program's own. */
const TITLE = `waitline ${process.pid} `;

function titleOf(window: number): string {
	return TITLE + window;
}
