// How long a connection that a server accepts now may have waited in the system's queue.
import { BLOCK_US } from '../../protocol/journal.ts';
import type { Interval } from '../common/estimate.ts';

/** An accepted connection: when it was, and since when it could have waited, in µs. */
interface Accepted {
	at: number;
	/** When the server began to listen: none has come before. */
	listening: number;
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
	 * @param since when the handle was made, for its first connection
	 * @param idleUs how long the loop has been idle since it began
	 * @param at when the callback begins, in µs
	 */
	accept(handle: number, polled: Interval, since: number, idleUs: number, at: number): Interval {
		const before = this.latest.get(handle);
		const listening = before?.listening ?? since;
		const isNext = before !== undefined && before.idleUs === idleUs && at - before.at < BLOCK_US;
		const low = Math.max(listening, isNext ? Math.min(before.low, polled.low) : polled.low);
		this.latest.set(handle, { at, listening, low, idleUs });
		return { low, high: Math.max(low, polled.high) };
	}
}
