// V8's CPU profiler, always on, read in windows. To start it, V8 walks over the whole heap (some 10 ms for a new program, a second for one
// of 400 MB), so it is started once and never stopped while it is needed: each window is a profile of our own inspector session, and while one ends
// and the next begins, a console profile keeps the profiler running. That takes 0.3 ms, however large the heap is.
//
// V8 announces a console profile to every session whose `Profiler` domain is on. js-debug has it on in every thread, prints a line for each and saves
// it as a file. So under a debugger it is the host that asks for the end of a window: it turns that domain off for the millisecond that this takes
// and has a console profile of a certain title begin and end (src/vscode/debugging/sampled-threads.ts).

import inspector from 'node:inspector';
import { WINDOW_TITLE } from '../../src/protocol/journal.ts';

const { profile, profileEnd } = globalThis.console;
const hrtime = process.hrtime.bigint;

/**
 * The time between two samples, in µs. At 200 requests a second 10 ms cost 3 to 5 % of an express request's CPU time
 * and 20 ms less than what differs between two bare runs (docs/cost-experiments.md). A block is 50 ms long at least, so
 * it has at least two samples.
 */
export const INTERVAL_US = 20_000;

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

/** What we use of the session's messages. */
interface ProfileEvent {
	method: string;
	params: { title?: string };
}

/** What has Node profile or cover the program itself. */
const PROFILES = /^--(?:cpu[-_]prof|experimental[-_]test[-_]coverage)$/;

/**
 * Whether a session of Node's own has the `Profiler` domain on, and prints whatever it receives that is no answer
 * (src/inspector_profiler.cc): also what V8 announces of console profiles.
 */
function isProfiledByNode(): boolean {
	const { execArgv, env } = process;
	const options = [...execArgv, ...(env.NODE_OPTIONS ?? '').split(/\s+/)];
	return Boolean(env.NODE_V8_COVERAGE) || options.some((option) => PROFILES.test(option));
}

export class ProfileWindows {
	private readonly session: inspector.Session;

	/**
	 * Starts the profiler.
	 * @param onRequest the host wants the window to end, now, perhaps in the middle of a call of the tracer's
	 * @throws where this Node has no inspector or may not use it, or itself profiles the program
	 */
	constructor(onRequest: () => void) {
		if (isProfiledByNode()) throw new Error('Node profiles the program itself');
		this.session = new inspector.Session();
		const onEmit = (_name: string, event: unknown) => {
			const { method, params } = event as ProfileEvent;
			if (method === 'Profiler.consoleProfileFinished' && params.title === WINDOW_TITLE) onRequest();
			return true;
		};
		// Otherwise events would go to the program's own `emit`, if it has replaced that of all emitters.
		Object.defineProperty(this.session, 'emit', { value: onEmit });
		this.session.connect();
		this.session.post('Profiler.enable');
		this.session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
		this.session.post('Profiler.start');
	}

	/** Ends the window and begins the next. @returns null when V8 has none */
	next(): Window | null {
		profile(BRIDGE);
		const window = this.finish();
		this.session.post('Profiler.start');
		profileEnd(BRIDGE);
		return window;
	}

	/** Ends the window, and with it the profiler. @returns as `next` */
	finish(): Window | null {
		let finished: CpuProfile | undefined;
		const before = Number(hrtime()) / 1000;
		// The answer is there when the call returns: the session is in this thread.
		this.session.post('Profiler.stop', (_error: unknown, answer: { profile?: CpuProfile } | undefined) => {
			finished = answer?.profile;
		});
		const after = Number(hrtime()) / 1000;
		if (finished === undefined) return null;
		const { endTime } = finished;
		const isSame = endTime > before - SAME_CLOCK_US && endTime < after + SAME_CLOCK_US;
		return { profile: finished, toHrtime: isSame ? 0 : before - endTime };
	}

	/** Ends all windows without reading the last one. */
	stop(): void {
		this.session.post('Profiler.disable');
		this.session.disconnect();
	}
}

/** Distinguishes our profile from the program's own. */
const BRIDGE = `waitline ${process.pid}`;
