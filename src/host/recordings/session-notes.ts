// What a session knows beside its journals, and its recording therefore contains.
import type { DebuggerStretches } from '../../engine/clocks/debugger-stretch.ts';
import type { Kill } from '../../engine/threads/kill.ts';

export interface SessionNotes extends DebuggerStretches {
	/**
	 * Other paths of files, and the path by which each is shown: links, and drives that `subst` made. Only the machine
	 * that the program runs on knows them.
	 */
	otherPaths: ReadonlyMap<string, string>;
	/** Processors that the programs could use; null where that is not known. */
	cores: number | null;
	/** What killed processes, by their ids. */
	kills: ReadonlyMap<number, Kill>;
}

export const NO_NOTES: SessionNotes = {
	pauses: [],
	asyncStacks: [],
	otherPaths: new Map(),
	cores: null,
	kills: new Map(),
};
