// The four kinds of colour theme that VS Code has, one of its own themes for each.
import * as vscode from 'vscode';
import { until } from './editor.ts';
import { choose, inWindow, press, resize, screenshot, seesWindow } from './window.ts';

export interface ColorTheme {
	/** As the setting names it. */
	name: string;
	/** As its list of themes names it. */
	label: string;
	/** As `contributes.colors` names its kind. */
	kind: 'dark' | 'light' | 'highContrast' | 'highContrastLight';
	/** The class that the workbench has then. */
	workbench: string;
	/** The class that the body of a webview has then. */
	webview: string;
}

export const COLOR_THEMES: readonly ColorTheme[] = [
	{ name: 'Default Dark Modern', label: 'Dark Modern', kind: 'dark', workbench: 'vs-dark', webview: 'vscode-dark' },
	{ name: 'Default Light Modern', label: 'Light Modern', kind: 'light', workbench: 'vs', webview: 'vscode-light' },
	{
		name: 'Default High Contrast',
		label: 'Dark High Contrast',
		kind: 'highContrast',
		workbench: 'hc-black',
		webview: 'vscode-high-contrast',
	},
	{
		name: 'Default High Contrast Light',
		label: 'Light High Contrast',
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
	await until(`the theme "${theme.name}"`, () => isWorkbench(theme.workbench));
}

/** Chooses a theme by the keyboard, as in the second window, which has settings of its own. */
export async function chooseTheme({ label, workbench }: ColorTheme): Promise<void> {
	await press('Control+K');
	await press('Control+T');
	await choose(label);
	await until(`the theme "${label}"`, () => isWorkbench(workbench));
}

function isWorkbench(kind: string): Promise<boolean> {
	return inWindow((name) => document.querySelector('.monaco-workbench')?.classList.contains(name) === true, kind);
}

/**
 * Writes screenshots in each of the themes, `NAME-KIND.png` and `NAME-KIND-narrow.png`, where there is a window to see.
 * @param openAgain shows once more what closes when the window is resized
 */
export async function screenshotInEveryTheme(name: string, openAgain?: () => Promise<unknown>): Promise<void> {
	if (!seesWindow) return;
	try {
		for (const theme of COLOR_THEMES) {
			await setTheme(theme);
			await screenshotInBothWidths(`${name}-${theme.kind}`, openAgain);
		}
	} finally {
		await setTheme(undefined);
	}
}

/** As `screenshotInEveryTheme`, of the second window. */
export async function screenshotSecondInEveryTheme(name: string): Promise<void> {
	try {
		for (const theme of COLOR_THEMES) {
			await chooseTheme(theme);
			await screenshotInBothWidths(`${name}-${theme.kind}`);
		}
	} finally {
		await chooseTheme(COLOR_THEMES[0]!);
	}
}

/** Writes a screenshot of the window as it is, `NAME.png`, and of one half as wide, `NAME-narrow.png`. */
export async function screenshotInBothWidths(name: string, openAgain?: () => Promise<unknown>): Promise<void> {
	await screenshot(name);
	try {
		await resize('narrow');
		await openAgain?.();
		await screenshot(`${name}-narrow`, openAgain === undefined ? 'layout' : 'fade');
	} finally {
		await resize('wide');
		await openAgain?.();
	}
}
