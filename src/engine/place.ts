// Where in the program something is.

/** A source position as the journal tells it, before source maps; column 0 stands for some place on the line. */
export interface Place {
	script: string;
	line: number;
	column: number;
}

/** Where a position of a script is in the user's sources; null when it should not be shown. */
export type Resolve = (place: Place) => { file: string; line: number } | null;

/**
 * The line, in its script, on which the function that begins there calls the one of that name (empty: it ran itself); where nobody can tell, the
 * first of the lines that may be a line of that function; else 0.
 */
export type RunningLine = (begin: Place, called: string, lines: readonly number[]) => number;
