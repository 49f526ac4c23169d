// Notifies the profile when the debugger stops a thread of the program, so that a stop at a breakpoint is not a wait.
// The clock is the process's: it does not advance while any of its threads is paused.
import type * as vscode from 'vscode';
import { nowUs } from '../../host/sessions/journal-clock.ts';
import type { TracerClock } from './tracer-clock.ts';

/** Requests after which a stopped thread continues. */
const RESUMING = new Set(['continue', 'next', 'stepIn', 'stepOut', 'goto', 'restartFrame', 'disconnect', 'terminate']);

/** Is notified of the pauses: `ProfiledSession`. Times are µs of hrtime. */
export interface PauseListener {
	pause(pid: number, at: number): void;
	resume(pid: number, at: number): void;
}

/** A pause that a person has asked for and that has not come yet. */
interface AskedPause {
	/** When, in µs of hrtime. */
	at: number;
	/** When the tracer's clock was stopped for it, in µs of hrtime; undefined without a tracer. */
	stopped: Promise<number | undefined>;
}

/** Which threads of each process are stopped by the debugger. */
export class PausedThreads {
	/** Ids of their debug sessions. */
	readonly #byProcess = new Map<number, Set<string>>();

	/** True when it is the first stopped thread of its process. */
	stop(pid: number, thread: string): boolean {
		const paused = this.#byProcess.get(pid) ?? new Set();
		this.#byProcess.set(pid, paused.add(thread));
		return paused.size === 1;
	}

	/** True when it was the last stopped thread of its process. */
	resume(pid: number, thread: string): boolean {
		const paused = this.#byProcess.get(pid);
		if (paused?.delete(thread) !== true || paused.size > 0) return false;
		return this.#byProcess.delete(pid);
	}
}

/**
 * Follows the messages of one thread's session. The thread continues a little after the request that resumes it: a
 * pause is never taken for longer than it was.
 * @param processId finds out the process of the thread; called once, when the thread first stops
 * @param clock of the tracer in the thread
 */
export function followPauses(
	thread: string,
	processId: () => Promise<number>,
	paused: PausedThreads,
	listener: PauseListener,
	clock: TracerClock,
): vscode.DebugAdapterTracker {
	let pid: Promise<number> | undefined;
	let asked: AskedPause | undefined;
	/** What has been reported so far: each report waits for the one before. */
	let reported = Promise.resolve();
	const report = (step: (known: number) => Promise<void>) => {
		reported = reported.then(async () => pid?.then(step, ignore));
	};
	const stop = () => {
		const at = nowUs();
		pid ??= processId();
		const began = asked === undefined ? at : beganOf(asked, clock.go(), at);
		asked = undefined;
		report(async (known) => {
			const from = await began;
			if (paused.stop(known, thread)) listener.pause(known, from);
		});
	};
	const go = () => {
		const at = nowUs();
		report(async (known) => {
			if (paused.resume(known, thread)) listener.resume(known, at);
		});
	};
	return {
		onDidSendMessage(message: { type?: string; event?: string }) {
			if (message.type !== 'event') return;
			if (message.event === 'stopped') stop();
			if (message.event === 'continued') go();
		},
		onWillReceiveMessage(message: { command?: string }) {
			if (RESUMING.has(message.command ?? '')) go();
			if (message.command === 'pause') {
				asked = { at: nowUs(), stopped: clock.stop() };
			}
		},
		onExit: go,
	};
}

/**
 * When a pause began that a person asked for: as soon as there was code to stop. What the debugger stepped through until it reached the program's own
 * belongs to it, and what the loop slept before does not.
 * @param gone what `TracerClock.go` says
 * @param stopped when the debugger says that the program has stopped, in µs of hrtime
 */
async function beganOf(asked: AskedPause, gone: Promise<number | undefined>, stopped: number): Promise<number> {
	const [from, until] = await Promise.all([asked.stopped, gone]);
	return from === undefined || until === undefined ? stopped : asked.at + until - from;
}

function ignore(): void {
	// `processId` has already logged why it fails.
}

/**
 * js-debug names the session of a process `program.js [12345]`, and `program.js [12345] « parent` beside other
 * sessions; the name of a process that it attached to ends in `[0]`, and a Worker's session names no process.
 */
export function pidOfSession(sessionName: string): number | undefined {
	const pid = Number(/\[(\d+)\](?: « |$)/.exec(sessionName)?.[1]);
	return pid > 0 ? pid : undefined;
}

/** js-debug names the session of a Worker as Node does: `[worker 1] its name`. 0 is the main thread. */
export function threadOf(sessionName: string): number {
	return Number(/^\[worker (\d+)\]/.exec(sessionName)?.[1] ?? 0);
}

/** The process of a thread's session. @throws the debugger's error when it cannot evaluate in the thread */
export async function processOfThread(session: vscode.DebugSession): Promise<number> {
	const named = pidOfSession(session.name);
	if (named !== undefined) return named;
	// Evaluated as a watch, it leaves no trace in the debug console.
	const { result } = (await session.customRequest('evaluate', { expression: 'process.pid', context: 'watch' })) as {
		result: string;
	};
	return Number(result);
}
