// Timers, as their objects show them: which of them a line of the program set, when each is due, and since when it waits.
import { executionAsyncResource } from '../process/node-functions.ts';
import type { Operation } from './operation.ts';
import { RecentIds } from './recent-ids.ts';

/** Node sets a longer timeout to 1 ms (TIMEOUT_MAX of lib/internal/timers.js). */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** A timer that counts from at least this long after its start, in ms, was set again (`refresh`): starting one takes less. */
const REFRESHED_MS = 5;

/** Properties of Node's timers. A program may set them itself, and give a resource of its own the same type name. */
interface TimerObject {
	/** ms */
	readonly _idleTimeout?: unknown;
	/** By the clock of Node's timers, in ms. */
	readonly _idleStart?: unknown;
	readonly _repeat?: unknown;
}

export class Timers {
	/**
	 * Those that Node sets for itself, such as a connection's time-outs: a kept-alive connection sets and clears one per request. Most never fire; one that is
	 * forgotten only counts as part of the callback before it.
	 */
	readonly own = new RecentIds();
	/** How far the journal's clock is ahead of that of Node's timers, in ms: the most that any timer shows, since one that was refreshed shows less. */
	private ahead = -Infinity;

	/** @returns after how many ms the timer is due; -1 where that is unknown */
	delayOf(timer: object): number {
		const { _idleTimeout: delay } = timer as TimerObject;
		return typeof delay === 'number' && delay <= LONGEST_TIMEOUT_MS ? delay : -1;
	}

	isRepeated(timer: object): boolean {
		const { _repeat: repeat } = timer as TimerObject;
		return repeat !== null && repeat !== undefined;
	}

	/**
	 * Sets the start of the timer that fires now to when it was refreshed, if it was.
	 * @param now µs since the journal began
	 * @returns whether it was refreshed
	 */
	restart(timer: Operation, now: number): boolean {
		const { _idleStart: set } = executionAsyncResource() as TimerObject;
		if (typeof set !== 'number') return false;
		const ahead = timer.started / 1000 - set;
		if (ahead > this.ahead) this.ahead = ahead;
		const later = this.ahead - ahead;
		// Not a number where the program has set that property to something else.
		if (!(later >= REFRESHED_MS)) return false;
		timer.started = Math.min(now, Math.round(timer.started + later * 1000));
		return true;
	}
}
