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
	/** When the first of those was accepted between which the loop has not slept: it may have come with that one. */
	earliest: number;
	/** How long the loop had been idle by then. */
	idleUs: number;
}

/** The most connections kept that have brought nothing yet. */
const KEPT = 10_000;

export class AcceptedConnections {
	/** The latest, by the id of the server's handle. */
	private readonly latest = new Map<number, Accepted>();
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
		const earliest = isAwake ? before.earliest : at;
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
	 * Since when the first request over a connection may have waited, which the running callback brings; null where no other connection was accepted before it, or the
	 * request came after that.
	 * @param parser of the connection
	 * @param idleUs how long the loop has been idle since it began
	 */
	earliestOf(parser: number, idleUs: number): number | null {
		const accepted = this.silent.get(parser);
		const isBehind = accepted !== undefined && accepted.idleUs === idleUs && accepted.earliest < accepted.at;
		return isBehind ? accepted.earliest : null;
	}

	/** The running callback is over. @param op its operation; 0 where that is not known */
	endRun(op: number): void {
		this.accepting = null;
		if (this.silent.size > 0) this.silent.delete(op);
	}
}
