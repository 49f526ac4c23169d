// A connection that the program opened, and the requests sent over it that are not answered yet.

import type { Site } from '../sites/site.ts';

/** A read seldom answers more; to examine all open exchanges each time would take too long. */
const LOOKED_AT = 64;

/** `Exchange` is the operation of one request, which names the line that sent it. */
export class Peer<Exchange extends { readonly site: Site }> {
	/** Where it was opened. */
	readonly opened: Site;
	/** Oldest first: what the peer sends next answers the oldest, and may answer any other as well. */
	readonly open: Exchange[] = [];
	/**
	 * Those whose answers a library's queue reports one by one.
	 */
	private readonly inTurn = new Set<Exchange>();
	/** Whether such a queue reports everything that is sent from now on. */
	isFollowed = false;
	/** The socket's native handle, until it is known that the program reads what the peer sends. */
	handle: WeakRef<object> | null = null;
	/** Whether the peer's latest data answered several lines: what comes next may be the rest of it. */
	isMixed = false;
	/** Where the latest of them was sent, and in which run. */
	private site: Site | null = null;
	private run = -1;

	constructor(opened: Site) {
		this.opened = opened;
	}

	/** Whether nothing was sent over it yet. */
	get isNew(): boolean {
		return this.run < 0;
	}

	/** The one that the peer answers next. */
	get oldest(): Exchange | undefined {
		return this.open[0] ?? (this.inTurn.size === 0 ? undefined : this.inTurn.values().next().value);
	}

	/** Adds an exchange that was sent from `site`. @param run when the running top-level callback began */
	add(exchange: Exchange, site: Site, run: number): void {
		this.open.push(exchange);
		this.site = site;
		this.run = run;
	}

	/** A library's queue reports everything that is sent from now on. */
	follow(): void {
		this.isFollowed = true;
	}

	/** An exchange is sent whose answer such a queue reports ... */
	addInTurn(exchange: Exchange): void {
		this.inTurn.add(exchange);
	}

	/** ... and is answered, or sent over another connection. */
	deleteInTurn(exchange: Exchange): void {
		this.inTurn.delete(exchange);
	}

	/** The connection is lost: calls `end` for each exchange of such a queue. */
	lose(end: (exchange: Exchange) => void): void {
		this.inTurn.forEach(end);
		this.inTurn.clear();
	}

	/** It is not known yet whether the program reads what the peer sends. @param native the socket's handle */
	watch(native: object): void {
		this.handle = new WeakRef(native);
	}

	/** The program reads what the peer sends. */
	unwatch(): void {
		this.handle = null;
	}

	/** Nobody waits for the answers to what is open. */
	dropOpen(): void {
		this.open.length = 0;
	}

	/** What happens over the connection is not seen from now on. */
	rest(): void {
		this.dropOpen();
		this.inTurn.clear();
	}

	/**
	 * Whether a write continues the latest exchange: the same line of the user writes another part, from another place
	 * in its library. A write from the very same place is a new exchange, as in a loop.
	 */
	goesOn(site: Site, run: number): boolean {
		const { site: last } = this;
		return this.open.length > 0 && last !== null && run === this.run && site !== last && site.user === last.user;
	}

	/** The peer has sent something. */
	answer(): void {
		const { oldest, open } = this;
		if (oldest !== undefined)
			this.isMixed = open.some(({ site }) => site !== oldest.site) || this.isOtherInTurn(oldest);
		open.length = 0;
	}

	/** Whether other exchanges that will be answered one by one were sent from elsewhere. */
	private isOtherInTurn({ site }: Exchange): boolean {
		if (this.inTurn.size === 0) return false;
		let seen = 0;
		for (const exchange of this.inTurn) {
			if (exchange.site !== site) return true;
			if (++seen === LOOKED_AT) return false;
		}
		return false;
	}
}
