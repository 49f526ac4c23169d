// Brings the tracer into a thread that runs already, through the debugger that is attached to it: a DAP `evaluate`, which js-debug
// hands to the thread's inspector. The program's environment stays as it is, so its children are profiled only as far as
// the debugger reaches them too.
import type * as vscode from 'vscode';
import type { Injection } from '../host/environment.ts';
import { LATE_FOLDER } from '../protocol/journal.ts';

/** What the expression answers when the tracer has started. */
const STARTED = 'waitline: started';

/** js-debug marks the sessions that stand for a process or a Worker; the others only hold them together. */
export function isThread(session: vscode.DebugSession): boolean {
	return '__pendingTargetId' in session.configuration;
}

/**
 * Starts the tracer in the thread of a js-debug session; resolves when it runs.
 * @throws Error when the thread cannot load it, with what it said
 */
export async function traceLate(session: vscode.DebugSession, { tracer, folder }: Injection): Promise<void> {
	// `require` is the inspector's own: an ES module has none.
	const expression = `(() => {
	const key = Symbol.for(${JSON.stringify(LATE_FOLDER)});
	globalThis[key] = ${JSON.stringify(folder)};
	try { require(${JSON.stringify(tracer)}); } finally { delete globalThis[key]; }
	return ${JSON.stringify(STARTED)};
})()`;
	const { result } = (await session.customRequest('evaluate', { expression })) as { result: string };
	if (!result.includes(STARTED)) throw new Error(result);
}
