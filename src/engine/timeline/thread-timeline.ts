// What a thread passes on for the timeline as it happens: sums for all of the session, or everything one by one where a stretch of a journal is read again.
import { BusySlices } from '../clocks/busy-slices.ts';
import type { Interval } from '../common/estimate.ts';
import type { Place } from '../common/place.ts';
import type { LineStats } from '../lines/line-stats.ts';
import type { LogicalOperation } from '../operations/logical-operation.ts';
import type { OpenResource } from '../operations/open-operations.ts';
import type { OpenRequest } from '../operations/request-path.ts';
import type { StretchDetail } from './timeline-detail.ts';
import type { TimelineSource, TimelineSummary } from './timeline-summary.ts';

/** Times in µs of the thread. */
export class ThreadTimeline {
	/** Receives each operation as it finishes. */
	summary: TimelineSummary | null = null;
	/** Receives everything that happens. */
	detail: StretchDetail | null = null;
	/** How busy the loop was. */
	readonly busy = new BusySlices((from, to, busyUs) => this.summary?.addBusy(this.thread, from, to, busyUs));
	private readonly thread: TimelineSource;

	constructor(thread: TimelineSource) {
		this.thread = thread;
	}

	/** An operation is over. @param ranIn and `behind` as StretchDetail has them */
	operation(
		stats: LineStats,
		logical: LogicalOperation,
		resource: OpenResource,
		ranIn: number,
		behind: LogicalOperation | null = null,
	): void {
		this.sum(stats, logical);
		this.detail?.operation(this.thread, stats, logical, resource, ranIn, behind);
	}

	/** An operation is over that is in the sums alone. */
	sum(stats: LineStats, logical: LogicalOperation): void {
		this.summary?.add(this.thread, stats, logical);
	}

	/** A served request was answered. */
	request(request: OpenRequest, time: number): void {
		this.summary?.addRequest(this.thread, request.arrived.value, time);
		this.detail?.request(this.thread, request, time);
	}

	/** A callback is over. */
	run(number: number, running: OpenResource | null, place: Place | null, began: number, ended: number): void {
		this.detail?.run(this.thread, number, running, place, began, ended);
	}

	/** A job of the pool has called back. */
	job(logical: LogicalOperation, started: number, began: Interval, done: Interval): void {
		this.detail?.job(this.thread, logical, started, began, done);
	}

	/** A garbage collection. */
	collection(from: number, to: number): void {
		this.detail?.collection(this.thread, from, to);
	}

	/** What had not ended when the journal, or the stretch of it that is read, did. */
	left(operations: Iterable<OpenResource>, requests: Iterable<OpenRequest>): void {
		if (this.detail === null) return;
		for (const resource of operations) this.detail.open(this.thread, resource);
		for (const request of requests) this.detail.request(this.thread, request, null);
	}
}
