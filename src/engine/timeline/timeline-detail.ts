// Everything that happened in a short stretch of a recording, one by one: the operations, the callbacks of the loops, the collections and the requests. A
// stretch is read from the journals again when a person looks at it, by models of its own.
import { MAIN_OPERATION } from '../../protocol/journal.ts';
import { type Interval, middle, uncertaintyOf } from '../common/estimate.ts';
import type { Place } from '../common/place.ts';
import type { ThreadSpan } from '../journal/thread-facts.ts';
import { type LineStats, MEASURED_US } from '../lines/line-stats.ts';
import type { LogicalOperation } from '../operations/logical-operation.ts';
import type { OpenResource } from '../operations/open-operations.ts';
import type { OpenRequest } from '../operations/request-path.ts';

/** More are not kept: a screen has no room for them, and then the sums are shown. */
const MOST = 20_000;
/** Shorter callbacks of nothing that is shown, in µs, are not kept: a busy server has any number of them. */
const LEAST_UNNAMED_US = 20;

/** Times are in µs of hrtime without the pauses of a debugger. */
export interface DetailOperation {
	readonly thread: ThreadSpan;
	readonly stats: LineStats;
	readonly start: number;
	readonly wait: number;
	/** When its callback began, the last of several; for one that is open, up to when it was read. */
	readonly called: number;
	/** Parts of the wait, -1 where a part has no meaning or is not known. */
	readonly queue: number;
	readonly execute: number;
	readonly lag: number;
	readonly run: number;
	/** The largest distance of the parts from the truth; 0 where they are measured. */
	readonly uncertainty: number;
	/** Whether it had not ended when what was read did; then `wait` reaches up to there. */
	readonly isOpen: boolean;
	/** The numbers of the callback that started it and of its own; -1 where they are not known. */
	readonly startedIn: number;
	readonly ranIn: number;
	/** The request for which it was started. */
	readonly request: OpenRequest | null;
	readonly logical: LogicalOperation;
	/** The request over the same connection for whose answer it waited; null where it waited for none, or that is not known. */
	readonly behind: LogicalOperation | null;
}

/** A job of the thread pool. */
export interface DetailJob {
	readonly thread: ThreadSpan;
	readonly logical: LogicalOperation;
	/** When it was submitted, taken and done. */
	readonly start: number;
	readonly began: number;
	readonly done: number;
	readonly uncertainty: number;
}

/** A callback. */
export interface DetailRun {
	readonly thread: ThreadSpan;
	/** Its number among the thread's. */
	readonly number: number;
	readonly place: Place | null;
	/** The line whose operation called back; null where that is none that is shown. */
	readonly stats: LineStats | null;
	readonly start: number;
	readonly duration: number;
	/** Whether it was the main script. */
	readonly isMain: boolean;
}

export interface DetailRequest {
	readonly thread: ThreadSpan;
	readonly request: OpenRequest;
	readonly start: number;
	/** null while it was not answered when what was read ended. */
	readonly end: number | null;
}

export class StretchDetail {
	readonly operations: DetailOperation[] = [];
	readonly runs: DetailRun[] = [];
	readonly jobs: DetailJob[] = [];
	readonly collections: { thread: ThreadSpan; start: number; duration: number }[] = [];
	readonly requests: DetailRequest[] = [];
	/** Whether there was more than is kept. */
	isFull = false;
	private readonly from: number;
	private readonly to: number;

	/** @param from and `to`: what lies between, at least in part, is kept; in µs of hrtime without pauses */
	constructor(from: number, to: number) {
		this.from = from;
		this.to = to;
	}

	/**
	 * An operation is over.
	 * @param resource its last step
	 * @param ranIn the number of its callback
	 * @param behind the request over the same connection for whose answer it waited
	 */
	operation(
		thread: ThreadSpan,
		stats: LineStats,
		logical: LogicalOperation,
		resource: OpenResource,
		ranIn: number,
		behind: LogicalOperation | null = null,
	): void {
		const start = thread.originUs + logical.started;
		const called = Math.max(start, thread.originUs + logical.ended);
		const { run, queue, execute, lag, startedIn, waited } = logical;
		if (!this.wants(start, called + run)) return;
		const [hasLag, hasAll] = [
			logical.isSplitKnown && stats.parts !== 'none',
			logical.isSplitKnown && stats.parts === 'all',
		];
		const uncertainty = Math.max(
			hasLag ? uncertaintyOf(lag) : 0,
			hasAll ? Math.max(uncertaintyOf(queue), uncertaintyOf(execute)) : 0,
		);
		this.keep(this.operations, {
			thread,
			stats,
			start,
			wait: waited,
			called,
			queue: hasAll ? queue.value : -1,
			execute: hasAll ? execute.value : -1,
			lag: hasLag ? lag.value : -1,
			run,
			uncertainty: uncertainty <= MEASURED_US ? 0 : uncertainty,
			isOpen: false,
			startedIn,
			ranIn,
			request: resource.hop?.request ?? null,
			logical,
			behind,
		});
	}

	/** An operation had not ended when what was read did. */
	open(thread: ThreadSpan, { logical, hop, delay }: OpenResource): void {
		const { stats, started, startedIn } = logical;
		// What was cleared, such as a timer, never says so.
		if (stats === null || delay >= 0 || stats.class === 'loop') return;
		const start = thread.originUs + started;
		const wait = Math.max(0, thread.now - started);
		if (!this.wants(start, start + wait)) return;
		this.keep(this.operations, {
			thread,
			stats,
			start,
			wait,
			called: start + wait,
			queue: -1,
			execute: -1,
			lag: -1,
			run: 0,
			uncertainty: 0,
			isOpen: true,
			startedIn,
			ranIn: -1,
			request: hop?.request ?? null,
			logical,
			behind: null,
		});
	}

	/** A job of the pool has called back. All times are in µs of the thread. */
	job(thread: ThreadSpan, logical: LogicalOperation, started: number, began: Interval, done: Interval): void {
		const { originUs } = thread;
		const start = originUs + started;
		if (!this.wants(start, originUs + done.high)) return;
		const beganAt = originUs + middle(began);
		const doneAt = Math.max(beganAt, originUs + middle(done));
		const uncertainty = Math.max(began.high - began.low, done.high - done.low) / 2;
		this.keep(this.jobs, {
			thread,
			logical,
			start,
			began: beganAt,
			done: doneAt,
			uncertainty: uncertainty <= MEASURED_US ? 0 : uncertainty,
		});
	}

	/** A callback is over. @param running its operation @param began and `ended`, in µs of the thread */
	run(
		thread: ThreadSpan,
		number: number,
		running: OpenResource | null,
		place: Place | null,
		began: number,
		ended: number,
	): void {
		const stats = running?.logical.stats ?? null;
		const start = thread.originUs + began;
		if (!this.wants(start, thread.originUs + ended)) return;
		if (stats === null && ended - began < LEAST_UNNAMED_US) return;
		this.keep(this.runs, {
			thread,
			number,
			place,
			stats,
			start,
			duration: ended - began,
			isMain: running?.id === MAIN_OPERATION,
		});
	}

	/** A garbage collection. @param from and `to`, in µs of the thread */
	collection(thread: ThreadSpan, from: number, to: number): void {
		// It may have begun before its thread's journal did.
		const since = Math.max(0, from);
		const [start, duration] = [thread.originUs + since, Math.max(0, to - since)];
		if (this.wants(start, start + duration)) this.keep(this.collections, { thread, start, duration });
	}

	/** A served request. @param answered when its response was finished, in µs of the thread; null where that is not known */
	request(thread: ThreadSpan, request: OpenRequest, answered: number | null): void {
		const start = thread.originUs + request.arrived.value;
		const end = answered === null ? null : Math.max(start, thread.originUs + answered);
		if (this.wants(start, end ?? Infinity)) this.keep(this.requests, { thread, request, start, end });
	}

	private wants(start: number, end: number): boolean {
		return start <= this.to && end >= this.from;
	}

	private keep<T>(list: T[], item: T): void {
		if (list.length < MOST) list.push(item);
		else this.isFull = true;
	}
}
