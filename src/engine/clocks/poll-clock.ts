// When the loop polled. A callback's event had come by the poll that delivered it and had not come by the poll before, so
// knowing the polls bounds the moment of completion, which JavaScript cannot see.
import { BEGIN_FLAG } from '../../protocol/journal-records.ts';
import { LISTENER, RESOURCE_FACTS, type ResourceFacts } from '../../protocol/resource-facts.ts';
import type { Interval } from '../common/estimate.ts';

/**
 * What kind of callback it is. `pool`: of a job of the thread pool; these come from a poll, with all jobs that are done by then. `timers`: none comes from a
 * poll, and all of a turn of the loop come in a row. `later`: surely none of the timers of that row. null: unknown.
 */
export type CallbackKind = 'pool' | 'timers' | 'later' | null;

export class PollClock {
	/** The event that is delivered now had not arrived by this time ... */
	private notBefore = 0;
	/** ... and had arrived by this one. */
	private notAfter = 0;
	/** The delivering poll itself was not earlier than this. */
	private polledAfter = 0;
	private wasPool = false;
	private wasTimer = false;
	/** The loop ran timers after that poll, so the next one was not earlier than this; -1 where it ran none. */
	private leftAt = -1;

	/** The loop's callbacks are recorded again from `time` on, in µs: what had arrived before was delivered before. */
	resume(time: number): void {
		this.notBefore = this.notAfter = this.polledAfter = time;
		this.leftAt = -1;
		this.wasTimer = false;
		this.wasPool = false;
	}

	/**
	 * A top-level callback begins.
	 * @param time of its begin, µs
	 * @param idle µs that the loop was idle since the last one: libuv counts only polls that actually waited
	 * @param cpuWait the most time, in µs, by which the poll may have ended before `time` because the thread had no CPU
	 * @param previousEnd when the callback before had returned, µs
	 * @param kind a pool job that is done when libuv gets to the pool's jobs is delivered with them (uv__work_done takes the list
	 * then), so the first of them may have been done after the poll
	 */
	begin(time: number, flags: number, idle: number, cpuWait: number, previousEnd: number, kind: CallbackKind): void {
		const isFirstOfPool = kind === 'pool' && !this.wasPool;
		this.wasPool = kind === 'pool';
		if (this.wasTimer && kind !== 'timers') this.leftAt = previousEnd - cpuWait;
		this.wasTimer = kind === 'timers';
		if (idle > 0) {
			this.notAfter = time;
			this.notBefore = this.polledAfter = time - cpuWait;
			this.leftAt = -1;
			return;
		}
		if (flags & BEGIN_FLAG.samePoll && !isFirstOfPool) return;
		this.notAfter = time;
		if (flags & BEGIN_FLAG.newPoll) {
			this.notBefore = this.polledAfter;
			this.polledAfter = previousEnd - cpuWait;
			this.leftAt = -1;
		} else if (kind === 'pool' || kind === 'later') this.polled();
	}

	/** The running callback is none of the timers that ran before it, so the loop has polled between them. */
	polled(): void {
		if (this.leftAt < 0) return;
		this.notBefore = this.polledAfter;
		this.polledAfter = this.leftAt;
		this.leftAt = -1;
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

const { Timeout: TIMEOUT, Immediate: IMMEDIATE, TCPCONNECTWRAP: CONNECT } = RESOURCE_FACTS;

/** What a callback of that type says about the loop. A connection's says nothing before it is known to have read something. */
export function callbackKindOf(type: ResourceFacts | null): CallbackKind {
	if (type === null) return null;
	if (type.pool !== null) return 'pool';
	if (type === TIMEOUT) return 'timers';
	return type === IMMEDIATE || type === CONNECT || type === LISTENER ? 'later' : null;
}
