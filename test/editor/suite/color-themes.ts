// The four kinds of colour theme that VS Code has, one of its own themes for each.
import * as vscode from 'vscode';
import { until } from './editor.ts';
import { inWindow, screenshot, seesWindow } from './window.ts';

export interface ColorTheme {
	/** As the setting names it. */
	name: string;
	/** As `contributes.colors` names its kind. */
	kind: 'dark' | 'light' | 'highContrast' | 'highContrastLight';
	/** The class that the workbench has then. */
	workbench: string;
	/** The class that the body of a webview has then. */
	webview: string;
}

export const COLOR_THEMES: readonly ColorTheme[] = [
	{ name: 'Default Dark Modern', kind: 'dark', workbench: 'vs-dark', webview: 'vscode-dark' },
	{ name: 'Default Light Modern', kind: 'light', workbench: 'vs', webview: 'vscode-light' },
	{ name: 'Default High Contrast', kind: 'highContrast', workbench: 'hc-black', webview: 'vscode-high-contrast' },
	{
		name: 'Default High Contrast Light',
		kind: 'highContrastLight',
		workbench: 'hc-light',
		webview: 'vscode-high-contrast-light',
	},
];

/** Shows the window in a theme; undefined is the one that it has by itself. */
export async function setTheme(theme: ColorTheme | undefined): Promise<void> {
	const workbench = vscode.workspace.getConfiguration('workbench');
	await workbench.update('colorTheme', theme?.name, vscode.ConfigurationTarget.Global);
	if (theme === undefined || !seesWindow) return;
	await until(`the theme "${theme.name}"`, () =>
		inWindow((name) => document.querySelector('.monaco-workbench')?.classList.contains(name) === true, theme.workbench),
	);
}

/** Writes a screenshot in each of the themes, `NAME-KIND.png`, where there is a window to see. */
export async function screenshotInEveryTheme(name: string): Promise<void> {
	if (!seesWindow) return;
	try {
		for (const theme of COLOR_THEMES) {
			await setTheme(theme);
			await screenshot(`${name}-${theme.kind}`);
		}
	} finally {
		await setTheme(undefined);
	}
}
