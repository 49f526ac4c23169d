// The tree, the CodeLens and the status bar in each kind of theme, and the tree in a narrow side bar: each can be read, and a
// screenshot shows it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { COLOR_THEMES, screenshotInBothWidths, screenshotInEveryTheme, setTheme } from './color-themes.ts';
import { fileOf, open, setSetting, until, waitline } from './editor.ts';
import { debug, stopAll } from './session.ts';
import { showTree, treeRows } from './tree.ts';
import { inWindow, seesWindow } from './window.ts';

const MIXTURE = 'mixture.cjs';

function showsLenses(): Promise<boolean> {
	return inWindow(
		() => [...document.querySelectorAll('.codelens-decoration a')].some((each) => each.textContent?.includes('p50')),
		undefined,
	);
}

describe('the workbench in every theme', () => {
	let api: WaitlineApi;

	before(async function () {
		if (!seesWindow) this.skip();
		api = await waitline();
		await open(fileOf(MIXTURE));
		const launch = await debug(MIXTURE, { [PROFILE_MARK]: true });
		await launch.end();
		await until('the end of the profile', () => !api.live());
		await setSetting('codeLens', true);
		// VS Code drops its question for lenses where the editor loses the focus meanwhile, until it has it again.
		await until('the lenses', showsLenses);
		await vscode.commands.executeCommand('waitline.groupByFile');
		await showTree();
	});
	after(async () => {
		await setTheme(undefined);
		await setSetting('codeLens', undefined);
		await stopAll();
		await vscode.commands.executeCommand('workbench.action.closeSidebar');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	for (const theme of COLOR_THEMES) {
		it(`shows tree, CodeLens and status bar in "${theme.name}"`, async () => {
			await setTheme(theme);
			await until('the rows', async () => (await treeRows()).some(({ text }) => text.includes('http.get')));
			await until('the lenses', showsLenses);
			// It names the program until its debug session has gone.
			await until('the status', () => /^\$\(watch\) loop/.test(api.status() ?? ''));
			await screenshotInBothWidths(`tree-${theme.kind}`);
		});
	}

	it('shows each row of the tree whole up to its typical figure, in a side bar of usual width', async () => {
		await setTheme(undefined);
		for (const [grouping, start] of [
			['Class', 'http.get'],
			['File', '19  http.get'],
		] as const) {
			await vscode.commands.executeCommand(`waitline.groupBy${grouping}`);
			await until('the row', async () => (await treeRows()).some(({ text }) => text.startsWith(start)));
			const seen = await inWindow(
				() => ({
					width: document.querySelector('.sidebar')!.getBoundingClientRect().width,
					cut: [...document.querySelectorAll('.sidebar .monaco-list-row .monaco-icon-label-container')]
						.filter((row) => {
							const last = row.querySelector('.label-description') ?? row.querySelector('.label-name')!;
							const range = document.createRange();
							range.setStart(document.createTreeWalker(last, NodeFilter.SHOW_TEXT).nextNode()!, 0);
							const text = range.startContainer.textContent!.replaceAll('\u00a0', ' ');
							// What comes behind the figure is the first to go.
							range.setEnd(range.startContainer, text.search(/( ×.*)?$/));
							return range.getBoundingClientRect().right > row.getBoundingClientRect().right;
						})
						.map((row) => row.textContent),
				}),
				undefined,
			);
			assert.ok(seen.width <= 300, `${seen.width}`);
			assert.deepEqual(seen.cut, []);
		}
	});

	it('keeps the operations readable in a narrow side bar', async () => {
		await setTheme(undefined);
		const resize = async (command: string) => {
			await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
			for (let step = 0; step < 3; step++) await vscode.commands.executeCommand(command);
		};
		await resize('workbench.action.increaseViewWidth');
		await until('a narrow side bar', () =>
			inWindow(() => document.querySelector('.sidebar')!.getBoundingClientRect().width < 230, undefined),
		);
		for (const [grouping, beginning] of [
			['File', '19  http.get'],
			['Class', 'http.get'],
		] as const) {
			await vscode.commands.executeCommand(`waitline.groupBy${grouping}`);
			await until(`the row by ${grouping}`, async () =>
				(await treeRows()).some(({ text }) => text.startsWith(beginning)),
			);
			await screenshotInEveryTheme(`tree-narrow-by-${grouping}`);
			const seen = await inWindow((start) => {
				const label = [...document.querySelectorAll('.pane .monaco-list-row .label-name')].find((each) =>
					(each.textContent ?? '').replaceAll('\u00a0', ' ').startsWith(start),
				)!;
				const range = document.createRange();
				range.setStart(document.createTreeWalker(label, NodeFilter.SHOW_TEXT).nextNode()!, 0);
				range.setEnd(range.startContainer, start.length);
				return range.getBoundingClientRect().right < document.querySelector('.sidebar')!.getBoundingClientRect().right;
			}, beginning);
			assert.ok(seen, beginning);
		}
		await vscode.commands.executeCommand('waitline.groupByFile');
		await resize('workbench.action.decreaseViewWidth');
	});
});
