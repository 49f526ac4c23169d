// Operations that are counted and not recorded while the governor demands that: one entry per line and kind represents
// all of them, so that each costs no memory, no clock reading and no record, and what they start still finds its line.
import type { Kind } from '../process/kinds.ts';
import type { Site } from '../sites/site.ts';
import { newOperation, type Operation, type Unrecorded } from './operation.ts';

export class Sampling {
	/** One operation in `every` is recorded, per line. */
	every = 1;
	/** By the ids of sites and kinds. */
	private readonly bySite: ((Unrecorded | undefined)[] | undefined)[] = [];
	/** Entries with a count to write. */
	private counted: Unrecorded[] = [];
	private random = 1;

	/** From now on one operation in `every` is recorded, per line. */
	recordOneIn(every: number): void {
		this.every = every;
	}

	/** The entry for an operation that starts now when it is one to leave out; null when it is to be recorded. */
	leaveOut(site: Site, kind: Kind): Unrecorded | null {
		const { every } = this;
		const entry = this.entryOf(site, kind);
		entry.every = every;
		if (entry.gap-- > 0) return entry;
		entry.gap = this.randomGap(every);
		return null;
	}

	/** One of them has called back. */
	count(entry: Unrecorded): void {
		if (entry.count++ === 0) this.counted.push(entry);
	}

	/** The entries with a count to write; each is returned once. */
	take(): Unrecorded[] {
		const { counted } = this;
		if (counted.length > 0) this.counted = [];
		return counted;
	}

	private entryOf(site: Site, kind: Kind): Unrecorded {
		return this.bySite[site.id]?.[kind.index] ?? this.newEntry(site, kind);
	}

	private newEntry(site: Site, kind: Kind): Unrecorded {
		const operation = stub(site, kind);
		const entry = { site, kind, operation, echo: stub(site, kind), count: 0, every: 1, gap: 0 };
		operation.leftOut = entry;
		this.bySite[site.id] ??= [];
		this.bySite[site.id]![kind.index] = entry;
		return entry;
	}

	/**
	 * 0 to 2 (every - 1), evenly distributed (glibc's generator): a fixed step would fall in with a pattern that the
	 * program repeats.
	 */
	private randomGap(every: number): number {
		this.random = (Math.imul(this.random, 1103515245) + 12345) >>> 0;
		return (this.random >>> 8) % (2 * every - 1);
	}
}

/** An operation without an id. */
function stub(site: Site, kind: Kind): Operation {
	return newOperation(0, kind, site, 0, 0);
}
