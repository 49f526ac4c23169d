// The value that a launch configuration's `envFile` gives to one variable. js-debug reads that file after us and lets
// `env` win over it, so what we put into `env` must contain the file's value, or that would be lost.
import { readFile } from 'node:fs/promises';

/** One assignment in the dotenv format that js-debug reads: optional `export`, `=` or `:`, quotes, `#` comments. */
const ASSIGNMENT =
	/^[^\S\n]*(?:export\s+)?([\w.-]+)(?:[^\S\n]*=[^\S\n]*|:[^\S\n]+)('(?:\\'|[^'])*'|"(?:\\"|[^"])*"|`(?:\\`|[^`])*`|[^#\r\n]*)?[^\S\n]*(?:#.*)?$/gm;

/** The last value that `text` assigns to the variable, or undefined. */
export function envFileValue(text: string, name: string): string | undefined {
	let value: string | undefined;
	for (const [, key, raw = ''] of text.replace(/^\uFEFF/, '').matchAll(ASSIGNMENT)) {
		if (key === name) value = unquote(raw.trim());
	}
	return value;
}

/** The same for a file; undefined when the file does not exist (js-debug ignores that too). */
export async function readEnvFileValue(file: string, name: string): Promise<string | undefined> {
	try {
		return envFileValue(await readFile(file, 'utf8'), name);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw error;
	}
}

function unquote(raw: string): string {
	const quote = raw[0];
	if (raw.length < 2 || quote === undefined || !`'"\``.includes(quote) || raw.at(-1) !== quote) return raw;
	const inner = raw.slice(1, -1);
	return quote === '"' ? inner.replace(/\\n/g, '\n').replace(/\\r/g, '\r') : inner;
}
