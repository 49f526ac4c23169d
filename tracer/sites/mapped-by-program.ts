// Original positions in scripts that a tool of the program's own compiles in memory (ts-node, Babel's and swc's hooks,
// jest, Vitest): the tool keeps the map to itself, but installs Error.prepareStackTrace, a function that formats stacks
// and follows the map.

import { isCompiled } from '../../src/protocol/compiled-script.ts';
import { basename, readFileSync } from '../process/node-functions.ts';
import { getPrototypeOf } from '../process/object-functions.ts';
import { ownValue } from '../process/own-value.ts';
import { pathOf } from './script-name.ts';
import type { Original } from './source-maps.ts';

type ProgramFormat = NonNullable<typeof Error.prepareStackTrace>;

/**
 * Marks in the text of those functions that are known to follow maps: source-map-support's, and all that go from a
 * frame to the original one as it does. jest's is bound, and Babel, which may be loaded later, wraps whatever it finds.
 */
const MAPS = /wrapCallSite|\[native code\]|stackTraceRewriter/;
const { Error: ProgramError } = program;
const textOf = Function.prototype.toString;
/** `at work (/app/work.ts:22:21)` */
const POSITION = /(.*):(\d+):(\d+)\)?\s*$/;

let lastFormat: ProgramFormat | null = null;
let isMapper = false;
const withoutMap = new Map<string, boolean>();

/**
 * The position, 1-based, that the program's own tool gives for one in a script of the user's; null where the tool gives
 * no other.
 */
export function mappedByProgram(call: NodeJS.CallSite, script: string, line: number, column: number): Original | null {
	const format = ownValue(ProgramError, 'prepareStackTrace') as ProgramFormat | undefined;
	if (typeof format !== 'function') return null;
	if (format !== lastFormat) {
		lastFormat = format;
		isMapper = MAPS.test(Reflect.apply(textOf, format, []));
	}
	if (!isMapper || !isCompiledInMemory(script)) return null;
	try {
		const stack = Reflect.apply(format, ProgramError, [new ProgramError(), [frameAt(call, line, column)]]);
		const found = typeof stack === 'string' ? POSITION.exec(stack) : null;
		const { 1: file = '', 2: originalLine, 3: originalColumn } = found ?? [];
		const name = basename(pathOf(script));
		if (!file.endsWith(name) && !file.endsWith(encodeURI(name))) return null;
		return { line: Number(originalLine), column: Number(originalColumn) };
	} catch {
		// The tool has failed: the position is that of the text that runs.
		return null;
	}
}

/**
 * Whether the text that runs was compiled in memory. Where Node could run the file as it is, that is assumed only of a
 * file without a map of its own, which the host would follow.
 */
function isCompiledInMemory(script: string): boolean {
	if (isCompiled(script)) return true;
	let isMapless = withoutMap.get(script);
	if (isMapless === undefined) {
		isMapless = !hasMap(script);
		withoutMap.set(script, isMapless);
	}
	return isMapless;
}

function hasMap(script: string): boolean {
	try {
		return readFileSync(pathOf(script)).includes('sourceMappingURL=');
	} catch {
		// There is no such file.
		return false;
	}
}

/** The frame with another position in its script. Its methods are on its prototype, for tools copy them from there. */
function frameAt(call: NodeJS.CallSite, line: number, column: number): object {
	const prototype: Record<string, () => unknown> = {};
	const methods = call as unknown as Record<string, () => unknown>;
	const names = Object.getOwnPropertyNames(getPrototypeOf(call));
	for (let at = 0; at < names.length; at++) {
		const name = names[at]!;
		prototype[name] = () => methods[name]!();
	}
	prototype.getLineNumber = () => line;
	prototype.getColumnNumber = () => column;
	return Object.create(prototype) as object;
}
