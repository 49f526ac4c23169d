// Starts the tracer in this thread, and takes it out again.
import { DEFAULT_BUDGET_PERCENT } from '../src/protocol/journal.ts';
import { FailureGuard, messageOf } from './failure-guard.ts';
import { Hooks } from './hooks.ts';
import { openJournal, type Session, sessionOf } from './journal/thread.ts';
import { makeParts, type Parts } from './parts.ts';
import { enableHook, restoreTrampoline } from './process/enable-hook.ts';
import { isTraced, takeOutOther, watchExit } from './process/exit.ts';
import { watchOtherHooks } from './process/other-hooks.ts';
import { isMainThread, isOfNode } from './process/this-thread.ts';
import { Recorder } from './recorder.ts';
import { Rests } from './rests.ts';
import { Governor } from './run/governor.ts';
import { watchHttp } from './sources/channels.ts';
import { earlierSockets } from './sources/earlier-sockets.ts';
import { loadSampler } from './stacks/load-sampler.ts';
import { Waker } from './waker.ts';

/** Starts before the program does, unless nobody reads, or this is a thread of Node's own or is traced already. Never throws. */
export function startEarly(folder: string): void {
	const session = sessionOf(folder);
	try {
		if (!isOfNode && !isTraced() && session.hasReader()) start(session, false);
	} catch (error) {
		refuse(session, error);
	}
}

/** Starts in a program that runs already, in place of another copy that may be there. @throws as `start` does */
export function attach(folder: string): void {
	takeOutOther();
	start(sessionOf(folder), true);
}

/** Writes to a journal why it contains nothing else. */
function refuse(session: Session, error: unknown): void {
	try {
		openJournal(session, process.hrtime.bigint(), 0, false).stop(`could not start: ${messageOf(error)}`);
	} catch {
		// Nothing can be written either: the host finds no journal, and reports that.
	}
}

/**
 * @param isAttached whether the program runs already
 * @throws when there can be no journal, or something is missing that the tracer needs; then nothing of it is left in the program
 */
function start(session: Session, isAttached: boolean): void {
	const governor = new Governor(budgetOf(process.env.WAITLINE_BUDGET));
	const guard = new FailureGuard(governor);
	const hooks = new Hooks(guard, governor);
	const { callbacks } = hooks;
	const hook = enableHook(callbacks, () => hooks.takeSawPromise(), isAttached);
	const otherHooks = watchOtherHooks(hook.way === 0, restoreTrampoline);
	// Before the journal begins: V8's profiler takes longer to start than everything else here. In a running program it would walk over its heap.
	const sampler = isAttached ? null : loadSampler(otherHooks);
	let parts: Parts;
	let waker: Waker;
	try {
		const openWriter = (began: bigint) => openJournal(session, began, hook.way, isAttached);
		parts = makeParts({ governor, openWriter, guard, sampler, isAttached });
		const recorder = new Recorder(parts, callbacks.init);
		const rests = new Rests(governor, guard, hook, parts, recorder);
		waker = new Waker(parts.upkeep, otherHooks, guard.runSafely, hooks, rests);
		hooks.connect(recorder, parts.upkeep, waker);
	} catch (error) {
		hook.disable();
		otherHooks.unwatch();
		sampler?.stop();
		throw error;
	}
	let unwatchExit: () => void = () => undefined;
	guard.begin(parts.upkeep, (reason, isBroken = false) => {
		guard.end();
		// What looks like a failure in a Worker may be its termination, which must not end Node's code for our sake.
		if (!isBroken || isMainThread) hook.disable();
		otherHooks.unwatch();
		unwatchExit();
		parts.upkeep.stop(reason, isBroken);
	});
	try {
		const { clock, run, stack } = parts;
		let stopped = 0;
		let idle = 0;
		// Perhaps in the middle of a call of ours, in which the debugger has stopped.
		const rest = (isStill: boolean) => {
			governor.rest(isStill);
			const hasRun = !isStill && clock.go();
			if (isStill && !clock.isStill) {
				idle = run.idleNow;
				stopped = clock.stop(guard.isInside || stack.depth > 0);
			}
			hooks.checkGarbage();
			return isStill || hasRun ? stopped + Math.max(0, run.idleMs - idle) * 1000 : -1;
		};
		unwatchExit = watchThread(parts, guard, rest, isAttached);
		if (isAttached) waker.wakeSoon(0);
	} catch (error) {
		guard.takeOut(`could not start: ${messageOf(error)}`);
	}
}

/** Watches what no hook shows. @returns a function that no longer watches the thread's end */
function watchThread(
	parts: Parts,
	guard: FailureGuard,
	rest: (isStill: boolean) => number,
	isAttached: boolean,
): () => void {
	const { handles, upkeep } = parts;
	watchHttp(parts, guard.record, isAttached);
	if (isAttached) guard.runSafely(() => handles.takeOver(earlierSockets()));
	return watchExit(
		() =>
			// The hook stays, and does nothing: turning it off runs code of Node's, in which a Worker that is being terminated may be ended.
			guard.runSafely(() => {
				upkeep.exit();
				guard.end();
			}),
		(isStill) => {
			if (isStill !== undefined) return rest(isStill);
			guard.runSafely(() => guard.takeOut('profiled again'));
			return -1;
		},
	);
}

/** The share of the time, 0 to 1, from a percentage; what is not a number means the default, `off` and 0 mean no limit. */
function budgetOf(percent: string | undefined): number {
	if (percent === 'off') return 0;
	const share = Number(percent || DEFAULT_BUDGET_PERCENT) / 100;
	return share >= 0 ? share : DEFAULT_BUDGET_PERCENT / 100;
}
