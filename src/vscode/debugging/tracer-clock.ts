// The clock of the tracer in a thread that a person pauses. js-debug has V8 stop wherever code runs next, and where that is Node's own code, it steps on
// until it comes to the program's. A step takes some 40 ms, and it steps also through what the tracer calls of Node's: readings of the clock and of the
// kernel's counts, collections. So a pause took twice as long as without a profile, or never ended, since Node's code about the garbage of the steps was
// stepped through as well. So the tracer's clock stands still, and calls nothing, from the request until the program has stopped.
import type * as vscode from 'vscode';
import type { Inspector } from '../../host/injection/inspector.ts';
import { TRACER_MARK } from '../../protocol/journal.ts';
import { askForPause, repeatPause } from './asked-pause.ts';
import { withInspector } from './thread-inspector.ts';

/** May be stopped while another stop is under way. */
export interface TracerClock {
	/** It stands still from now on, and the request for the pause is repeated until `go`. @returns that time, in µs of hrtime; undefined without a tracer */
	stop(): Promise<number | undefined>;
	/** It goes on. @returns the time of the stop and how long the loop has slept since then on top; undefined when nothing has run since */
	go(): Promise<number | undefined>;
}

/**
 * @param isProfiled whether the thread is: in another one nothing is evaluated
 * @param onFailure the debugger has left the thread, or its tracer cannot be reached: the clock goes on by itself
 */
export function tracerClock(
	thread: vscode.DebugSession,
	isProfiled: () => boolean,
	onFailure: (error: unknown) => void,
): TracerClock {
	let endRepeating: (() => void) | undefined;
	let isAwaited = false;
	const call = async <T>(use: (inspector: Inspector) => Promise<T>) => {
		try {
			return await withInspector(thread, use);
		} catch (error) {
			onFailure(error);
			throw error;
		}
	};
	const control = async (isStill: boolean) => {
		if (!isProfiled()) return undefined;
		// The failure has been reported.
		const time = await call((inspector) => inspector.evaluate(callOf(isStill))).catch(() => undefined);
		return typeof time === 'number' && time >= 0 ? time : undefined;
	};
	const askAgain = () =>
		call(async (inspector) => {
			if (isAwaited) await askForPause(inspector, callOf(true));
		});
	return {
		stop() {
			endRepeating?.();
			isAwaited = isProfiled();
			if (isAwaited) endRepeating = repeatPause(askAgain);
			return control(true);
		},
		go() {
			isAwaited = false;
			endRepeating?.();
			return control(false);
		},
	};
}

/** Calls the tracer's control (tracer/process/exit.ts), if there is a tracer. */
function callOf(isStill: boolean): string {
	const getter = `Object.getOwnPropertyDescriptor(Object.getPrototypeOf(process), 'emit')?.get`;
	return `${getter}?.[Symbol.for('${TRACER_MARK}')]?.(${isStill})`;
}
