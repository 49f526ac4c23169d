// Brings the tracer into a thread that is already running, through its inspector.
import { setTimeout as delay } from 'node:timers/promises';
import { ATTACH_FOLDER } from '../protocol/journal.ts';
import type { Injection } from './environment.ts';

/** The name of the expression in V8's stack traces. */
const NAME = 'waitline:attach';
const OUTCOME = `globalThis[Symbol.for(${JSON.stringify(NAME)})]`;
/** How often a thread is asked whether the tracer runs: each question interrupts it. */
const ASK_MS = 50;

/**
 * Starts the tracer in a thread; resolves when it runs.
 * @param evaluate evaluates an expression in the thread's global scope, with the inspector's own `require`, and returns its value
 * @param value an expression for what to return, evaluated in the same stretch of the program as the tracer starts
 * @throws what `evaluate` throws, and what the tracer threw in the thread
 */
export async function attachTracer(
	injection: Injection,
	evaluate: (expression: string) => Promise<unknown>,
	value = 'undefined',
): Promise<unknown> {
	let outcome = await evaluate(start(injection, value));
	while (outcome === null) {
		await delay(ASK_MS);
		outcome = await evaluate(LOOK);
	}
	return (outcome as { value?: unknown }).value;
}

/**
 * The inspector interrupts a thread wherever it calls a function, in the middle of Node's own code too. There `fs` may
 * just have put the result that it is about to return into a buffer that all its calls share, and loading the tracer
 * would overwrite it. So where Node's code or another copy of the tracer is interrupted, the start waits until that
 * code has returned, and the thread answers `null`. It waits in a microtask, which makes no resource of async_hooks:
 * otherwise that copy would be called in the middle of its own work. The inspector is not asked to await the promise:
 * one that is awaited while Node itself starts may never be settled.
 */
function start({ tracer, folder }: Injection, value: string): string {
	return `((load) => {
	const start = () => {
		const key = Symbol.for(${JSON.stringify(ATTACH_FOLDER)});
		globalThis[key] = ${JSON.stringify(folder)};
		try { load(${JSON.stringify(tracer)}); } finally { delete globalThis[key]; }
		return { value: ${value} };
	};
	const { stackTraceLimit } = Error;
	Error.stackTraceLimit = 10;
	const frames = String(new Error().stack).split('\\n').filter((line) => line.startsWith('    at '));
	Error.stackTraceLimit = stackTraceLimit;
	// What V8 has built in, such as \`Array.push\`, has no position.
	const interrupted = frames.find((frame) => !/<anonymous>|${NAME}/.test(frame));
	if (!/[( ]node:|[\\\\/]tracer[^\\\\/]*\\.cjs/.test(interrupted)) return start();
	(async () => {
		await null;
		try { ${OUTCOME} = start(); } catch (error) { ${OUTCOME} = { error }; }
	})();
	return null;
})(require)
//# sourceURL=${NAME}`;
}

const LOOK = `(() => {
	const outcome = ${OUTCOME};
	if (outcome === undefined) return null;
	delete ${OUTCOME};
	if ('error' in outcome) throw outcome.error;
	return outcome;
})()`;
