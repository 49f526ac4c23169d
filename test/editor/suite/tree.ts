// The tree "Async I/O" as the tests see it in the window.
import * as vscode from 'vscode';
import { click, inWindow } from './window.ts';

/** The tree's icon in the activity bar. */
const ICON = '.activitybar .action-label[aria-label^="Waitline"]';

export interface SeenRow {
	/** Label and description. */
	text: string;
	/** For screen readers. */
	label: string;
	level: number;
	/** Names of the actions at its end. */
	actions: string[];
}

/** The rows that are drawn. */
export function treeRows(): Promise<SeenRow[]> {
	return paneRows('Async I/O');
}

/** The same of a tree with this title. */
export function paneRows(title: string): Promise<SeenRow[]> {
	return inWindow((wanted) => {
		const pane = [...document.querySelectorAll('.pane')].find((each) =>
			each.querySelector('.pane-header')?.textContent?.includes(wanted),
		);
		return [...(pane?.querySelectorAll('.monaco-list-row') ?? [])].map((row) => ({
			text: (row.querySelector('.monaco-icon-label')?.textContent ?? '').replaceAll('\u00a0', ' '),
			label: row.getAttribute('aria-label') ?? '',
			level: Number(row.getAttribute('aria-level')),
			actions: [...row.querySelectorAll('.actions .action-label')].map((each) => each.getAttribute('aria-label') ?? ''),
		}));
	}, title);
}

/** The tree's text while it is empty; undefined while there is none. */
export function seenWelcome(): Promise<{ text: string; buttons: string[] } | undefined> {
	return inWindow(() => {
		const found = [...document.querySelectorAll('.pane')]
			.find((each) => each.querySelector('.pane-header')?.textContent?.includes('Async I/O'))
			?.querySelector('.welcome-view-content');
		const text = found?.textContent ?? '';
		if (text === '') return null;
		return { text, buttons: [...found!.querySelectorAll('.monaco-button')].map((each) => each.textContent ?? '') };
	}, undefined).then((seen) => seen ?? undefined);
}

/** An action in the title above the tree. */
export function titleAction(name: string): string {
	return `.sidebar .composite.title .action-label[aria-label=${JSON.stringify(name)}]`;
}

/** The row that contains a text. */
export function rowOf(text: string): string {
	return `.pane .monaco-list-row:has-text(${JSON.stringify(text)})`;
}

/** Opens the tree. */
export async function showTree(): Promise<void> {
	await vscode.commands.executeCommand('waitline.waits.focus');
}

/**
 * Opens the tree in the window that is seen, which need not be the one whose API the tests have.
 * Whether it is open says its icon: the rows come and go with sessions, and a click on the icon of an open tree would close it.
 */
export async function openTreeByIcon(): Promise<void> {
	const isOpen = await inWindow(
		(icon) => document.querySelector(icon)?.closest('.action-item')?.classList.contains('checked') === true,
		ICON,
	);
	if (!isOpen) await click(ICON);
}
