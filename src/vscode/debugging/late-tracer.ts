// Brings the tracer into a thread that runs already, through js-debug, which is attached to it and lets other extensions ask the
// thread's inspector. The program's environment stays as it is, so its children are profiled only as far as
// the debugger reaches them too.
import path from 'node:path';
import * as vscode from 'vscode';
import type { Injection } from '../../host/environment.ts';
import { startLate } from '../../host/late-start.ts';

/** js-debug marks the sessions that stand for a process or a Worker; the others only hold them together. */
export function isThread(session: vscode.DebugSession): boolean {
	return '__pendingTargetId' in session.configuration;
}

/**
 * Starts the tracer in the thread of a js-debug session; resolves when it runs.
 * @throws Error when the thread cannot load it, with what it said
 */
export async function traceLate(session: vscode.DebugSession, injection: Injection): Promise<void> {
	const proxy: Proxy = await session.customRequest(REQUEST_PROXY);
	const { Inspector } = await import('../../host/inspector.ts');
	const url = `ws://${proxy.host}:${proxy.port}${proxy.path ?? ''}`;
	const left = vscode.l10n.t('The debugger has disconnected from the program.');
	const scripts: Script[] = [];
	const inspector = await Inspector.connect(url, left, (_method, script) => void scripts.push(script as Script));
	try {
		await inspector.call(SUBSCRIBE, { events: ['Debugger.scriptParsed'] });
		await startLate(injection, (expression) => inspector.evaluate(expression));
		const tracer = scripts.find((script) => script.url.endsWith(path.basename(injection.tracer)));
		// A configuration that did not ask for a profile does not tell js-debug to skip it: Pause would stop there, for it is called first.
		if (tracer !== undefined) {
			await inspector.call('Debugger.setBlackboxedRanges', { scriptId: tracer.scriptId, positions: WHOLE });
		}
	} finally {
		inspector.close();
	}
}

/** js-debug's own method (its CDP proxy): tells these events too. */
const SUBSCRIBE = 'JsDebug.subscribe';

/** What we use of `Debugger.scriptParsed`. */
interface Script {
	scriptId: string;
	url: string;
}

/** Where skipping begins. */
const WHOLE = [{ lineNumber: 0, columnNumber: 0 }];

/**
 * js-debug's way for other extensions to talk to what it debugs, as its command `extension.js-debug.requestCDPProxy` does (EXTENSION_AUTHORS.md);
 * the command does not know yet a session that has just started.
 */
const REQUEST_PROXY = 'requestCDPProxy';

interface Proxy {
	host: string;
	port: number;
	path?: string;
}
