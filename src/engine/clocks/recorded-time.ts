// How much of a thread's time was recorded: its tracer may rest, and records may be missing. A rest is followed by a stretch that is recorded in the
// same detail, and stands for the next rest.

/** Stretches without records kept per thread: more than a person looks at. */
const KEPT = 100;

/** By how much a rest was longer than the stretch of recorded time before it. */
export interface RestFactors {
	readonly byTime: number;
	/** By how many more async ids Node gave in it; not finite, or 0, where that is unknown. */
	readonly byIds: number;
}

/** Times in µs of the thread. */
export class RecordedTime {
	/** The latest rests of the tracer. */
	readonly rests: { from: number; to: number }[] = [];
	/** Stretches of which records are missing. */
	readonly missing: { from: number; to: number }[] = [];
	/** When the stretch of time began whose figures are wanted, and when it ended. */
	private partBegan = 0;
	private partEnded = Infinity;
	/** When the rest began that lasts; -1 while everything is recorded. */
	private restBegan = -1;
	private restedUs = 0;
	/** When the stretch began that is recorded in the same detail, and is followed by a rest, if one comes. */
	private stretchBegan = 0;
	/** How many async ids Node gave in it; 0 where that is unknown. */
	private idsOfStretch = 0;
	/** Since when records have been missing; -1 where none are. */
	private missingSince = -1;

	/** Whether the tracer records nothing now. */
	get isResting(): boolean {
		return this.restBegan >= 0;
	}

	/** How long the thread is, or the stretch of its time whose figures are wanted, if it is `now`. */
	length(now: number): number {
		return Math.min(now, this.partEnded) - this.partBegan;
	}

	/** How much of that was recorded. */
	recorded(now: number): number {
		return this.length(this.isResting ? this.restBegan : now) - this.restedUs;
	}

	/** The figures of a stretch of time begin. */
	beginPart(at: number): void {
		this.partBegan = Math.max(0, at);
		this.restedUs = 0;
	}

	/** They end. A callback that began before may last longer. */
	endPart(at: number): void {
		this.partEnded = at;
	}

	/** From now on everything is recorded in the same detail. */
	beginStretch(time: number): void {
		this.stretchBegan = time;
	}

	/** @param ids async ids that Node gave in the stretch before; 0 where that is unknown */
	beginRest(time: number, ids: number): void {
		this.restBegan = time;
		this.idsOfStretch = ids;
	}

	/**
	 * @param ids async ids that Node gave in the rest
	 * @returns null where no time was recorded before it
	 */
	endRest(time: number, ids: number): RestFactors | null {
		const rested = time - this.restBegan;
		const recorded = this.restBegan - this.stretchBegan;
		this.restedUs += rested;
		this.rests.push({ from: this.restBegan, to: time });
		if (this.rests.length > KEPT) this.rests.shift();
		this.restBegan = -1;
		return recorded > 0 ? { byTime: rested / recorded, byIds: ids / this.idsOfStretch } : null;
	}

	/** Records at this point are lost. */
	lose(now: number): void {
		if (this.missingSince < 0) this.missingSince = now;
	}

	/** A callback begins that is recorded: nothing is missing any more. */
	resume(time: number): void {
		if (this.missingSince < 0) return;
		if (this.missing.length < KEPT) this.missing.push({ from: this.missingSince, to: time });
		this.missingSince = -1;
	}
}
