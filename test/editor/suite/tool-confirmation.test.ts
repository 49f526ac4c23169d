// What a person is asked before a language model gets anything of a profile: in a second window, for under a test VS
// Code confirms by itself. There another extension calls the tools, as a chat would.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { RECORDING_VARIABLE } from '../environment.ts';
import { screenshotSecondInEveryTheme } from './color-themes.ts';
import { EXTENSION_ID, fileOf, lineWith, until, workspaceFolder } from './editor.ts';
import {
	choose,
	click,
	inWebview,
	inWindow,
	openByDialog,
	openWindow,
	runCommand,
	seenLines,
	seesWindow,
} from './window.ts';

const HASHES = 'seed3-five-hashes.cjs';
const RECORDING = 'asked about.waitline';
const DIALOG = '.monaco-dialog-box';
const TITLE = 'Read Waitline’s profile?';
const MESSAGES = {
	waitline_hot_lines: 'The model gets the source lines that waited longest: files, lines, operations and times.',
	waitline_line_detail: 'The model gets everything that the profile says about line {0} of {1}.',
	waitline_findings: 'The model gets the findings of the profile with their evidence, and facts about its processes.',
} as const;

describe('the confirmation before a language model reads the profile', () => {
	before(function () {
		// VS Code's tools are younger than the oldest version that we support.
		if (!seesWindow || !('lm' in vscode && 'tools' in vscode.lm)) this.skip();
		cpSync(process.env[RECORDING_VARIABLE]!, fileOf(RECORDING));
	});
	after(() => rmSync(fileOf(RECORDING), { force: true }));

	/** Asks a tool about the line of the hashes; resolves when the person is asked. */
	async function ask(tool: string): Promise<string> {
		await runCommand('Ask a Tool');
		await choose(tool);
		return until('the question', async () => (await dialogText()) || undefined);
	}

	const confirm = () => click(`${DIALOG} .monaco-button:not(:has-text("Cancel"))`);

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

	it('also comes where nothing has been used yet: a model’s call activates the extension, and is answered with what to do', async () => {
		await openWindow(workspaceFolder().uri.fsPath);
		await ask('waitline_hot_lines');
		await confirm();
		await answer(/^The tool fails: .*Nothing has been profiled yet\. Ask the person to run/);
	});

	for (const language of [undefined, 'pt-BR', 'zh-CN']) {
		it(`explains in ${language ?? 'English'} what the model gets${language ? '' : ", and nothing goes to it against the person's will"}`, async () => {
			const words = texts(language);
			const line = lineWith(fileOf(HASHES), 'crypto.pbkdf2(');
			await openWindow(workspaceFolder().uri.fsPath, language);
			await openByDialog(fileOf(RECORDING));
			const row = 'table.lines tbody tr:has-text("crypto.pbkdf2") td:nth-child(2)';
			await until('the panel', () => inWebview('table.lines tbody tr', () => true));
			await click(row, { webviewWith: 'table.lines' });
			await until('the line in the editor', async () =>
				(await seenLines()).some((seen) => seen.line === line && seen.after !== ''),
			);
			for (const [tool, message] of Object.entries(MESSAGES)) {
				const told = words(message).replace('{0}', `${line}`).replace('{1}', HASHES);
				const text = await ask(tool);
				assert.ok(text.includes(words(TITLE)) && text.includes(told), text);
				if (tool === 'waitline_line_detail')
					await screenshotSecondInEveryTheme(`tool-confirmation-${language ?? 'en'}`);
				await click(`${DIALOG} .monaco-button:has-text("Cancel")`);
				await until('no question', async () => (await dialogText()) === '');
			}
			// What comes of the answer has nothing to do with the language.
			if (language !== undefined) return;
			await answer(/^The tool fails: Cancel+ed/);
			await ask('waitline_findings');
			await confirm();
			await answer(/^The tool answers: \{"name":"asked about\.waitline"/);
		});
	}
});

/** The texts of a language by our English ones. */
function texts(language: string | undefined): (english: string) => string {
	if (language === undefined) return (english) => english;
	const { extensionPath } = vscode.extensions.getExtension(EXTENSION_ID)!;
	const file = path.join(extensionPath, `l10n/bundle.l10n.${language.toLowerCase()}.json`);
	const bundle = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
	return (english) => {
		const text = bundle[english];
		assert.ok(text !== undefined && text !== english, english);
		return text;
	};
}

function dialogText(): Promise<string> {
	return inWindow((selector) => document.querySelector(selector)?.textContent ?? '', DIALOG);
}
