// Calls something at most once per interval: at once when it was quiet, and once more after the last request.
import type { Disposable } from 'vscode';

/** Four times a second: as often as a person reads changing numbers. In ms. */
export const UPDATE_INTERVAL_MS = 250;

export class Throttle implements Disposable {
	readonly #action: () => void;
	#timer: NodeJS.Timeout | undefined;
	#lastMs = Number.NEGATIVE_INFINITY;
	#disposed = false;

	constructor(action: () => void) {
		this.#action = action;
	}

	/** Runs the action now, or when the interval since its last run is over. */
	request(): void {
		if (this.#disposed || this.#timer !== undefined) return;
		const waitMs = this.#lastMs + UPDATE_INTERVAL_MS - performance.now();
		if (waitMs <= 0) this.#run();
		else this.#timer = setTimeout(() => this.#run(), waitMs);
	}

	#run(): void {
		this.#timer = undefined;
		this.#lastMs = performance.now();
		this.#action();
	}

	dispose(): void {
		this.#disposed = true;
		clearTimeout(this.#timer);
	}
}
