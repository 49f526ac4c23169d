// What a person sees whose editor speaks another language: a second window, in that language, with a recording open. The workbench's own
// texts stay English, for no language pack is installed here; ours must all be in that language.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { RECORDING_VARIABLE } from '../environment.ts';
import { EXTENSION_ID, fileOf, lineWith, until, workspaceFolder } from './editor.ts';
import { paneRows, unfoldOnly } from './tree.ts';
import {
	choose,
	hoverAfter,
	inWebview,
	inWindow,
	openWindow,
	press,
	screenshot,
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

describe('another display language', () => {
	before(function () {
		if (!seesWindow) this.skip();
		cpSync(process.env[RECORDING_VARIABLE]!, fileOf(RECORDING));
	});
	after(() => rmSync(fileOf(RECORDING), { force: true }));

	/** Opens a file of the folder in the second window. */
	async function openByKeyboard(name: string): Promise<void> {
		await press('F1');
		await choose(name);
	}

	for (const [language, code] of [
		['pt-BR', 'pt-br'],
		['zh-CN', 'zh-cn'],
	] as const) {
		it(`shows ${language} in tree, panel, annotation and hover`, async () => {
			const bundle = translations('l10n', `bundle.l10n.${code}.json`);
			const manifest = translations('.', `package.nls.${code}.json`);
			/** Those of these texts that have been left in English. */
			const untranslated = (texts: readonly string[]) =>
				texts.filter((text) => bundle[text] !== undefined && bundle[text] !== text);

			await openWindow(workspaceFolder().uri.fsPath, language);
			await openByKeyboard(RECORDING);
			const panel = await until('the panel', async () => {
				const texts = await inWebview('table.lines', () =>
					[...document.querySelectorAll('*')]
						.filter((element) => element.children.length === 0 && element.getBoundingClientRect().height > 0)
						.map((element) => (element.textContent ?? '').trim()),
				);
				return texts?.some((text) => text.includes('crypto.pbkdf2')) ? texts : undefined;
			});
			assert.deepEqual(untranslated(panel), []);
			for (const word of ['Lines', 'Timeline', 'Wait', 'Queue']) assert.ok(panel.includes(bundle[word]!), bundle[word]);

			await press('Control+Shift+D');
			const rows = await until('the tree', async () => {
				await unfoldOnly(manifest['view.waits']!);
				const seen = await paneRows(manifest['view.waits']!);
				return seen.length > 0 ? seen : undefined;
			});
			assert.ok(
				rows.some(({ text }) => text.includes(bundle.threadpool!)),
				JSON.stringify(rows),
			);
			await screenshot(`language-panel-${code}`);

			await openByKeyboard(HASHES);
			const line = lineWith(fileOf(HASHES), 'crypto.pbkdf2(');
			const annotated = await until('the annotation', async () =>
				(await seenLines()).find((seen) => seen.line === line && seen.after !== ''),
			);
			assert.ok(annotated.after.includes(bundle.queue!), annotated.after);
			await hoverAfter(annotated);
			const hover = await until('the hover', async () => {
				const texts = await inWindow(
					() =>
						[...document.querySelectorAll('.monaco-hover *')]
							.filter((element) => element.children.length === 0 && element.getBoundingClientRect().height > 0)
							.map((element) => (element.textContent ?? '').trim()),
					undefined,
				);
				return texts.includes(bundle.Queue!) ? texts : undefined;
			});
			assert.deepEqual(untranslated(hover), []);
			await screenshot(`language-hover-${code}`);
			await press('Escape');
		});

		it(`shows ${language} in the walkthrough`, async () => {
			const manifest = translations('.', `package.nls.${code}.json`);
			await openWindow(workspaceFolder().uri.fsPath, language);
			await press('F1');
			await choose('Open Walkthrough', '>Open Walkthrough');
			await choose(manifest['walkthrough.title']!);
			const steps = ['lines', 'path', 'findings', 'sample'].map((step) => manifest[`walkthrough.${step}.title`]!);
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
			await screenshot(`language-walkthrough-${code}`);
		});
	}
});
