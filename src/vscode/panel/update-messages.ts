// Sends a running session's state to the panel, however many lines it has: a few messages a second, none larger than the editor and the page take in at once. A
// larger one goes in pieces, at the pace of the updates, so the panel of a large session changes less often.
import type { Disposable } from 'vscode';
import type { HostToView } from '../../protocol/webview.ts';

/** How often the panel is sent something new at most: as often as a person reads changing numbers. In ms. */
export const PANEL_UPDATE_MS = 334;
/** The most characters of a piece. It is written as a text in JSON once more, which doubles its quotation marks. */
const MOST_CHARACTERS = 160 * 1024;

export class UpdateMessages implements Disposable {
	readonly #post: (message: HostToView) => void;
	readonly #onSent: () => void;
	#pieces: HostToView[] = [];
	#timer: NodeJS.Timeout | undefined;

	/** @param onSent is called when the last of several pieces is on its way */
	constructor(post: (message: HostToView) => void, onSent: () => void) {
		this.#post = post;
		this.#onSent = onSent;
	}

	/** Whether there are pieces left of a message, so that a new one would have to wait. */
	get isSending(): boolean {
		return this.#pieces.length > 0;
	}

	/**
	 * Sends a message after what is left of those before.
	 * @param isPaced whether it may take its time; what a person waits for does not
	 */
	send(message: HostToView, isPaced: boolean): void {
		this.#flush();
		const text = isPaced ? JSON.stringify(message) : '';
		if (text.length <= MOST_CHARACTERS) {
			this.#post(message);
			return;
		}
		for (let from = 0; from < text.length; from += MOST_CHARACTERS) {
			const to = from + MOST_CHARACTERS;
			this.#pieces.push({ type: 'piece', text: text.slice(from, to), isLast: to >= text.length });
		}
		this.#next();
	}

	#next(): void {
		this.#post(this.#pieces.shift()!);
		if (this.isSending) this.#timer = setTimeout(() => this.#next(), PANEL_UPDATE_MS);
		else this.#onSent();
	}

	/** All that is left at once. */
	#flush(): void {
		clearTimeout(this.#timer);
		for (const piece of this.#pieces) this.#post(piece);
		this.#pieces = [];
	}

	dispose(): void {
		clearTimeout(this.#timer);
		this.#pieces = [];
	}
}
