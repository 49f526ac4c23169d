// The status bar item: how busy the loop was and how full the pool, while a session runs and after it.
import * as vscode from 'vscode';
import type { Report } from '../protocol/report.ts';
import type { Sessions } from './sessions.ts';
import { Throttle } from './throttle.ts';

/** Right of the debugger's own items, left of the language ones. */
const PRIORITY = 50;

export class StatusBar implements vscode.Disposable {
	readonly #sessions: Sessions;
	readonly #item = vscode.window.createStatusBarItem('waitline.status', vscode.StatusBarAlignment.Left, PRIORITY);
	readonly #throttle = new Throttle(() => this.#draw());
	readonly #disposables: vscode.Disposable[];
	#visible = false;

	constructor(sessions: Sessions) {
		this.#sessions = sessions;
		this.#item.name = 'Waitline';
		this.#item.command = 'waitline.showPanel';
		this.#disposables = [this.#item, this.#throttle, sessions.onDidChange(() => this.#throttle.request())];
	}

	/** The text, or undefined while hidden. */
	get text(): string | undefined {
		return this.#visible ? this.#item.text : undefined;
	}

	#draw(): void {
		const session = this.#sessions.current;
		this.#visible = session !== undefined && (session.live || !session.cleared);
		if (session === undefined || !this.#visible) {
			this.#item.hide();
			return;
		}
		const figures = statusText(session.report());
		this.#item.text = `$(${session.live ? 'sync~spin' : 'watch'}) ${figures}`;
		this.#item.tooltip = session.live
			? vscode.l10n.t('Waitline profiles “{0}”. Click for the panel.', session.name)
			: vscode.l10n.t('Waitline’s profile of “{0}”. Click for the panel.', session.name);
		this.#item.accessibilityInformation = { label: `Waitline: ${figures}` };
		this.#item.show();
	}

	dispose(): void {
		vscode.Disposable.from(...this.#disposables).dispose();
	}
}

/** `loop 42 % · pool 4 · max queued 3`, of the busiest loop and the fullest pool. */
function statusText(report: Report): string {
	const parts: string[] = [];
	const utilization = Math.max(-1, ...report.loops.map((loop) => loop.utilization));
	if (utilization >= 0) parts.push(vscode.l10n.t('loop {0} %', Math.round(utilization * 100)));
	const pool = report.pools.toSorted((a, b) => b.maxQueued - a.maxQueued)[0];
	if (pool !== undefined) parts.push(vscode.l10n.t('pool {0} · max queued {1}', pool.size, pool.maxQueued));
	return parts.length > 0 ? parts.join(' · ') : vscode.l10n.t('waiting for the program');
}
