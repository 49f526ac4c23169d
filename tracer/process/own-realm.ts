// Reads stacks without touching the program's `Error`. V8 formats an object's stack as the `Error` of the object's own
// realm says, and reads as many frames as the realm says whose `captureStackTrace` is called. So the tracer has a realm
// of its own, with its own `Error`: the program's may be frozen or replaced, and V8 may end a capture in the middle
// (the time limit of `vm`, a Worker's end), which runs no `finally`: with a realm of our own there is nothing to
// restore.
import { constants, createContext, runInContext } from 'node:vm';

/** A function of the tracer that the running code has called, directly or not: the stack begins with its caller. */
// biome-ignore lint/complexity/noBannedTypes: V8 takes any.
export type Entry = Function;

/** Makes a value from the frames, innermost first. `holder` is the object whose stack is read. */
export type StackFormat<T> = (holder: object, frames: NodeJS.CallSite[]) => T;

interface Realm {
	Error: Omit<ErrorConstructor, 'prepareStackTrace'> & { prepareStackTrace: StackFormat<unknown> };
	Object: ObjectConstructor;
}

/** A context without the interceptors of a sandbox, where Node has that (from 20.18 and 22.8). */
const SANDBOX: object = (constants as unknown as { DONT_CONTEXTIFY?: object } | undefined)?.DONT_CONTEXTIFY ?? {};

const own = runInContext('({ Error, Object })', createContext(SANDBOX, { name: 'waitline' })) as Realm;

/**
 * What `format` makes of the running code's stack; V8's text where V8 is formatting another stack at this moment, as
 * when a debugger interrupts that.
 * @param depth how many frames to read at most
 * @param from the first frame is its caller
 */
export function readStack<T>(format: StackFormat<T>, depth: number, from: Entry): T | string | undefined {
	const holder = new own.Object();
	own.Error.stackTraceLimit = depth;
	own.Error.captureStackTrace(holder, from);
	return readKept(holder, format);
}

/** The running code's stack, not read yet. */
export interface KeptStack {
	readonly stack?: unknown;
}

/** Enough for the user's frame below whatever Node itself calls. */
const KEPT_DEPTH = 64;

/** Keeps the stack for `readKept`. Runs no native code of Node's. @param from the first frame is its caller */
export function keepStack(from: Entry): KeptStack {
	const holder = new own.Object();
	own.Error.stackTraceLimit = KEPT_DEPTH;
	own.Error.captureStackTrace(holder, from);
	return holder;
}

/** What `format` makes of a stack that was kept; V8's text where V8 had to format it meanwhile. */
export function readKept<T>(kept: KeptStack, format: StackFormat<T>): T | string | undefined {
	own.Error.prepareStackTrace = format;
	return kept.stack as T | string | undefined;
}
