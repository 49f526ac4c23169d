// What a session knows beside its journals, and its recording therefore contains.
import type { DebuggerStretches } from '../engine/debugger-stretch.ts';

export interface SessionNotes extends DebuggerStretches {
	/**
	 * Other paths of files, and the path by which each is shown: links, and drives that `subst` made. Only the machine
	 * that the program runs on knows them.
	 */
	otherPaths: ReadonlyMap<string, string>;
}

export const NO_NOTES: SessionNotes = { pauses: [], asyncStacks: [], otherPaths: new Map() };
