// Brings the tracer into a thread that runs already, through its inspector.
import { setTimeout as delay } from 'node:timers/promises';
import { ATTACH_FOLDER } from '../protocol/journal.ts';
import type { Injection } from './environment.ts';

/** What V8 calls the expression in stack traces. */
const NAME = 'waitline:attach';
const OUTCOME = `globalThis[Symbol.for(${JSON.stringify(NAME)})]`;
/** How often a thread is asked whether the tracer runs: each time it is interrupted. */
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
 * The inspector interrupts a thread wherever it calls a function, in the midst of Node's own code too: there `fs` may just have put into
 * a buffer that all its calls share what it is about to return, and loading the tracer would change it. So where Node's code, or
 * another copy of the tracer, is interrupted, all waits until that has come to its end, and `null` is what the thread answers. In a microtask,
 * which makes no resource of async_hooks: that copy would be called in the midst of its own work. The inspector is not asked to await its
 * promise: one that is awaited while Node itself starts may never be settled.
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
	// What V8 has built in, such as \`Array.push\`, has no place of its own.
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
