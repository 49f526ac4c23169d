// Brings the tracer into a thread that is already running, through its inspector.
import { setTimeout as delay } from 'node:timers/promises';
import { ATTACH_FOLDER } from '../../protocol/journal.ts';
import type { Injection } from './environment.ts';

/** The name of the expression in V8's stack traces. */
const NAME = 'waitline:attach';
const OUTCOME = `globalThis[Symbol.for(${JSON.stringify(NAME)})]`;
/** How often a thread is asked whether the tracer runs: each question interrupts it. */
const ASK_MS = 50;
/** What a thread answers in which Node cannot load modules of a program yet. */
const TOO_EARLY = 'too early';
/** 15 s: a Worker is ready after some 30 ms, on a busy machine after a second. */
const MOST_TRIES = 300;
const NO_MODULES =
	'Node gives the debugger no way to load a module in this thread. On Node 18 that is so in Workers that run an ES module.';

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
	const begin = () => evaluate(start(injection, value)).catch(tooEarly);
	let outcome = await begin();
	for (let asked = 0; outcome === TOO_EARLY; asked++) {
		if (asked === MOST_TRIES) throw new Error(NO_MODULES);
		await delay(ASK_MS);
		outcome = await begin();
	}
	while (outcome === null) {
		await delay(ASK_MS);
		outcome = await evaluate(LOOK);
	}
	return (outcome as { value?: unknown }).value;
}

/** @throws any error but that of Node itself, which fails to give the inspector its `require` while it sets up its modules */
function tooEarly(error: unknown): typeof TOO_EARLY {
	if (String(error).includes('installConsoleExtensions')) return TOO_EARLY;
	throw error;
}

/**
 * A function's text: what loads modules in the thread; undefined while Node has not set up its modules, as in a Worker that has just been
 * made. There `require` may not exist yet, or throw; and where it loads the tracer, Node finds that a module ran too early and ends the
 * Worker (ERR_INTERNAL_ASSERTION, Node 22 and newer). That set-up fills the list of global folders; the list can only be empty afterwards
 * if the program has emptied it, which has modules loaded then. On Node 18 the inspector has no `require` in Workers; the main module has.
 */
const LOADER = `() => {
		try {
			const main = typeof require === 'function' ? { require } : process.mainModule;
			const { globalPaths, _cache } = main.require('node:module');
			return globalPaths.length > 0 || Object.keys(_cache).length > 0 ? (id) => main.require(id) : undefined;
		} catch {
			return undefined;
		}
	}`;

/**
 * The inspector interrupts a thread wherever it calls a function, in the middle of Node's own code too. There `fs` may
 * just have put the result that it is about to return into a buffer that all its calls share, and loading the tracer
 * would overwrite it. So where Node's code or another copy of the tracer is interrupted, the start waits until that
 * code has returned, and the thread answers `null`. It waits in a microtask, which makes no resource of async_hooks:
 * otherwise that copy would be called in the middle of its own work. The inspector is not asked to await the promise:
 * one that is awaited while Node itself starts may never be settled.
 */
function start({ tracer, folder }: Injection, value: string): string {
	return `(() => {
	const load = (${LOADER})();
	if (load === undefined) return ${JSON.stringify(TOO_EARLY)};
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
})()
//# sourceURL=${NAME}`;
}

const LOOK = `(() => {
	const outcome = ${OUTCOME};
	if (outcome === undefined) return null;
	delete ${OUTCOME};
	if ('error' in outcome) throw outcome.error;
	return outcome;
})()`;
