// Wakes the loop once it rests, to write what waits in the buffer. No timer and no handle: a wait on a cell that is
// never woken neither keeps the loop alive nor shows in any hook but those of promises.
import { needsIterator, watchGarbage } from './process/garbage.ts';
import type { OtherHooks } from './process/other-hooks.ts';
import { waitAsync } from './process/wait-async.ts';
import type { Rests } from './rests.ts';
import type { Guard } from './sources/port.ts';
import type { Upkeep } from './upkeep.ts';

/** What the waker shares with our hooks (tracer/hooks.ts). */
interface HooksState {
	readonly sawPromise: boolean;
	checkGarbage: () => void;
}

// Taken now: the program may replace it later (fake timers do).
const { nextTick } = process;
/** null where V8 cannot wait in this way. */
const cell = waitAsync && SharedArrayBuffer ? new Int32Array(new SharedArrayBuffer(4)) : null;

export class Waker {
	/** Whether the program has neither started its first operation nor called back. */
	isBeginning = true;
	/** Whether a wait is under way. */
	isWaiting = false;
	private readonly upkeep: Upkeep;
	private readonly otherHooks: OtherHooks;
	private readonly guard: Guard;
	private readonly hooks: HooksState;
	private readonly rests: Rests;

	/** @param guard keeps a failure of ours away from the program */
	constructor(upkeep: Upkeep, otherHooks: OtherHooks, guard: Guard, hooks: HooksState, rests: Rests) {
		this.upkeep = upkeep;
		this.otherHooks = otherHooks;
		this.guard = guard;
		this.hooks = hooks;
		this.rests = rests;
	}

	/** Writes the buffered records once the loop rests, unless a hook of the program's would see our promise. @param ran see `wakeLater` */
	wakeSoon(ran: number | null): void {
		if (this.isBeginning) this.begin();
		if (cell !== null && this.mayWait()) void this.wakeLater(cell, ran);
	}

	/** Whether no hook of the program's would see a promise of ours. */
	private mayWait(): boolean {
		this.otherHooks.look(this.hooks.sawPromise);
		return !this.otherHooks.areThere;
	}

	/** Prepares what a program without operations does not need. */
	private begin(): void {
		const { hooks, upkeep } = this;
		this.isBeginning = false;
		hooks.checkGarbage = watchGarbage(
			() => upkeep.isStill || (needsIterator && upkeep.isResting),
			(entry) => this.guard(() => upkeep.garbage(entry)),
		);
	}

	/** @param ran for how long what runs now has blocked the loop, in µs; null for the main script */
	private async wakeLater(cell: Int32Array, ran: number | null): Promise<void> {
		this.isWaiting = true;
		const { upkeep } = this;
		const { pause } = upkeep;
		const due = upkeep.now() + pause;
		await waitAsync!(cell, 0, 0, pause / 1000).value;
		this.isWaiting = false;
		this.guard(() => {
			const delay = upkeep.now() - due;
			const hasRun = upkeep.wake(delay);
			// Is written with the next records: an idle program does not need it.
			if (ran !== null) upkeep.loopDelay(Math.max(ran, delay), pause);
			const rest = this.mayWait() ? this.rests.begin() : 0;
			if (rest > 0) {
				this.hooks.checkGarbage();
				void this.goOnAfter(cell, rest);
			} else if (hasRun) this.wakeSoon(0);
		});
	}

	/** Ends the rest that has begun. @param rest how long it is to be, in µs */
	private async goOnAfter(cell: Int32Array, rest: number): Promise<void> {
		await waitAsync!(cell, 0, 0, rest / 1000).value;
		nextTick(() =>
			this.guard(() => {
				this.rests.end();
				this.hooks.checkGarbage();
				this.wakeSoon(0);
			}),
		);
	}
}
