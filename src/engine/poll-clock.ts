// When the loop polled. A callback's event had come by the poll that delivered it and had not come by the poll before, so
// knowing the polls bounds the moment of completion, which JavaScript cannot see.
import { BEGIN_FLAG } from '../protocol/journal-records.ts';
import type { Interval } from './estimate.ts';

export class PollClock {
	/** The event that is delivered now had not arrived by this time ... */
	private notBefore = 0;
	/** ... and had arrived by this one. */
	private notAfter = 0;
	/** The delivering poll itself was not earlier than this. */
	private polledAfter = 0;
	private wasPool = false;

	/**
	 * A top-level callback begins.
	 * @param time of its begin, µs
	 * @param idle µs that the loop was idle since the last one: libuv counts only polls that actually waited
	 * @param cpuWait the most time, in µs, by which the poll may have ended before `time` because the thread had no CPU
	 * @param previousEnd when the callback before had returned, µs
	 * @param isPool whether the callback is a pool job's: a job that is done when libuv gets to the pool's jobs is
	 * delivered with them (uv__work_done takes the list then), so the first of them may have been done after the poll
	 */
	begin(time: number, flags: number, idle: number, cpuWait: number, previousEnd: number, isPool: boolean): void {
		const isFirstOfPool = isPool && !this.wasPool;
		this.wasPool = isPool;
		if (idle > 0) {
			this.notAfter = time;
			this.notBefore = this.polledAfter = time - cpuWait;
			return;
		}
		if (flags & BEGIN_FLAG.samePoll && !isFirstOfPool) return;
		this.notAfter = time;
		if (flags & BEGIN_FLAG.newPoll) {
			this.notBefore = this.polledAfter;
			this.polledAfter = previousEnd - cpuWait;
		}
	}

	/** Everything that had arrived by this time was delivered before the running callback. */
	get knownUpTo(): number {
		return this.notBefore;
	}

	/** When an operation was done whose callback begins now, if it cannot have been done before `earliest`. */
	done(earliest: number): Interval {
		const high = Math.max(this.notAfter, earliest);
		return { low: Math.min(high, Math.max(this.notBefore, earliest)), high };
	}
}
