// The panel beside the editor: the view of the session that is shown.
import * as vscode from 'vscode';
import type { LineFacts } from '../../protocol/line-facts.ts';
import type { Drawn } from '../../protocol/webview.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { ReportView, type ViewParts } from './report-view.ts';

/** In package.json among the activation events: a window that had the panel open activates the extension after a reload. */
const VIEW_TYPE = 'waitline.panel';

export class Panel implements vscode.Disposable {
	readonly #sessions: Sessions;
	readonly #parts: ViewParts;
	readonly #changed = new vscode.EventEmitter<void>();
	#open: { panel: vscode.WebviewPanel; view: ReportView } | undefined;
	/** Whether a test has asked what the view draws, and so needs to know it of each view that is opened. */
	#isDrawnAsked = false;

	/** The view drew; only once `drawn` has been asked for. */
	readonly onDidDraw = this.#changed.event;

	readonly #restoring: vscode.Disposable;

	constructor(sessions: Sessions, parts: ViewParts) {
		this.#sessions = sessions;
		this.#parts = parts;
		// VS Code brings the panel back after a reload.
		this.#restoring = vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
			deserializeWebviewPanel: async (panel) => {
				if (this.#open === undefined) this.#fill(panel);
				else panel.dispose();
			},
		});
	}

	/** What the view reports as shown; undefined while closed. */
	get drawn(): Drawn | undefined {
		this.#isDrawnAsked = true;
		return this.#open?.view.drawn;
	}

	get isOpen(): boolean {
		return this.#open !== undefined;
	}

	/**
	 * Opens the panel beside what has the focus. If it is visible already, it gets the focus: that is how the keyboard
	 * reaches it.
	 */
	show(): void {
		if (this.#open?.panel.visible) this.#open.panel.reveal();
		else this.#bringUp();
	}

	#bringUp(): void {
		if (this.#open !== undefined) {
			this.#open.panel.reveal(undefined, true);
			return;
		}
		const panel = vscode.window.createWebviewPanel(VIEW_TYPE, 'Waitline', {
			viewColumn: vscode.ViewColumn.Beside,
			preserveFocus: true,
		});
		this.#fill(panel);
	}

	#fill(panel: vscode.WebviewPanel): void {
		const view = new ReportView(panel, this.#parts, () => this.#sessions.current, this.#sessions.onDidChange, [
			'save',
			'switch',
		]);
		this.#open = { panel, view };
		if (this.#isDrawnAsked) view.askDrawn();
		view.onDidDraw(() => this.#changed.fire());
		panel.onDidDispose(() => {
			view.dispose();
			this.#open = undefined;
		});
	}

	/**
	 * Shows a line of the report. `switchTab`: the person asked for it; otherwise an open panel only marks the line.
	 */
	reveal(facts: LineFacts, switchTab: boolean): void {
		if (switchTab) this.#bringUp();
		this.#open?.view.reveal(facts, switchTab);
	}

	dispose(): void {
		this.#restoring.dispose();
		// The panel itself stays: VS Code brings it back after a reload, and closes it where the extension is gone.
		this.#open?.view.dispose();
		this.#changed.dispose();
	}
}
