// What tree and panel say while they have nothing to show. This file comes before any that profiles.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { screenshotInEveryTheme } from './color-themes.ts';
import { eventually, fileOf, until, waitline } from './editor.ts';
import { debug, profile, stopAll } from './session.ts';
import { seenWelcome, showTree, titleAction, treeRows } from './tree.ts';
import { click, inWebview, inWindow, seesWindow, seriousFindings } from './window.ts';

/** An element that only our webview's document contains. */
const PANEL = 'table.lines';

describe('empty states', () => {
	let api: WaitlineApi;
	const stopFile = () => fileOf('stop nothing');

	before(async function () {
		if (!seesWindow) this.skip();
		api = await waitline();
	});
	after(async () => {
		await stopAll();
		rmSync(stopFile(), { force: true });
		await vscode.commands.executeCommand('workbench.action.closeSidebar');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	async function panelSays(sentence: string): Promise<void> {
		await until(`"${sentence}"`, async () =>
			(await inWebview('table.lines', () => document.body.innerText))?.includes(sentence),
		);
		assert.deepEqual(await seriousFindings({ webviewWith: PANEL }), []);
	}

	it('before anything was profiled the panel explains how to', async () => {
		assert.equal(api.report(), undefined);
		await vscode.commands.executeCommand('waitline.showPanel');
		await panelSays('Nothing has been profiled yet. Run “Waitline: Debug with Async Profile”.');
		await screenshotInEveryTheme('panel-no-session');
	});

	it('while a program has started nothing, tree and panel say to use it', async () => {
		await debug('nothing.cjs', { env: { STOP_FILE: stopFile() }, [PROFILE_MARK]: true });
		await until('its report', () => (api.report()?.processes.length ?? 0) > 0);
		const sentence = 'No asynchronous operation has been seen yet. Use the program: what it starts appears here.';
		await panelSays(sentence);
		await showTree();
		// It may still say what it said before.
		await eventually(sentence, async () => (await seenWelcome())?.text);
		await screenshotInEveryTheme('nothing-started');
		writeFileSync(stopFile(), '');
		await until('the end of the profile', () => !api.live());
	});

	it('where a filter leaves nothing, the tree explains how to remove it', async () => {
		await profile(api, 'modules.mjs');
		await until('rows', async () => (await treeRows()).length > 0);
		await vscode.commands.executeCommand('waitline.filterToClass', 'io_uring');
		const sentence = 'Only io_uring: no line matches. “Show All Lines” brings them back.';
		await until('the sentence', () =>
			inWindow(
				(wanted) => [...document.querySelectorAll('.pane .message')].some((each) => each.textContent === wanted),
				sentence,
			),
		);
		await screenshotInEveryTheme('tree-filtered-empty');
		await click(titleAction('Show All Lines'));
		await until('all rows', async () => (await treeRows()).length > 0);
	});
});
