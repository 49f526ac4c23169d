// Where in the program something is.

/** A source position as recorded in the journal, before source maps; column 0 means an unknown place on the line. */
export interface Place {
	script: string;
	line: number;
	column: number;
	/** The function around it, as V8 calls it; absent or empty where it has no name, or none was recorded. */
	function?: string;
	/** Of requests that are distinguished by where their handler was when something was started first: where the handler begins. */
	handler?: Place;
}

/** Whether both are on one line. */
export function isSameLine(a: Place | null, b: Place | null): boolean {
	if (a === null || b === null) return a === b;
	return a === b || (a.line === b.line && a.script === b.script);
}

/** Whether both are at one place of one line. */
export function isSamePlace(a: Place | null, b: Place | null): boolean {
	return isSameLine(a, b) && a?.column === b?.column;
}

/** Where a position of a script is in the user's sources; null when it should not be shown. */
export type Resolve = (place: Place) => { file: string; line: number } | null;

/** Stands for the name of a function that has none. */
export const NAMELESS = '(nameless)';

/**
 * The line, in its script, on which the function that begins there calls the one of that name (empty: it ran itself; `require(SCRIPT)`: it loads a module);
 * where that is unknown, the first of `lines` that may be a line of that function; else 0.
 * @param awaited the line of that script whose wait was over just before; 0 where it is another script's
 * @param library the package of what it calls; empty for code that is in none
 */
export type RunningLine = (
	begin: Place,
	called: string,
	lines: readonly number[],
	awaited: number,
	library: string,
) => number;

/** What the text shows of functions on sampled stacks. */
export interface StackTexts {
	/** Works without `this`. */
	readonly runningLine: RunningLine;
	/** Whether the function that begins there is written where it is given to what is called: it has no name then. Works without `this`. */
	readonly isArgument: (begin: Place) => boolean;
	/**
	 * The function that the one which begins there calls, and that line belongs to: V8 has inlined it. null where the line is the function's own, or that of none that it calls.
	 * Works without `this`.
	 */
	readonly inlinedAt: (begin: Place, line: number) => { name: string; place: Place } | null;
	/** Whether what is at a place behind a function's begin is within that function; where the text is not known, it is taken to be. Works without `this`. */
	readonly isWithin: (begin: Place, at: Place) => boolean;
	/**
	 * Where a function that is all on one line, as in a minified bundle, calls the one of that name (empty: it ran itself, in its only loop): a 1-based column; 0 where that is unknown.
	 * Works without `this`.
	 */
	readonly columnIn: (begin: Place, called: string) => number;
	/** The name that the function of that name which begins there has in the user's sources. Works without `this`. */
	readonly originalName: (begin: Place, name: string) => string;
	/** Whether a class begins there: V8 says so of a constructor that nobody has written. Works without `this`. */
	readonly isClass: (begin: Place) => boolean;
	/** The function of V8's that takes the time of a line which ran itself, such as `JSON.parse`; empty where that is not certain. Works without `this`. */
	readonly builtInOn: (place: Place) => string;
	/** Whether a line does nothing that takes time but call the function of that name. Works without `this`. */
	readonly callsOnly: (line: Place, called: string) => boolean;
	/** The user's line that imports that script in a thread which was started with `entry`; null where that is not known. Works without `this`. */
	readonly importOf: (script: string, entry: string) => Place | null;
}
