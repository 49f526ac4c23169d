// Why something failed, as the last sentence of a message to the person.
import * as vscode from 'vscode';
import { ThreadEnded } from '../../host/engine-thread/thread-ended.ts';

/**
 * @param error of the file system, Node or a thread of ours: its reason in the person's language. For anything else,
 * such as what a profiled program throws: the first line of its message.
 */
export function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	if (error instanceof ThreadEnded) return vscode.l10n.t('Waitline’s own thread ended unexpectedly.');
	const { code = '', path } = error as NodeJS.ErrnoException;
	const sentence = sentenceOf(code);
	if (sentence !== undefined) return path === undefined ? sentence : `${sentence} (${path})`;
	const [first = ''] = error.message.split('\n');
	return first;
}

/** @param code of libuv (`uv_errno_t`), of Node, or of VS Code's `FileSystemError` */
function sentenceOf(code: string): string | undefined {
	switch (code) {
		case 'ENOENT':
		case 'FileNotFound':
			return vscode.l10n.t('The file does not exist.');
		case 'EACCES':
		case 'EPERM':
		case 'NoPermissions':
			return vscode.l10n.t('You do not have permission to use the file.');
		case 'EISDIR':
		case 'FileIsADirectory':
			return vscode.l10n.t('It is a folder.');
		case 'EROFS':
			return vscode.l10n.t('The disk is read-only.');
		case 'ENOSPC':
			return vscode.l10n.t('The disk is full.');
		case 'EMFILE':
		case 'ENFILE':
			return vscode.l10n.t('Too many files are open.');
		case 'ERR_WORKER_OUT_OF_MEMORY':
			return vscode.l10n.t('There is not enough memory.');
		case 'ECONNREFUSED':
		case 'ECONNRESET':
			return vscode.l10n.t('The debugger has disconnected from the program.');
		default:
			return undefined;
	}
}
