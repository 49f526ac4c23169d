// Reads stacks. V8 formats an object's stack as the `Error` of the object's own realm says, and reads as many frames as the realm says whose
// `captureStackTrace` is called: that is the realm of the tracer's own (tracer/realm.ts). So the program's `Error` may be frozen or replaced, and V8
// may end a capture in the middle (the time limit of `vm`, a Worker's end), which runs no `finally`: there is nothing to restore.

/** A function of the tracer that the running code has called, directly or not: the stack begins with its caller. */
// biome-ignore lint/complexity/noBannedTypes: V8 takes any.
export type EntryFunction = Function;

/** Makes a value from the frames, innermost first. `holder` is the object whose stack is read. */
export type StackFormat<T> = (holder: object, frames: NodeJS.CallSite[]) => T;

/**
 * What `format` makes of the running code's stack; V8's text where V8 is formatting another stack at this moment, as
 * when a debugger interrupts that.
 * @param depth how many frames to read at most
 * @param from the first frame is its caller
 */
export function readStack<T>(format: StackFormat<T>, depth: number, from: EntryFunction): T | string | undefined {
	return readKept(keepStack(from, depth), format);
}

/** The running code's stack, not read yet. */
export interface KeptStack {
	readonly stack?: unknown;
}

/** Enough for the user's frame below whatever Node itself calls. */
const KEPT_DEPTH = 64;

/** Keeps the stack for `readKept`. Runs no native code of Node's. @param from the first frame is its caller */
export function keepStack(from: EntryFunction, depth = KEPT_DEPTH): KeptStack {
	const holder = {};
	Error.stackTraceLimit = depth;
	Error.captureStackTrace(holder, from);
	return holder;
}

/** What `format` makes of a stack that was kept; V8's text where V8 had to format it meanwhile. */
export function readKept<T>(kept: KeptStack, format: StackFormat<T>): T | string | undefined {
	const own = Error as { prepareStackTrace?: unknown };
	own.prepareStackTrace = format;
	const { stack } = kept;
	// An error that V8 throws in a function of the tracer's when the stack is full may reach the program: its stack is text.
	own.prepareStackTrace = undefined;
	return stack as T | string | undefined;
}
