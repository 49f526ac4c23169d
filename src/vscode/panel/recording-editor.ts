// The editor of `.waitline` files: draws the recording as the panel draws a session, and lets the other views show it while it
// has the focus. Read-only: a recording is what happened.
import * as vscode from 'vscode';
import { OpenedRecording } from '../sessions/opened-recording.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { ReportView, type ViewContent, type ViewParts } from './report-view.ts';

/** The `viewType` in package.json. */
export const RECORDING_EDITOR = 'waitline.recording';

/** What cannot be read never changes. */
const NEVER = new vscode.EventEmitter<void>().event;

/** One file, in any number of editors. */
interface RecordingDocument extends vscode.CustomDocument {
	readonly content: Exclude<ViewContent, undefined>;
}

export class RecordingEditors implements vscode.CustomReadonlyEditorProvider<RecordingDocument> {
	readonly #sessions: Sessions;
	readonly #parts: ViewParts;

	constructor(sessions: Sessions, parts: ViewParts) {
		this.#sessions = sessions;
		this.#parts = parts;
	}

	async openCustomDocument(
		uri: vscode.Uri,
		_context: vscode.CustomDocumentOpenContext,
		token: vscode.CancellationToken,
	): Promise<RecordingDocument> {
		try {
			const recording = await OpenedRecording.open(uri, token);
			this.#sessions.add(recording);
			return { uri, content: recording, dispose: () => this.#close(recording) };
		} catch (error) {
			// Its tab is closed. VS Code would keep a rejection, and never open the file again (microsoft/vscode#250622).
			if (token.isCancellationRequested) return { uri, content: { failure: '' }, dispose: () => undefined };
			this.#parts.log.warn(`${uri.toString()}: ${String(error)}`);
			return { uri, content: { failure: (error as Error).message }, dispose: () => undefined };
		}
	}

	#close(recording: OpenedRecording): void {
		this.#sessions.remove(recording);
		recording.dispose();
	}

	resolveCustomEditor({ content }: RecordingDocument, panel: vscode.WebviewPanel): void {
		const changed = 'failure' in content ? NEVER : content.onDidChange;
		const view = new ReportView(panel, this.#parts, () => content, changed);
		panel.onDidDispose(() => view.dispose());
		if ('failure' in content) return;
		panel.onDidChangeViewState(() => {
			if (panel.active) this.#sessions.show(content);
		});
	}
}
