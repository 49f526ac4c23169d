// What one thread has in its process's pool of threads: jobs begin when they are started, and when they call back it is known in part how long they
// queued and executed.
import type { ResourceFacts } from '../../protocol/resource-facts.ts';
import type { ThreadClock } from '../clocks/thread-clock.ts';
import type { Interval } from '../common/estimate.ts';
import type { OpenResource } from '../operations/open-operations.ts';
import { AddonJobs } from './addon-jobs.ts';
import { type PoolEntrance, ProcessPool } from './process-pool.ts';

/** The replay's times of one pool job; in µs since the journal began. */
export interface PoolJob {
	id: number;
	started: number;
	/** When a thread took it; null when that is unknown. */
	began: Interval | null;
	done: Interval;
	/** When its callback began. */
	called: number;
}

/** When a job was taken by a thread of the pool, and done. */
export interface PoolTimes {
	began: Interval;
	done: Interval;
}

/** Times in µs of the thread. */
export class ThreadJobs {
	/** The pool of the process: the thread's own until it joins the shared one. */
	pool = new ProcessPool();
	/** Is called with each job as it completes. */
	watch: ((job: PoolJob) => void) | null = null;
	private addons = new AddonJobs();
	private entrance: PoolEntrance | null = null;
	/** All jobs that had ended by then were reported before the callback that runs. */
	private reported = 0;
	private readonly clock: ThreadClock;

	constructor(clock: ThreadClock) {
		this.clock = clock;
	}

	/** From now on the thread uses this pool. */
	join(pool: ProcessPool): void {
		if (pool === this.pool) return;
		this.pool = pool;
		this.entrance = null;
	}

	/** The facts of a resource that starts: an add-on's may be a job. */
	factsOf(type: ResourceFacts): ResourceFacts {
		return this.addons.factsOf(type);
	}

	/** A job starts. */
	start({ id, type, started }: OpenResource): void {
		this.suspectOverdue();
		if (type.isAddon) this.addons.start(id, type, started);
		this.entered().submit(id, started, type.pool === 'slow');
	}

	/** A callback begins. @param reported all jobs that had ended by then were reported before it */
	begin(reported: number): void {
		this.reported = reported;
		this.entrance?.begin(reported);
	}

	/** It is over. */
	end(time: number): void {
		this.entrance?.end(time);
	}

	/**
	 * A resource calls back that is not known.
	 * @returns ids of what turns out to be thread-safe functions and no jobs: what has called back before under one name, and is open
	 */
	callBack(op: number, time: number): readonly number[] {
		const open = this.addons.callBack(op);
		for (const { id, started } of open) this.entered().withdraw(id, started, time);
		return open.map(({ id }) => id);
	}

	/** An add-on's job calls back. @returns whether it was still taken for a job */
	endAddon(op: number, time: number): boolean {
		return this.addons.end(op, time);
	}

	/**
	 * A job calls back at `time`.
	 * @param seen when it was done, as far as the polls show
	 * @returns null where its split is unknown
	 */
	complete({ id, logical, started }: OpenResource, seen: Interval, time: number): PoolTimes | null {
		const began = this.entered().complete(id, started, seen, time, logical.stats);
		this.withdrawDisproved(time);
		if (this.addons.overlap(started)) logical.assumesAddonJobs = true;
		const done = began === null ? seen : { low: Math.max(seen.low, Math.min(began.low, seen.high)), high: seen.high };
		this.watch?.({ id, started, called: time, began, done });
		return began === null ? null : { began, done };
	}

	/** Nothing is recorded for a while: what the thread has in the pool is unknown then. */
	beginRest(): void {
		this.pool.beginRest();
		this.addons = new AddonJobs();
	}

	/** All jobs that had ended by then were reported before. */
	endRest(time: number): void {
		this.pool.endRest();
		this.reported = time;
	}

	/** An assumed job of an add-on that has no end may be none: then it never occupied the pool. */
	private suspectOverdue(): void {
		const { addons, reported } = this;
		const takenAt = (id: number) => this.entered().takenAt(id);
		for (let job = addons.nextSuspect(reported, takenAt); job; job = addons.nextSuspect(reported, takenAt))
			this.entered().suspect(job.id, job.started);
	}

	/** Suspects that cannot be jobs, since others were done meanwhile that would have had no thread. */
	private withdrawDisproved(now: number): void {
		for (const id of this.entered().takeDisproved())
			for (const job of this.addons.clear(id)) this.entered().withdraw(job.id, job.started, now);
	}

	private entered(): PoolEntrance {
		if (this.entrance === null) {
			this.entrance = this.pool.enter(this.clock.originUs);
			this.entrance.begin(this.reported);
		}
		return this.entrance;
	}
}
