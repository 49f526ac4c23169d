// Original positions in scripts that become JavaScript while they are loaded (tsx, Node's
// --experimental-transform-types): their files contain TypeScript, so the host cannot find the map, but Node keeps it
// where source maps are on. The host follows the maps of files that were built before: it has the time.
import { isCompiled } from '../../src/protocol/compiled-script.ts';
import { findSourceMap } from '../process/node-functions.ts';

/** 1-based, in the file that a person wrote. */
export interface Original {
	readonly line: number;
	readonly column: number;
}

/**
 * Where a position, 1-based, is in the file that a person wrote; null where the file itself is what runs. What a compiler has added is on no line of
 * that, and its column is 1: any other would be taken for one in the file, and show that another text ran.
 */
export function originalPosition(script: string, line: number, column: number): Original | null {
	if (!isCompiled(script)) return null;
	try {
		const entry = findSourceMap(script)?.findEntry(line - 1, column - 1);
		if (entry === undefined) return null;
		if (!('originalLine' in entry)) return { line, column: 1 };
		return { line: entry.originalLine + 1, column: entry.originalColumn + 1 };
	} catch {
		// A map that cannot be read: the position is that of the text that runs.
		return null;
	}
}
