// Writes that the system does not take at once because the other end reads slowly. What TLS writes to the socket below it looks the same and
// calls nobody back; it shows that the program's own write to TLS, which is never complete at once, waits for the reader.
import { RESOURCE_FACTS, type ResourceFacts } from '../../protocol/resource-facts.ts';

export class ReaderWaits {
	/** Whether only some writes are recorded: then any may be one that TLS writes. */
	isSampling = false;
	private hasTls = false;
	/** Writes to TLS that are under way, with the handle of the socket below. */
	private readonly open = new Map<number, number>();
	/** The same by that handle, which has one at a time. */
	private readonly byHandle = new Map<number, number>();

	/**
	 * @param api Node's function that made what is written to
	 * @returns what a start of that type is: a wait for a reader only where it is sure to be one
	 */
	factsOf(op: number, facts: ResourceFacts, api: string, handle: number): ResourceFacts {
		const { READERWAIT, TLSWRAP, WRITEWRAP } = RESOURCE_FACTS;
		if (facts === TLSWRAP) this.hasTls = true;
		if (facts === WRITEWRAP) {
			this.open.set(op, handle);
			this.byHandle.set(handle, op);
		}
		// A socket that is handed to a forked process is never written at once, however fast that process reads.
		const isSure = this.open.size === 0 && !(this.isSampling && this.hasTls) && api !== 'fork';
		return facts === READERWAIT && !isSure ? WRITEWRAP : facts;
	}

	/** @returns the write to TLS, under way, that goes through that handle; undefined where there is none */
	above(handle: number): number | undefined {
		return this.byHandle.get(handle);
	}

	/** That operation's callback begins. */
	begin(op: number): void {
		const handle = this.open.get(op);
		if (handle === undefined) return;
		this.open.delete(op);
		if (this.byHandle.get(handle) === op) this.byHandle.delete(handle);
	}
}
