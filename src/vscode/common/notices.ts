// Messages that VS Code shows in a corner of the window and in its status bar. They name files, sessions and errors
// that come from outside: such a name is shown without invisible characters, and never becomes a link.
import * as vscode from 'vscode';
import { visibleText } from '../../protocol/visible-text.ts';

/** How long an answer stays in the status bar, in ms. */
const NOTICE_MS = 5000;

export function showInformation(text: string): void {
	void vscode.window.showInformationMessage(plain(text));
}

export function showWarning(text: string): void {
	void vscode.window.showWarningMessage(plain(text));
}

export function showError(text: string): void {
	void vscode.window.showErrorMessage(plain(text));
}

/** Asks whether to go on. @param action the label of the button for that @returns whether the person chose it */
export async function ask(text: string, action: string): Promise<boolean> {
	return (await vscode.window.showWarningMessage(plain(text), action)) === action;
}

/** The same with a button. @returns whether the person chose it */
export async function offer(text: string, action: string): Promise<boolean> {
	return (await vscode.window.showInformationMessage(plain(text), action)) === action;
}

/** A short answer to a command, in the status bar. */
export function answer(text: string): void {
	vscode.window.setStatusBarMessage(visibleText(text), NOTICE_MS);
}

/** VS Code makes links of `[text](address)` in messages, including links that call commands. */
function plain(text: string): string {
	return visibleText(text).replaceAll('](', '] (');
}
