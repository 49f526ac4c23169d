// The texts that ran: a session's files as it has brought them along, as the editor had them while it ran, or as they were when it first named
// them. An annotation belongs to a line of that text, whatever the document has become since.
import { textOf } from '../host/source-texts.ts';

export class RanTexts {
	readonly #asked = new Set<string>();
	readonly #lines = new Map<string, readonly string[] | null>();
	/** Known before the session has named the file. */
	readonly #brought: Map<string, string>;
	readonly #listener: () => void;

	/**
	 * @param brought texts that the session has brought along
	 * @param listener called when texts have arrived
	 */
	constructor(brought: ReadonlyMap<string, string>, listener: () => void) {
		this.#brought = new Map(brought);
		this.#listener = listener;
	}

	/** Remembers a file as it is on disk now, before anybody edits it: an editor may show what is not saved, or what a build has just replaced. */
	async keep(file: string): Promise<void> {
		if (this.#asked.has(file) || this.#brought.has(file)) return;
		const text = await textOf(file);
		if (text !== null && !this.#asked.has(file) && !this.#brought.has(file)) this.#brought.set(file, text);
	}

	/** The session has ended, and names no other files than these. */
	async settle(files: Iterable<string>): Promise<void> {
		await this.name(files);
		this.#brought.clear();
	}

	/** Reads the files that are new. */
	async name(files: Iterable<string>): Promise<void> {
		const named = [...files].filter((file) => !this.#asked.has(file));
		if (named.length === 0) return;
		for (const file of named) this.#asked.add(file);
		await Promise.all(
			named.map(async (file) => {
				const text = this.#brought.get(file) ?? (await textOf(file));
				this.#brought.delete(file);
				this.#lines.set(file, text?.split(/\r\n|\r|\n/) ?? null);
			}),
		);
		this.#listener();
	}

	/** The file's lines; undefined until they are read, null when they cannot be. */
	of(file: string): readonly string[] | null | undefined {
		return this.#lines.get(file);
	}
}
