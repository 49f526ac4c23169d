// How busy loops are now. The report has the share of the whole time, which a program that has run for an hour hardly moves any more.

/** Over so long a share is taken, in ms: of a shorter stretch it jumps about. */
const STRETCH_MS = 1000;

/** What a journal has told of its thread's loop, in µs of that journal. */
export interface LoopTimes {
	journal: string;
	pid: number;
	/** 0 for the main thread. */
	threadId: number;
	/** Without the time that a debugger held it. */
	nowUs: number;
	idleUs: number;
	/** Whether a debugger holds it. */
	isStopped: boolean;
}

interface Seen {
	/** When, in ms. */
	at: number;
	times: LoopTimes;
	/** null before the first stretch is over, and after one in which nothing was told or seen. */
	share: number | null;
}

export class LoopNow {
	private seen = new Map<string, Seen>();

	/**
	 * Looks at all loops that turn, some ten times a second.
	 * @param at the time of this look, in ms
	 * @param canSee whether a thread that says nothing was looked at from outside: one that is held is told as blocked then, so this one sleeps
	 * @returns whether the share of one has changed
	 */
	look(loops: readonly LoopTimes[], at: number, canSee: (journal: string) => boolean): boolean {
		const seen = new Map<string, Seen>();
		let hasChanged = false;
		for (const times of loops) {
			const before = this.seen.get(times.journal) ?? { at, times, share: null };
			if (times.isStopped) {
				// It is neither busy nor idle: what it was stays, and a stretch begins when it goes on.
				seen.set(times.journal, { at, times, share: before.share });
				continue;
			}
			const recorded = (times.nowUs - before.times.nowUs) / 1000;
			// What sleeps for a part of it has told less.
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

	/** The threads of a process, each with the share of the last stretch that its loop was not idle, 0 to 1; null while nobody knows. */
	of(pid: number): { threadId: number; utilization: number | null }[] {
		return [...this.seen.values()]
			.filter(({ times }) => times.pid === pid)
			.map(({ times, share }) => ({ threadId: times.threadId, utilization: share }));
	}
}
