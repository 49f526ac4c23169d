// The body of a response to an HTTP client's request: the request is complete when the headers are there, and the body of a download, or of a stream of events, may
// take much longer.
import type { OpenResource } from '../operations/open-operations.ts';

/** The most requests kept whose body may still come, the latest ones: those whose body came with the headers never announce it. */
const KEPT = 1000;

/** A request whose response has begun. */
export interface BegunResponse {
	readonly request: OpenResource;
	/** When the callback began that brought the headers, in µs of the thread. */
	readonly at: number;
}

export class ResponseBodies {
	/** By the request's operation. */
	private readonly begun = new Map<number, BegunResponse>();

	/** The callback that began at `at` brings the headers of the response to that request. */
	begin(request: OpenResource, at: number): void {
		const { begun } = this;
		begun.set(request.id, { request, at });
		if (begun.size > KEPT) begun.delete(begun.keys().next().value!);
	}

	/**
	 * The callback that began at `called` has brought the last bytes, or the connection is lost.
	 * @param op the request's operation
	 * @returns null where no headers are known, or the body came together with them
	 */
	end(op: number, called: number): BegunResponse | null {
		const response = this.begun.get(op);
		if (response === undefined) return null;
		this.begun.delete(op);
		return response.at < called ? response : null;
	}
}
