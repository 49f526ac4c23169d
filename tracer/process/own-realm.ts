// Reads stacks without touching the program's `Error`. V8 asks the `Error` of the realm that an object was made in how the object's stack is to be
// formatted, and the realm whose `captureStackTrace` is called how many frames to read. So the tracer has a realm of its own, with its own
// `Error`: the program's may be frozen or replaced, and V8 may end a capture in the middle (the time limit of `vm`, a Worker's end), which runs
// no `finally`: there is nothing to give back.
import vm from 'node:vm';

/** A function of the tracer that the running code has called, however far down: the stack begins with its caller. */
// biome-ignore lint/complexity/noBannedTypes: V8 takes any.
export type Entry = Function;

/** Makes a value of the frames, innermost first. `holder` is the object whose stack is read. */
export type StackFormat<T> = (holder: object, frames: NodeJS.CallSite[]) => T;

interface Realm {
	Error: Omit<ErrorConstructor, 'prepareStackTrace'> & { prepareStackTrace: StackFormat<unknown> };
	Object: ObjectConstructor;
}

/** A context without the interceptors of a sandbox, where Node has that (from 20.18 and 22.8). */
const SANDBOX: object = (vm.constants as unknown as { DONT_CONTEXTIFY?: object } | undefined)?.DONT_CONTEXTIFY ?? {};

const own = vm.runInContext('({ Error, Object })', vm.createContext(SANDBOX, { name: 'waitline' })) as Realm;

/**
 * What `format` makes of the running code's stack; V8's text where it is formatting another stack just now, as when a debugger interrupts that.
 * @param depth how many frames to read at most
 * @param from the first frame is its caller
 */
export function readStack<T>(format: StackFormat<T>, depth: number, from: Entry): T | string | undefined {
	const holder = new own.Object();
	own.Error.stackTraceLimit = depth;
	own.Error.captureStackTrace(holder, from);
	return readKept(holder, format);
}

/** The running code's stack, not looked at yet. */
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

/** What `format` makes of a stack that was kept; V8's text where it had to be formatted meanwhile. */
export function readKept<T>(kept: KeptStack, format: StackFormat<T>): T | string | undefined {
	own.Error.prepareStackTrace = format;
	return kept.stack as T | string | undefined;
}
