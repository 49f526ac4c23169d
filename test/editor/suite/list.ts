// The list that asks a person to choose, walked with the arrow keys: a key is pressed when the list takes keys and shows where the one before
// has led. On a busy machine a list is drawn before it has the focus, and keys that come too early go elsewhere.
import * as vscode from 'vscode';
import { until } from './editor.ts';
import { inWindow, press, quickPickRows } from './window.ts';

interface SeenRow {
	/** Its place in the list, from 0. */
	index: number;
	/** As a screen reader has it. */
	text: string;
}

/** The row that Enter would take; undefined while keys would go elsewhere. */
function rowUnderCursor(): Promise<SeenRow | undefined> {
	return inWindow(() => {
		const list = document.querySelector('.quick-input-widget:not([style*="display: none"])');
		const row = list?.querySelector('.monaco-list-row.focused');
		if (!row || !list!.contains(document.activeElement)) return null;
		return { index: Number(row.getAttribute('data-index')), text: row.getAttribute('aria-label') ?? '' };
	}, undefined).then((seen) => seen ?? undefined);
}

/**
 * Goes down the list that is open to a row, from its end to its start, and takes it.
 * @throws when no row is the wanted one
 */
async function takeRow(isWanted: (text: string) => boolean): Promise<void> {
	const first = await until('a row to begin with', rowUnderCursor);
	for (let at = first; !isWanted(at.text); ) {
		const before = at.index;
		await press('ArrowDown');
		at = await until('the next row', async () => {
			const now = await rowUnderCursor();
			return now !== undefined && now.index !== before ? now : undefined;
		});
		if (at.index === first.index) throw new Error(`no such row: ${(await quickPickRows()).join('\n')}`);
	}
	await press('Enter');
	await noList();
}

/** Runs a command that asks by a list, and takes a row; returns what the command comes to. */
export async function chooseFrom(command: string, isWanted: (text: string) => boolean): Promise<unknown> {
	const asking = vscode.commands.executeCommand(command);
	await takeRow(isWanted);
	return asking;
}

/** Leaves the list that is open without an answer. */
export async function closeList(): Promise<void> {
	await until('the list to take keys', rowUnderCursor);
	await press('Escape');
	await noList();
}

function noList(): Promise<true> {
	return until('no list', async () => (await quickPickRows()).length === 0);
}
