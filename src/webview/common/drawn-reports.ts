// Reports what the view draws. Only tests need that, so it costs nothing until the host has asked.
import type { Drawn } from '../../protocol/webview.ts';

export class DrawnReports {
	readonly #read: () => Drawn;
	readonly #send: (drawn: Drawn) => void;
	#isAsked = false;

	/**
	 * @param read collects what is shown, which takes time in a long table
	 * @param send sends it to the host
	 */
	constructor(read: () => Drawn, send: (drawn: Drawn) => void) {
		this.#read = read;
		this.#send = send;
	}

	/** The host has asked: reports now, and after each change. */
	ask(): void {
		this.#isAsked = true;
		this.changed();
	}

	/** The drawing has changed. */
	changed(): void {
		if (this.#isAsked) this.#send(this.#read());
	}
}
