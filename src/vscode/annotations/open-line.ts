// Opens a line of the report in an editor: one that shows the file already, perhaps by another name; else the first
// column. A file outside the workspace that a recording names is opened only when the person agrees: it may be any of
// their files.
import * as vscode from 'vscode';
import { OutsideFolders, realBelow } from '../../host/common/read-text.ts';
import { DocumentKeys, pathKey } from '../common/documents.ts';
import { ask, showError } from '../common/notices.ts';
import { reasonOf } from '../common/reason.ts';
import { isRecording, workspacePaths } from '../sessions/session-texts.ts';
import type { ShownSession } from '../sessions/shown-session.ts';
import type { Annotations } from './annotations.ts';

/**
 * @param line of the report, 1-based; past the end of the file, the last line is opened
 * @param session the session whose report it is; where its lines are now is known only for the session that the editors
 * show
 */
export async function openLine(
	file: string,
	line: number,
	annotations: Annotations,
	session: ShownSession | undefined = annotations.session,
): Promise<void> {
	const keys = new DocumentKeys();
	const shown = vscode.window.visibleTextEditors.find((editor) => keys.of(editor.document.uri).includes(pathKey(file)));
	try {
		if (shown === undefined && session !== undefined && isRecording(session) && !(await mayOpen(file))) return;
		const document = shown?.document ?? (await vscode.workspace.openTextDocument(vscode.Uri.file(file)));
		const now = session === annotations.session ? annotations.lineNow(document, line) : line;
		const position = new vscode.Position(now - 1, 0);
		await vscode.window.showTextDocument(document, {
			viewColumn: shown?.viewColumn ?? vscode.ViewColumn.One,
			selection: new vscode.Range(position, position),
		});
	} catch (error) {
		showError(vscode.l10n.t('This file cannot be opened. {0}', reasonOf(error)));
	}
}

/** @throws the file system's errors */
async function mayOpen(file: string): Promise<boolean> {
	try {
		await realBelow(file, workspacePaths());
		return true;
	} catch (error) {
		if (!(error instanceof OutsideFolders)) throw error;
		return ask(
			vscode.l10n.t('A recording names “{0}”, which is outside the workspace. Open it from your disk?', file),
			vscode.l10n.t('Open'),
		);
	}
}
