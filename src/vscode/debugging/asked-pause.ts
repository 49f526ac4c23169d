// A pause that a person asks for gets lost where V8 takes the request inside a function that the debugger skips: V8 then means to stop in that very
// function, does not because it is skipped, and forgets the request (`Debug::HandleDebugBreak` and `Debug::PrepareStepIn` in V8's src/debug/debug.cc). The
// tracer is skipped, and in a busy program it runs often enough. So the request is repeated until the program has stopped: V8 ignores it in a stopped one.
import type { Inspector } from '../../host/injection/inspector.ts';

/** Most pauses come within some ms where the program runs. */
const FIRST_MS = 100;
/** A program that sleeps stops when it wakes up; until then each request wakes its loop for nothing. */
const LONGEST_MS = 8000;

/**
 * Asks for a pause, with the tracer's clock standing still: in a busy program it goes on by itself soon after a request that was lost.
 * @param stopClock the expression that stops the clock (tracer/start.ts)
 */
export async function askForPause(inspector: Inspector, stopClock: string): Promise<void> {
	await Promise.all([inspector.evaluate(stopClock), inspector.call('Debugger.pause', {})]);
}

/**
 * Repeats the request for a pause, less and less often.
 * @param ask makes the request of the thread; once it is rejected, the thread is gone and nothing more is asked
 * @returns ends it: the thread has stopped
 */
export function repeatPause(ask: () => Promise<unknown>): () => void {
	let isOver = false;
	let timer: NodeJS.Timeout;
	const wait = (ms: number) => {
		timer = setTimeout(() => {
			const again = () => {
				if (!isOver) wait(Math.min(2 * ms, LONGEST_MS));
			};
			// Who asks says why it fails.
			ask().then(again, () => undefined);
		}, ms);
	};
	wait(FIRST_MS);
	return () => {
		isOver = true;
		clearTimeout(timer);
	};
}
