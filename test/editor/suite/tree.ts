// The tree "Async I/O" as the tests see it in the window.
import * as vscode from 'vscode';
import { inWindow } from './window.ts';

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

/** The row that contains a text. */
export function rowOf(text: string): string {
	return `.pane .monaco-list-row:has-text(${JSON.stringify(text)})`;
}

/** Opens the tree and gives it the room of the debugger's own views: a list draws only the rows that it has room for. */
export async function showTree(): Promise<void> {
	await vscode.commands.executeCommand('workbench.view.debug');
	await vscode.commands.executeCommand('waitline.waits.focus');
	await unfoldOnly('Async I/O');
}

/** Of the open side bar's views, unfolds the one with this title alone. */
export async function unfoldOnly(title: string): Promise<void> {
	await inWindow((wanted) => {
		for (const header of document.querySelectorAll<HTMLElement>('.sidebar .pane-header')) {
			const isWanted = header.textContent?.includes(wanted) === true;
			if (isWanted !== (header.getAttribute('aria-expanded') === 'true')) header.click();
		}
	}, title);
}
