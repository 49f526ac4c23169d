// The command "Stop Async Profile": the recording of a debug session ends, its program goes on. The Call Stack view names the
// session by its id; from the debug toolbar and the palette it is the focused one.
import * as vscode from 'vscode';
import type { Sessions } from './sessions.ts';

export class StopProfiling implements vscode.Disposable {
	readonly #sessions: Sessions;
	readonly #disposables: vscode.Disposable;
	/** Debug sessions by their id: VS Code tells of them one by one and cannot be asked. */
	readonly #known = new Map<string, vscode.DebugSession>();

	constructor(sessions: Sessions) {
		this.#sessions = sessions;
		this.#disposables = vscode.Disposable.from(
			vscode.debug.onDidStartDebugSession((session) => this.#known.set(session.id, session)),
			vscode.debug.onDidTerminateDebugSession(({ id }) => this.#known.delete(id)),
			vscode.commands.registerCommand('waitline.stopProfiling', (id: unknown) => this.#stop(id)),
		);
	}

	async #stop(id: unknown): Promise<void> {
		const session = typeof id === 'string' ? this.#known.get(id) : vscode.debug.activeDebugSession;
		// A process's session is a part of the one that is profiled.
		for (let each = session; each !== undefined; each = each.parentSession) await this.#sessions.finish(each);
	}

	dispose(): void {
		this.#disposables.dispose();
	}
}
