// Replays libuv's thread pool from what can be seen from JavaScript, the submits and an interval for each completion,
// to find out how long each operation queued and how long it executed.
//
// The pool is one FIFO served by n threads (src/threadpool.c). With one completion time per operation the replay is
// exact; with intervals it is run twice, once with every completion at its earliest and once at its latest: without
// slow I/O earlier completions never make a later operation start later, so the true times lie between the two.
//
// Several loops may use the pool, and a busy one reports its completions late. Then threads become free in a different
// order than is reported here, and jobs take them before that is reported. The latest replay bounds each start from
// above only if starts never go back in the order of the queue, and the earliest one bounds it from below only if
// whatever may have ended counts as ended.

import { addEstimate, type Estimate, type Interval, noTime, reset } from '../common/estimate.ts';
import { IdMap } from '../common/id-map.ts';
import { TimeUnion } from '../common/time-union.ts';
import { JobQueue, type Queued } from './job-queue.ts';
import { type Running, RunningJobs } from './running-jobs.ts';

/** A loop that uses the pool. */
export interface PoolUser {
	/** By `at`, the loop has reported all jobs that had ended by this time. */
	knownUpTo(at: number): number;
	/** A suspect of its own is no job. */
	disprove(id: number, submitted: number): void;
}

/** The only user: nothing of its own ends unnoticed. */
const SOLE: PoolUser = { knownUpTo: (at) => at, disprove: () => undefined };

interface Job extends Queued, Running<PoolUser> {
	submitted: number;
	/** When a thread took the job, or -1 while it queues. */
	began: number;
	/** When that thread had become idle. */
	idleSince: number;
	/** Whether it had to queue though a thread was idle, because as many look-ups ran as are allowed. */
	isPastLimit: boolean;
	/** A look-up that is surely taken as soon as a thread is free: of those before it fewer are left than may run at once. */
	isWithinLimit: boolean;
}

/** One job in both replays. */
interface ReplayedJob {
	readonly earliest: Job;
	readonly latest: Job;
}

export class PoolReplay {
	readonly size: number;
	private earliest: ThreadPool;
	private latest: ThreadPool;
	private readonly jobs = new IdMap<ReplayedJob>();
	/** Jobs that may be none, with when a thread took them at the earliest if they are some. */
	private readonly suspects = new Map<number, { began: number; submitted: number }>();
	/** How much of the threads' time the finished jobs took, in µs. */
	readonly occupied: Estimate = noTime();
	/** For how long jobs queued, but for look-ups that may have been too many, at least and at most: every thread was taken then. */
	private queuedLeast = new TimeUnion();
	private queuedMost = new TimeUnion();
	/** For how long look-ups queued though a thread was idle, at least. */
	private lookupsQueued = new TimeUnion();
	/** What was before does not count for the figures. */
	private since = -Infinity;

	/** @param size threads, at least 1 */
	constructor(size: number) {
		this.size = size;
		this.earliest = new ThreadPool(size, false);
		this.latest = new ThreadPool(size, true);
	}

	/** The figures of a stretch of time begin: forgets those of what was before. */
	beginPart(at: number): void {
		this.since = at;
		reset(this.occupied);
		this.queuedLeast = new TimeUnion();
		this.queuedMost = new TimeUnion();
		this.lookupsQueued = new TimeUnion();
		this.earliest.maxQueued = this.earliest.queued;
	}

	/** @param isSlow whether libuv calls it slow I/O (getaddrinfo, getnameinfo), of which only (n+1)/2 run at once */
	submit(op: number, time: number, isSlow: boolean, user = SOLE): void {
		const earliest = this.earliest.submit(time, isSlow, user);
		this.jobs.set(op, { earliest, latest: this.latest.submit(time, isSlow, user) });
	}

	/**
	 * @param done when it was done at the earliest and at the latest
	 * @param called when its loop reported it
	 * @returns when a thread took it. Where a replay still has it in its queue, all that is known is that it was taken
	 * between its submit and its end: the place of slow I/O in the queue depends on chance, and work that no hook shows
	 * may use the pool too. Null when not even that is possible.
	 */
	complete(op: number, submitted: number, done: Interval, called = done.high): Interval | null {
		const job = this.jobs.take(op);
		const suspect = this.suspects.size === 0 ? undefined : this.suspects.get(op);
		this.suspects.delete(op);
		// Of a job whose submit was never seen only the end is known.
		if (job === undefined) return submitted > done.high ? null : { low: submitted, high: done.high };
		const low = suspect?.began ?? this.earliestBegan(job, submitted, done.low, called);
		const isImpossible = this.suspects.size >= this.size && this.areAllBefore(job.latest);
		const latest = this.latest.complete(job.latest, done.high);
		const high = latest < 0 ? done.high : latest;
		if (low > done.high) return null;
		const began = { low: Math.min(low, high), high: Math.max(low, high) };
		this.count(submitted, began, done, job.earliest);
		if (isImpossible) this.disproveSuspects(done.high);
		return began;
	}

	private earliestBegan({ earliest }: ReplayedJob, submitted: number, done: number, called: number): number {
		const freed = this.earliest.earliestFree(earliest.user, called);
		return Math.max(submitted, Math.min(freed, this.earliest.complete(earliest, done)));
	}

	/** That job may be none: then its thread was free for others all the time. */
	suspect(op: number, submitted: number): void {
		const job = this.jobs.get(op);
		if (job === undefined || this.suspects.has(op)) return;
		this.suspects.set(op, { began: Math.max(submitted, job.earliest.began), submitted });
		this.earliest.complete(job.earliest, submitted);
	}

	/** Whether all suspects would have been taken before that job, and their ends reported before its end. */
	private areAllBefore({ user, submitted }: Job): boolean {
		return [...this.suspects].every(
			([op, suspect]) => suspect.submitted <= submitted && this.jobs.get(op)?.latest.user === user,
		);
	}

	/** Something was done for which the suspects would have left no thread. Which of them are no jobs is unknown, so none is taken for one. */
	private disproveSuspects(now: number): void {
		for (const [op, { submitted }] of this.suspects) {
			const job = this.jobs.take(op)!;
			this.latest.complete(job.latest, Math.min(now, submitted));
			job.latest.user.disprove(op, submitted);
		}
		this.suspects.clear();
	}

	/** Adds a finished job to the pool's figures. */
	private count(queuedAt: number, taken: Interval, done: Interval, { isSlow, isPastLimit, isWithinLimit }: Job): void {
		const { since } = this;
		const submitted = Math.max(queuedAt, since);
		const began = { low: Math.max(taken.low, since), high: Math.max(taken.high, since) };
		const [least, most] = [Math.max(0, done.low - began.high), Math.max(0, done.high - began.low)];
		addEstimate(this.occupied, least, (least + most) / 2, most);
		if (isPastLimit) this.lookupsQueued.add(submitted, began.low);
		if (isSlow && !isWithinLimit) return;
		this.queuedLeast.add(submitted, began.low);
		this.queuedMost.add(submitted, began.high);
	}

	/** Whether that job was submitted and has not called back. */
	has(op: number): boolean {
		return this.jobs.has(op);
	}

	/** When a thread took an open job at the earliest; Infinity while it queues, or where its submit was not seen. */
	takenAt(op: number): number {
		const began = this.jobs.get(op)?.earliest.began ?? -1;
		return began < 0 ? Infinity : began;
	}

	/** Forgets the open jobs: whether and when they end is not seen. */
	forget(): void {
		const { maxQueued } = this.earliest;
		this.jobs.clear();
		this.suspects.clear();
		this.earliest = new ThreadPool(this.size, false);
		this.earliest.maxQueued = maxQueued;
		this.latest = new ThreadPool(this.size, true);
	}

	/** Whether there is no open job. */
	get isEmpty(): boolean {
		return this.jobs.size === 0;
	}

	/** How many threads have work. */
	get busy(): number {
		return this.latest.busy;
	}

	/** How many operations are in the queue. */
	get queued(): number {
		return this.latest.queued;
	}

	/** For how long work queued because every thread was taken, in µs. */
	get saturatedUs(): Interval {
		return { low: this.queuedLeast.us, high: this.queuedMost.us };
	}

	/**
	 * For how long look-ups queued though a thread was idle, because only half of the threads may look names up; in µs,
	 * at least.
	 */
	get lookupsQueuedUs(): number {
		return this.lookupsQueued.us;
	}

	/**
	 * An upper limit of the most operations in the queue at once: some of them may be done without their loop having
	 * reported it yet.
	 */
	get maxQueued(): number {
		return this.earliest.maxQueued;
	}
}

/** One libuv pool: `n` threads, one queue, slow work behind one sentinel in it. */
class ThreadPool {
	maxQueued = 0;
	private readonly size: number;
	private readonly slowLimit: number;
	/** Is in the queue where slow work takes its turn. */
	private readonly sentinel: Job = {
		user: SOLE,
		submitted: 0,
		isSlow: true,
		isRunning: false,
		began: -1,
		idleSince: 0,
		isPastLimit: false,
		isWithinLimit: false,
		hasLeft: false,
	};
	/** Waiting fast jobs, and the sentinel. */
	private readonly queue = new JobQueue<Job>();
	private hasSentinel = false;
	private readonly slowQueue = new JobQueue<Job>();
	private slowRunning = 0;
	/** Since when fewer slow jobs than the limit run. */
	private slowFreeSince = 0;
	/** When each idle thread became idle, earliest first. */
	private readonly idleSince: number[];
	private readonly isLatest: boolean;
	private readonly running = new RunningJobs<PoolUser, Job>();
	/** When the last of those jobs was done that must have taken a thread before that thread was reported free. */
	private unseen = 0;
	/** When the last job from the front of the queue was taken. */
	private lastBegan = 0;

	/** @param isLatest whether it bounds the starts from above, not from below */
	constructor(size: number, isLatest: boolean) {
		this.isLatest = isLatest;
		this.size = size;
		// threadpool.c: slow_work_thread_threshold() is (nthreads + 1) / 2.
		this.slowLimit = Math.floor((size + 1) / 2);
		this.idleSince = new Array<number>(size).fill(0);
	}

	submit(time: number, isSlow: boolean, user: PoolUser): Job {
		const job: Job = {
			user,
			submitted: time,
			isSlow,
			isRunning: false,
			began: -1,
			idleSince: 0,
			isPastLimit: false,
			isWithinLimit: isSlow && this.slowQueue.length + this.slowRunning < this.slowLimit,
			hasLeft: false,
		};
		if (!isSlow && this.queue.length === 0 && this.idleSince.length > 0) this.run(job);
		else if (!isSlow) this.queue.push(job);
		else {
			this.slowQueue.push(job);
			if (this.slowQueue.length === 1 && !this.hasSentinel) this.queueSlow();
		}
		this.dispatch();
		job.isPastLimit = isSlow && job.began < 0 && this.idleSince.length > 0;
		const queued = this.queued;
		if (queued > this.maxQueued) this.maxQueued = queued;
		return job;
	}

	/** Returns when the job began, or -1 when no thread can have taken it. */
	complete(job: Job, time: number): number {
		this.correct(job);
		if (job.began < 0) {
			if (job.isSlow) this.slowQueue.remove(job);
			else this.queue.remove(job);
			this.unseen = Math.max(this.unseen, time);
			return -1;
		}
		this.running.remove(job);
		const free = this.freeAfter(Math.max(time, job.began));
		if (job.isSlow && this.slowRunning-- === this.slowLimit) this.slowFreeSince = free;
		const { idleSince } = this;
		let at = idleSince.push(free) - 1;
		for (; at > 0 && idleSince[at - 1]! > free; at--) idleSince[at] = idleSince[at - 1]!;
		idleSince[at] = free;
		this.dispatch();
		return job.began;
	}

	/**
	 * A job is done that still queues here. The place of slow I/O in the queue depends on chance. With one loop, which
	 * reports in order what is done, this means: the last job of the other kind that seems to run has not begun, and
	 * this one had its thread.
	 */
	private correct(job: Job): void {
		while (job.began < 0 && this.running.areAllOf(job.user)) {
			const isFull = job.isSlow && this.slowRunning >= this.slowLimit;
			const wrong = isFull ? undefined : this.running.lastOf(!job.isSlow);
			if (wrong === undefined) return;
			this.putBack(wrong);
			if (job.isSlow) this.runSlow();
			else this.run(this.takeFast());
		}
	}

	/** A job has not begun after all; its thread is idle. */
	private putBack(job: Job): void {
		this.running.remove(job);
		this.idleSince.unshift(job.idleSince);
		job.began = -1;
		if (!job.isSlow) {
			this.queue.unshift(job);
			return;
		}
		this.slowRunning--;
		this.slowQueue.unshift(job);
		// The thread that took the sentinel found too many slow jobs at work.
		if (!this.hasSentinel) this.queueSlow();
	}

	private takeFast(): Job {
		const first = this.queue.shift()!;
		if (first !== this.sentinel) return first;
		const job = this.queue.shift()!;
		this.queue.unshift(first);
		return job;
	}

	/**
	 * The earliest time at which a thread may have become free without its loop having reported that by `called`;
	 * Infinity when all have reported.
	 */
	earliestFree(own: PoolUser, called: number): number {
		let earliest = Infinity;
		if (this.running.areAllOf(own)) return earliest;
		this.running.each(({ user, began }) => {
			if (user !== own) earliest = Math.min(earliest, Math.max(began, user.knownUpTo(called)));
		});
		return earliest;
	}

	/** When the thread of a job that was done at `time` became free for the jobs that still queue here. */
	private freeAfter(time: number): number {
		if (this.isLatest) {
			// They may all have taken this thread, one after the other.
			const free = Math.max(time, this.unseen);
			if (free > time) this.unseen = 0;
			return free;
		}
		// Completions that are reported late take effect first: jobs taken since may have been taken then.
		this.running.each((job) => {
			if (job.began > time) job.began = Math.max(job.submitted, time);
		});
		return time;
	}

	get busy(): number {
		return this.size - this.idleSince.length;
	}

	get queued(): number {
		return this.slowQueue.length + this.queue.length - (this.hasSentinel ? 1 : 0);
	}

	/** Gives waiting jobs to idle threads, as worker() of threadpool.c does. */
	private dispatch(): void {
		while (this.idleSince.length > 0 && this.queue.length > 0) {
			const next = this.queue.shift()!;
			if (next !== this.sentinel) {
				this.run(next);
				continue;
			}
			this.hasSentinel = false;
			if (this.slowRunning >= this.slowLimit) {
				// Above the limit slow work goes to the back of the queue; when it is alone there, it waits for a slow
				// job to end.
				this.queueSlow();
				if (this.queue.length === 1) return;
			} else {
				if (this.slowQueue.length > 1) this.queueSlow();
				if (this.slowQueue.length > 0) this.runSlow();
			}
		}
	}

	private runSlow(): void {
		const slow = this.slowQueue.shift()!;
		this.slowRunning++;
		this.run(slow);
		slow.began = Math.max(slow.began, this.slowFreeSince);
	}

	private queueSlow(): void {
		this.queue.push(this.sentinel);
		this.hasSentinel = true;
	}

	private run(job: Job): void {
		job.idleSince = this.idleSince.shift()!;
		job.began = Math.max(job.submitted, job.idleSince);
		this.running.add(job);
		if (!this.isLatest || job.isSlow) return;
		job.began = Math.max(job.began, this.lastBegan);
		this.lastBegan = job.began;
	}
}
