// Makes the operation of a start: a step of the running one, or one of its own on the line that it is shown on.
import type { Kind } from '../process/kinds.ts';
import type { Attribution } from '../sites/attribution.ts';
import type { Site } from '../sites/site.ts';
import { TURNS } from '../sites/start-tree.ts';
import { newOperation, type Operation, type Unrecorded } from './operation.ts';
import type { Sampling } from './sampling.ts';

export class Starts {
	private readonly attribution: Readonly<Attribution<Operation>>;
	private readonly sampling: Sampling;
	/** Ids of operations without an async resource are negative. */
	private lastOwnId = -1;
	/** One for all ticks and microtasks of a site, by its id. */
	private readonly carriers: (Operation | undefined)[] = [];

	constructor(attribution: Readonly<Attribution<Operation>>, sampling: Sampling) {
		this.attribution = attribution;
		this.sampling = sampling;
	}

	/** A new id for an operation without an async resource. */
	newOwnId(): number {
		return --this.lastOwnId;
	}

	/**
	 * The operation of the start that was located last.
	 * @param captured its site
	 * @param started µs since the journal began
	 * @param delay ms, of timers; else -1
	 */
	make(id: number, kind: Kind, captured: Site, started: number, delay = -1, repeats = false): Operation {
		const { attribution } = this;
		const { current, isStep } = attribution;
		if (isStep || captured.user === null) attribution.needOrigin();
		if (!isStep) return newOperation(id, kind, attribution.shown(captured), id, started, delay, repeats);
		// Steps share a site: what one starts next depends on where in Node it was itself started.
		const turn = Math.min(current.turn + 1, TURNS - 1);
		return newOperation(id, kind, current.site, attribution.rootOf(id), started, delay, repeats, captured, turn);
	}

	/** The counter for an operation that starts now and is left out; null when it is to be recorded. */
	leaveOut(captured: Site, kind: Kind): Unrecorded | null {
		const { attribution } = this;
		if (captured.user === null) attribution.needOrigin();
		return this.sampling.leaveOut(attribution.shown(captured), kind);
	}

	/**
	 * The carrier of the tick or microtask that was located last when it is a step of the running operation; else null.
	 */
	stepCarrier(captured: Site): Operation | null {
		const { attribution } = this;
		const { isStep } = attribution;
		if (isStep || captured.user === null) {
			const { step } = attribution;
			if (step === null || step.isNeeded) attribution.needOrigin();
		}
		if (!isStep) return null;
		const { current } = attribution;
		return current.leftOut?.echo ?? current;
	}

	/** The carrier of all ticks and microtasks of that site. */
	carrierOf(kind: Kind, site: Site): Operation {
		return this.carriers[site.id] ?? this.newCarrier(kind, site);
	}

	private newCarrier(kind: Kind, site: Site): Operation {
		const carrier = newOperation(0, kind, site, 0, 0);
		this.carriers[site.id] = carrier;
		return carrier;
	}
}
