// Since when a connection may have waited in the system's queue that a server accepts now.
import { BLOCK_US } from '../protocol/journal.ts';
import type { Interval } from './estimate.ts';

/** An accepted connection: when it was, and since when it could have waited, in µs. */
interface Accepted {
	at: number;
	low: number;
	/** How long the loop had been idle by then. */
	idleUs: number;
}

export class AcceptedConnections {
	/** The latest, by the id of the server's handle. */
	private readonly latest = new Map<number, Accepted>();

	/**
	 * libuv accepts one connection a poll: those that come next, while the loop does not sleep, may have been there as long as the first.
	 * After another block no more is known than that they came before its end.
	 * @param polled when a connection came that the handle's callback reports now, if it is the only one
	 * @param idleUs how long the loop has been idle since it began
	 * @param at when the callback begins, in µs
	 */
	accept(handle: number, polled: Interval, idleUs: number, at: number): Interval {
		const before = this.latest.get(handle);
		const isNext = before !== undefined && before.idleUs === idleUs && at - before.at < BLOCK_US;
		const low = isNext ? Math.min(before.low, polled.low) : polled.low;
		this.latest.set(handle, { at, low, idleUs });
		return { low, high: polled.high };
	}
}
