// A function on a sampled stack, at its position in the file that a person wrote as far as only the program knows that:
// code compiled in memory has its source map in Node or in the program's own tool. The host follows the maps of files
// that were built before.
import { mappedByProgram } from '../sites/mapped-by-program.ts';
import { pathOf, withoutData } from '../sites/script-name.ts';
import { type Original, originalPosition } from '../sites/source-maps.ts';
import type { ProfileNode } from './cpu-profile.ts';

/** Lines and columns are 1-based. */
export interface ProfiledFrame {
	readonly script: string;
	readonly name: string;
	/** Where the function begins. */
	readonly line: number;
	readonly column: number;
	/** Lines that ran, the likeliest first; V8 gives them for the innermost function only. */
	readonly lines: readonly number[];
	readonly isLibrary: boolean;
}

/** V8 gives a line and no column: whatever ends such a line is certainly on it. */
const END_OF_LINE = 10_000;

const known = new Map<string, ProfiledFrame>();
/** Frames remembered. */
const KEPT = 5000;

/** @param lines as V8 gives them, 1-based */
export function frameAt(callFrame: ProfileNode['callFrame'], lines: readonly number[]): ProfiledFrame {
	const { functionName, url: name, lineNumber, columnNumber } = callFrame;
	const key = `${lineNumber} ${columnNumber} ${lines} ${name}`;
	let frame = known.get(key);
	if (frame === undefined) {
		const script = pathOf(name);
		const isLibrary = /[\\/]node_modules[\\/]/.test(script);
		const originalOf = (line: number, column: number): Original | null =>
			originalPosition(name, line, column) ??
			(isLibrary
				? null
				: (mappedByProgram(callSite(script), script, line, column) ??
					mappedByProgram(callSite(name), name, line, column)));
		const begin = originalOf(lineNumber + 1, columnNumber + 1);
		const originalLine = (line: number) => {
			// A minified script is all on one line, so the function's start is more precise.
			if (line === lineNumber + 1) return begin?.line ?? line;
			return originalOf(line, END_OF_LINE)?.line ?? line;
		};
		frame = {
			script: withoutData(script),
			name: functionName,
			line: begin?.line ?? lineNumber + 1,
			column: begin?.column ?? columnNumber + 1,
			lines: lines.map(originalLine),
			isLibrary,
		};
		if (known.size >= KEPT) known.clear();
		known.set(key, frame);
	}
	return frame;
}

/** The part of a frame that stack-mapping tools read. */
function callSite(script: string): NodeJS.CallSite {
	const prototype = {
		getFileName: () => script,
		getScriptNameOrSourceURL: () => script,
		getFunctionName: () => null,
		getTypeName: () => null,
		getMethodName: () => null,
		getThis: () => undefined,
		getFunction: () => undefined,
		getEvalOrigin: () => undefined,
		getPromiseIndex: () => null,
		isNative: () => false,
		isToplevel: () => true,
		isEval: () => false,
		isConstructor: () => false,
		isAsync: () => false,
		isPromiseAll: () => false,
	};
	return Object.create(prototype) as NodeJS.CallSite;
}
