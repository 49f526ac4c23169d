// The extension costs nothing until it is used. This file is loaded first: later ones activate it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { screenshotInEveryTheme } from './color-themes.ts';
import { EXTENSION_ID, eventually, fileOf, open, until, waitline } from './editor.ts';
import { seenWelcome, showTree } from './tree.ts';
import { paletteCommands, seesWindow } from './window.ts';

describe('activation', () => {
	it('does not come with the editor, nor with an open JavaScript file', async () => {
		const extension = vscode.extensions.getExtension(EXTENSION_ID);
		assert.ok(extension);
		await open(fileOf('seed3-five-hashes.cjs'));
		assert.equal(extension.isActive, false);
	});

	it('offers in the palette what can be done then', async function () {
		if (!seesWindow) this.skip();
		const expected = [
			'Attach to Process with Async Profile…',
			'Debug with Async Profile',
			'Open Recording…',
			'Profile a Sample Program',
			'Show Panel',
		];
		// A list that is still being searched has some of them.
		await eventually(expected, () => paletteCommands('Waitline'));
		assert.equal(vscode.extensions.getExtension(EXTENSION_ID)?.isActive, false);
	});

	it('comes with the first command', async () => {
		await vscode.commands.executeCommand('waitline.clearAnnotations');
		assert.equal(vscode.extensions.getExtension(EXTENSION_ID)?.isActive, true);
	});

	it('exports an API that has nothing to say yet', async () => {
		const api = await waitline();
		assert.equal(api.report(), undefined);
		assert.equal(api.live(), false);
		assert.equal(api.status(), undefined);
		assert.equal(api.panelState(), undefined);
		assert.deepEqual(api.annotations(fileOf('seed3-five-hashes.cjs')), []);
	});

	it('shows in its tree what to do when nothing was profiled yet', async function () {
		if (!seesWindow) this.skip();
		await showTree();
		const { text, buttons } = await until('the welcome', seenWelcome);
		assert.match(text, /^Nothing has been profiled yet\./);
		assert.deepEqual(buttons, ['Debug with Async Profile', 'Open Recording…']);
		await screenshotInEveryTheme('tree-welcome');
		await vscode.commands.executeCommand('workbench.action.closeSidebar');
	});

	it('registers every command that the manifest promises', async () => {
		const manifest = vscode.extensions.getExtension(EXTENSION_ID)?.packageJSON as {
			contributes: { commands: { command: string }[] };
		};
		const registered = new Set(await vscode.commands.getCommands(true));
		for (const { command } of manifest.contributes.commands) assert.ok(registered.has(command), command);
	});
});
