// Brings the tracer into a thread that is already running, through js-debug, which is attached to it and lets other
// extensions call the thread's inspector. The program's environment stays as it is, so its children are profiled only
// as far as the debugger reaches them too.
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { attachTracer } from '../../host/injection/attach.ts';
import type { Injection } from '../../host/injection/environment.ts';
import { skipScript } from '../../host/injection/skip-script.ts';
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
	const scripts: LoadedScript[] = [];
	let onLast: () => void = () => undefined;
	const parsed = new Promise<void>((resolve) => {
		onLast = resolve;
	});
	await withInspector(
		session,
		async (inspector) => {
			await inspector.call(SUBSCRIBE, { events: ['Debugger.scriptParsed'] });
			await attachTracer(injection, (expression) => inspector.evaluate(expression));
			// A configuration without a profile does not make js-debug skip the tracer: Pause would stop in it, because
			// it is called first. js-debug may pass the events on after the answer.
			await Promise.race([parsed, delay(PARSED_MS)]);
			for (const { scriptId } of scripts) await skipScript(inspector, scriptId);
		},
		(event) => {
			const script = event as LoadedScript;
			if (!script.url.endsWith(path.basename(injection.tracer))) return;
			scripts.push(script);
			if (scripts.length === TRACER_SCRIPTS) onLast();
		},
	);
}

/** js-debug's own method (its CDP proxy): the thread's events of these names are passed on. */
const SUBSCRIBE = 'JsDebug.subscribe';

/** The part of `Debugger.scriptParsed` that we use. */
interface LoadedScript {
	scriptId: string;
	url: string;
}

/** The tracer's file, and what it compiles in a realm of its own under the same name (tracer/realm.ts). */
const TRACER_SCRIPTS = 2;

/** How long the events that name the tracer's scripts may take, in ms. */
const PARSED_MS = 1000;
