// Calls something at most once per interval: at once when it was quiet, and once more after the last request.
import type { Disposable } from 'vscode';

/** Four times a second: as often as a person reads changing numbers. In ms. */
export const UPDATE_INTERVAL_MS = 250;

export class Throttle implements Disposable {
	readonly #action: () => void;
	readonly #intervalMs: () => number;
	#timer: NodeJS.Timeout | undefined;
	#lastMs = Number.NEGATIVE_INFINITY;
	#disposed = false;

	/** @param intervalMs the interval, asked for anew each time: it may be a setting */
	constructor(action: () => void, intervalMs = () => UPDATE_INTERVAL_MS) {
		this.#action = action;
		this.#intervalMs = intervalMs;
	}

	/** Runs the action now, or when the interval since its last run is over. */
	request(): void {
		if (this.#disposed || this.#timer !== undefined) return;
		const waitMs = this.#lastMs + this.#intervalMs() - performance.now();
		if (waitMs <= 0) this.#run();
		else this.#timer = setTimeout(() => this.#run(), waitMs);
	}

	/** Runs the action when an interval has passed without a call of this; what was requested before waits for that too. */
	requestAfterPause(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#lastMs = performance.now();
		this.request();
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
