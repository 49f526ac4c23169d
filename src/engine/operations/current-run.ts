// The callback that runs on a thread, and which line's operations it starts.
import { MAIN_OPERATION } from '../../protocol/journal.ts';
import type { Place } from '../common/place.ts';
import { MAIN } from '../lines/callers.ts';
import type { LineStats } from '../lines/line-stats.ts';
import type { OpenResource } from './open-operations.ts';
import { UnclaimedStarts } from './unclaimed-starts.ts';

/** Times in µs of the thread. */
export class CurrentRun {
	/** Whose callback it is; null where that is not known, and while none runs. */
	operation: OpenResource | null = null;
	/** Its number among the thread's. */
	number = 0;
	began = 0;
	/** When the latest one that is over was. */
	ended = 0;
	/** The line of the first HTTP request of which it has brought a part of the answer; null where it has brought none. */
	answered: Place | null = null;
	/** False while its begin is lost. */
	isKnown = true;
	/** Operations that will not call back any more once it is over. */
	private over: number[] = [];
	private readonly unclaimed = new UnclaimedStarts();

	begin(operation: OpenResource | null, time: number): void {
		this.number++;
		this.operation = operation;
		this.began = time;
		this.answered = null;
		this.isKnown = true;
	}

	/** It is over. @returns whose callback it was */
	end(time: number): OpenResource | null {
		const { operation } = this;
		this.ended = time;
		this.claimStarts();
		this.unclaimed.clear();
		this.operation = null;
		return operation;
	}

	/** It turns out to be that operation's. @returns whose it seemed to be */
	attribute(operation: OpenResource): OpenResource | null {
		this.claimStarts();
		const before = this.operation;
		this.operation = operation;
		return before;
	}

	/** What runs will have ended when the next record comes; when is unknown. */
	lose(): void {
		this.operation = null;
		this.isKnown = false;
		this.unclaimed.clear();
	}

	/** Nothing was recorded until now. */
	resume(time: number): void {
		this.began = this.ended = time;
	}

	/** That operation calls back no more, except in this run. */
	endAfter(op: number): void {
		this.over.push(op);
	}

	/** Whether the run has ended any operation, not only called back. */
	get hasEnded(): boolean {
		return this.over.length > 0;
	}

	/** The operations that it has ended. */
	takeOver(): readonly number[] {
		const { over } = this;
		this.over = [];
		return over;
	}

	/** Whether it has started what was started at `time`. */
	hasStarted(time: number): boolean {
		return this.operation !== null && time >= this.began;
	}

	/** An operation of that line starts at `time`: from which line's callback? */
	addCaller(stats: LineStats, time: number): void {
		const { operation } = this;
		// A connection's callback is assigned to a request when it is over; the request itself began with it.
		if (operation === null || time < this.began) return;
		if (operation.id === MAIN_OPERATION) stats.addCaller(MAIN);
		else if (operation.logical.stats !== null) stats.addCaller(operation.logical.stats);
		else if (time > this.began) this.unclaimed.add(stats);
	}

	/** Starts without a known starter were started by the operation whose callback it is. */
	private claimStarts(): void {
		const starter = this.operation?.logical.stats ?? null;
		if (starter !== null) this.unclaimed.claim(starter);
	}
}
