// Dialogs for `.waitline` files.
import * as vscode from 'vscode';

/** @param many whether the person may choose several @returns none when the dialog was closed */
export async function chooseRecordings(many: boolean): Promise<vscode.Uri[]> {
	return (await vscode.window.showOpenDialog({ filters: recordingFilters(), canSelectMany: many })) ?? [];
}

export function recordingFilters(): Record<string, string[]> {
	return { [vscode.l10n.t('Waitline recording')]: ['waitline'] };
}
