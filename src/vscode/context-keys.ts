// The context keys that decide which of our commands, menus and views are offered.
import * as vscode from 'vscode';
import { NODE_TYPES } from './debugging/injection.ts';
import { findFix } from './debugging/pool-size-fix.ts';
import type { ActiveSession } from './sessions/active-session.ts';
import type { Sessions } from './sessions/sessions.ts';

export class ContextKeys implements vscode.Disposable {
	readonly #sessions: Sessions;
	readonly #active: ActiveSession;
	readonly #disposables: vscode.Disposable;
	/** Debug sessions under way, of any kind: each has a row of its own in the call stack. */
	readonly #roots = new Set<vscode.DebugSession>();
	readonly #current = new Map<string, boolean>();

	constructor(sessions: Sessions, active: ActiveSession) {
		this.#sessions = sessions;
		this.#active = active;
		this.#disposables = vscode.Disposable.from(
			sessions.onDidChange(() => this.#update()),
			active.onDidChange(() => this.#update()),
			vscode.debug.onDidStartDebugSession((session) => {
				if (session.parentSession !== undefined) return;
				this.#roots.add(session);
				this.#update();
			}),
			vscode.debug.onDidTerminateDebugSession((session) => {
				if (this.#roots.delete(session)) this.#update();
			}),
		);
		this.#update();
	}

	#update(): void {
		const { current } = this.#sessions;
		const active = this.#active.current;
		const roots = [...this.#roots];
		// There is a report to show.
		this.#set('hasReport', current !== undefined);
		this.#set('isLimited', current !== undefined && current.limited.range !== null);
		const report = current?.report();
		this.#set('hasAnnotations', current !== undefined && !current.cleared);
		this.#set('hasFindings', (report?.findings.length ?? 0) > 0);
		this.#set('hasPoolSizeFix', findFix(report, this.#sessions) !== undefined);
		// The debug session that has the focus is being profiled right now.
		this.#set('profiling', active !== undefined && this.#isProfiled(active));
		// It is a session of Node's, and is not being profiled.
		this.#set('canStartProfiling', active !== undefined && this.#canProfile(active));
		// A row of the call stack has no key that identifies its session: it offers what applies to every row, or
		// nothing.
		this.#set('everySessionProfiled', roots.length > 0 && roots.every((root) => this.#isProfiled(root)));
		this.#set('canProfileEverySession', roots.length > 0 && roots.every((root) => this.#canProfile(root)));
	}

	#isProfiled(session: vscode.DebugSession): boolean {
		return this.#sessions.of(session)?.live === true;
	}

	#canProfile(session: vscode.DebugSession): boolean {
		const isNode = NODE_TYPES.some((type) => type === session.type);
		return isNode && this.#sessions.of(session) === undefined && vscode.workspace.isTrusted;
	}

	#set(name: string, value: boolean): void {
		if (this.#current.get(name) === value) return;
		this.#current.set(name, value);
		void vscode.commands.executeCommand('setContext', `waitline.${name}`, value);
	}

	dispose(): void {
		this.#disposables.dispose();
	}
}
