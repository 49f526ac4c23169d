// What is read in the text of a function without a parser: where it begins and ends, what it calls, and on which of its lines. Lines are counted from 0.

/** An identifier does not begin in the middle of a word. */
export const BEFORE_WORD = '(?<![\\p{ID_Continue}$])';

/** Functions longer than this many characters are not searched: such a text is generated. */
const LONGEST = 200_000;

/** Patterns of an identifier, private names among them: within other text, and alone. */
export const WORD = '[\\p{ID_Start}$_#][\\p{ID_Continue}$]*';
export const IDENTIFIER = new RegExp(`^${WORD}$`, 'u');

/** A call of something by a plain name, perhaps as a method. */
export const CALL = new RegExp(`(?<!function\\s)${BEFORE_WORD}(${WORD})\\s*(?:\\?\\.)?\\s*\\(`, 'gu');

/** V8's and Node's own functions. */
export const GLOBALS = new Set(Object.getOwnPropertyNames(globalThis));

/** The same, and words that may stand before brackets without being called. */
export const NO_CALLS = new Set([
	...['await', 'catch', 'for', 'function', 'if', 'return', 'super', 'switch', 'typeof', 'while', 'with'],
	...GLOBALS,
]);

const CLASSES = [Array, Date, JSON, Map, Math, Number, Object, Promise, RegExp, Set, String];

/** Names of the methods that objects of V8's have which programs use most. */
export const OF_INSTANCES = new Set(
	CLASSES.flatMap((of) => ('prototype' in of ? Object.getOwnPropertyNames(of.prototype) : [])),
);

/** The same, and those of the classes and of `JSON` and `Math` themselves. */
export const METHODS = new Set([...OF_INSTANCES, ...CLASSES.flatMap((of) => Object.getOwnPropertyNames(of))]);

/** An identifier as a pattern. */
export function escaped(identifier: string): string {
	return identifier.replaceAll('$', '\\$');
}

/** Whether a text has that identifier. */
export function mentions(text: string, name: string): boolean {
	if (!IDENTIFIER.test(name)) return false;
	return new RegExp(`${BEFORE_WORD}${escaped(name)}(?![\\p{ID_Continue}$])`, 'u').test(text);
}

/** Those that are in no function within the body. @param from where its own code begins */
export function withoutInner(calls: readonly number[], body: string, from: number): number[] {
	// Behind the `=>` that may be there.
	const begins = [...body.matchAll(/=>|\bfunction\b/g)].filter(({ index }) => index > from + 1 || from === 0);
	const inner = begins.map(({ index }) => ({ index, end: index + endOfFunction(body.slice(index)) }));
	return calls.filter((at) => !inner.some(({ index, end }) => at > index && at < end));
}

/** The lines on which places of the body are, each once. @param places offsets */
export function linesAt(places: readonly number[], body: string): number[] {
	return [...new Set(places.map((at) => countLines(body, at)))];
}

/** The only one; undefined where there are none or several. */
export function only(lines: readonly number[]): number | undefined {
	return lines.length === 1 ? lines[0] : undefined;
}

/** The offset of a position, 1-based, in a text; -1 where the text has fewer lines. */
export function offsetOf(text: string, line: number, column: number): number {
	let at = 0;
	for (let i = 1; i < line; i++) {
		at = text.indexOf('\n', at) + 1;
		if (at === 0) return -1;
	}
	return at + column - 1;
}

/** The function that begins there, from that position on; empty where there is none. */
export function bodyOf(text: string, { line, column }: { line: number; column: number }): string {
	const from = offsetOf(text, line, column);
	if (from < 0) return '';
	const code = codeOf(text.slice(from, from + LONGEST));
	// A module's own code begins with the script.
	return from === 0 ? code : code.slice(0, endOfFunction(code));
}

/** The same text with comments, strings and templates blanked out, so that words and brackets in them do not count; of a template, its begin and simple expressions stay. */
export function codeOf(text: string): string {
	return text.replace(
		/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g,
		(hidden) => (hidden.startsWith('`') ? `\`${expressionsOf(hidden.slice(1))}` : hidden.replace(/[^\n]/g, ' ')),
	);
}

function expressionsOf(template: string): string {
	return template.replace(/\$\{((?:[^`{}'"\\]|'[^'\\\n]*'|"[^"\\\n]*")*)\}|[^\n]/g, (_hidden, code?: string) =>
		code === undefined ? ' ' : `  ${code.replace(/'[^']*'|"[^"]*"/g, blank)} `,
	);
}

function blank(hidden: string): string {
	return ' '.repeat(hidden.length);
}

/** Where the parameters of the function end that the code begins with. */
export function startOfBody(code: string): number {
	let depth = 0;
	for (const { 0: token, index } of code.matchAll(/=>|[(){}[\]]/g)) {
		if (depth === 0 && (token === '=>' || token === '{')) return index;
		depth += /[({[]/.test(token) ? 1 : token === '=>' ? 0 : -1;
	}
	return 0;
}

/** Where the function ends whose parameters, name or keyword the code begins with. */
export function endOfFunction(code: string): number {
	let depth = 0;
	let hasBody = false;
	for (const { 0: token, index } of code.matchAll(/=>\s*\{?|[(){}[\];,]/g)) {
		if (token.startsWith('=>')) {
			if (depth === 0) hasBody = true;
			if (token.endsWith('{')) depth++;
		} else if (/[({[]/.test(token)) {
			if (token === '{' && depth === 0) hasBody = true;
			depth++;
		} else if (/[)}\]]/.test(token)) {
			depth--;
			// The bracket around an arrow function, or the end of a body.
			if (depth < 0 || (depth === 0 && token === '}' && hasBody)) return index + 1;
		} else if (depth === 0 && hasBody) {
			return index;
		}
	}
	return code.length;
}

/** How many lines end before an offset. */
export function countLines(text: string, until: number): number {
	let count = 0;
	for (let at = text.indexOf('\n'); at >= 0 && at < until; at = text.indexOf('\n', at + 1)) count++;
	return count;
}
