// The tracer's entry: `node --require` runs it before the program, and again in each Worker that keeps the program's arguments.
// Decides whether to start, starts, and from then on makes sure that no failure of ours reaches the program.
import type { HookCallbacks } from 'node:async_hooks';
import { statSync } from 'node:fs';
import path from 'node:path';
import { DEFAULT_BUDGET_PERCENT, LATE_FOLDER, LEASE_FILE, LEASE_MS } from '../src/protocol/journal.ts';
import { watchHttp } from './channels.ts';
import { ConnectionQueues } from './connection-queues.ts';
import { earlierSockets } from './earlier-sockets.ts';
import { enableHook } from './enable-hook.ts';
import { isTraced, takeOutOther, watchExit } from './exit.ts';
import { watchGarbage } from './garbage.ts';
import { Governor } from './governor.ts';
import { HandleWrites } from './handle-writes.ts';
import { isInterrupting } from './own-frames.ts';
import { Recorder } from './recorder.ts';
import { captureAgain, watchLibraries } from './sites.ts';
import { isMainThread, isOfNode } from './this-thread.ts';
import { openJournal } from './thread.ts';

/** What V8 says when there is no stack left. */
const STACK_OVERFLOW = 'Maximum call stack size exceeded';
/** The oldest Node whose hooks and clocks were tried. */
const OLDEST_NODE = 18;

function start(folder: string, isLate: boolean): void {
	let sawPromise = false;
	let isOver = true;
	let isWaiting = false;
	/**
	 * Still true when a call begins: the one before was ended in the middle, by the end of the stack or of a `vm`'s time, or a debugger
	 * interrupts it, and what that evaluates starts something.
	 */
	let isInside = false;
	let recorder: Recorder;
	const governor = new Governor(budgetOf(process.env.WAITLINE_BUDGET));

	/** @param isBroken whether the last record may be half written */
	const uninstall = (reason: string, isBroken = false) => {
		isOver = true;
		hook.disable();
		unwatchExit();
		queues.stop();
		recorder.stop(reason, isBroken);
	};
	/** Whether a call may do something though the one before did not end. */
	const canGoOn = () => {
		if (!isInterrupting()) {
			recorder.mend();
			return true;
		}
		// The other goes on where it is, and must find all as it was.
		captureAgain();
		recorder.drop();
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
		// The program's own stack ran out in our hook: it will hear of that from V8 itself.
		if (error instanceof RangeError && error.message === STACK_OVERFLOW) return;
		try {
			uninstall(`error: ${error instanceof Error ? error.message : String(error)}`, true);
		} catch {
			// The disk is full or the folder is gone: nothing can be written, nothing was harmed.
			isOver = true;
		}
	};

	const callbacks: Required<Pick<HookCallbacks, 'init' | 'before' | 'after'>> = {
		init(asyncId, type, trigger, resource) {
			if (type === 'PROMISE') {
				sawPromise = true;
				return;
			}
			if (isOver) return;
			try {
				if (isInside && !canGoOn()) return;
				isInside = true;
				const began = governor.begin();
				recorder.init(asyncId, type, trigger, resource);
				governor.end(began);
				isInside = false;
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
				recorder.after(asyncId);
				governor.end(began);
				isInside = false;
				if (!isWaiting && recorder.hasRun) void wakeLater(recorder.ran);
				if (recorder.stopped) uninstall('stopped');
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
		isLate,
	);
	recorder = new Recorder(governor, (self) => openJournal(folder, self, hook.way, isLate), isLate);
	recorder.hookInit = callbacks.init;
	recorder.writes = new HandleWrites(recorder, guard);
	const queues = new ConnectionQueues(recorder, guard);
	recorder.queues = queues;
	watchLibraries((name) => queues.see(name));
	isOver = false;

	// No timer and no handle: a wait on a cell that nobody wakes keeps neither the loop alive nor shows in any hook.
	const cell = new Int32Array(new SharedArrayBuffer(4));
	const waitAsync = (Atomics as unknown as { waitAsync: WaitAsync }).waitAsync;
	/** @param ran how long what runs now has held the loop, in µs; null for the main script */
	async function wakeLater(ran: number | null): Promise<void> {
		isWaiting = true;
		const { pause } = recorder;
		const due = recorder.now() + pause;
		// Not `then`, which the program may have replaced.
		await waitAsync(cell, 0, 0, pause / 1000).value;
		isWaiting = false;
		guard(() => {
			const lateness = recorder.now() - due;
			const hasRun = recorder.wake();
			// Is written with what comes next: an idle program has no need of it.
			if (ran !== null) recorder.late(Math.max(ran, lateness), pause);
			if (hasRun) void wakeLater(0);
		});
	}

	watchHttp(recorder, guard, isLate);
	if (isLate) guard(() => recorder.takeOver(earlierSockets()));
	watchGarbage((entry) => guard(() => recorder.garbage(entry)));
	const unwatchExit = watchExit(
		() =>
			guard(() => {
				recorder.exit();
				isOver = true;
				hook.disable();
			}),
		() => guard(() => uninstall('profiled anew')),
	);
	// A program that lists the modules it has loaded did not load this one.
	delete require.cache[__filename];
	void wakeLater(isLate ? 0 : null);
}

/** The share of the time, 0 to 1, from a percentage; what is no number means the default, `off` and 0 mean any. */
function budgetOf(percent: string | undefined): number {
	if (percent === 'off') return 0;
	const share = Number(percent || DEFAULT_BUDGET_PERCENT) / 100;
	return share >= 0 ? share : DEFAULT_BUDGET_PERCENT / 100;
}

/** TypeScript's libraries for Node 18 lack it; V8 has had it since 8.7. */
type WaitAsync = (cell: Int32Array, index: number, value: number, timeout: number) => { value: Promise<string> };

/** Whether this program can be profiled, and is not yet. */
function shouldStart(): boolean {
	if (isOfNode || isTraced()) return false;
	if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return true;
	process.stderr.write(`waitline: ${tooOld()}; the program runs without.\n`);
	return false;
}

function tooOld(): string {
	return `Node ${process.versions.node} is too old to be profiled (${OLDEST_NODE} or later is needed)`;
}

/** Whether a host reads there. A terminal may keep the variable for long after: nobody is told, for nobody asked. */
function isRead(folder: string): boolean {
	const lease = statSync(path.join(folder, LEASE_FILE), { throwIfNoEntry: false });
	return lease !== undefined && Date.now() - lease.mtimeMs < LEASE_MS;
}

/** @throws what the debugger is to hear: nothing is printed in a program that runs */
function startLate(folder: string): void {
	if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) throw new Error(tooOld());
	takeOutOther();
	start(folder, true);
}

const lateFolder: unknown = Reflect.get(globalThis, Symbol.for(LATE_FOLDER));
const folder = process.env.WAITLINE_FOLDER;
if (typeof lateFolder === 'string') startLate(lateFolder);
else if (folder) {
	try {
		if (isRead(folder) && shouldStart()) start(folder, false);
	} catch (error) {
		// A Worker of a program that was told already is told no more.
		if (isMainThread)
			process.stderr.write(`waitline: not profiled: ${error instanceof Error ? error.message : String(error)}\n`);
	}
}
