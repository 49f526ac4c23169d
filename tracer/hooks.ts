// The tracer's functions that async_hooks call for each resource: they pass what happens on to the recorder, and keep its failures away from the
// program. Each does itself what FailureGuard.runSafely does, since they run for every operation.
import type { HookCallbacks } from 'node:async_hooks';
import type { AnyType, ResourceType } from '../src/protocol/resource-types.ts';
import type { FailureGuard } from './failure-guard.ts';
import { DeferredStarts } from './process/deferred-start.ts';
import type { Recorder } from './recorder.ts';
import type { Governor } from './run/governor.ts';
import type { Upkeep } from './upkeep.ts';
import type { Waker } from './waker.ts';

export class Hooks {
	/** Ends the watching of collections where that would harm the program (tracer/process/garbage.ts). */
	checkGarbage: () => void = () => undefined;
	/** Whether `init` has seen a promise since this was last set to false. */
	sawPromise = false;
	private readonly deferred = new DeferredStarts();
	private readonly guard: FailureGuard;
	private readonly governor: Governor;
	// Set by `connect`; nothing reads them while the guard is over.
	private recorder!: Recorder;
	private upkeep!: Upkeep;
	private waker!: Waker;

	constructor(guard: FailureGuard, governor: Governor) {
		this.guard = guard;
		this.governor = governor;
	}

	/** The parts to which the hooks pass on what happens. Call it before the guard begins. */
	connect(recorder: Recorder, upkeep: Upkeep, waker: Waker): void {
		this.recorder = recorder;
		this.upkeep = upkeep;
		this.waker = waker;
	}

	/** Whether `init` has seen a promise since the previous call. */
	takeSawPromise(): boolean {
		const { sawPromise } = this;
		this.sawPromise = false;
		return sawPromise;
	}

	readonly callbacks: Required<Pick<HookCallbacks, 'init' | 'before' | 'after'>> = {
		init: (asyncId, type: AnyType, trigger, resource) => {
			if (type === ('PROMISE' satisfies ResourceType)) {
				this.sawPromise = true;
				return;
			}
			const { guard, governor, deferred, recorder, waker } = this;
			if (guard.isOver) return;
			if (type === deferred.type) {
				deferred.defer(asyncId, resource, this.callbacks.init);
				return;
			}
			try {
				if (guard.isInside && !guard.canGoOn()) return;
				guard.isInside = true;
				const began = governor.begin();
				if (deferred.isPending) this.startDeferred();
				recorder.init(asyncId, type, trigger, resource);
				governor.end(began);
				guard.isInside = false;
				// No hook announces the end of the main script, so its records are written after its first start.
				if (waker.isBeginning && recorder.hasStarted) waker.wakeSoon(null);
			} catch (error) {
				guard.onError(error);
			}
		},
		before: (asyncId) => {
			const { guard, governor } = this;
			if (guard.isOver) return;
			try {
				if (guard.isInside && !guard.canGoOn()) return;
				guard.isInside = true;
				const began = governor.begin();
				if (this.deferred.isPending) this.startDeferred();
				this.recorder.before(asyncId);
				governor.end(began);
				guard.isInside = false;
			} catch (error) {
				guard.onError(error);
			}
		},
		after: (asyncId) => {
			const { guard, governor, upkeep, waker } = this;
			if (guard.isOver) return;
			try {
				if (guard.isInside && !guard.canGoOn()) return;
				guard.isInside = true;
				const began = governor.begin();
				if (this.deferred.isPending) this.startDeferred();
				this.recorder.after(asyncId);
				governor.end(began);
				guard.isInside = false;
				if (!waker.isWaiting && upkeep.hasRun) waker.wakeSoon(upkeep.ran);
				if (upkeep.stopped) guard.takeOut('stopped');
				this.checkGarbage();
			} catch (error) {
				guard.onError(error);
			}
		},
	};

	/** Records a start that could not be recorded when it happened. */
	private startDeferred(): void {
		this.deferred.take(this.upkeep.now(), (start) => this.recorder.startDeferred(start));
	}
}
