// A function on a sampled stack, at its position in the file that a person wrote as far as only the program knows that: what is compiled in memory
// has its map in Node or in the program's own tool. Maps of files that were built before are followed by the host.
import url from 'node:url';
import { mappedByProgram } from '../sites/mapped-by-program.ts';
import { withoutData } from '../sites/script-name.ts';
import { type Original, originalPosition } from '../sites/source-maps.ts';
import type { ProfileNode } from './cpu-profile.ts';

const { fileURLToPath } = url;

/** Lines and columns are 1-based. */
export interface SampledFrame {
	readonly script: string;
	readonly name: string;
	/** Where the function begins. */
	readonly line: number;
	readonly column: number;
	/** Lines that ran, the likeliest first; V8 tells them of the innermost function alone. */
	readonly lines: readonly number[];
	readonly isLibrary: boolean;
}

/** V8 tells a line and no column: what ends such a line is on it, whatever else is. */
const END_OF_LINE = 10_000;

const known = new Map<string, SampledFrame>();
/** Frames remembered. */
const KEPT = 5000;

/** @param lines as V8 tells them, 1-based */
export function frameAt(callFrame: ProfileNode['callFrame'], lines: readonly number[]): SampledFrame {
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
			// All of a minified script is on one line, of which the function's begin says more.
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

/** The profiler names every script by URL, the stacks of CommonJS by path. */
export function pathOf(script: string): string {
	if (!script.startsWith('file:')) return script;
	try {
		return fileURLToPath(script);
	} catch {
		// No file of this system.
		return script;
	}
}

/** As much of a frame as the tools ask for that map stacks. */
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
