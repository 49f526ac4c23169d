// Brings the tracer into a thread that is already running, through js-debug, which is attached to it and lets other
// extensions call the thread's inspector. The program's environment stays as it is, so its children are profiled only
// as far as the debugger reaches them too.
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { attachTracer } from '../../host/attach.ts';
import type { Injection } from '../../host/environment.ts';
import { withInspector } from './thread-inspector.ts';

/** js-debug marks the sessions that stand for a process or a Worker; other sessions only group them. */
export function isThread(session: vscode.DebugSession): boolean {
	return '__pendingTargetId' in session.configuration;
}

/**
 * Starts the tracer in the thread of a js-debug session; resolves when it runs.
 * @throws Error when the thread cannot load it, with the thread's message
 */
export async function attachToThread(session: vscode.DebugSession, injection: Injection): Promise<void> {
	let onTracer: (script: Script) => void = () => undefined;
	const parsed = new Promise<Script>((resolve) => {
		onTracer = resolve;
	});
	await withInspector(
		session,
		async (inspector) => {
			await inspector.call(SUBSCRIBE, { events: ['Debugger.scriptParsed'] });
			await attachTracer(injection, (expression) => inspector.evaluate(expression));
			// A configuration without a profile does not make js-debug skip the tracer: Pause would stop in it, because
			// it is called first. js-debug may pass the event on after the answer.
			const tracer = await Promise.race([parsed, delay(PARSED_MS, undefined)]);
			if (tracer !== undefined) {
				await inspector.call('Debugger.setBlackboxedRanges', { scriptId: tracer.scriptId, positions: WHOLE });
			}
		},
		(event) => {
			const script = event as Script;
			if (script.url.endsWith(path.basename(injection.tracer))) onTracer(script);
		},
	);
}

/** js-debug's own method (its CDP proxy): the thread's events of these names are passed on. */
const SUBSCRIBE = 'JsDebug.subscribe';

/** The part of `Debugger.scriptParsed` that we use. */
interface Script {
	scriptId: string;
	url: string;
}

/** How long the event that names the tracer's script may take, in ms; a thread that had the script before sends none. */
const PARSED_MS = 1000;

/** Where skipping begins. */
const WHOLE = [{ lineNumber: 0, columnNumber: 0 }];
