// The async ids that Node gives. They rise: so they show how many resources there were, and which are older than the tracer.
import { MAIN_OPERATION } from '../../src/protocol/journal.ts';

export class AsyncIds {
	/** That of the first resource that started after the tracer; those of a program that ran before are lower. */
	private first: number;
	private latest = 0;
	/** The latest at the last `takeCount`. */
	private counted = 0;

	/** @param isFromStart whether no resource is older than the tracer */
	constructor(isFromStart: boolean) {
		this.first = isFromStart ? 0 : Infinity;
	}

	/** A resource starts. */
	see(id: number): void {
		if (id < this.first) this.first = id;
		this.latest = id;
	}

	/** Whether that resource is older than the tracer, or started while the hooks were off. */
	isOlder(id: number): boolean {
		return id < this.first && id > MAIN_OPERATION;
	}

	/** The hooks are on again: what has started meanwhile is as unknown as what is older. @param id the latest that Node has given; 0 where that is unknown */
	goOn(id: number): void {
		this.latest = Math.max(this.counted, id);
		this.first = Infinity;
	}

	/** How many ids Node has given since the previous call. */
	takeCount(): number {
		const count = this.latest - this.counted;
		this.counted = this.latest;
		return count;
	}
}
