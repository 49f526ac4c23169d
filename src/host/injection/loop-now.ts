// How busy loops are now. The report has the share of the whole time, which hardly changes in a program that has run
// for an hour.

/** The time over which a share is measured, in ms: over a shorter one it jumps about. */
const STRETCH_MS = 1000;

/** A thread's loop as recorded in its journal, in µs of that journal. */
export interface LoopTimes {
	journal: string;
	pid: number;
	/** 0 for the main thread. */
	threadId: number;
	/** Without the time during which a debugger had stopped it. */
	nowUs: number;
	idleUs: number;
	/** Whether a debugger has stopped it. */
	isStopped: boolean;
}

interface Seen {
	/** When, in ms. */
	at: number;
	times: LoopTimes;
	/** null before the first stretch is over, and after one in which nothing was recorded or seen. */
	share: number | null;
}

export class LoopNow {
	private seen = new Map<string, Seen>();

	/**
	 * Updates all loops that turn, about ten times a second.
	 * @param at the time of this call, in ms
	 * @param canSee whether a silent thread was watched from outside: a blocked one would be reported as blocked then,
	 * so this one sleeps
	 * @returns whether any share has changed
	 */
	look(loops: readonly LoopTimes[], at: number, canSee: (journal: string) => boolean): boolean {
		const seen = new Map<string, Seen>();
		let hasChanged = false;
		for (const times of loops) {
			const before = this.seen.get(times.journal) ?? { at, times, share: null };
			if (times.isStopped) {
				// A stopped loop is neither busy nor idle: its share stays, and a stretch begins when it continues.
				seen.set(times.journal, { at, times, share: before.share });
				continue;
			}
			const recorded = (times.nowUs - before.times.nowUs) / 1000;
			// A thread that slept for a part of the stretch has recorded less.
			const elapsed = Math.max(recorded, at - before.at);
			if (elapsed < STRETCH_MS) {
				seen.set(times.journal, before);
				continue;
			}
			const busy = recorded - (times.idleUs - before.times.idleUs) / 1000;
			const isUnknown = recorded === 0 && !canSee(times.journal);
			const share = isUnknown ? null : Math.min(1, Math.max(0, busy / elapsed));
			hasChanged ||= share !== before.share;
			seen.set(times.journal, { at, times, share });
		}
		this.seen = seen;
		return hasChanged;
	}

	/**
	 * The threads of a process, each with the share of the last stretch that its loop was not idle, 0 to 1; null while
	 * that is unknown.
	 */
	of(pid: number): { threadId: number; utilization: number | null }[] {
		return [...this.seen.values()]
			.filter(({ times }) => times.pid === pid)
			.map(({ times, share }) => ({ threadId: times.threadId, utilization: share }));
	}
}
