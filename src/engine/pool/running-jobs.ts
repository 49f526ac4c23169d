// The jobs that have a thread of the pool. A pool of 1,024 threads may have to be corrected a thousand times at one
// completion, so no query in here goes through all of them.

/** Something that runs. */
export interface Running<U> {
	/** The loop that submitted it. */
	readonly user: U;
	readonly isSlow: boolean;
	/** Whether it has a thread. */
	isRunning: boolean;
}

/** Below this number, keeping jobs that have ended costs nothing. */
const LEAST_KEPT = 64;

/** Each of a kind, slow or not, must be added in the order in which they queued; the last one may be taken out and added again. */
export class RunningJobs<U, T extends Running<U>> {
	/** In that order. Jobs that have ended are dropped later. */
	private readonly fast: JobList<T> = { items: [], running: 0 };
	private readonly slow: JobList<T> = { items: [], running: 0 };
	/** How many jobs each user has that had one. */
	private readonly users = new Map<U, { running: number }>();
	/** How many users have one. */
	private active = 0;
	/** The last user that was asked for, who usually is the next one too. */
	private last: U | null = null;
	private lastCount = { running: 0 };

	add(job: T): void {
		job.isRunning = true;
		const list = job.isSlow ? this.slow : this.fast;
		list.items.push(job);
		list.running++;
		if (this.countOf(job.user).running++ === 0) this.active++;
	}

	remove(job: T): void {
		job.isRunning = false;
		const list = job.isSlow ? this.slow : this.fast;
		list.running--;
		dropEnded(list);
		if (--this.countOf(job.user).running === 0) this.active--;
	}

	/** The job of one kind that queued last; undefined when none runs. */
	lastOf(isSlow: boolean): T | undefined {
		return (isSlow ? this.slow : this.fast).items.at(-1);
	}

	/** Whether no job of another user runs. */
	areAllOf(user: U): boolean {
		return this.active === 0 || (this.active === 1 && this.countOf(user).running > 0);
	}

	private countOf(user: U): { running: number } {
		if (user === this.last) return this.lastCount;
		let count = this.users.get(user);
		if (count === undefined) {
			count = { running: 0 };
			this.users.set(user, count);
		}
		this.last = user;
		this.lastCount = count;
		return count;
	}

	each(look: (job: T) => void): void {
		for (const job of this.fast.items) if (job.isRunning) look(job);
		for (const job of this.slow.items) if (job.isRunning) look(job);
	}
}

interface JobList<T> {
	items: T[];
	/** How many of them run. The last one always does. */
	running: number;
}

function dropEnded<T extends Running<unknown>>(list: JobList<T>): void {
	const { items } = list;
	while (items.length > 0 && !items.at(-1)!.isRunning) items.pop();
	if (items.length > LEAST_KEPT && items.length > list.running * 2) {
		list.items = items.filter(({ isRunning }) => isRunning);
	}
}
