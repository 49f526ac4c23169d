// Writes that the system does not take at once because the other end reads slowly. What TLS writes to the socket below it looks the same and
// calls nobody back; it lasts no longer than the program's own write to TLS, which is never complete at once.
import { RESOURCE_FACTS, type ResourceFacts } from '../protocol/resource-facts.ts';

export class ReaderWaits {
	/** Whether only some writes are recorded: then any may be one that TLS writes. */
	isSampling = false;
	private hasTls = false;
	/** Writes to TLS that are under way. */
	private readonly open = new Set<number>();

	/**
	 * @param api Node's function that made what is written to
	 * @returns what a start of that type is: a wait for a reader only where it is sure to be one
	 */
	factsOf(op: number, facts: ResourceFacts, api: string): ResourceFacts {
		const { READERWAIT, TLSWRAP, WRITEWRAP } = RESOURCE_FACTS;
		if (facts === TLSWRAP) this.hasTls = true;
		if (facts === WRITEWRAP) this.open.add(op);
		// A socket that is handed to a forked process is never written at once, however fast that process reads.
		const isSure = this.open.size === 0 && !(this.isSampling && this.hasTls) && api !== 'fork';
		return facts === READERWAIT && !isSure ? WRITEWRAP : facts;
	}

	/** That operation's callback begins. */
	begin(op: number): void {
		if (this.open.size > 0) this.open.delete(op);
	}
}
