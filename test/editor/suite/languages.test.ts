// What a person sees whose editor speaks another language: a second window, in that language, with a recording open. The workbench's own
// texts stay English, since no language pack is installed here; ours must all be in that language.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { screenshotSecondInEveryTheme } from './color-themes.ts';
import { EXTENSION_ID, fileOf, lineWith, until, waitline, workspaceFolder } from './editor.ts';
import { profile, stopAll } from './session.ts';
import { callTool, cancel, QUESTION, WHAT_THE_MODEL_GETS } from './tool-question.ts';
import { openTreeByIcon, paneRows } from './tree.ts';
import {
	choose,
	click,
	hoverAfter,
	inWebview,
	inWindow,
	openByDialog,
	openRecordingByDialog,
	openWindow,
	press,
	quickPickRows,
	runCommand,
	seenLines,
	seesWindow,
} from './window.ts';

const HASHES = 'seed3-five-hashes.cjs';
const RECORDING = 'in another language.waitline';

/** Texts of ours by their English ones. */
function translations(folder: string, file: string): Record<string, string> {
	const { extensionPath } = vscode.extensions.getExtension(EXTENSION_ID)!;
	return JSON.parse(readFileSync(path.join(extensionPath, folder, file), 'utf8')) as Record<string, string>;
}

/** What a text looks like when its placeholders are filled. */
function withAnyValues(text: string): RegExp {
	const parts = text.split(/\{\d\}/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
	return new RegExp(`^${parts.join('.+')}$`);
}

describe('another display language', () => {
	before(async function () {
		if (!seesWindow) this.skip();
		// One thread for five hashes is a finding.
		await profile(await waitline(), HASHES, { UV_THREADPOOL_SIZE: '1' });
		assert.equal(
			await vscode.commands.executeCommand('waitline.saveRecording', vscode.Uri.file(fileOf(RECORDING))),
			true,
		);
	});
	after(async () => {
		await stopAll();
		rmSync(fileOf(RECORDING), { force: true });
	});

	for (const [language, code] of [
		['pt-BR', 'pt-br'],
		['zh-CN', 'zh-cn'],
	] as const) {
		it(`shows ${language} in tree, panel, annotation, hover, the question before a model’s tool runs, and walkthrough`, async () => {
			const bundle = translations('l10n', `bundle.l10n.${code}.json`);
			const manifest = translations('.', `package.nls.${code}.json`);
			const english = Object.keys(bundle)
				.filter((text) => bundle[text] !== text)
				.map(withAnyValues);
			/** Those of these texts that have been left in English. */
			const untranslated = (texts: readonly string[]) =>
				texts.filter((text) => english.some((each) => each.test(text)));

			await openWindow(workspaceFolder().uri.fsPath, language);
			await openRecordingByDialog(fileOf(RECORDING));
			const panel = await until('the panel', async () => {
				const texts = await inWebview('table.lines', () =>
					[...document.querySelectorAll('*')]
						.filter((element) => element.children.length === 0 && element.getBoundingClientRect().height > 0)
						.map((element) => (element.textContent ?? '').trim()),
				);
				return texts?.some((text) => text.includes('crypto.pbkdf2')) ? texts : undefined;
			});
			assert.deepEqual(untranslated(panel), []);
			for (const word of ['Lines', 'Timeline', 'Filter', 'Count'])
				assert.ok(panel.includes(bundle[word]!), bundle[word]);
			await click('vscode-panel-tab#findings', { webviewWith: 'table.lines' });
			const findings = await until('the findings', async () => {
				const texts = await inWebview('table.lines', () =>
					[...document.querySelectorAll('.findings *')]
						.filter((element) => element.children.length === 0 && element.getBoundingClientRect().height > 0)
						.map((element) => (element.textContent ?? '').trim()),
				);
				return texts?.includes(bundle['Thread pool saturated']!) ? texts : undefined;
			});
			assert.deepEqual(untranslated(findings), []);
			await screenshotSecondInEveryTheme(`language-findings-${code}`);
			const inStatusBar = await until('the status bar', () =>
				inWindow(
					() =>
						[
							...document.querySelectorAll(
								'.statusbar-item [aria-label^="Waitline:"], .statusbar-item[aria-label^="Waitline:"]',
							),
						].map((item) => item.getAttribute('aria-label')!.replace('Waitline: ', ''))[0] ?? null,
					undefined,
				).then((text) => text ?? undefined),
			);
			assert.match(inStatusBar, withAnyValues(`${bundle['loop {0} %']} · ${bundle['pool {0} · max queued {1}']}`));
			await runCommand(manifest['command.switchSession']!);
			const [row] = await until('the sessions', async () => {
				const rows = await quickPickRows();
				return rows.some((each) => each.includes(RECORDING)) ? rows : undefined;
			});
			assert.ok(row!.includes(bundle.shown!), row);
			await screenshotSecondInEveryTheme(`language-sessions-${code}`);
			await press('Escape');

			await openTreeByIcon();
			const rows = await until('the tree', async () => {
				const seen = await paneRows(manifest['view.waits']!);
				return seen.length > 0 ? seen : undefined;
			});
			assert.ok(
				rows.some(({ text }) => text.startsWith(bundle['Thread pool saturated']!)),
				JSON.stringify(rows),
			);
			await screenshotSecondInEveryTheme(`language-panel-${code}`);

			await openByDialog(fileOf(HASHES));
			const line = lineWith(fileOf(HASHES), 'crypto.pbkdf2(');
			const annotated = await until('the annotation', async () =>
				(await seenLines()).find((seen) => seen.line === line && seen.after !== ''),
			);
			assert.ok(annotated.after.includes(bundle.threadpool!), annotated.after);
			await hoverAfter(annotated);
			const seenHover = () =>
				until('the hover', async () => {
					const texts = await inWindow(
						() =>
							[...document.querySelectorAll('.monaco-hover *')]
								.filter((element) => element.children.length === 0 && element.getBoundingClientRect().height > 0)
								.map((element) => (element.textContent ?? '').trim()),
						undefined,
					);
					return texts.includes(bundle.Queue!) ? texts : undefined;
				});
			assert.deepEqual(untranslated(await seenHover()), []);
			await screenshotSecondInEveryTheme(`language-hover-${code}`, async () => {
				await click('.view-line:has-text("crypto.pbkdf2(")');
				await runCommand(manifest['command.showLineDetails']!);
				await seenHover();
			});
			await press('Escape');

			// VS Code's tools are younger than the oldest version that we support.
			const tools = 'lm' in vscode && 'tools' in vscode.lm ? Object.entries(WHAT_THE_MODEL_GETS) : [];
			await click('.view-line:has-text("crypto.pbkdf2(")');
			for (const [tool, gets] of tools) {
				const text = await callTool(tool);
				const explanation = bundle[gets]!.replace('{0}', `${line}`).replace('{1}', HASHES);
				assert.ok(text.includes(bundle[QUESTION]!) && text.includes(explanation), text);
				if (tool === 'waitline_line_detail') await screenshotSecondInEveryTheme(`tool-confirmation-${code}`);
				await cancel();
			}

			await runCommand('Open Walkthrough');
			await choose(manifest['walkthrough.title']!);
			const steps = ['sample', 'lines', 'path', 'findings'].map((step) => manifest[`walkthrough.${step}.title`]!);
			const shown = await until('the steps', async () => {
				const titles = await inWindow(
					() =>
						[...document.querySelectorAll('.getting-started-step .step-title')].map((title) =>
							(title.textContent ?? '').trim(),
						),
					undefined,
				);
				return titles.length === steps.length ? titles : undefined;
			});
			assert.deepEqual(shown, steps);
			await screenshotSecondInEveryTheme(`language-walkthrough-${code}`);
		});
	}
});
