// How long a connection that a server accepts now may have waited in the system's queue.
import { BLOCK_US } from '../../protocol/journal.ts';
import { RESOURCE_FACTS } from '../../protocol/resource-facts.ts';
import type { Interval } from '../common/estimate.ts';
import type { OpenResource } from '../operations/open-operations.ts';

/** An accepted connection: when it was, and since when it could have waited, in µs. */
interface Accepted {
	at: number;
	/** When the server began to listen: none has come before. */
	listening: number;
	low: number;
	/** The same where the loop was blocked since it slept last, however often. */
	earliest: number;
	/** How long the loop had been idle by then. */
	idleUs: number;
}

/** The most connections kept that have brought nothing yet. */
const KEPT = 10_000;

export class AcceptedConnections {
	/** The latest, by the id of the server's handle. */
	private readonly latest = new Map<number, Accepted>();
	/** How long the loop had been idle when the callback before the running one began. */
	private idleUs = 0;
	/** The one that the running callback brings. */
	private accepting: Accepted | null = null;
	/** Those that have brought nothing yet, by the ids of their parsers. */
	private readonly silent = new Map<number, Accepted>();

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
		const isAwake = before !== undefined && before.idleUs === idleUs;
		const isNext = isAwake && at - before.at < BLOCK_US;
		const low = Math.max(listening, isNext ? Math.min(before.low, polled.low) : polled.low);
		// Where the loop slept just now, the connection woke it.
		const came = idleUs > this.idleUs ? at : polled.low;
		const earliest = Math.max(listening, isAwake ? Math.min(before.earliest, came) : came);
		this.accepting = { at, listening, low, earliest, idleUs };
		this.latest.set(handle, this.accepting);
		return { low, high: Math.max(low, polled.high) };
	}

	/** The parser of an accepted connection's requests is made in the callback that brings the connection; over TLS only later, when no request can have come before. */
	start({ id, type }: OpenResource): void {
		if (this.accepting === null || type !== RESOURCE_FACTS.HTTPINCOMINGMESSAGE) return;
		this.silent.set(id, this.accepting);
		if (this.silent.size > KEPT) for (const oldest of this.silent.keys()) return void this.silent.delete(oldest);
	}

	/**
	 * Since when the first request over a connection may have waited, which the running callback brings; null where it came after the connection was accepted.
	 * @param parser of the connection
	 * @param idleUs how long the loop has been idle since it began
	 */
	earliestOf(parser: number, idleUs: number): number | null {
		const accepted = this.silent.get(parser);
		return accepted === undefined || accepted.idleUs !== idleUs ? null : accepted.earliest;
	}

	/** The running callback is over. @param op its operation; 0 where that is not known @param idleUs how long the loop had been idle when it began */
	endRun(op: number, idleUs: number): void {
		this.accepting = null;
		this.idleUs = idleUs;
		if (this.silent.size > 0) this.silent.delete(op);
	}
}
