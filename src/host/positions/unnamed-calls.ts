// The line that calls a function under another name than its own, such as what a template was compiled to, or a function of a minified library.
import {
	BEFORE_WORD,
	CALL,
	escaped,
	GLOBALS,
	linesAt,
	mentions,
	NO_CALLS,
	OF_INSTANCES,
	only,
	withoutInner,
} from './function-text.ts';

/**
 * The line of the body, counted from 0, that calls a function whose own name is not the one that it is called by, such as what a template was compiled to.
 * It is the only line that calls anything but functions which are written here and have the names that they are called by; or the only one that calls what a
 * variable or parameter holds. Of a library's functions, first the only line that calls what the script has imported from it.
 * @param from where the body's own code begins
 * @param library the package that has the function; empty for code that is in none
 */
export function lineOfUnnamed(body: string, from: number, text: string, library: string): number | undefined {
	const imported = library === '' ? [] : importedFrom(library, text);
	const made = imported.flatMap((name) => resultsOf(name, text));
	const ofLibrary = linesFrom([...imported, ...made], body, from);
	// What a library has made, such as a compiled template, takes longer than making it.
	if (ofLibrary.length > 0) return only(ofLibrary) ?? only(linesFrom(made, body, from));
	const parameters = body.slice(0, from);
	const calls = [...body.matchAll(CALL)].filter(({ 1: name = '', index }) => {
		const owner = ownerAt(index, body);
		if (index <= from || (owner === null ? NO_CALLS.has(name) : GLOBALS.has(owner))) return false;
		const given = owner !== null && OF_INSTANCES.has(name) ? (GIVES.exec(body.slice(index))?.[1] ?? '') : name;
		return given !== '' && !GLOBALS.has(given) && (mentions(parameters, given) || !isWrittenIn(text, given));
	});
	const own = withoutInner(calls.map(at), body, from);
	const lines = linesAt(own, body);
	if (lines.length <= 1) return lines[0];
	const isGiven = ({ 1: name = '', index }: RegExpExecArray) => {
		const owner = ownerAt(index, body) ?? name;
		if (owner !== name && !/^(?:apply|call)$/.test(name)) return false;
		return !PASSES_ON.test(owner) && (mentions(parameters, owner) || isResultIn(text, owner));
	};
	return only(linesAt(calls.filter((call) => own.includes(call.index) && isGiven(call)).map(at), body));
}

/**
 * The line of a module's own code, counted from 0, that calls a function of a library under the name that the script has given it: the only one that calls what it has imported
 * by that name, whatever its letters' case, or anything else of the library.
 * @param called the function's own name
 */
export function lineOfImported(body: string, text: string, called: string, library: string): number | undefined {
	const imported = library === '' ? [] : importedFrom(library, text);
	const same = imported.filter((name) => name.toLowerCase() === called.toLowerCase());
	const made = imported.flatMap((name) => resultsOf(name, text));
	return only(linesFrom(same, body, 0)) ?? only(linesFrom([...imported, ...made], body, 0));
}

/** The lines of a body's own code that call one of these, or something of it. */
function linesFrom(roots: readonly string[], body: string, from: number): number[] {
	const found = [...body.matchAll(CALL)].filter(
		({ 1: name = '', index }) => index > from && roots.includes(rootAt(index, body) || name),
	);
	return linesAt(withoutInner(found.map(at), body, from), body);
}

/** What the function is called as a method of, as far as that has a name; null where it is called by its name alone. */
function ownerAt(index: number, body: string): string | null {
	if (body[index - 1] !== '.') return null;
	return /([\p{ID_Continue}$#]*)\??\.$/u.exec(body.slice(Math.max(0, index - 100), index))?.[1] ?? '';
}

/** What the name before the first point is, where the function is called as a method of something; else empty. */
function rootAt(index: number, body: string): string {
	return (
		/([\p{ID_Continue}$]+)(?:\??\.[\p{ID_Continue}$#]+)*\??\.$/u.exec(
			body.slice(Math.max(0, index - 200), index),
		)?.[1] ?? ''
	);
}

/** Variables that have what a call of that returned. */
function resultsOf(name: string, text: string): string[] {
	const call = new RegExp(
		`\\b(?:const|let|var)\\s+([\\p{ID_Continue}$]+)\\s*=\\s*(?:await\\s+)?(?:new\\s+)?${escaped(name)}(?:\\.[\\p{ID_Continue}$]+)*\\s*\\(`,
		'gu',
	);
	return [...text.matchAll(call)].map(([, variable = '']) => variable);
}

/** The names that a script has for what it imports from that package. */
function importedFrom(library: string, text: string): string[] {
	const from = `(['"])${library.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?:/[^'"]*)?\\2`;
	const patterns = [
		`\\bimport\\s+([^;'"]+?)\\s*from\\s*${from}`,
		`\\b(?:const|let|var)\\s+([^;='"]+?)\\s*=\\s*(?:require|await\\s+import)\\s*\\(\\s*${from}`,
	];
	return patterns
		.flatMap((pattern) => [...text.matchAll(new RegExp(pattern, 'gu'))])
		.flatMap(({ 1: names = '' }) => names.split(/[{},]/))
		.map((name) => /[\p{ID_Continue}$]+(?=\s*$)/u.exec(name)?.[0] ?? '')
		.filter((name) => name !== '');
}

function at({ index }: RegExpExecArray): number {
	return index;
}

/** A call of a method that calls what is given to it, and is given what a variable holds: `list.map(format)`. */
const GIVES =
	/^(?:catch|every|filter|finally|find\p{L}*|flatMap|forEach|from|map|reduce\p{L}*|replace\p{L}*|some|sort|then|toSorted)\s*\((?:[^()]*,)?\s*(?:[\p{ID_Continue}$#]+\.)*([\p{ID_Continue}$#]+)\s*[,)]/u;
/** What programs by convention call when they are done themselves. */
const PASSES_ON = /^(?:callback|cb|done|next|reject|resolve)$/;

/** Whether the text has a function, method or class of that name. */
function isWrittenIn(text: string, name: string): boolean {
	const own = `${BEFORE_WORD}${escaped(name)}`;
	const type = '(?::[^=;{}()]*)?';
	const given = `\\s*(?:${type}=|:)\\s*(?:async\\b\\s*)?(?:function\\b|\\([^()]*\\)[^=;(){}]*=>|[\\p{ID_Continue}$]+\\s*=>)`;
	const written = `\\s*\\([^()]*\\)\\s*${type}\\{`;
	return new RegExp(
		`\\b(?:class|function)\\b\\s*\\*?\\s*${own}(?![\\p{ID_Continue}$])|${own}(?:${given}|${written})`,
		'u',
	).test(text);
}

/** Whether a variable of that name has the result of a call in that text. */
function isResultIn(text: string, name: string): boolean {
	return new RegExp(
		`\\b(?:const|let|var)\\s+${escaped(name)}\\s*(?::[^=;{}()]*)?=\\s*(?:await\\s+)?[\\p{ID_Continue}$.#]+\\s*\\(`,
		'u',
	).test(text);
}
