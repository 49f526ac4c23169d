// The two properties of Error that say how stacks are read: a capture borrows them. `finally` does not run where V8 ends the program's
// code in the middle (the timeout of `vm`, a Worker's end), so what was borrowed is kept until it has been given back: then
// the next capture does so, or the first error of the program that finds our function there.

export type StackFormat = NonNullable<typeof Error.prepareStackTrace>;

const errorToString = Error.prototype.toString;

/** Whose stack is being read; null when nothing is borrowed. */
let borrower: object | null = null;
let stackTraceLimit = 0;
let prepareStackTrace: typeof Error.prepareStackTrace;
let isOwn = false;

/** Notes the program's settings, which may then be changed. */
export function borrowError(holder: object): void {
	giveErrorBack();
	stackTraceLimit = Error.stackTraceLimit;
	prepareStackTrace = Error.prepareStackTrace;
	isOwn = Object.hasOwn(Error, 'prepareStackTrace');
	borrower = holder;
}

/** @throws when the program has frozen Error meanwhile */
export function giveErrorBack(): void {
	if (borrower === null) return;
	Error.stackTraceLimit = stackTraceLimit;
	if (isOwn) Error.prepareStackTrace = prepareStackTrace;
	else delete (Error as { prepareStackTrace?: unknown }).prepareStackTrace;
	borrower = null;
}

export function isBorrowedFor(holder: object): boolean {
	return holder === borrower;
}

/** How the program formats stacks, while its settings are borrowed; null when it leaves that to V8. */
export function formatOfProgram(): StackFormat | null {
	return typeof prepareStackTrace === 'function' ? prepareStackTrace : null;
}

/** The stack of an error of the program's own, as it would be without us; gives back what a capture that was ended has not. */
export function formatForProgram(error: Error, stack: NodeJS.CallSite[]): string {
	giveErrorBack();
	const frames = stack.slice(0, stackTraceLimit);
	if (typeof prepareStackTrace === 'function') return prepareStackTrace.call(Error, error, frames) as string;
	return [Reflect.apply(errorToString, error, []), ...frames.map((frame) => `    at ${frame}`)].join('\n');
}
