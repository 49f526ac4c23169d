// Rests of the tracer: where the governor asks for one, the hooks are off for a while and nothing is recorded, so that the program runs as without
// us. The journal shows when.
import type { FailureGuard } from './failure-guard.ts';
import type { Parts } from './parts.ts';
import { type EnabledHook, mayDisable } from './process/enable-hook.ts';
import { executionAsyncId } from './process/node-functions.ts';
import type { Recorder } from './recorder.ts';
import type { Governor } from './run/governor.ts';

export class Rests {
	private readonly governor: Governor;
	private readonly guard: FailureGuard;
	private readonly hook: EnabledHook;
	private readonly parts: Pick<Parts, 'clock' | 'stack' | 'upkeep'>;
	private readonly recorder: Recorder;

	constructor(
		governor: Governor,
		guard: FailureGuard,
		hook: EnabledHook,
		parts: Pick<Parts, 'clock' | 'stack' | 'upkeep'>,
		recorder: Recorder,
	) {
		this.governor = governor;
		this.guard = guard;
		this.hook = hook;
		this.parts = parts;
		this.recorder = recorder;
	}

	/** Begins a rest if one is due. Call it where the loop has just been woken. @returns how long it is to be, in µs; 0 for none */
	begin(): number {
		const { clock, stack, upkeep } = this.parts;
		const { restUs } = this.governor;
		if (restUs === 0 || stack.depth > 0 || clock.isStill || !mayDisable()) return 0;
		upkeep.rest();
		this.guard.rest();
		this.hook.disable();
		return restUs;
	}

	/** The rest is over. Call it in a tick that was scheduled just now, and not from within a promise's continuation (tracer/process/enable-hook.ts). */
	end(): void {
		this.hook.enable();
		this.guard.goOn();
		this.parts.upkeep.goOn(executionAsyncId());
		this.recorder.goOn();
	}
}
