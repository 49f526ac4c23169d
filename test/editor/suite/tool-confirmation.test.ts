// What a person is asked before a language model gets anything of a profile; languages.test.ts has the question in other languages.
import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import * as vscode from 'vscode';
import { RECORDING_VARIABLE } from '../environment.ts';
import { screenshotSecondInEveryTheme } from './color-themes.ts';
import { fileOf, lineWith, until, workspaceFolder } from './editor.ts';
import { callTool, cancel, confirm, QUESTION, WHAT_THE_MODEL_GETS } from './tool-question.ts';
import {
	click,
	inWebview,
	inWindow,
	openRecordingByDialog,
	openWindow,
	runCommand,
	seenLines,
	seesWindow,
} from './window.ts';

const HASHES = 'seed3-five-hashes.cjs';
const RECORDING = 'asked about.waitline';
describe('the confirmation before a language model reads the profile', () => {
	before(function () {
		// VS Code's tools are younger than the oldest version that we support.
		if (!seesWindow || !('lm' in vscode && 'tools' in vscode.lm)) this.skip();
		cpSync(process.env[RECORDING_VARIABLE]!, fileOf(RECORDING));
	});
	after(() => rmSync(fileOf(RECORDING), { force: true }));

	async function answer(pattern: RegExp): Promise<void> {
		await runCommand('Notifications: Show Notifications');
		await until(`${pattern}`, () =>
			inWindow(
				(source) =>
					[...document.querySelectorAll('.notifications-center .notification-list-item-message')].some((each) =>
						new RegExp(source).test(each.textContent ?? ''),
					),
				pattern.source,
			),
		);
		await runCommand('Notifications: Clear All Notifications');
	}

	it('comes where nothing has been used yet, explains what the model gets, and nothing goes to it against the person’s will', async () => {
		const line = lineWith(fileOf(HASHES), 'crypto.pbkdf2(');
		await openWindow(workspaceFolder().uri.fsPath);
		// The call activates the extension, and is answered with what to do.
		await callTool('waitline_hot_lines');
		await confirm();
		await answer(/^The tool fails: .*Nothing has been profiled yet\. Ask the person to run/);

		await openRecordingByDialog(fileOf(RECORDING));
		await until('the panel', () => inWebview('table.lines tbody tr', () => true));
		await click('table.lines tbody tr:has-text("crypto.pbkdf2") td:nth-child(2)', { webviewWith: 'table.lines' });
		await until('the line in the editor', async () =>
			(await seenLines()).some((seen) => seen.line === line && seen.after !== ''),
		);
		for (const [tool, gets] of Object.entries(WHAT_THE_MODEL_GETS)) {
			const text = await callTool(tool);
			const explanation = gets.replace('{0}', `${line}`).replace('{1}', HASHES);
			assert.ok(text.includes(QUESTION) && text.includes(explanation), text);
			if (tool === 'waitline_line_detail') await screenshotSecondInEveryTheme('tool-confirmation-en');
			await cancel();
		}
		await answer(/^The tool fails: Cancel+ed/);
		await callTool('waitline_findings');
		await confirm();
		await answer(/^The tool answers: \{"name":"asked about\.waitline"/);
	});
});
