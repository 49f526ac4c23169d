// Which debug sessions are profiled, and which of them the views show: the latest. It follows root sessions only; their
// child sessions (one per process) write to the folder that they inherit.
//
// A debug adapter tracker tells us of a session before its program starts (VS Code waits for it, up to a second), so
// that the tail's lease is there first; `onDidStartDebugSession` would come when a short program is over. It also sees
// `restart`, which keeps the session: with a newly resolved configuration, thus a new journal folder, when launch.json was
// edited meanwhile, else with the environment and the folder that the program had before.
import { rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { FOLDER_VARIABLE } from '../host/environment.ts';
import { followPauses, processOf } from './debugger-pauses.ts';
import { NODE_TYPES } from './injection.ts';
import { ProfiledSession } from './profiled-session.ts';

export class Sessions implements vscode.Disposable, vscode.DebugAdapterTrackerFactory {
	readonly #log: vscode.LogOutputChannel;
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposables: vscode.Disposable[] = [this.#changed];
	/** Folders handed out by the injector whose program has not started yet. */
	readonly #expected = new Set<string>();
	/** Sessions under way, by the id of their debug session. */
	readonly #running = new Map<string, ProfiledSession>();
	#current: ProfiledSession | undefined;
	#closed = false;

	/** The current session, its report or its state changed. */
	readonly onDidChange = this.#changed.event;

	constructor(log: vscode.LogOutputChannel) {
		this.#log = log;
		for (const type of NODE_TYPES) {
			this.#disposables.push(vscode.debug.registerDebugAdapterTrackerFactory(type, this));
		}
		this.#disposables.push(vscode.debug.onDidTerminateDebugSession((session) => void this.#finish(session.id)));
	}

	/** The session that the views show: under way, or the last one. */
	get current(): ProfiledSession | undefined {
		return this.#current;
	}

	/** The run under way of a debug session, or of the one that it is a part of; undefined when it is not profiled. */
	of(session: vscode.DebugSession): ProfiledSession | undefined {
		return this.#running.get(rootOf(session).id);
	}

	/** The injector gave this folder to a program that is about to start. */
	expect(folder: string): void {
		this.#expected.add(folder);
	}

	/** Takes the annotations of the current session away; the panel keeps its report. */
	clearAnnotations(): void {
		if (this.#current === undefined) return;
		this.#current.cleared = true;
		this.#changed.fire();
	}

	async createDebugAdapterTracker(session: vscode.DebugSession): Promise<vscode.DebugAdapterTracker | undefined> {
		if (session.parentSession !== undefined) return this.#followProcess(session);
		if (!(await this.#begin(session, session.configuration))) return undefined;
		return {
			onWillReceiveMessage: (message: unknown) => {
				if (isRestart(message)) void this.#restart(session, message.arguments?.arguments ?? session.configuration);
			},
		};
	}

	/** Follows the session if its configuration names a folder of ours. */
	async #begin(session: vscode.DebugSession, config: vscode.DebugConfiguration): Promise<boolean> {
		const folder: unknown = config.env?.[FOLDER_VARIABLE];
		if (typeof folder !== 'string' || !this.#expected.delete(folder)) return false;
		try {
			const profiled = await ProfiledSession.start(session.name, folder, this.#log);
			if (this.#closed) {
				await profiled.close();
				return false;
			}
			profiled.origin = { folder: session.workspaceFolder, configuration: session.name };
			const beforeRestart = this.#running.get(session.id);
			this.#running.set(session.id, profiled);
			this.#show(profiled);
			beforeRestart?.dispose();
			return true;
		} catch (error) {
			this.#log.error(error as Error);
			void vscode.window.showErrorMessage(vscode.l10n.t('Waitline could not follow the program. {0}', String(error)));
			return false;
		}
	}

	#followProcess(session: vscode.DebugSession): vscode.DebugAdapterTracker | undefined {
		const root = rootOf(session);
		const pid = processOf(session.name);
		if (pid === undefined) {
			this.#log.debug(`"${session.name}" names no process: its pauses will count as time.`);
			return undefined;
		}
		return followPauses(pid, {
			pause: (stopped) => this.#running.get(root.id)?.pause(stopped),
			resume: (stopped) => this.#running.get(root.id)?.resume(stopped),
		});
	}

	async #restart(session: vscode.DebugSession, config: vscode.DebugConfiguration): Promise<void> {
		if (await this.#begin(session, config)) return;
		try {
			await this.#running.get(session.id)?.startAfresh();
		} catch (error) {
			this.#log.error(error as Error);
		}
	}

	#show(profiled: ProfiledSession): void {
		const previous = this.#current;
		this.#current = profiled;
		profiled.onDidChange(() => profiled === this.#current && this.#changed.fire());
		// One that still runs beside the new one is disposed when it ends.
		if (previous !== undefined && ![...this.#running.values()].includes(previous)) previous.dispose();
		this.#changed.fire();
	}

	async #finish(id: string): Promise<void> {
		const profiled = this.#running.get(id);
		if (profiled === undefined) return;
		this.#running.delete(id);
		try {
			await profiled.end();
		} catch (error) {
			this.#log.error(error as Error);
		}
		if (profiled !== this.#current) profiled.dispose();
	}

	dispose(): void {
		void this.close();
	}

	/** Ends every session and removes what they left on disk. */
	async close(): Promise<void> {
		if (this.#closed) return;
		this.#closed = true;
		vscode.Disposable.from(...this.#disposables).dispose();
		const all = new Set(this.#running.values());
		if (this.#current !== undefined) all.add(this.#current);
		await Promise.all([...all].map((profiled) => profiled.close()));
		// Programs that were never started leave an empty folder.
		await Promise.all([...this.#expected].map((folder) => rm(folder, { recursive: true, force: true })));
	}
}

function rootOf(session: vscode.DebugSession): vscode.DebugSession {
	let root = session;
	while (root.parentSession !== undefined) root = root.parentSession;
	return root;
}

/** The DAP request that starts the program of a session again. */
interface RestartRequest {
	command: 'restart';
	arguments?: { arguments?: vscode.DebugConfiguration };
}

function isRestart(message: unknown): message is RestartRequest {
	return (message as { command?: unknown }).command === 'restart';
}
