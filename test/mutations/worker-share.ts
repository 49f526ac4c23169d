// What a thread of the runner is given.
import type { Original } from './mutate.ts';

export interface Share {
	originals: Original[];
	seed: number;
	/** The first index, the step to the next, and the end. */
	from: number;
	step: number;
	to: number;
	/** The module that exports the reader as `read`. */
	reader: string;
	/** The index that is being tried. */
	at: Int32Array;
}

/** Stands for the index before the first is tried. */
export const NONE_YET = -1;
