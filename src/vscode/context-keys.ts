// The context keys that decide which of our commands, menus and views are offered.
import * as vscode from 'vscode';
import { NODE_TYPES } from './injection.ts';
import type { Sessions } from './sessions.ts';

export class ContextKeys implements vscode.Disposable {
	readonly #sessions: Sessions;
	readonly #disposables: vscode.Disposable;
	readonly #told = new Map<string, boolean>();

	constructor(sessions: Sessions) {
		this.#sessions = sessions;
		this.#disposables = vscode.Disposable.from(
			sessions.onDidChange(() => this.#tell()),
			vscode.debug.onDidChangeActiveDebugSession(() => this.#tell()),
		);
		this.#tell();
	}

	#tell(): void {
		const { current } = this.#sessions;
		const active = vscode.debug.activeDebugSession;
		const profiled = active && this.#sessions.of(active);
		// There is something to show.
		this.#set('hasReport', current !== undefined);
		// The debug session that has the focus is being profiled right now.
		this.#set('profiling', profiled?.live === true);
		// It is one of Node's, and is not.
		const isNode = NODE_TYPES.some((type) => type === active?.type);
		this.#set('canStartProfiling', isNode && profiled === undefined && vscode.workspace.isTrusted);
	}

	#set(name: string, value: boolean): void {
		if (this.#told.get(name) === value) return;
		this.#told.set(name, value);
		void vscode.commands.executeCommand('setContext', `waitline.${name}`, value);
	}

	dispose(): void {
		this.#disposables.dispose();
	}
}
