// How long ticks block the loop. They run one after the other with nothing between them, so one reading after many
// shows that none of them blocked it: a clock reading for each would cost more than all else that is done for a tick.
import { BLOCK_US } from '../../src/protocol/journal.ts';

export class TickClock {
	isOn = true;
	private readonly now: () => number;
	/** When the ticks began that no reading has ended yet, in µs; -1 when none runs. */
	private began = -1;
	private count = 0;
	/**
	 * Whether each tick is timed: from the first time that some tick of several blocked the loop, and it is unknown
	 * which.
	 */
	private isEach = false;
	/** When a line's microtask began that runs outside all callbacks, in µs; -1 when none does. */
	private carrierBegan = -1;

	/** @param now µs since the journal began */
	constructor(now: () => number) {
		this.now = now;
	}

	/** A callback is over, and ticks follow at once if any wait. */
	follow(now: number, hasTicks: boolean): void {
		this.began = hasTicks && this.isOn ? now : -1;
		this.count = 0;
	}

	/** @param isNew whether ticks of its line have run only a few times: what blocks mostly does so the first time */
	begin(isNew: boolean): void {
		if (!this.isOn) return;
		if (this.began < 0) this.began = this.now();
		else if (this.count > 0 && (isNew || this.isEach)) this.read();
		this.count++;
	}

	/**
	 * A tick is over.
	 * @param isLast whether no other tick waits: microtasks may run before the next one
	 * @returns how long it blocked the loop until now, in µs; 0 when that is no block, or may have been another tick
	 */
	end(isNew: boolean, isLast: boolean): number {
		if (this.began < 0 || !(isLast || isNew || this.isEach)) return 0;
		const isAlone = this.count === 1;
		const duration = this.read();
		if (isLast) this.began = -1;
		return isAlone && duration >= BLOCK_US ? duration : 0;
	}

	/** A microtask begins outside all callbacks. @param isTimed whether it is worth a clock reading */
	beginCarrier(isTimed: boolean): void {
		this.carrierBegan = isTimed && this.isOn ? this.now() : -1;
	}

	/** It is over. @returns how long it took, in µs; 0 when it was not timed */
	endCarrier(): number {
		return this.carrierBegan < 0 ? 0 : this.now() - this.carrierBegan;
	}

	/** @returns µs since the last reading */
	private read(): number {
		const now = this.now();
		const duration = now - this.began;
		if (duration >= BLOCK_US && this.count > 1) this.isEach = true;
		this.began = now;
		this.count = 0;
		return duration;
	}
}
