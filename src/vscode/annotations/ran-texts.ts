// The texts that ran: a session's files as the session provides them, as the editor had them while it ran, or as they
// were when the session first named them. An annotation belongs to a line of that text, however the document has
// changed since.
import type { ReadText } from '../../host/common/read-text.ts';

export class RanTexts {
	readonly #asked = new Set<string>();
	readonly #lines = new Map<string, readonly string[] | null>();
	/** Known before the session has named the file. */
	readonly #brought: Map<string, string>;
	/** Files whose text was not yet known when the session named them. */
	readonly #fromDisk = new Set<string>();
	readonly #read: ReadText;
	readonly #listener: () => void;

	/**
	 * @param brought texts that the session provides
	 * @param read how the others are read
	 * @param listener called when texts have arrived
	 */
	constructor(brought: ReadonlyMap<string, string>, read: ReadText, listener: () => void) {
		this.#brought = new Map(brought);
		this.#read = read;
		this.#listener = listener;
	}

	/**
	 * Remembers a file as it is on disk now, before it is edited: an editor may show unsaved text, or text that a build
	 * has just replaced.
	 * @param known its text, where it has just been read
	 */
	async keep(file: string, known?: string): Promise<void> {
		if (this.#asked.has(file) || this.#brought.has(file)) return;
		const text = known ?? (await this.#textOf(file));
		if (text !== null && !this.#asked.has(file) && !this.#brought.has(file)) this.#brought.set(file, text);
	}

	/** The session has ended, and will name no files but these. */
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
				const brought = this.#brought.get(file);
				if (brought === undefined) this.#fromDisk.add(file);
				const text = brought ?? (await this.#textOf(file));
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

	/** Whether the file was read only when the session named it, or not at all. */
	isFromDisk(file: string): boolean {
		return this.#fromDisk.has(file);
	}

	/**
	 * Null when it cannot be read: a source that a map names need not exist, and a recording may not name every file.
	 */
	async #textOf(file: string): Promise<string | null> {
		try {
			return await this.#read(file);
		} catch {
			return null;
		}
	}
}
