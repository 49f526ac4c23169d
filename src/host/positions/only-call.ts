// Whether a line does nothing that takes time but call one function: then what samples found on that line ran in that function.
import { codeOf } from './function-text.ts';

/** A longer line is that of a minified script, which does everything. */
const LONGEST_LINE = 300;
/** What takes time by itself, and what may run code elsewhere. */
const WORKS =
	/[`/]|\.\.\.|=>|(?<![\p{ID_Continue}$.#])(?:for|while|do|new|yield|import|function|class|delete|in|of)(?![\p{ID_Continue}$])/u;
/** Words before a bracket that call nothing. */
const NO_CALL = new Set(['await', 'catch', 'if', 'return', 'switch', 'typeof', 'void']);
const CALLED = /([\p{ID_Continue}$#]+)\s*(?:\?\.)?\s*\(/gu;

/** @param line 1-based @param called the name of a function as V8 gives it, perhaps with the object that has it */
export function callsOnly(text: string, line: number, called: string): boolean {
	const own = text.split('\n')[line - 1] ?? '';
	if (own.length > LONGEST_LINE) return false;
	// A string that is not closed on the line begins or ends on another one.
	const code = codeOf(own);
	if (WORKS.test(code) || /['"]/.test(code)) return false;
	const calls = [...code.matchAll(CALLED)].map(({ 1: name = '' }) => name).filter((name) => !NO_CALL.has(name));
	return calls.length === 1 && calls[0] === called.split(/[.\s]/).at(-1);
}
