// The four kinds of colour theme that VS Code has, one of its own themes for each.
import * as vscode from 'vscode';
import type { WindowWidth } from '../control-protocol.ts';
import { until } from './editor.ts';
import { choose, inWindow, MAKES_PICTURES, press, resize, screenshot, seesWindow } from './window.ts';

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

/**
 * Shows the window in a theme; undefined is the one that it has by itself.
 * @param target of the setting: a second window on the same folder has settings of its own, but those of the folder are its too
 */
export async function setTheme(
	theme: ColorTheme | undefined,
	target = vscode.ConfigurationTarget.Global,
): Promise<void> {
	await vscode.workspace.getConfiguration('workbench').update('colorTheme', theme?.name, target);
	if (theme === undefined || !seesWindow) return;
	await until(`the theme "${theme.name}"`, () => isWorkbench(theme.workbench));
}

/** Chooses a theme by the keyboard, as in a second window without that folder. */
async function chooseTheme({ label, workbench }: ColorTheme): Promise<void> {
	await press('Control+K');
	await press('Control+T');
	await choose(label);
	await until(`the theme "${label}"`, () => isWorkbench(workbench));
}

function isWorkbench(kind: string): Promise<boolean> {
	return inWindow((name) => document.querySelector('.monaco-workbench')?.classList.contains(name) === true, kind);
}

/**
 * Writes screenshots in each of the themes, `NAME-KIND.png` and `NAME-KIND-narrow.png`, where there is a window to see and the run makes
 * pictures.
 * @param openAgain shows once more what closes when the window is resized
 * @param target as of `setTheme`
 */
export async function screenshotInEveryTheme(
	name: string,
	openAgain?: () => Promise<unknown>,
	target?: vscode.ConfigurationTarget,
): Promise<void> {
	if (!seesWindow || !MAKES_PICTURES) return;
	try {
		await inEveryTheme(name, (theme) => setTheme(theme, target), openAgain);
	} finally {
		await setTheme(undefined, target);
	}
}

/** As `screenshotInEveryTheme`, of the second window on the same folder. */
export async function screenshotSecondInEveryTheme(name: string, openAgain?: () => Promise<unknown>): Promise<void> {
	await screenshotInEveryTheme(name, openAgain, vscode.ConfigurationTarget.Workspace);
}

/** As `screenshotInEveryTheme`, of a second window without that folder. */
export async function screenshotOtherInEveryTheme(name: string): Promise<void> {
	if (!MAKES_PICTURES) return;
	try {
		await inEveryTheme(name, chooseTheme);
	} finally {
		await chooseTheme(COLOR_THEMES[0]!);
	}
}

/** Resizes once a theme: the second theme begins in the width in which the first ended. */
async function inEveryTheme(
	name: string,
	change: (theme: ColorTheme) => Promise<void>,
	openAgain?: () => Promise<unknown>,
): Promise<void> {
	let width: WindowWidth = 'wide';
	try {
		for (const theme of COLOR_THEMES) {
			const file = `${name}-${theme.kind}`;
			await change(theme);
			await screenshot(nameIn(width, file));
			width = width === 'wide' ? 'narrow' : 'wide';
			await screenshotResized(width, file, openAgain);
		}
	} finally {
		if (width !== 'wide') await resize('wide');
	}
}

/** Writes screenshots of the window as it is, `NAME.png`, and half as wide, `NAME-narrow.png`, where the run makes pictures. */
export async function screenshotInBothWidths(name: string, openAgain?: () => Promise<unknown>): Promise<void> {
	if (!MAKES_PICTURES) return;
	await screenshot(name);
	try {
		await screenshotResized('narrow', name, openAgain);
	} finally {
		await resize('wide');
		await openAgain?.();
	}
}

async function screenshotResized(to: WindowWidth, name: string, openAgain?: () => Promise<unknown>): Promise<void> {
	await resize(to);
	await openAgain?.();
	await screenshot(nameIn(to, name), openAgain === undefined ? 'layout' : 'fade');
}

function nameIn(width: WindowWidth, name: string): string {
	return width === 'wide' ? name : `${name}-narrow`;
}
