// Where in the program something is.

/** A source position as the journal tells it, before source maps. */
export interface Place {
	script: string;
	line: number;
	column: number;
}

/** Where a position of a script is in the user's sources; null when it should not be shown. */
export type Resolve = (place: Place) => { file: string; line: number } | null;
