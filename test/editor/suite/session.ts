// Debug sessions as the tests see them: js-debug's own DAP messages are recorded, so that a test can check that a real
// session ran, paused and ended.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { fileOf, open, until, waitline, workspaceFolder } from './editor.ts';
import { chooseFrom } from './list.ts';

/** The parts of a DAP message that the tests look at. */
interface Message {
	type: 'request' | 'response' | 'event';
	event?: string;
	command?: string;
	body?: { [name: string]: unknown };
}

/** One launch: the root session and the child sessions that do the work. */
export class Launch {
	readonly root: vscode.DebugSession;
	/** From js-debug to the editor, of all sessions of this launch. */
	readonly received: Message[] = [];
	/** The processes' sessions, in the order in which they began. */
	readonly children: vscode.DebugSession[] = [];
	readonly #stops: { session: vscode.DebugSession; message: Message }[] = [];
	ended = false;

	constructor(root: vscode.DebugSession) {
		this.root = root;
	}

	events(name: string): Message[] {
		return this.received.filter((message) => message.type === 'event' && message.event === name);
	}

	/** The thread that stopped last, once one has. */
	stopped(): { session: vscode.DebugSession; threadId: unknown } | undefined {
		const last = this.#stops.at(-1);
		return last && { session: last.session, threadId: last.message.body?.threadId };
	}

	/** A message from js-debug to the editor. */
	receive(session: vscode.DebugSession, message: Message): void {
		this.received.push(message);
		if (message.event === 'stopped') this.#stops.push({ session, message });
	}

	/** Takes breakpoints away, and waits until js-debug knows. */
	async removeBreakpoints(breakpoints: vscode.Breakpoint[]): Promise<void> {
		const answers = () =>
			this.received.filter(({ type, command }) => type === 'response' && command === 'setBreakpoints');
		const before = answers().length;
		vscode.debug.removeBreakpoints(breakpoints);
		await until('the breakpoint to be gone', () => answers().length > before);
	}

	/** Waits for the end of the root session. */
	async end(): Promise<void> {
		await until(`the end of "${this.root.name}"`, () => this.ended);
	}
}

const launches = new Map<string, Launch>();
vscode.debug.registerDebugAdapterTrackerFactory('*', {
	createDebugAdapterTracker(session) {
		const launch = launchOf(session);
		if (session.parentSession !== undefined) launch.children.push(session);
		return { onDidSendMessage: (message: Message) => launch.receive(session, message) };
	},
});
vscode.debug.onDidTerminateDebugSession((session) => {
	if (session.parentSession === undefined) launchOf(session).ended = true;
});

function launchOf(session: vscode.DebugSession): Launch {
	let root = session;
	while (root.parentSession !== undefined) root = root.parentSession;
	let launch = launches.get(root.id);
	if (launch === undefined) {
		launch = new Launch(root);
		launches.set(root.id, launch);
	}
	return launch;
}

/** Calls `start` and returns the launch that it brought about. */
export async function launched(start: () => unknown): Promise<Launch> {
	const before = new Set(launches.keys());
	const started = await start();
	assert.notEqual(started, false, 'the editor did not start the session');
	return until('a debug session', () => [...launches.values()].find((launch) => !before.has(launch.root.id)));
}

/** Returns a function that returns the launches which began since this call. */
export function launchesSince(): () => Launch[] {
	const before = new Set(launches.keys());
	return () => [...launches.values()].filter((launch) => !before.has(launch.root.id));
}

/** Starts a configuration; the given parts are added to a plain launch of `program`. */
export function debug(program: string, parts: Partial<vscode.DebugConfiguration> = {}): Promise<Launch> {
	return launched(() =>
		vscode.debug.startDebugging(workspaceFolder(), {
			type: 'node',
			request: 'launch',
			name: program,
			program: fileOf(program),
			...parts,
		}),
	);
}

/** Opens a program, profiles it as a person does, and waits until all of it is in the report. */
export async function profile(api: WaitlineApi, program: string, env: Record<string, string> = {}): Promise<void> {
	await open(fileOf(program));
	const launch = await debug(program, { env, [PROFILE_MARK]: true });
	await launch.end();
	await until('the end of the profile', () => !api.live());
}

/** Gives a thread's session the focus, by the debugger's own list. */
export async function focusSession(session: vscode.DebugSession): Promise<void> {
	const [name] = session.name.split(' « ');
	// That of a Worker: `Session [worker 1] WorkerThread spawned from …`.
	const isIt = (text: string) => text.startsWith(name!) || text.startsWith(`Session ${name} `);
	await chooseFrom('workbench.action.debug.selectDebugSession', isIt);
}

/** Waits until a debugged program has printed more, as rounds.cjs does with each of its rounds. */
export async function untilMoreIsPrinted(launch: Launch): Promise<void> {
	const printed = async () => {
		const asked = { expression: 'process.stdout.bytesWritten', context: 'repl' };
		const { result } = (await launch.children[0]!.customRequest('evaluate', asked)) as { result: string };
		return Number(result);
	};
	const before = await printed();
	await until('more output of the program', async () => (await printed()) > before);
}

/** Ends what a failed test left running; waits for the last look at what was profiled, which would change the report of the next test. */
export async function stopAll(): Promise<void> {
	for (const launch of launches.values()) {
		if (launch.ended) continue;
		await vscode.debug.stopDebugging(launch.root);
		await launch.end();
	}
	if (launches.size === 0) return;
	const api = await waitline();
	await until('the end of the profile', () => !api.live());
}
