// The line of a function that was running, found in the text. V8's profiler says where a function on the stack begins,
// and only for the innermost function which lines ran, sometimes those of a function inlined into it. A parser would
// work for JavaScript only; this reads TypeScript too, whose types Node strips itself.

/** Functions longer than this many characters are not searched: such a text is generated. */
const LONGEST = 200_000;

/** How programs call functions of Node's that have another name on the stack. */
const CALLED_AS = new Map([
	[
		'syncBufferWrapper',
		'(?:gzip|gunzip|deflate|inflate|deflateRaw|inflateRaw|unzip|brotli(?:Dec|C)ompress|zstd(?:Dec|C)ompress)Sync',
	],
	['RegExp', '(?:exec|match|matchAll|replace|replaceAll|search|split|test)'],
	['signOneShot', 'sign'],
	['verifyOneShot', 'verify'],
]);

const IDENTIFIER = /^[\p{ID_Start}$_#][\p{ID_Continue}$]*$/u;

/**
 * @param text of the script; empty where it is not available
 * @param begin 1-based, where the function begins according to V8: at its parameters, its name or a keyword
 * @param called the name of the function that it was calling, perhaps with the object or class that has it as a method;
 * empty when it ran itself, and `require(SCRIPT)` when it loaded a module
 * @param lines that ran according to V8, 1-based, the likeliest first
 * @param awaited where it went on after an `await`, 1-based; 0 where that is unknown
 * @returns the line of the call, if only one line of the function calls something of that name, or gives it to what does; else the first of `lines` that is the function's
 * own; else the first that calls it after the `await`; else that of the only loop that calls it, or of the only loop; else 0
 */
export function runningLine(
	text: string,
	begin: { line: number; column: number },
	called: string,
	lines: readonly number[],
	awaited = 0,
): number {
	if (text === '') return lines[0] ?? 0;
	const body = bodyOf(text, begin);
	if (body === '') return 0;
	const [, module = ''] = /^require\((.+)\)$/s.exec(called) ?? [];
	if (module !== '') return lineThatRequires(module, text, begin.line, body) || lines[0] || 0;
	const name = called.split(/[.\s]/).at(-1) ?? '';
	const calls = linesThatCall(name, body).map((line) => begin.line + line);
	if (calls.length === 1) return calls[0]!;
	const last = begin.line + countLines(body, body.length);
	const own = lines.filter((line) => line >= begin.line && line <= last);
	const given = calls.length === 0 && lines.length === 0 ? only(linesThatGive(name, body)) : undefined;
	if (given !== undefined) return begin.line + given;
	// Scripts load their modules one after the other: a loop says nothing about which.
	if (called === 'require') return own[0] ?? 0;
	// What follows the call of `setTimeout` on that line is not what its callback runs.
	const isAwait = awaited >= begin.line && awaited <= last && /\bawait\b/.test(text.split('\n')[awaited - 1]!);
	const next = isAwait ? calls.find((line) => line >= awaited) : undefined;
	const loops = linesOfLoops(body).map((line) => begin.line + line);
	const repeated = calls.filter((line) => loops.includes(line));
	const loop = only(repeated.length > 0 ? repeated : loops);
	return own.find((line) => calls.includes(line)) ?? own[0] ?? next ?? loop ?? 0;
}

function only(lines: readonly number[]): number | undefined {
	return lines.length === 1 ? lines[0] : undefined;
}

/** The first line of a body that loads that module by its name, or the only one that loads any; else 0. */
function lineThatRequires(module: string, text: string, first: number, body: string): number {
	const all = linesThatCall('require', body).map((line) => first + line);
	const named = new RegExp(`require\\s*\\(\\s*['"\`]${namePattern(module)}['"\`]`);
	const textLines = text.split('\n');
	return all.find((line) => named.test(textLines[line - 1]!)) ?? (all.length === 1 ? all[0]! : 0);
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
	return [
		...new Set([...body.matchAll(/\b(?:for|while)\s*(?:await\s*)?\(/g)].map(({ index }) => countLines(body, index))),
	];
}

/** The function that begins there, from that position on; empty where there is none. */
function bodyOf(text: string, { line, column }: { line: number; column: number }): string {
	const from = offsetOf(text, line, column);
	if (from < 0) return '';
	const code = codeOf(text.slice(from, from + LONGEST));
	// A module's own code begins with the script.
	return from === 0 ? code : code.slice(0, endOfFunction(code));
}

/** Lines of the body, counted from 0, that call something of that name. */
function linesThatCall(name: string, body: string): number[] {
	if (!IDENTIFIER.test(name)) return [];
	const pattern = CALLED_AS.get(name) ?? name.replaceAll('$', '\\$');
	const call = new RegExp(`(?<![\\p{ID_Continue}$])(?<!function\\s)${pattern}\\s*(?:\\?\\.)?\\s*\\(`, 'gu');
	return [...new Set([...body.matchAll(call)].map(({ index }) => countLines(body, index)))];
}

/** Lines of the body, counted from 0, that give something of that name to what calls it, such as `rows.sort(byName)`. */
function linesThatGive(name: string, body: string): number[] {
	if (!IDENTIFIER.test(name)) return [];
	const argument = new RegExp(`[(,]\\s*${name.replaceAll('$', '\\$')}\\s*(?=[,)])`, 'gu');
	// Parameters are no arguments.
	const code = Math.max(0, body.search(/\{|=>/));
	const given = [...body.matchAll(argument)].filter(({ index }) => index > code);
	return [...new Set(given.map(({ index }) => countLines(body, index)))];
}

function offsetOf(text: string, line: number, column: number): number {
	let at = 0;
	for (let i = 1; i < line; i++) {
		at = text.indexOf('\n', at) + 1;
		if (at === 0) return -1;
	}
	return at + column - 1;
}

/** The same text with comments, strings and templates blanked out, so that words and brackets in them do not count. */
function codeOf(text: string): string {
	return text.replace(
		/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g,
		(hidden) => (hidden.startsWith('`') ? hidden.replace(/[(){}[\]'"]/g, ' ') : hidden.replace(/[^\n]/g, ' ')),
	);
}

/** Where the function ends whose parameters, name or keyword the code begins with. */
function endOfFunction(code: string): number {
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

function countLines(text: string, until: number): number {
	let count = 0;
	for (let at = text.indexOf('\n'); at >= 0 && at < until; at = text.indexOf('\n', at + 1)) count++;
	return count;
}
