// Calls something at most once per interval: at once when it was quiet, and once more after the last request; or only in a pause.
import type { Disposable } from 'vscode';

/** Four times a second: as often as a person reads changing numbers. In ms. */
export const UPDATE_INTERVAL_MS = 250;

/** However long somebody types or scrolls on: what is requested waits for so many intervals at most. */
const POSTPONED_INTERVALS = 10;

export class Throttle implements Disposable {
	readonly #action: () => void;
	readonly #intervalMs: () => number;
	#timer: NodeJS.Timeout | undefined;
	#lastMs = Number.NEGATIVE_INFINITY;
	/** Since when the action has been put off. */
	#postponedMs: number | undefined;
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

	/**
	 * Runs the action when an interval has passed without a call of this, and at the latest after POSTPONED_INTERVALS; what was requested
	 * before waits for that too.
	 */
	requestAfterPause(): void {
		if (this.#disposed) return;
		clearTimeout(this.#timer);
		const nowMs = performance.now();
		this.#postponedMs ??= nowMs;
		const intervalMs = this.#intervalMs();
		const dueMs = Math.min(nowMs + intervalMs, this.#postponedMs + POSTPONED_INTERVALS * intervalMs);
		this.#timer = setTimeout(() => this.#run(), Math.max(0, dueMs - nowMs));
	}

	#run(): void {
		this.#timer = undefined;
		this.#postponedMs = undefined;
		this.#lastMs = performance.now();
		this.#action();
	}

	dispose(): void {
		this.#disposed = true;
		clearTimeout(this.#timer);
	}
}
