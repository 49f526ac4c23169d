// For how much of a block the thread had no CPU: on a machine whose cores are all taken, a short callback may seem to block the loop for long. The kernel counts for
// how long a thread ran and for how long it was ready and waited for a CPU.

/** µs since the thread began. */
export interface CpuTimes {
	readonly ran: number;
	readonly waited: number;
}

/** The kernel is asked no more often, in µs, since that takes 2: what lies between a reading and the block behind it is a tenth of the shortest block. */
const APART_US = 5000;

interface Reading extends CpuTimes {
	/** µs since the journal began. */
	readonly at: number;
}

export class LostCpu {
	private readonly read: () => CpuTimes | null;
	/** The latest reading, and the one before. */
	private latest: Reading | null = null;
	private before: Reading | null = null;

	/** @param read null where the kernel does not say */
	constructor(read: () => CpuTimes | null) {
		this.read = read;
	}

	/** A run begins, or one ends. @param now µs since the journal began */
	look(now: number): void {
		if (this.latest !== null && now - this.latest.at < APART_US) return;
		const times = this.read();
		if (times === null) return;
		this.before = this.latest;
		this.latest = { at: now, ...times };
	}

	/**
	 * For how much of a block that is over, and after which `look` was called, the thread was ready and had no CPU: no more than it waited for one, and no more than it did not
	 * run. What it sleeps in a call of the system is neither.
	 * @param from and `to` of the block, in µs since the journal began
	 * @returns µs
	 */
	in(from: number, to: number): number {
		const { before, latest } = this;
		if (before === null || latest === null || before.at > from || latest.at < to) return 0;
		const ran = latest.ran - before.ran;
		return Math.max(0, Math.min(latest.waited - before.waited, to - from - ran));
	}
}
