// How long the ticks of a line block the loop: one of them, or one that schedules the next one and so on. They run one
// after the other with nothing between them, so one reading after many shows that none of them blocked it: a clock
// reading for each would cost more than all else that is done for a tick.
import { BLOCK_US } from '../../src/protocol/journal.ts';

export class TickClock<Carrier> {
	/** Whether ticks are timed. */
	private isOn = true;
	/** When the clock was read last, in µs. */
	readAt = 0;
	private readonly now: () => number;
	/** When the ticks began that no reading has ended yet, in µs; -1 when none runs. */
	private began = -1;
	/** Whose ticks they are: a tick that schedules the next one blocks the loop as one long tick would. */
	private ranFor: Carrier | null = null;
	/** Whether there are others' among them. */
	private isMixed = false;
	/** Whether ticks of the latest one's line have run only a few times: what blocks mostly does so the first time. */
	private isNew = false;
	/**
	 * Whether the ticks of each line are timed: from the first time that those of several blocked the loop, and it is
	 * unknown which.
	 */
	private isEach = false;

	/** @param now µs since the journal began */
	constructor(now: () => number) {
		this.now = now;
	}

	/** Turns the clock on or off. */
	turn(isOn: boolean): void {
		this.isOn = isOn;
	}

	/** A callback is over, and ticks follow at once if any wait. */
	follow(now: number, hasTicks: boolean): void {
		this.restart(hasTicks && this.isOn ? now : -1);
	}

	/**
	 * A tick begins, or a microtask outside all callbacks.
	 * @param isNew see the field
	 * @returns how long the ticks of the one before blocked the loop until now, in µs; 0 when that is no block, when it
	 * goes on, or when other ticks may have done so
	 */
	begin(carrier: Carrier, isNew: boolean): number {
		if (!this.isOn) return 0;
		const before = this.ranFor;
		let blocked = 0;
		if (this.began < 0) this.restart(this.now());
		else if (before !== carrier && (isNew || this.isNew || this.isEach)) blocked = this.read();
		this.ranFor ??= carrier;
		if (this.ranFor !== carrier) this.isMixed = true;
		this.isNew = isNew;
		return blocked;
	}

	/**
	 * A microtask is over, or a tick after which no other one waits: microtasks may run before the next one.
	 * @returns see `begin`
	 */
	end(): number {
		if (this.began < 0) return 0;
		const blocked = this.read();
		this.began = -1;
		return blocked;
	}

	/** @returns how long the ticks since the last reading blocked the loop, where they are all of one line; else 0 */
	private read(): number {
		const { began, ranFor, isMixed } = this;
		const now = this.now();
		this.readAt = now;
		this.restart(now);
		const duration = now - began;
		if (duration < BLOCK_US || ranFor === null) return 0;
		this.isEach ||= isMixed;
		return isMixed ? 0 : duration;
	}

	/** @param began see the field */
	private restart(began: number): void {
		this.began = began;
		this.ranFor = null;
		this.isMixed = false;
	}
}
