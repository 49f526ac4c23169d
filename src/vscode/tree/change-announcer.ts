// Announces to VS Code that the tree has changed, when VS Code is ready for it. VS Code draws a tree in two steps: it requests the roots, then what is below those that
// are expanded. An announcement makes it forget the roots, so one between the two leaves groups without lines until all has been requested again, which takes many seconds
// on a slow machine; while VS Code draws the tree for the first time, it may lose the announcement altogether. And it draws the whole tree for each announcement, one after
// the other: if they come faster, those that wait become more and more.
import type { Disposable } from 'vscode';

/** The least time between a request of VS Code's and the next announcement, in ms: rows that change places more often cannot be pointed at. */
export const UPDATE_MS = 1000;

/** For how long VS Code may leave the roots, or what is below them, unrequested, in ms. After that it is taken to have lost an announcement, or to need no more rows. */
const PATIENCE_MS = 10_000;

export class ChangeAnnouncer implements Disposable {
	readonly #isStale: () => boolean;
	readonly #announce: () => void;
	#timer: NodeJS.Timeout | undefined;
	/** When the next change may be announced, in ms of performance.now(). */
	#dueMs = Number.NEGATIVE_INFINITY;
	/** Whether VS Code requests rows below the roots: it did below the last ones. It does not once a person has collapsed them all. */
	#isExpanded = true;
	#disposed = false;

	/**
	 * @param isStale whether the tree is visible, and VS Code has requested other roots than there are now
	 * @param announce tells VS Code to request them
	 */
	constructor(isStale: () => boolean, announce: () => void) {
		this.#isStale = isStale;
		this.#announce = announce;
	}

	/** Announces what has changed, if anything has, once VS Code is ready for it. */
	request(): void {
		clearTimeout(this.#timer);
		if (this.#disposed || !this.#isStale()) return;
		const waitMs = this.#dueMs - performance.now();
		if (waitMs > 0) this.#timer = setTimeout(() => this.request(), waitMs);
		else this.requestAtOnce();
	}

	/** The same for what a person has asked for, who would wonder at a second of nothing. */
	requestAtOnce(): void {
		if (!this.#isStale()) return;
		this.#announce();
		this.#wait(PATIENCE_MS);
	}

	/** VS Code has requested the roots: because of an announcement, or since it draws the tree first or shows it again. @param areAny whether there are any */
	rootsRequested(areAny: boolean): void {
		this.#wait(areAny && this.#isExpanded ? PATIENCE_MS : UPDATE_MS);
		if (areAny) this.#isExpanded = false;
	}

	/** VS Code has requested what is below a root, or below a row that a person has expanded. */
	rowsRequested(): void {
		this.#isExpanded = true;
		this.#wait(UPDATE_MS);
	}

	/** Lets the next announcement wait for so long from now on. */
	#wait(ms: number): void {
		this.#dueMs = performance.now() + ms;
		this.request();
	}

	dispose(): void {
		this.#disposed = true;
		clearTimeout(this.#timer);
	}
}
