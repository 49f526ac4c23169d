// The debug session that has the focus.
import * as vscode from 'vscode';

export class ActiveSession implements vscode.Disposable {
	/** VS Code may go on reporting as active the session that ended last. */
	readonly #ended = new WeakSet<vscode.DebugSession>();
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposables = vscode.Disposable.from(
		this.#changed,
		vscode.debug.onDidChangeActiveDebugSession(() => this.#changed.fire()),
		vscode.debug.onDidTerminateDebugSession((session) => {
			this.#ended.add(session);
			this.#changed.fire();
		}),
	);
	/** Another one has the focus, or one has ended. */
	readonly onDidChange = this.#changed.event;

	/** Undefined when there is none under way. */
	get current(): vscode.DebugSession | undefined {
		const active = vscode.debug.activeDebugSession;
		return active === undefined || this.#isOver(active) ? undefined : active;
	}

	#isOver(session: vscode.DebugSession): boolean {
		return this.#ended.has(session) || (session.parentSession !== undefined && this.#isOver(session.parentSession));
	}

	dispose(): void {
		this.#disposables.dispose();
	}
}
