// What a person sees whose first profile has ended. This file comes before any other of its window that profiles.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WaitlineApi } from '../../../src/vscode/api.ts';
import { until, waitline } from './editor.ts';
import { profile, stopAll } from './session.ts';
import { click, inWindow, screenshot, seesWindow } from './window.ts';

const HASHES = 'seed3-five-hashes.cjs';
/** Under a test VS Code shows messages in their list only. */
const MESSAGE = '.notifications-center .notification-list-item';

function messages(): Promise<string[]> {
	return inWindow(
		(selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent ?? ''),
		`${MESSAGE} .notification-list-item-message`,
	);
}

describe('the first profile on a machine', () => {
	let api: WaitlineApi;

	before(async function () {
		if (!seesWindow) this.skip();
		api = await waitline();
	});
	after(async () => {
		await stopAll();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	it('leads to its result when it has ended', async () => {
		assert.equal(api.panelState(), undefined);
		// One thread for five hashes is a finding.
		await profile(api, HASHES, { UV_THREADPOOL_SIZE: '1' });
		await vscode.commands.executeCommand('notifications.showList');
		const [message] = await until('the message', async () => {
			const seen = await messages();
			return seen.length > 0 ? seen : undefined;
		});
		const findings = api.report()!.findings.length;
		assert.ok(findings > 0);
		assert.match(message!, new RegExp(`^“.+” has been profiled\\. Findings: ${findings}\\.$`));
		await screenshot('first-result');
		await click(`${MESSAGE} .monaco-button:has-text("Open Panel")`);
		await until('the panel', () => (api.panelState()?.rows.length ?? 0) > 0);
	});

	it('is followed by others that say nothing', async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await profile(api, HASHES, { UV_THREADPOOL_SIZE: '1' });
		await vscode.commands.executeCommand('notifications.showList');
		assert.deepEqual(await messages(), []);
		await vscode.commands.executeCommand('notifications.hideList');
	});
});
