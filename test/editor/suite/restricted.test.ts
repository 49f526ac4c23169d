// Restricted Mode: the folder is not trusted, so nothing in it is started, and the person learns why.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { screenshotInEveryTheme } from './color-themes.ts';
import { eventually, fileOf, journalFolders, open, setSetting, until, waitline } from './editor.ts';
import { seenWelcome, showTree } from './tree.ts';
import { inWindow, paletteCommands, seesWindow } from './window.ts';

describe('in Restricted Mode', () => {
	it('is what this window is in', () => assert.equal(vscode.workspace.isTrusted, false));

	it('the command starts nothing', async () => {
		const before = journalFolders();
		let sessions = 0;
		const listener = vscode.debug.onDidStartDebugSession(() => sessions++);
		try {
			await open(fileOf('seed3-five-hashes.cjs'));
			const uri = vscode.window.activeTextEditor!.document.uri;
			assert.equal(await vscode.commands.executeCommand('waitline.debug', uri), false);
			assert.equal(sessions, 0);
			assert.equal(vscode.debug.activeDebugSession, undefined);
			assert.equal((await waitline()).report(), undefined);
			assert.deepEqual(journalFolders(), before);
		} finally {
			listener.dispose();
		}
	});

	it('the palette offers only to open a recording', async function () {
		if (!seesWindow) this.skip();
		await eventually(['Open Recording…'], () => paletteCommands('Waitline'));
	});

	it('it explains why', async function () {
		if (!seesWindow) this.skip();
		// Under a test the workbench pops up no message; the list has them all.
		await vscode.commands.executeCommand('notifications.showList');
		await until('a notification', () =>
			inWindow(
				() =>
					[...document.querySelectorAll('.notifications-center .notification-list-item-message')].some((message) =>
						/Waitline profiles programs only in trusted workspaces/.test(message.textContent ?? ''),
					),
				undefined,
			),
		);
		await screenshotInEveryTheme('restricted');
	});

	it('the tree offers trust and recordings', async function () {
		if (!seesWindow) this.skip();
		await showTree();
		const { text, buttons } = await until('the welcome', seenWelcome);
		assert.match(text, /^In Restricted Mode no program is profiled/);
		assert.deepEqual(buttons, ['Manage Workspace Trust', 'Open Recording…']);
		await screenshotInEveryTheme('tree-welcome-restricted');
		await vscode.commands.executeCommand('workbench.action.closeSidebar');
	});

	it('the setting of the person changes nothing about it', async () => {
		await setSetting('profileEveryNodeSession', true);
		try {
			const before = journalFolders();
			assert.equal(
				await vscode.commands.executeCommand('waitline.debug', vscode.Uri.file(fileOf('modules.mjs'))),
				false,
			);
			assert.deepEqual(journalFolders(), before);
		} finally {
			await setSetting('profileEveryNodeSession', undefined);
		}
	});
});
