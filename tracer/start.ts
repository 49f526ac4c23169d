// Starts the tracer in this thread, and from then on makes sure that no failure of ours reaches the program.
import type { HookCallbacks } from 'node:async_hooks';
import { DEFAULT_BUDGET_PERCENT } from '../src/protocol/journal.ts';
import type { AnyType, ResourceType } from '../src/protocol/resource-types.ts';
import { openJournal } from './journal/thread.ts';
import { makeParts, type Parts } from './parts.ts';
import { DeferredStarts } from './process/deferred-start.ts';
import { enableHook, restoreTrampoline } from './process/enable-hook.ts';
import { watchExit } from './process/exit.ts';
import { watchGarbage } from './process/garbage.ts';
import { watchOtherHooks } from './process/other-hooks.ts';
import { isOrdinary, ownValue } from './process/own-value.ts';
import { matches } from './process/patterns.ts';
import { isMainThread } from './process/this-thread.ts';
import { Recorder } from './recorder.ts';
import { Governor } from './run/governor.ts';
import { isInterrupting } from './sites/own-frames.ts';
import { watchHttp } from './sources/channels.ts';
import { earlierSockets } from './sources/earlier-sockets.ts';
import { loadSampler } from './stacks/load-sampler.ts';
import type { Upkeep } from './upkeep.ts';

// For tracer/preload.ts, which loads nothing else of the tracer.
export { isTraced, takeOutOther } from './process/exit.ts';
export { isOfNode } from './process/this-thread.ts';
export { openJournal };

/** What V8 says when there is no stack left. */
const STACK_OVERFLOW = 'Maximum call stack size exceeded';

/**
 * @param folder where the journal is written
 * @param isAttached whether the program runs already
 * @throws when there can be no journal, or something is missing that the tracer needs; nothing of it is left in the program then
 */
export function start(folder: string, isAttached: boolean): void {
	let sawPromise = false;
	let isOver = true;
	let isWaiting = false;
	/** Whether the program has neither come to its first operation nor to a callback. */
	let isBeginning = true;
	const deferred = new DeferredStarts();
	/**
	 * Still true when a call begins: the one before was ended in the middle, by the end of the stack or of a `vm`'s time, or a debugger
	 * interrupts it, and what that evaluates starts something.
	 */
	let isInside = false;
	let parts: Parts;
	let recorder: Recorder;
	let upkeep: Upkeep;
	let unwatchExit: () => void = () => undefined;
	let checkGarbage = unwatchExit;
	const governor = new Governor(budgetOf(process.env.WAITLINE_BUDGET));

	/** @param isBroken whether the last record may be half written */
	const uninstall = (reason: string, isBroken = false) => {
		isOver = true;
		// What looks like a failure in a Worker may be its termination: code of Node's must not be ended by that for our sake.
		if (!isBroken || isMainThread) hook.disable();
		otherHooks.unwatch();
		unwatchExit();
		upkeep.stop(reason, isBroken);
	};
	/** Whether a call may do something though the one before did not end. */
	const canGoOn = () => {
		if (!isInterrupting()) {
			upkeep.mend();
			return true;
		}
		// The other goes on where it is, and must find all as it was.
		upkeep.drop();
		return false;
	};
	const guard = (step: () => void) => {
		if (isOver) return;
		try {
			if (isInside && !canGoOn()) return;
			isInside = true;
			const began = governor.begin();
			step();
			governor.end(began);
			isInside = false;
		} catch (error) {
			fail(error);
		}
	};
	const fail = (error: unknown) => {
		const message = messageOf(error);
		// The program's own stack ran out in our hook: it will hear of that from V8 itself.
		if (message === STACK_OVERFLOW) return;
		// Node calls hooks also while an error of the program's is pending, which then surfaces in the first native call that comes.
		if (isOfOthers(error)) throw error;
		try {
			uninstall(`error: ${message}`, true);
		} catch {
			// The disk is full or the folder is gone: nothing can be written, nothing was harmed.
			isOver = true;
		}
	};

	const callbacks: Required<Pick<HookCallbacks, 'init' | 'before' | 'after'>> = {
		init(asyncId, type: AnyType, trigger, resource) {
			if (type === ('PROMISE' satisfies ResourceType)) {
				sawPromise = true;
				return;
			}
			if (isOver) return;
			if (type === deferred.type) {
				deferred.defer(asyncId, resource, callbacks.init);
				return;
			}
			try {
				if (isInside && !canGoOn()) return;
				isInside = true;
				const began = governor.begin();
				if (deferred.isPending) startDeferred();
				recorder.init(asyncId, type, trigger, resource);
				governor.end(began);
				isInside = false;
				// Of the main script's end no hook tells: it is flushed after its first start.
				if (isBeginning && recorder.hasStarted) wakeSoon(null);
			} catch (error) {
				fail(error);
			}
		},
		before(asyncId) {
			if (isOver) return;
			try {
				if (isInside && !canGoOn()) return;
				isInside = true;
				const began = governor.begin();
				if (deferred.isPending) startDeferred();
				recorder.before(asyncId);
				governor.end(began);
				isInside = false;
			} catch (error) {
				fail(error);
			}
		},
		after(asyncId) {
			if (isOver) return;
			try {
				if (isInside && !canGoOn()) return;
				isInside = true;
				const began = governor.begin();
				if (deferred.isPending) startDeferred();
				recorder.after(asyncId);
				governor.end(began);
				isInside = false;
				if (!isWaiting && upkeep.hasRun) wakeSoon(upkeep.ran);
				if (upkeep.stopped) uninstall('stopped');
				checkGarbage();
			} catch (error) {
				fail(error);
			}
		},
	};
	const hook = enableHook(
		callbacks,
		() => {
			const saw = sawPromise;
			sawPromise = false;
			return saw;
		},
		isAttached,
	);
	const otherHooks = watchOtherHooks(hook.way === 0, restoreTrampoline);
	// Before the journal begins: to start V8's profiler takes longer than all else here. In a program that runs it would take a walk over its heap.
	const sampler = isAttached ? null : loadSampler(otherHooks);
	try {
		const openWriter = (began: bigint) => openJournal(folder, began, hook.way, isAttached);
		parts = makeParts({ governor, openWriter, guard, sampler, isAttached });
		upkeep = parts.upkeep;
		recorder = new Recorder(parts, callbacks.init, isAttached);
	} catch (error) {
		hook.disable();
		otherHooks.unwatch();
		sampler?.stop();
		throw error;
	}
	isOver = false;

	/** A start that could not be looked at when it came. */
	const startDeferred = () => {
		const start = deferred.take(upkeep.now());
		if (start !== null) recorder.startDeferred(start);
	};

	// No timer and no handle: a wait on a cell that nobody wakes keeps neither the loop alive nor shows in any hook but those of promises.
	const waitAsync = (Atomics as unknown as { waitAsync?: WaitAsync } | undefined)?.waitAsync;
	const cell = waitAsync && SharedArrayBuffer ? new Int32Array(new SharedArrayBuffer(4)) : null;
	/** What a program without operations has no need of. */
	function begin(): void {
		isBeginning = false;
		checkGarbage = watchGarbage((entry) => guard(() => upkeep.garbage(entry)));
	}
	/** Has what waits written once the loop rests, unless somebody would hear of it. @param ran see `wakeLater` */
	function wakeSoon(ran: number | null): void {
		if (isBeginning) begin();
		otherHooks.look(sawPromise);
		if (cell !== null && !otherHooks.areThere) void wakeLater(waitAsync!, cell, ran);
	}
	/** @param ran how long what runs now has held the loop, in µs; null for the main script */
	async function wakeLater(waitAsync: WaitAsync, cell: Int32Array, ran: number | null): Promise<void> {
		isWaiting = true;
		const { pause } = upkeep;
		const due = upkeep.now() + pause;
		// Not `then`, which the program may have replaced.
		await waitAsync(cell, 0, 0, pause / 1000).value;
		isWaiting = false;
		guard(() => {
			const delay = upkeep.now() - due;
			const hasRun = upkeep.wake();
			// Is written with what comes next: an idle program has no need of it.
			if (ran !== null) upkeep.loopDelay(Math.max(ran, delay), pause);
			if (hasRun) wakeSoon(0);
		});
	}

	try {
		watchHttp(parts.http, guard, isAttached);
		if (isAttached) guard(() => parts.handles.takeOver(earlierSockets()));
		unwatchExit = watchExit(
			() =>
				// The hook stays, and does nothing: to turn it off runs code of Node's, in which a Worker that is being terminated may be ended.
				guard(() => {
					upkeep.exit();
					isOver = true;
				}),
			() => guard(() => uninstall('profiled anew')),
		);
		if (isAttached) wakeSoon(0);
	} catch (error) {
		uninstall(`could not start: ${messageOf(error)}`);
	}
}

/** Whether somebody else's code has thrown that: none of ours is among the frames. One without frames may be ours. */
function isOfOthers(error: unknown): boolean {
	const stack = ownValue(error, 'stack');
	if (typeof stack !== 'string') return !isOrdinary(error);
	return matches(/^ {4}at /m, stack) && !stack.includes(__filename);
}

/** What an error says, whatever the program throws. */
function messageOf(error: unknown): string {
	return String(ownValue(error, 'message') ?? 'unknown');
}

/** The share of the time, 0 to 1, from a percentage; what is no number means the default, `off` and 0 mean any. */
function budgetOf(percent: string | undefined): number {
	if (percent === 'off') return 0;
	const share = Number(percent || DEFAULT_BUDGET_PERCENT) / 100;
	return share >= 0 ? share : DEFAULT_BUDGET_PERCENT / 100;
}

/** TypeScript's libraries for Node 18 lack it; V8 has had it since 8.7. */
type WaitAsync = (cell: Int32Array, index: number, value: number, timeout: number) => { value: Promise<string> };
