// Where in a journal its generations are, so that a stretch of time can be read again: each has its own tables, and repeats the start of an operation before
// its callback.

/** What is known where a generation begins. */
export interface Generation {
	/** Of its first byte in the journal. */
	readonly at: number;
	/** The latest time before it, in µs of the journal: its records are no earlier. */
	readonly time: number;
	/** Jobs of the pool that the thread had under way. */
	readonly openJobs: number;
}

/** Bytes of a journal that are read again, from the beginning of a generation on. */
export interface JournalStretch {
	readonly from: number;
	readonly to: number;
	/** Jobs of the pool that were under way when it begins; nothing shows which. */
	readonly openJobs: number;
}

/**
 * The most generations that are read before the wanted time. Reading begins at one where no job was under way, if there is one: how long a job waited for a thread
 * depends on all jobs before it.
 */
const MOST_BEFORE = 2;
/** The generations that are read after it, so that operations under way at its end are seen to end. */
const AFTER = 1;

export class JournalIndex {
	private readonly known: Generation[] = [];

	/** In the order in which they are in the journal. */
	get generations(): readonly Generation[] {
		return this.known;
	}

	add(generation: Generation): void {
		this.known.push(generation);
	}

	/**
	 * The bytes in which everything is recorded that ended between two times, and what was started before; null where there is nothing.
	 * @param from and `to`, on some clock
	 * @param end how many bytes the journal has
	 * @param clock converts µs of the journal to that clock
	 */
	stretch(from: number, to: number, end: number, clock: (time: number) => number): JournalStretch | null {
		const all = this.known;
		const last = all.findLastIndex(({ time }) => clock(time) <= to);
		if (last < 0) return null;
		let first = Math.max(
			0,
			all.findLastIndex(({ time }) => clock(time) <= from),
		);
		const least = Math.max(0, first - MOST_BEFORE);
		if (first > 0) first--;
		while (first > least && all[first]!.openJobs > 0) first--;
		const { at, openJobs } = all[first]!;
		return { from: at, to: all[last + 1 + AFTER]?.at ?? end, openJobs };
	}
}
