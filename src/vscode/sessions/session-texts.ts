// How the texts that a session does not provide are read from disk: a debug session's files as they are, because the
// person runs that program; a recording's only below the workspace's folders, because it may come from anyone and name
// any file.
import * as vscode from 'vscode';
import { type ReadText, readAny, readBelow } from '../../host/common/read-text.ts';
import { FILE_SCHEMES } from '../common/documents.ts';
import type { ShownSession } from './shown-session.ts';

export function readerFor(session: ShownSession): ReadText {
	return isRecording(session) ? readBelow(workspacePaths()) : readAny;
}

export function isRecording({ file }: ShownSession): boolean {
	return file !== undefined;
}

/** The folders of the workspace, as far as they are on the machine where the extension runs. */
export function workspacePaths(): string[] {
	const folders = vscode.workspace.workspaceFolders ?? [];
	return folders.filter(({ uri }) => FILE_SCHEMES.has(uri.scheme)).map(({ uri }) => uri.fsPath);
}
