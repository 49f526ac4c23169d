// The function that V8 has inlined into another one: it then says that the other one ran, on a line of the inlined one.
import { bodyOf, CALL, countLines, escaped, NO_CALLS, offsetOf } from './function-text.ts';

/** Where a function begins according to V8: at its parameters, or at the only parameter of an arrow function. 1-based. */
export interface FunctionBegin {
	name: string;
	line: number;
	column: number;
}

/** More names than a function calls that V8 inlines others into. */
const MOST_NAMES = 100;

/**
 * The function of the same script that a function calls and that line belongs to.
 * @param text of the script
 * @param begin of the function that ran according to V8
 * @param line on which it ran according to V8, 1-based
 * @returns null where the line is the function's own, or of none that it calls
 */
export function inlinedAt(text: string, begin: { line: number; column: number }, line: number): FunctionBegin | null {
	const body = bodyOf(text, begin);
	if (body === '' || isOn(line, begin, body)) return null;
	const names = new Set([...body.matchAll(CALL)].map(({ 1: name = '' }) => name));
	for (const name of [...names].filter((each) => !NO_CALLS.has(each)).slice(0, MOST_NAMES)) {
		const found = beginsOf(name, text).find((each) => isOn(line, each, bodyOf(text, each)));
		if (found !== undefined) return { name, ...found };
	}
	return null;
}

/** Whether a function has that line. */
function isOn(line: number, begin: { line: number }, body: string): boolean {
	return line >= begin.line && line <= begin.line + countLines(body, body.length);
}

/** Where functions and methods of that name begin. */
function beginsOf(name: string, text: string): { line: number; column: number }[] {
	const own = escaped(name);
	const behind = '\\s*(?=\\()';
	const pattern = new RegExp(
		`\\bfunction\\s*\\*?\\s*${own}${behind}|\\b(?:const|let|var)\\s+${own}\\s*=\\s*(?:async\\b\\s*)?(?:function\\b\\s*\\*?\\s*|(?=\\(|[\\p{ID_Continue}$]+\\s*=>))|^[\\t ]+(?:(?:async|static)\\s+)*\\*?\\s*${own}${behind}(?=\\([^()]*\\)\\s*\\{)`,
		'gmu',
	);
	return [...text.matchAll(pattern)].map(({ 0: found, index }) => positionAt(text, index + found.length));
}

function positionAt(text: string, offset: number): { line: number; column: number } {
	const line = countLines(text, offset) + 1;
	return { line, column: offset - offsetOf(text, line, 1) + 1 };
}
