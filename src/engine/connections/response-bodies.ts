// The rest of an answer to an HTTP client's request: the request is complete when the head of the answer is there, and the body of a download, or of a stream of
// events, may take much longer.
import { RESPONSE_BODY_WAIT } from '../../protocol/resource-facts.ts';
import { addEstimate, type Interval, middle } from '../common/estimate.ts';
import type { ThreadLines } from '../lines/thread-lines.ts';
import { LogicalOperation } from '../operations/logical-operation.ts';
import type { OpenResource } from '../operations/open-operations.ts';

/** The most requests kept whose body may still come, the latest ones: those whose body came with the head never announce it. */
const KEPT = 1000;

interface Answered {
	readonly request: OpenResource;
	/** When the callback began that brought the head, in µs of the thread. */
	readonly at: number;
}

/** A body that has come, as an operation of its own. */
interface ResponseBody {
	readonly request: OpenResource;
	readonly wait: LogicalOperation;
}

export class ResponseBodies {
	/** By the request's operation. */
	private readonly answered = new Map<number, Answered>();

	/** The callback that began at `at` brings the head of the answer to that request. */
	begin(request: OpenResource, at: number): void {
		const { answered } = this;
		answered.set(request.id, { request, at });
		if (answered.size > KEPT) answered.delete(answered.keys().next().value!);
	}

	/**
	 * The callback that began at `called` has brought the rest, or the connection is lost.
	 * @param op the request's operation
	 * @param done when that had arrived
	 * @returns null where it came together with the head
	 */
	end(op: number, called: number, done: Interval, lines: ThreadLines): ResponseBody | null {
		const answered = this.answered.get(op);
		if (answered === undefined) return null;
		this.answered.delete(op);
		const { at, request } = answered;
		const stats = at < called ? lines.of(RESPONSE_BODY_WAIT, request.site) : null;
		if (stats === null) return null;
		const wait = new LogicalOperation(stats, RESPONSE_BODY_WAIT, at, true, false);
		wait.hasWaited = true;
		wait.ended = called;
		const { low, high } = { low: Math.max(at, done.low), high: Math.max(at, done.high) };
		addEstimate(wait.waitParts().lag, called - high, called - middle({ low, high }), called - low);
		return { request, wait };
	}
}
