// Opens a line of the report in an editor: one that shows the file already, perhaps by another name; else the first column.
import * as vscode from 'vscode';
import type { Annotations } from './annotations.ts';
import { DocumentKeys, pathKey } from './documents.ts';
import { reasonOf } from './reason.ts';

/**
 * @param line of the report, 1-based; past the end of the file it is its last
 * @param session whose report it is; where its lines are now is known of the one that the editors show
 */
export async function openLine(
	file: string,
	line: number,
	annotations: Annotations,
	session: unknown = annotations.session,
): Promise<void> {
	const keys = new DocumentKeys();
	const shown = vscode.window.visibleTextEditors.find((editor) => keys.of(editor.document.uri).includes(pathKey(file)));
	try {
		const document = shown?.document ?? (await vscode.workspace.openTextDocument(vscode.Uri.file(file)));
		const now = session === annotations.session ? annotations.lineNow(document, line) : line;
		const position = new vscode.Position(now - 1, 0);
		await vscode.window.showTextDocument(document, {
			viewColumn: shown?.viewColumn ?? vscode.ViewColumn.One,
			selection: new vscode.Range(position, position),
		});
	} catch (error) {
		void vscode.window.showErrorMessage(vscode.l10n.t('This file cannot be opened. {0}', reasonOf(error)));
	}
}
