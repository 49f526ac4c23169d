// Tells `Sessions` what js-debug does with the debug sessions that are profiled: when their programs start, start again and
// end, and when one of their processes stops. Follows root sessions; their child sessions (one per process) write to the
// folder that they inherit.
//
// A debug adapter tracker hears of a session before its program starts (VS Code waits for it, up to a second), so that the
// tail's lease is there first; `onDidStartDebugSession` would come when a short program is over. It also sees `restart`,
// which keeps the session: with a newly resolved configuration, thus a new journal folder, when launch.json was edited
// meanwhile, else with the environment and the folder that the program had before.
import { rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { FOLDER_VARIABLE } from '../host/environment.ts';
import { followPauses, processOf } from './debugger-pauses.ts';
import { NODE_TYPES } from './injection.ts';
import type { Sessions } from './sessions.ts';

export class DebugFollower implements vscode.Disposable, vscode.DebugAdapterTrackerFactory {
	readonly #sessions: Sessions;
	readonly #log: vscode.LogOutputChannel;
	readonly #disposables: vscode.Disposable[] = [];
	/** Folders handed out by the injector whose program has not started yet. */
	readonly #expected = new Set<string>();

	constructor(sessions: Sessions, log: vscode.LogOutputChannel) {
		this.#sessions = sessions;
		this.#log = log;
		for (const type of NODE_TYPES) {
			this.#disposables.push(vscode.debug.registerDebugAdapterTrackerFactory(type, this));
		}
		this.#disposables.push(
			vscode.debug.onDidTerminateDebugSession((session) => void sessions.finish(session)),
			vscode.debug.onDidChangeActiveDebugSession((session) => this.#focus(session)),
			// The session that was focused already may stop, or be chosen again, after another one was switched to.
			vscode.debug.onDidChangeActiveStackItem((item) => this.#focus(item?.session)),
		);
	}

	/** The injector gave this folder to a program that is about to start. */
	expect(folder: string): void {
		this.#expected.add(folder);
	}

	async createDebugAdapterTracker(session: vscode.DebugSession): Promise<vscode.DebugAdapterTracker | undefined> {
		if (await this.#begin(session, session.configuration)) {
			return {
				onWillReceiveMessage: (message: unknown) => {
					if (isRestart(message)) void this.#restart(session, message.arguments?.arguments ?? session.configuration);
				},
			};
		}
		return session.parentSession === undefined ? undefined : this.#followProcess(session);
	}

	/** The views show what the person looks at; a session that is not profiled leaves them as they are. */
	#focus(session: vscode.DebugSession | undefined): void {
		const profiled = session && this.#sessions.of(session);
		if (profiled !== undefined) this.#sessions.show(profiled);
	}

	/** Follows the session if its configuration names a folder of ours. */
	async #begin(session: vscode.DebugSession, config: vscode.DebugConfiguration): Promise<boolean> {
		const folder: unknown = config.env?.[FOLDER_VARIABLE];
		if (typeof folder !== 'string' || !this.#expected.delete(folder)) return false;
		try {
			await this.#sessions.begin(session, folder);
			return true;
		} catch (error) {
			this.#log.error(error as Error);
			void vscode.window.showErrorMessage(vscode.l10n.t('Waitline could not follow the program. {0}', String(error)));
			return false;
		}
	}

	async #restart(session: vscode.DebugSession, config: vscode.DebugConfiguration): Promise<void> {
		if (await this.#begin(session, config)) return;
		try {
			await this.#sessions.again(session);
		} catch (error) {
			this.#log.error(error as Error);
		}
	}

	#followProcess(session: vscode.DebugSession): vscode.DebugAdapterTracker | undefined {
		const pid = processOf(session.name);
		if (pid === undefined) {
			this.#log.debug(`"${session.name}" names no process: its pauses will count as time.`);
			return undefined;
		}
		return followPauses(pid, {
			pause: (stopped) => this.#sessions.of(session)?.pause(stopped),
			resume: (stopped) => this.#sessions.of(session)?.resume(stopped),
		});
	}

	dispose(): void {
		vscode.Disposable.from(...this.#disposables).dispose();
		// Programs that were never started leave an empty folder.
		for (const folder of this.#expected) void rm(folder, { recursive: true, force: true });
	}
}

/** The DAP request that starts the program of a session again. */
interface RestartRequest {
	command: 'restart';
	arguments?: { arguments?: vscode.DebugConfiguration };
}

function isRestart(message: unknown): message is RestartRequest {
	return (message as { command?: unknown }).command === 'restart';
}
