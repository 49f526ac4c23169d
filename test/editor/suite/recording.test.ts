// Recordings as files: saved, opened in an editor of their own, and refused in one sentence when they are none. Runs in
// Restricted Mode too: a recording is looked at, nothing is started.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { WaitlineApi } from '../../../src/vscode/api.ts';
import { BLOCK_BYTES, blockOf, PACKED_SIGNATURE, pack } from '../../support/packed-blocks.ts';
import { RECORDING_VARIABLE } from '../environment.ts';
import { screenshotInEveryTheme } from './color-themes.ts';
import { fileOf, lineWith, open, until, waitline } from './editor.ts';
import { click, inWebview, inWindow, seenLines, seesWindow, seriousFindings } from './window.ts';

const HASHES = 'seed3-five-hashes.cjs';

/** Journals that unpack to 256 MiB and are a few bytes long each. */
function bomb(): Buffer {
	const packed = pack(Buffer.alloc(BLOCK_BYTES));
	const blocks = Array.from({ length: 4096 }, (_, pid) => blockOf(`${pid}.0.1.journal`, packed, BLOCK_BYTES));
	return Buffer.concat([PACKED_SIGNATURE, ...blocks]);
}

/** The tab that is in front shows this file in our editor. */
function isInFront(file: string): boolean {
	const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
	return input instanceof vscode.TabInputCustom && input.viewType === 'waitline.recording' && input.uri.fsPath === file;
}

describe('a recording', () => {
	let api: WaitlineApi;
	let file: string;
	let line: number;

	before(async () => {
		api = await waitline();
		line = lineWith(fileOf(HASHES), 'crypto.pbkdf2(');
		file = fileOf('hashes.waitline');
		// Recorded by `waitline run` on the same program as in the workspace.
		copyFileSync(process.env[RECORDING_VARIABLE]!, file);
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});
	after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

	it('opens in its editor by the command', async () => {
		assert.equal(await vscode.commands.executeCommand('waitline.openRecording', vscode.Uri.file(file)), true);
		await until('its editor', () => isInFront(file));
		// The report of another session may still be the one that is shown.
		const hashes = await until('its report', () => {
			const ofFile = api.report()?.lines.filter((each) => each.file === fileOf(HASHES));
			return ofFile?.find(({ op }) => op === 'crypto.pbkdf2');
		});
		assert.deepEqual([hashes.line, hashes.count], [line, 5]);
		assert.equal(api.live(), false);
	});

	it('opens by double-click in the explorer', async function () {
		if (!seesWindow) this.skip();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await until('no editor', () => vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0));
		await vscode.commands.executeCommand('workbench.view.explorer');
		const row = '.explorer-folders-view .monaco-list-row[aria-label^="hashes.waitline"]';
		await until('its row', () => inWindow((selector) => document.querySelector(selector) !== null, row));
		await click(row);
		await click(row);
		await until('its editor', () => isInFront(file));
	});

	it('shows what the panel would show', async function () {
		if (!seesWindow) this.skip();
		const rows = await until('rows in the window', async () => {
			const found = await inWebview('table.lines', () =>
				[...document.querySelectorAll('table.lines tbody tr')].map((row) =>
					[...row.querySelectorAll('td')].map((cell) => cell.textContent ?? ''),
				),
			);
			return found !== undefined && found.length > 0 ? found : undefined;
		});
		const row = rows.find((cells) => cells.includes('crypto.pbkdf2'))!;
		assert.ok(row.includes(`${HASHES}:${line}`) && row.includes('5'), row.join(' | '));
		await screenshotInEveryTheme('recording-editor');
		assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab!.isDirty, false);
		assert.deepEqual(readFileSync(file), readFileSync(process.env[RECORDING_VARIABLE]!));
		assert.deepEqual(await seriousFindings({ webviewWith: 'table.lines' }), []);
	});

	it('annotates the source beside it', async () => {
		await vscode.window.showTextDocument(vscode.Uri.file(fileOf(HASHES)), { viewColumn: vscode.ViewColumn.Beside });
		const annotation = await until('its annotation', () =>
			api.annotations(fileOf(HASHES)).find((each) => each.line === line),
		);
		assert.match(annotation.text, /×5 threadpool/);
		if (!seesWindow) return;
		await until('the text behind the line', async () =>
			(await seenLines()).some((seen) => seen.line === line && seen.after === annotation.text),
		);
		await screenshotInEveryTheme('recording-annotations');
	});

	it('shows which lines were edited since it was written, and where they are now', async () => {
		const before = readFileSync(fileOf(HASHES), 'utf8');
		const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
		const tab = tabs.find(({ input }) => input instanceof vscode.TabInputCustom)!;
		await vscode.window.tabGroups.close(tab);
		try {
			writeFileSync(fileOf(HASHES), `// new\n${before.replace('80_000', '8_000')}`);
			await open(fileOf(HASHES));
			await vscode.commands.executeCommand('waitline.openRecording', vscode.Uri.file(file));
			const moved = await until('its annotation one line below', () =>
				api.annotations(fileOf(HASHES)).find((each) => each.line === line + 1),
			);
			assert.match(moved.text, /×5 threadpool [░█▒╱─]{8}.* {2}\(edited since\)$/);
		} finally {
			writeFileSync(fileOf(HASHES), before);
		}
		await until('no edit any more', () =>
			api
				.annotations(fileOf(HASHES))
				.some(({ line: at, text }) => at === line && /×5 threadpool(?!.*edited)/.test(text)),
		);
	});

	it('takes its annotations along when it is closed', async () => {
		const tab = vscode.window.tabGroups.all
			.flatMap(({ tabs }) => tabs)
			.find(({ input }) => input instanceof vscode.TabInputCustom);
		assert.ok(tab);
		await vscode.window.tabGroups.close(tab);
		await until('no annotation of it', () => !api.annotations(fileOf(HASHES)).some(({ text }) => text.includes('×5')));
	});

	describe('that is none', () => {
		const broken: Record<string, { content: () => Buffer; sentence: RegExp }> = {
			'text.waitline': {
				content: () => Buffer.from('Buy milk.\n'),
				sentence: /^This file is not a Waitline recording\. Open one that .* has written\.$/,
			},
			'empty.waitline': { content: () => Buffer.alloc(0), sentence: /^This file is not a Waitline recording\./ },
			'damaged.waitline': {
				content: () => Buffer.concat([readFileSync(file).subarray(0, 8), Buffer.alloc(64, 0xff)]),
				sentence: /^This recording is damaged at its beginning and cannot be read\. Record it again\.$/,
			},
			'oversized.waitline': {
				content: bomb,
				sentence: /^This recording is not read: it claims to unpack to far more than any that Waitline writes\.$/,
			},
		};
		for (const [name, { content, sentence }] of Object.entries(broken)) {
			it(`${name} is reported in one sentence`, async function () {
				await vscode.commands.executeCommand('workbench.action.closeAllEditors');
				writeFileSync(fileOf(name), content());
				await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(fileOf(name)));
				await until('its editor', () => isInFront(fileOf(name)));
				if (!seesWindow) this.skip();
				const text = await until('the sentence', () =>
					inWebview('.failure', () => document.querySelector('#root')?.textContent ?? ''),
				);
				assert.match(text, sentence);
				assert.deepEqual(await seriousFindings({ webviewWith: '.failure' }), []);
				if (name === 'text.waitline') await screenshotInEveryTheme(`recording-${path.parse(name).name}`);
			});
		}

		it('one that is cut off shows what there is of it', async () => {
			const whole = readFileSync(file);
			writeFileSync(fileOf('cut.waitline'), whole.subarray(0, Math.floor(whole.length * 0.9)));
			await open(fileOf(HASHES));
			await vscode.commands.executeCommand('waitline.openRecording', vscode.Uri.file(fileOf('cut.waitline')));
			await until('its report', () => api.report()?.lines.some(({ op }) => op === 'crypto.pbkdf2'));
		});
	});
});
