// Tells the profile when the debugger stops one of the program's processes, so that a stop at a breakpoint is no wait.
import type * as vscode from 'vscode';

/** Requests after which a stopped process goes on. */
const RESUMING = new Set(['continue', 'next', 'stepIn', 'stepOut', 'goto', 'restartFrame', 'disconnect', 'terminate']);

/** What hears of the pauses: `ProfiledSession`. */
export interface PauseListener {
	pause(pid: number): void;
	resume(pid: number): void;
}

/**
 * Follows the messages of one process's session. The process goes on a little after the request that says so: a pause is
 * never taken for longer than it was.
 */
export function followPauses(pid: number, listener: PauseListener): vscode.DebugAdapterTracker {
	return {
		onDidSendMessage(message: { type?: string; event?: string }) {
			if (message.type !== 'event') return;
			if (message.event === 'stopped') listener.pause(pid);
			if (message.event === 'continued') listener.resume(pid);
		},
		onWillReceiveMessage(message: { command?: string }) {
			if (RESUMING.has(message.command ?? '')) listener.resume(pid);
		},
		onExit: () => listener.resume(pid),
	};
}

/** js-debug names the session of a process `program.js [12345]`, and `program.js [12345] « parent` beside other sessions. */
export function processOf(sessionName: string): number | undefined {
	const pid = /\[(\d+)\](?: « |$)/.exec(sessionName)?.[1];
	return pid === undefined ? undefined : Number(pid);
}
