// The line of a function that was running, found in the text. V8's profiler says where a function on the stack begins,
// and only for the innermost function which lines ran, sometimes those of a function inlined into it. A parser would
// work for JavaScript only; this reads TypeScript too, whose types Node strips itself.
import { isBuiltin } from 'node:module';
import { NAMELESS } from '../../engine/common/place.ts';
import { EVAL_CODE } from '../../protocol/journal.ts';
import {
	BEFORE_WORD,
	bodyOf,
	CALL,
	codeOf,
	countLines,
	escaped,
	GLOBALS,
	IDENTIFIER,
	linesAt,
	METHODS,
	mentions,
	NO_CALLS,
	offsetOf,
	only,
	startOfBody,
	withoutInner,
} from './function-text.ts';
import { lineOfImported, lineOfUnnamed } from './unnamed-calls.ts';

/** Lines of more characters are not searched: such a text is generated. */
const LONGEST_LINE = 1000;

/** How programs call functions of Node's that have another name on the stack. */
const CALLED_AS = new Map([
	[
		'syncBufferWrapper',
		'(?:gzip|gunzip|deflate|inflate|deflateRaw|inflateRaw|unzip|brotli(?:Dec|C)ompress|zstd(?:Dec|C)ompress)Sync',
	],
	['RegExp', '(?:exec|match|matchAll|replace|replaceAll|search|split|test)'],
	['signOneShot', 'sign'],
	['verifyOneShot', 'verify'],
	['hrtimeBigInt', 'bigint'],
]);

/**
 * A line that does nothing by itself: a bracket, or the return of what is known already. For machine code that has no position of its own, V8 gives the
 * one before it: a part of a loop often has that of the `return` behind it.
 */
const DOES_NOTHING = /^\s*(?:return\s*[\p{ID_Continue}$]*\s*;?)?[\s;,)\]}]*$/u;

/**
 * @param text of the script; empty where it is not available
 * @param begin 1-based, where the function begins according to V8: at its parameters, its name or a keyword
 * @param called the name of the function that it was calling, perhaps with the object or class that has it as a method;
 * empty when it ran itself, NAMELESS for one without a name, `require(SCRIPT)` when it loaded a module, and what ends in EVAL_CODE when it called code that has no name in the text
 * @param lines that ran according to V8, 1-based, the likeliest first
 * @param awaited where it went on after an `await`, 1-based; 0 where that is unknown
 * @param library the package of what it was calling; empty for code that is in none
 * @returns the line of the call, if only one line of the function calls something of that name, or outside of functions within it, or gives it to what does; else the only one
 * that calls what may have another name; else the first of `lines` that is the function's
 * own and does something; else the first that calls it after the `await`; else that of the only loop that calls it, or of the only loop; else 0
 */
export function runningLine(
	text: string,
	begin: { line: number; column: number },
	called: string,
	lines: readonly number[],
	awaited = 0,
	library = '',
): number {
	if (text === '') return lines[0] ?? 0;
	const body = bodyOf(text, begin);
	if (body === '') return 0;
	const [, module = ''] = /^require\((.+)\)$/s.exec(called) ?? [];
	if (module !== '') return lineThatRequires(module, text, begin.line, body) || lines[0] || 0;
	const isEval = called.endsWith(EVAL_CODE);
	const name = isEval || called === NAMELESS ? '' : (called.split(/[.\s]/).at(-1) ?? '');
	const from = begin.line === 1 && begin.column === 1 ? 0 : startOfBody(body);
	const found = isEval
		? callsOfOthers(body, from)
		: called === FIELDS
			? [...body.matchAll(/\bnew\s/g)].map(({ index }) => index)
			: /^[gs]et\s/.test(called)
				? usesOf(name, body)
				: callsOf(name, body);
	const calls = linesAt(found, body).map((line) => begin.line + line);
	if (calls.length === 1) return calls[0]!;
	// What a function within this one calls, its own frame would have called.
	const direct =
		calls.length > 1 && lines.length === 0 ? only(linesAt(withoutInner(found, body, from), body)) : undefined;
	if (direct !== undefined) return begin.line + direct;
	const last = begin.line + countLines(body, body.length);
	const bodyLines = body.split('\n');
	bodyLines[0] = withoutHead(bodyLines[0]!, from);
	const own = lines.filter(
		(line) => line >= begin.line && line <= last && !DOES_NOTHING.test(bodyLines[line - begin.line]!),
	);
	const isIndirect = calls.length === 0 && lines.length === 0;
	// A listener of the script's is called by its emitter, whose frame is Node's.
	const emits = isIndirect && mentions(text, name) ? linesThatCall('emit', body) : [];
	const given = isIndirect ? (only(linesThatGive(name, body)) ?? only(emits)) : undefined;
	if (given !== undefined) return begin.line + given;
	const isUnnamed = (isIndirect || isEval) && called !== '';
	// A module's own code calls too much to tell by what else it calls.
	const other = !isUnnamed
		? undefined
		: from > 0
			? lineOfUnnamed(body, from, text, library)
			: lineOfImported(body, text, name, library);
	if (other !== undefined) return begin.line + other;
	// Scripts load their modules one after the other: a loop says nothing about which.
	if (called === 'require') return own[0] ?? onlyLine(requiresIn(text, begin.line, body)) ?? 0;
	// What follows the call of `setTimeout` on that line is not what its callback runs.
	const isAwait = awaited >= begin.line && awaited <= last && /\bawait\b/.test(text.split('\n')[awaited - 1]!);
	const next = isAwait ? calls.find((line) => line >= awaited) : undefined;
	const loops = linesOfLoops(body).map((line) => begin.line + line);
	const repeated = calls.filter((line) => loops.includes(line));
	const loop = only(repeated.length > 0 ? repeated : loops);
	return own.find((line) => calls.includes(line)) ?? own[0] ?? next ?? loop ?? 0;
}

/**
 * A function's first line without its parameters and bracket, unless these compute something: V8 also gives that line to machine code that has no position.
 * @param from where its body begins
 */
function withoutHead(line: string, from: number): string {
	const isPlain = from < line.length && !/[=(]/.test(line.slice(0, from).replace(/^[^(]*\(/, ''));
	return isPlain ? line.slice(from).replace(/^(?:=>)?\s*\{?/, '') : line;
}

/**
 * As `runningLine`, for a function that is all on one line, as in a minified bundle: the column of its only call of that name, or of its only loop.
 * @returns 1-based; 0 where that is unknown
 */
export function columnIn(text: string, begin: { line: number; column: number }, called: string): number {
	const body = bodyOf(text, begin);
	if (body === '' || body.includes('\n') || called.endsWith(EVAL_CODE)) return 0;
	const name = called.split(/[.\s]/).at(-1) ?? '';
	const found = called === '' ? loopsOf(body) : callsOf(name, body);
	const [at, ...others] = withoutInner(found, body, startOfBody(body));
	return at === undefined || others.length > 0 ? 0 : begin.column + at;
}

/** The name that stands before the function which begins there, and its 1-based column: its own, or that of what holds it; null where there is none. */
export function nameBefore(
	text: string,
	{ line, column }: { line: number; column: number },
): { name: string; column: number } | null {
	const from = offsetOf(text, line, column);
	const before = text.slice(Math.max(0, from - 200, from - column + 1), Math.max(0, from));
	const found = /([\p{ID_Continue}$#]+)\s*(?:[=:]\s*)?(?:\basync\b\s*)?(?:\bfunction\b\s*\*?\s*)?$/u.exec(before);
	return found === null ? null : { name: found[1]!, column: column - before.length + found.index };
}

/** Whether the function that begins there, according to V8, is written where it is given to what is called. */
export function isArgument(text: string, { line, column }: { line: number; column: number }): boolean {
	const from = offsetOf(text, line, column);
	return /[(,]\s*(?:async\b\s*)?(?:function\b\s*\*?\s*)?$/.test(text.slice(Math.max(0, from - 200), Math.max(0, from)));
}

/**
 * Whether what is at a place behind a function's begin is within that function: a function that is given to one above it is not.
 * @param text of the script; where it is empty, it is taken to be
 */
export function isWithin(
	text: string,
	begin: { line: number; column: number },
	at: { line: number; column: number },
): boolean {
	const body = bodyOf(text, begin);
	return body === '' || offsetOf(text, at.line, at.column) < offsetOf(text, begin.line, begin.column) + body.length;
}

/** Whether a class begins there: its constructor, which nobody has written, begins there according to V8. */
export function isClass(text: string, { line, column }: { line: number; column: number }): boolean {
	const from = offsetOf(text, line, column);
	return from >= 0 && /^class\b/.test(text.slice(from, from + 6));
}

/**
 * The function of V8's that takes the time of a line which ran itself, 1-based: the only one on it. What else it calls has frames of its own, unless it is
 * V8's too; empty then, and where there is none.
 */
export function builtInOn(text: string, line: number): string {
	const own = text.split('\n')[line - 1] ?? '';
	if (own.length > LONGEST_LINE) return '';
	const code = codeOf(own);
	const [first = '', ...others] = new Set([...code.matchAll(BUILT_IN)].map(({ 1: name = '' }) => name));
	const rest = code.replace(BUILT_IN, '(');
	const isAlone =
		others.length === 0 &&
		[...rest.matchAll(CALL)].every(
			({ 1: name = '', index }) => !(rest[index - 1] === '.' ? METHODS : GLOBALS).has(name),
		);
	return isAlone ? first : '';
}

/** Functions of V8's without a frame that take long for much data. */
const BUILT_IN = /(?<![\p{ID_Continue}$.#])(JSON\.(?:parse|stringify)|structuredClone)\s*\(/gu;

/** A call of `require`; `named` is null where what it loads is computed. */
interface Require {
	line: number;
	named: string | null;
}

/** The first line of a body that loads that module by its name, or the only one that may load it all the same; else 0. */
function lineThatRequires(module: string, text: string, first: number, body: string): number {
	const all = requiresIn(text, first, body);
	const pattern = new RegExp(`^${namePattern(module)}$`);
	const byName = all.find(({ named }) => named !== null && pattern.test(named));
	if (byName !== undefined) return byName.line;
	const isPackage = /[\\/]node_modules[\\/]/.test(module);
	// A package is loaded by its name or a computed one; a path may lead to a script of another name.
	return onlyLine(all) ?? onlyLine(all.filter(({ named }) => named === null || !isPackage)) ?? 0;
}

/** The only line that loads something; modules of Node's take no time that anybody notices. */
function onlyLine(requires: readonly Require[]): number | undefined {
	const lines = (some: readonly Require[]) => [...new Set(some.map(({ line }) => line))];
	return only(lines(requires)) ?? only(lines(requires.filter(({ named }) => named === null || !isBuiltin(named))));
}

function requiresIn(text: string, first: number, body: string): Require[] {
	const textLines = text.split('\n');
	return linesThatCall('require', body).flatMap((each) => {
		const line = first + each;
		const own = textLines[line - 1]!;
		// What it names may be on the next line.
		const calls = `${own}\n${textLines[line] ?? ''}`.matchAll(/require\s*\(\s*(?:(['"`])([^'"`$]*)\1\s*[,)\n])?/g);
		return [...calls].flatMap(({ index, 2: named = null }) => (index < own.length ? [{ line, named }] : []));
	});
}

/** How a program may name a module's script: a package with or without a file in it, or a file by its path. */
function namePattern(script: string): string {
	const escaped = (name: string) => name.replace(/[^\w]/g, '\\$&');
	const [, name] = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(script) ?? [];
	if (name !== undefined) return `${name.split(/[\\/]/).map(escaped).join('[/]')}(?:/[^'"\`]*)?`;
	const [folder = '', base = ''] = script
		.replace(/\.\w+$/, '')
		.split(/[\\/]/)
		.slice(-2);
	const own = `(?:[^'"\`]*/)?${escaped(base)}(?:\\.\\w+)?`;
	return base === 'index' ? `(?:${own}|(?:[^'"\`]*/)?(?:${escaped(folder)}|\\.{1,2})/?)` : own;
}

/** What takes long is mostly in a loop. Lines counted from 0. */
function linesOfLoops(body: string): number[] {
	return linesAt(loopsOf(body), body);
}

function loopsOf(body: string): number[] {
	return [...body.matchAll(/\b(?:for|while)\s*(?:await\s*)?\(/g)].map(({ index }) => index);
}

/** Lines of the body, counted from 0, that call something of that name. */
function linesThatCall(name: string, body: string): number[] {
	return linesAt(callsOf(name, body), body);
}

/** Where in the body something of that name is called. */
function callsOf(name: string, body: string): number[] {
	if (!IDENTIFIER.test(name)) return [];
	const call = new RegExp(
		`(?<!function\\s)${BEFORE_WORD}${CALLED_AS.get(name) ?? escaped(name)}(?:\\s*(?:\\?\\.)?\\s*\\(|\`)`,
		'gu',
	);
	return [...body.matchAll(call)].map(({ index }) => index);
}

/** Where in the body, behind `from`, something of the program's or a library's is called: of a name that no function of V8's has. */
function callsOfOthers(body: string, from: number): number[] {
	return [...body.matchAll(CALL)]
		.filter(({ 1: name = '', index }) => index > from && !(body[index - 1] === '.' ? METHODS : NO_CALLS).has(name))
		.map(({ index }) => index);
}

/** Where in the body a property of that name is used. */
function usesOf(name: string, body: string): number[] {
	if (!IDENTIFIER.test(name)) return [];
	return [...body.matchAll(new RegExp(`\\.\\s*${escaped(name)}(?![\\p{ID_Continue}$])`, 'gu'))].map(
		({ index }) => index,
	);
}

/** V8's name, up to Node 20, for what computes the fields of an object that is made. */
const FIELDS = '<instance_members_initializer>';

/** Lines of the body, counted from 0, that give something of that name to what calls it, such as `rows.sort(byName)` or `rows.map(this.#row.bind(this))`. */
function linesThatGive(name: string, body: string): number[] {
	if (!IDENTIFIER.test(name)) return [];
	const argument = new RegExp(
		`[(,]\\s*(?:[\\p{ID_Continue}$#.]+\\.)?${escaped(name)}\\s*(?:\\.bind\\([^()]*\\)\\s*)?(?=[,)])`,
		'gu',
	);
	// Parameters are no arguments.
	const code = Math.max(0, body.search(/\{|=>/));
	const given = [...body.matchAll(argument)].filter(({ index }) => index > code);
	return [...new Set(given.map(({ index }) => countLines(body, index)))];
}
