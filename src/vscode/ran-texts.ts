// The texts that ran: a session's files as they were when it first named them. An annotation belongs to a line of that text,
// whatever the document has become since.
import { readFile } from 'node:fs/promises';

export class RanTexts {
	readonly #asked = new Set<string>();
	readonly #lines = new Map<string, readonly string[] | null>();
	readonly #listener: () => void;

	/** @param listener called when texts have arrived */
	constructor(listener: () => void) {
		this.#listener = listener;
	}

	/** Reads the files that are new. */
	async name(files: Iterable<string>): Promise<void> {
		const named = [...files].filter((file) => !this.#asked.has(file));
		if (named.length === 0) return;
		for (const file of named) this.#asked.add(file);
		await Promise.all(named.map(async (file) => this.#lines.set(file, await linesOf(file))));
		this.#listener();
	}

	/** The file's lines; undefined until they are read, null when they cannot be. */
	of(file: string): readonly string[] | null | undefined {
		return this.#lines.get(file);
	}
}

/** A source that a map names need not exist. */
async function linesOf(file: string): Promise<readonly string[] | null> {
	try {
		return (await readFile(file, 'utf8')).split(/\r\n|\r|\n/);
	} catch {
		return null;
	}
}
