// A connection that the program opened, and what it has asked over it and not been answered.
import type { Operation } from './operation.ts';
import type { Site } from './sites.ts';

export class Peer {
	/** Oldest first. */
	readonly open: Operation[] = [];
	/** Whether what the peer sent last has answered several lines: what comes next may be the rest of it. */
	isMixed = false;
	/** Where the latest of them was asked, and in which run. */
	private site: Site | null = null;
	private run = -1;

	/** Notes an exchange that was asked there. @param run when the running top-level callback began */
	add(exchange: Operation, site: Site, run: number): void {
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

	/** The peer has sent something: the oldest exchange is answered by it, and any other may be. */
	answer(): void {
		const { open } = this;
		const [oldest] = open;
		if (oldest !== undefined) this.isMixed = open.some(({ site }) => site !== oldest.site);
		open.length = 0;
	}
}
