// What is kept of an operation until its last callback.
import type { Kind } from '../process/kinds.ts';
import type { Site } from '../sites/site.ts';
import type { Peer } from './peer.ts';

export interface Operation {
	/** 0 for carriers, which are never written. */
	readonly id: number;
	readonly kind: Kind;
	site: Site;
	/**
	 * Id of what it belongs to, as in the journal; its own id when it belongs to nothing. A step: the first step of its logical operation. A write, or an exchange that is
	 * answered in its turn: the handle that it goes through. A message: who sent it. A request's wait for a connection: the request.
	 */
	parent: number;
	/** How many steps came before this one, up to TURNS - 1 (tracer/sites/start-tree.ts). */
	readonly turn: number;
	/** µs since the journal began; of a timer that was refreshed, since then. */
	started: number;
	/** Whether an interval timer. */
	readonly repeats: boolean;
	/** Timers only: the delay asked for, in ms; else -1. */
	readonly delay: number;
	/** The writer's generation that it was last written in. */
	written: number;
	/**
	 * Distinguishes callbacks of one site: at first the captured site that started the operation, then the first site
	 * at which its latest callback started something.
	 */
	previous: Site;
	/** Connections only: a request came over it. */
	hasServed: boolean;
	/** Handles only: what goes on over it, and may be complete with its next callback. A connection's latest request, until its response is finished; the latest write of a handle of zlib; the latest message of a port. */
	underWay: Operation | null;
	/** Served requests only: the connection that it came over. */
	connection: Operation | null;
	/** Sockets of clients only. */
	peer: Peer<Operation> | null;
	/** The counter of an operation that is not recorded; null for one that is. */
	leftOut: Unrecorded | null;
}

/** All operations of one line and kind that are not recorded. */
export interface Unrecorded {
	readonly site: Site;
	readonly kind: Kind;
	/** Is in the table for each of them ... */
	readonly operation: Operation;
	/** ... and this one for what their callbacks start. */
	readonly echo: Operation;
	/** How many have called back since that was last written, and of how many one was recorded. */
	count: number;
	every: number;
	/** How many more to leave out before the next is recorded. */
	gap: number;
}

/** @param started µs since the journal began */
export function newOperation(
	id: number,
	kind: Kind,
	site: Site,
	parent: number,
	started: number,
	delay = -1,
	repeats = false,
	previous = site,
	turn = 0,
): Operation {
	return {
		id,
		kind,
		site,
		parent,
		turn,
		started,
		delay,
		repeats,
		written: 0,
		previous,
		hasServed: false,
		underWay: null,
		connection: null,
		peer: null,
		leftOut: null,
	};
}
