// Where in the program something is.

/** A source position as recorded in the journal, before source maps; column 0 means an unknown place on the line. */
export interface Place {
	script: string;
	line: number;
	column: number;
	/** The function around it, as V8 calls it; absent or empty where it has no name, or none was recorded. */
	function?: string;
}

/** Whether both are on one line. */
export function isSamePlace(a: Place | null, b: Place | null): boolean {
	if (a === null || b === null) return a === b;
	return a === b || (a.line === b.line && a.script === b.script);
}

/** Where a position of a script is in the user's sources; null when it should not be shown. */
export type Resolve = (place: Place) => { file: string; line: number } | null;

/**
 * The line, in its script, on which the function that begins there calls the one of that name (empty: it ran itself; `require(SCRIPT)`: it loads a module);
 * where that is unknown, the first of `lines` that may be a line of that function; else 0.
 * @param awaited the line of that script whose wait was over just before; 0 where it is another script's
 */
export type RunningLine = (begin: Place, called: string, lines: readonly number[], awaited: number) => number;

/** What the text shows of functions on sampled stacks. */
export interface StackTexts {
	/** Works without `this`. */
	readonly runningLine: RunningLine;
	/** Whether the function that begins there is written where it is given to what is called: it has no name then. Works without `this`. */
	readonly isArgument: (begin: Place) => boolean;
	/** The function of V8's that takes the time of a line which ran itself, such as `JSON.parse`; empty where that is not certain. Works without `this`. */
	readonly builtInOn: (place: Place) => string;
}
