// A connection that the program opened, and what it has asked over it and not been answered.

import type { Site } from '../sites/site.ts';

/** A read seldom answers more; to look at all that are under way each time would take too long. */
const LOOKED_AT = 64;

/** `Exchange` is the operation of what was asked, which names the line that asked. */
export class Peer<Exchange extends { readonly site: Site }> {
	/** Oldest first: what the peer sends next answers the oldest, and any other may be answered with it. */
	readonly open: Exchange[] = [];
	/** Those of which a library's queue tells when each is answered. Where there are none, no iterator is used: a program may watch it. */
	readonly inTurn = new Set<Exchange>();
	/** Whether such a queue tells of all that is asked from now on. */
	isFollowed = false;
	/** Whether what the peer sent last has answered several lines: what comes next may be the rest of it. */
	isMixed = false;
	/** Where the latest of them was asked, and in which run. */
	private site: Site | null = null;
	private run = -1;

	/** The one that the peer answers next. */
	get oldest(): Exchange | undefined {
		return this.open[0] ?? (this.inTurn.size === 0 ? undefined : this.inTurn.values().next().value);
	}

	/** Notes an exchange that was asked there. @param run when the running top-level callback began */
	add(exchange: Exchange, site: Site, run: number): void {
		this.open.push(exchange);
		this.site = site;
		this.run = run;
	}

	/**
	 * Whether a write goes on with the latest exchange: the same line of the user writes another part, from another place in its
	 * library. From the very same place it asks anew, as in a loop.
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

	/** Whether others of those that come next were asked elsewhere. */
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
