// What a file of Node's tests asks of the one who runs it, in comments at its top, as Node's own runner (`tools/test.py`) reads them.

export interface Directives {
	/** Arguments for Node, before the file. */
	flags: string[];
	env: Record<string, string>;
}

/** Reads `// Flags: --one --two=3` and `// Env: NAME=value`; the first line of each kind counts. */
export function directivesOf(source: string): Directives {
	const flags = /^\/\/\s+Flags:(.*)$/m.exec(source)?.[1] ?? '';
	const env = /^\/\/\s+Env:(.*)$/m.exec(source)?.[1] ?? '';
	const pairs = words(env).map((pair): [string, string] => {
		const at = pair.indexOf('=');
		return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
	});
	return { flags: words(flags), env: Object.fromEntries(pairs) };
}

function words(text: string): string[] {
	return text.split(/\s+/).filter((word) => word !== '');
}
