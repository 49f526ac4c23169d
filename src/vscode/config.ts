// Reads the extension's settings, typed by the table in src/protocol/settings.ts.
import * as vscode from 'vscode';
import { SETTINGS, SETTINGS_PREFIX, type SettingKey } from '../protocol/settings.ts';

/** The value that is in effect. */
export function setting(key: SettingKey): boolean {
	return vscode.workspace.getConfiguration(SETTINGS_PREFIX).get(key, SETTINGS[key].default);
}

/** Calls `listener` when that setting changed. */
export function onSettingChange(key: SettingKey, listener: () => void): vscode.Disposable {
	return vscode.workspace.onDidChangeConfiguration((event) => {
		if (event.affectsConfiguration(`${SETTINGS_PREFIX}.${key}`)) listener();
	});
}
