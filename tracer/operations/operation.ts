// What is kept of an operation until its last callback.
import type { Kind } from '../kinds.ts';
import type { Site } from '../sites/site.ts';
import type { Peer } from './peer.ts';

export interface Operation {
	/** 0 for carriers, which are never written. */
	readonly id: number;
	readonly kind: Kind;
	site: Site;
	/** The logical operation that this one is a step of; its own id when it is the first step. A write: the handle that it goes through. */
	root: number;
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
	/** Connections: a request came over it. A client's request: it was answered. A wait for a pool: that makes a connection for it. */
	hasServed: boolean;
	/**
	 * Handles of zlib: the write that the pool has; after its end, the last one. Connections: the latest request that came over it, until its
	 * response is finished. A request that is served or was sent: its connection.
	 */
	job: Operation | null;
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
	root: number,
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
		root,
		turn,
		started,
		delay,
		repeats,
		written: 0,
		previous,
		hasServed: false,
		job: null,
		peer: null,
		leftOut: null,
	};
}
