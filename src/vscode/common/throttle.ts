// Calls something at most once per interval: at once if there was no call within the last interval, and once more after
// the last request; or only in a pause.
import type { Disposable } from 'vscode';

/** Four times a second: as often as a person reads changing numbers. In ms. */
const UPDATE_INTERVAL_MS = 250;

/** However long the person goes on typing or scrolling, a requested action waits for at most this many intervals. */
const POSTPONED_INTERVALS = 10;

export class Throttle implements Disposable {
	readonly #action: () => void;
	readonly #intervalMs: () => number;
	#timer: NodeJS.Timeout | undefined;
	#lastMs = Number.NEGATIVE_INFINITY;
	/** Since when the action has been postponed. */
	#postponedMs: number | undefined;
	#disposed = false;

	/** @param intervalMs the interval, read each time: it may be a setting */
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
	 * Runs the action once an interval has passed without another call of this, and at the latest after
	 * POSTPONED_INTERVALS; earlier requests wait for that too.
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
