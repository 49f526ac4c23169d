// Which stretch of the session the timeline shows: all of it, what a person zoomed to, or the end of a running program as it moves on. And the stretches
// in it that are marked and measured.
import type { TimelineThread } from '../../protocol/timeline.ts';
import type { ThreadTime } from '../../protocol/webview.ts';
import { around, bring, move, type TimeRange, zoom } from '../common/time-range.ts';

/** How far the session goes, and its threads. */
interface SessionTime {
	readonly endMs: number | null;
	readonly threads: readonly TimelineThread[];
}

export class ShownStretch {
	readonly #session: SessionTime;
	/** The range to which the person zoomed; null: everything, including what is still to come. */
	#chosen: TimeRange | null = null;
	/** Whether the range moves with the end of a running session. */
	#isFollowing = false;
	/** A stretch to show as soon as there is a timeline, and the one that was shown last. */
	#wanted: ThreadTime | null = null;
	#marked: TimeRange | null = null;
	#measured: TimeRange | null = null;

	constructor(session: SessionTime) {
		this.#session = session;
	}

	/** See `#chosen`. */
	get chosen(): TimeRange | null {
		return this.#chosen;
	}

	get marked(): TimeRange | null {
		return this.#marked;
	}

	get measured(): TimeRange | null {
		return this.#measured;
	}

	get range(): TimeRange {
		return this.#chosen ?? this.whole;
	}

	/** All of the recording, from its begin to the last known moment. */
	get whole(): TimeRange {
		return { fromMs: 0, toMs: Math.max(0.01, this.#session.endMs ?? 1) };
	}

	/** Nothing that was chosen is about another session. */
	clear(): void {
		this.#measured = this.#marked = this.#chosen = null;
		this.#isFollowing = false;
	}

	/** @param range null for everything */
	choose(range: TimeRange | null): void {
		this.#isFollowing = false;
		this.#chosen = range;
	}

	/** @param by share of the range */
	move(by: number): void {
		const { range } = this;
		this.choose(move(range, by * (range.toMs - range.fromMs), this.whole));
	}

	/** @param atMs what stays where it is */
	zoom(factor: number, atMs: number): void {
		this.choose(zoom(this.range, atMs, factor, this.whole));
	}

	/** Brings a stretch into view. */
	bring(fromMs: number, toMs: number): void {
		if (this.#chosen !== null) this.#chosen = bring(this.#chosen, fromMs, toMs, this.whole);
	}

	/** Of a running session, moves with its end from now on; of another one, shows everything. */
	follow(isLive: boolean): void {
		this.#isFollowing = isLive;
		if (isLive) this.goOn();
		else this.#chosen = null;
	}

	/** More of the session is known. */
	goOn(): void {
		if (!this.#isFollowing || this.#chosen === null) return;
		const { fromMs, toMs } = this.whole;
		this.#chosen = { fromMs: Math.max(fromMs, toMs - (this.#chosen.toMs - this.#chosen.fromMs)), toMs };
	}

	/** Shows a stretch of a thread's time, with as much before and after it, and marks it, as soon as the thread is known. */
	want(when: ThreadTime): void {
		this.#wanted = when;
	}

	/** @returns whether what was wanted is chosen now */
	takeWanted(): boolean {
		const when = this.#wanted;
		const thread = this.#session.threads.find((each) => each.pid === when?.pid && each.threadId === when.threadId);
		if (when === null || thread === undefined) return false;
		this.#wanted = null;
		this.#marked = { fromMs: thread.startMs + when.fromMs, toMs: thread.startMs + when.toMs };
		this.choose(around(this.#marked, this.whole));
		return true;
	}

	/** Measures from one time to another; null for nothing. */
	measure(range: TimeRange | null): void {
		this.#measured =
			range === null ? null : { fromMs: Math.min(range.fromMs, range.toMs), toMs: Math.max(range.fromMs, range.toMs) };
	}
}
