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
	return inWindow(() => {
		const pane = [...document.querySelectorAll('.pane')].find((each) =>
			each.querySelector('.pane-header')?.textContent?.includes('Async I/O'),
		);
		return [...(pane?.querySelectorAll('.monaco-list-row') ?? [])].map((row) => ({
			text: (row.querySelector('.monaco-icon-label')?.textContent ?? '').replaceAll('\u00a0', ' '),
			label: row.getAttribute('aria-label') ?? '',
			level: Number(row.getAttribute('aria-level')),
			actions: [...row.querySelectorAll('.actions .action-label')].map((each) => each.getAttribute('aria-label') ?? ''),
		}));
	}, undefined);
}

/** The row that holds a text. */
export function rowOf(text: string): string {
	return `.pane .monaco-list-row:has-text(${JSON.stringify(text)})`;
}

/** Opens the tree and gives it the room of the debugger's own views: a list draws only the rows that it has room for. */
export async function showTree(): Promise<void> {
	await vscode.commands.executeCommand('workbench.view.debug');
	await vscode.commands.executeCommand('waitline.waits.focus');
	await inWindow(() => {
		for (const header of document.querySelectorAll<HTMLElement>('.sidebar .pane-header[aria-expanded="true"]')) {
			if (!header.textContent?.includes('Async I/O')) header.click();
		}
	}, undefined);
}
