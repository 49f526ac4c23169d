// The commands "Save Recording" and "Open Recording": from the session that is shown into one `.waitline` file, and back.
import path from 'node:path';
import * as vscode from 'vscode';
import type { Annotations } from '../annotations/annotations.ts';
import { offer, showError, showInformation } from '../common/notices.ts';
import { reasonOf } from '../common/reason.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { RECORDING_EDITOR } from './recording-editor.ts';
import { chooseRecordings, recordingFilters } from './recording-files.ts';

/** `target` skips the dialog, for scripts and tests. True when the file was written. */
export async function saveRecording(sessions: Sessions, annotations: Annotations, target?: unknown): Promise<boolean> {
	const session = sessions.current;
	if (session === undefined) {
		showInformation(vscode.l10n.t('Waitline has no recording to save yet.'));
		return false;
	}
	const uri = target instanceof vscode.Uri ? target : await ask(session.name);
	if (uri === undefined) return false;
	try {
		await session.save(uri, (file) => annotations.ranText(session, file)?.lines);
	} catch (error) {
		showError(vscode.l10n.t('The recording could not be saved. {0}', reasonOf(error)));
		return false;
	}
	// A script knows its own file.
	if (uri !== target) void confirmSaved(uri);
	return true;
}

async function confirmSaved(uri: vscode.Uri): Promise<void> {
	const saved = vscode.l10n.t('Saved {0}.', path.basename(uri.fsPath));
	if (!(await offer(saved, vscode.l10n.t('Reveal')))) return;
	// A browser knows no file manager.
	const inBrowser = vscode.env.uiKind === vscode.UIKind.Web;
	await vscode.commands.executeCommand(inBrowser ? 'revealInExplorer' : 'revealFileInOS', uri);
}

function ask(name: string): Thenable<vscode.Uri | undefined> {
	// Any character that some file system forbids, or that would leave the folder.
	const file = `${name.replace(/[^\p{L}\p{N}._ -]/gu, '-')}.waitline`;
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	return vscode.window.showSaveDialog({
		filters: recordingFilters(),
		...(folder && { defaultUri: vscode.Uri.joinPath(folder, file) }),
	});
}

/** `target` skips the dialog, for scripts and tests. True when an editor was opened. */
export async function openRecording(target?: unknown): Promise<boolean> {
	const uri = target instanceof vscode.Uri ? target : (await chooseRecordings(false))[0];
	if (uri === undefined) return false;
	await vscode.commands.executeCommand('vscode.openWith', uri, RECORDING_EDITOR);
	return true;
}
