// Switches the line annotations on and off, where their setting is in effect for the file in front, and sets the
// context key by which the menus offer the right one of both.
import * as vscode from 'vscode';
import { SETTINGS_PREFIX } from '../../protocol/settings.ts';
import { onSettingChange, setting } from '../common/config.ts';

const KEY = 'annotations.enabled';

export function registerAnnotationsSwitch(): vscode.Disposable {
	const update = () =>
		void vscode.commands.executeCommand('setContext', 'waitline.annotationsShown', setting(KEY, currentDocument()));
	update();
	return vscode.Disposable.from(
		vscode.commands.registerCommand('waitline.toggleAnnotations', toggle),
		onSettingChange(KEY, update),
		vscode.window.onDidChangeActiveTextEditor(update),
	);
}

function currentDocument(): vscode.TextDocument | undefined {
	return vscode.window.activeTextEditor?.document;
}

/** Changes the most specific value that there is, since a more general one would change nothing. */
async function toggle(): Promise<void> {
	const document = currentDocument();
	const configuration = vscode.workspace.getConfiguration(SETTINGS_PREFIX, document);
	const values = configuration.inspect<boolean>(KEY);
	const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
	const places = [
		[values?.workspaceFolderLanguageValue, WorkspaceFolder, true],
		[values?.workspaceLanguageValue, Workspace, true],
		[values?.globalLanguageValue, Global, true],
		[values?.workspaceFolderValue, WorkspaceFolder, false],
		[values?.workspaceValue, Workspace, false],
	] as const;
	const [, target, inLanguage] = places.find(([value]) => value !== undefined) ?? [undefined, Global, false];
	await configuration.update(KEY, !setting(KEY, document), target, inLanguage);
}
