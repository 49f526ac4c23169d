// A file whose name is Markdown, HTML and a command link: in a hover it is its name and nothing else, and a way to its line. And a
// recording whose names would control what shows them, and lead to files of its reader: the views spell them out, and show no line of those.
import assert from 'node:assert/strict';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { WaitlineApi } from '../../../src/vscode/api.ts';
import { hiddenIn } from '../../support/hidden-characters.ts';
import { hostileRecording } from '../../support/hostile-recording.ts';
import { screenshotInEveryTheme } from './color-themes.ts';
import { fileOf, lineWith, showDetails, until, waitline } from './editor.ts';
import { profile, stopAll } from './session.ts';
import { showTree, treeRows } from './tree.ts';
import {
	click,
	hoverAfter,
	inWebview,
	inWindow,
	press,
	quickPickRows,
	screenshot,
	seenLines,
	seesWindow,
} from './window.ts';

const HOSTILE = '<img src=x onerror=alert(1)> **b** [quit](command:workbench.action.quit) `c` &amp; 1 | 2.cjs';
const PROGRAM = 'calls-hostile.cjs';

describe('a file with a hostile name', () => {
	let api: WaitlineApi;
	let line: number;

	before(async function () {
		if (!seesWindow) this.skip();
		api = await waitline();
		writeFileSync(fileOf(HOSTILE), 'exports.later = (run) => setTimeout(run, 5);\n');
		const name = JSON.stringify(`./${HOSTILE}`);
		writeFileSync(
			fileOf(PROGRAM),
			`const fs = require('node:fs');\nrequire(${name}).later(() => {\n\tfs.stat(__filename, () => process.exit());\n});\n`,
		);
		line = lineWith(fileOf(PROGRAM), 'fs.stat(');
		await profile(api, PROGRAM);
	});
	after(async () => {
		await stopAll();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	it('is shown unchanged in the hover of what it called, and leads to its line', async () => {
		const annotated = await until('the text behind the line', async () =>
			(await seenLines()).find((seen) => seen.line === line && seen.after !== ''),
		);
		await hoverAfter(annotated);
		const shown = await until('the hover', () =>
			inWindow((name) => {
				const found = [...document.querySelectorAll('.monaco-hover')].find((each) =>
					(each.textContent ?? '').replaceAll('\u00a0', ' ').includes(name),
				);
				if (found === undefined) return null;
				return {
					foreign: found.querySelectorAll('img, script, iframe, b, input').length,
					emphasized: [...found.querySelectorAll('strong, em, code')].map((each) => each.textContent ?? ''),
					links: [...found.querySelectorAll('a')].map((each) => each.getAttribute('data-href') ?? ''),
				};
			}, HOSTILE).then((found) => found ?? undefined),
		);
		await screenshotInEveryTheme('hover-hostile-name', () => showDetails(vscode.window.activeTextEditor!, line));
		assert.equal(shown.foreign, 0);
		assert.ok(!shown.emphasized.some((text) => text === 'b' || text === 'c'), shown.emphasized.join());
		assert.ok(shown.links.length > 0);
		for (const link of shown.links) assert.match(link, /^command:waitline\./);
		await click('.monaco-hover a:has-text("<img src=x")');
		await until('its line', () => vscode.window.activeTextEditor?.document.uri.fsPath === fileOf(HOSTILE));
		assert.equal(vscode.window.activeTextEditor!.selection.active.line, 0);
		await press('Escape');
	});
});

describe('a recording with hostile names', () => {
	/** One of each kind; the unit tests have them all. */
	const HIDDEN = '\u001b[31m\u202e\n\u009b\u2028\u200b\u{e0041}<img src=x>';
	const OP = `op${HIDDEN}`;
	const OWN = 'own-text.js';
	const NOWHERE = '/nowhere/[new](command:workbench.action.files.newUntitledFile).js';
	const webview = { webviewWith: 'table.lines' };
	let api: WaitlineApi;
	let named: string;
	let file: string;

	before(async function () {
		if (!seesWindow || process.platform === 'win32') this.skip();
		api = await waitline();
		named = fileOf(`named-${HIDDEN}.js`);
		file = fileOf('host\u202eile.waitline');
		writeFileSync(fileOf(OWN), 'ownOne();\nownTwo();\n');
		const scripts = [named, '/etc/passwd', fileOf(OWN), NOWHERE];
		const starts = scripts.map((script) => ({ script, lines: [1, 2], type: OP }));
		const made = await hostileRecording(starts, { [named]: `/* \u001b[2J\u202e<b>bold</b> */\tone();\ntwo();\n` });
		copyFileSync(made, file);
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await vscode.commands.executeCommand('notifications.clearAll');
		await vscode.commands.executeCommand('waitline.openRecording', vscode.Uri.file(file));
		await until('its report', () => api.report()?.lines.some((line) => line.file === '/etc/passwd'));
		await until('its rows', () => inWebview('table.lines tbody tr', () => true));
	});
	after(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await vscode.commands.executeCommand('notifications.clearAll');
		if (file !== undefined) rmSync(file);
	});

	/** All text of the view, including the text for screen readers. */
	async function panelText(): Promise<string> {
		return until('the view', () =>
			inWebview('table.lines', () => {
				const spoken = [...document.querySelectorAll('[title], [aria-label]')].flatMap((each) => [
					each.getAttribute('title') ?? '',
					each.getAttribute('aria-label') ?? '',
				]);
				return [document.querySelector('#root')!.textContent ?? '', ...spoken].join('|');
			}),
		);
	}

	function assertVisible(shown: string, ...parts: string[]): void {
		assert.deepEqual(hiddenIn(shown.replaceAll(/[\n\t]/g, '')), [], shown);
		for (const part of parts) assert.ok(shown.includes(part), `${part} in ${shown}`);
	}

	async function showInSource(row: string): Promise<string> {
		await click('vscode-panel-tab#lines', webview);
		await click(`table.lines tbody tr:has-text(${JSON.stringify(row)}) .jump button`, webview);
		return until('its source', async () => {
			const shown = await inWebview('table.lines', () => {
				const source = document.querySelector('#view-source .source');
				const note = source?.querySelector('.note')?.textContent ?? '';
				const code = [...(source?.querySelectorAll('.code .text') ?? [])].map((each) => each.textContent ?? '');
				return note === '' && code.length === 0 ? '' : [note, ...code].join('\n');
			});
			return shown || undefined;
		});
	}

	/** The only message that there is. */
	async function message(): Promise<{ text: string; links: number }> {
		return until('a message', async () => {
			await vscode.commands.executeCommand('notifications.showList');
			const seen = await inWindow(() => {
				const shown = document.querySelector('.notifications-center .notification-list-item-message');
				return shown === null ? null : { text: shown.textContent ?? '', links: shown.querySelectorAll('a').length };
			}, undefined);
			return seen ?? undefined;
		});
	}

	it('spells them out in its table', async () => {
		assertVisible(await panelText(), 'op\\x1b[31m\\u202e\\n', 'named-\\x1b[31m\\u202e', 'host\\u202eile.waitline');
		const foreign = await inWebview('table.lines', () => document.querySelectorAll('#root img, #root b').length);
		assert.equal(foreign, 0);
		await screenshotInEveryTheme('recording-hostile-names');
	});

	it('spells out what is hidden in the text that it brings', async () => {
		const source = await showInSource('named-');
		assertVisible(source, '/* \\x1b[2J\\u202e<b>bold</b> */\tone();', 'two();');
		assert.ok(!source.includes('disk'), source);
		await screenshot('recording-hostile-source');
	});

	it('shows no line of /etc/passwd, and explains why', async () => {
		const source = await showInSource('passwd');
		assert.equal(
			source,
			'The recording does not contain the text of this file, and the file is outside the workspace.',
		);
		assert.ok(!(await panelText()).includes('root:'));
		await screenshot('recording-foreign-file');
	});

	it('shows a file of the workspace that it does not contain, and shows where it is from', async () => {
		const source = await showInSource(OWN);
		assert.match(source, /^From your disk: .*\nownOne\(\);\nownTwo\(\);\n?$/);
		await screenshot('recording-from-disk');
	});

	it('spells them out in the timeline', async () => {
		await click('vscode-panel-tab#timeline', webview);
		const labels = await until('its lanes', () =>
			inWebview('.lane-label', () => document.querySelector('.lane-labels')?.textContent ?? ''),
		);
		assertVisible(labels, 'op\\x1b[31m\\u202e\\n');
	});

	it('opens a file outside the workspace only when the person agrees, and makes no link of a name', async () => {
		await click('vscode-panel-tab#lines', webview);
		await click('table.lines tbody tr:has-text("passwd") button.link >> nth=0', webview);
		const asked = await message();
		assert.match(asked.text, /^A recording names “\/etc\/passwd”, which is outside the workspace\./);
		assert.ok(!vscode.workspace.textDocuments.some(({ uri }) => uri.path === '/etc/passwd'));
		await screenshot('recording-asks');
		await vscode.commands.executeCommand('notifications.clearAll');

		await click('table.lines tbody tr:has-text("nowhere") button.link >> nth=0', webview);
		const refused = await message();
		assert.match(
			refused.text,
			/^This file cannot be opened\. The file does not exist\. \(\/nowhere\/\[new\] \(command:/,
		);
		assert.equal(refused.links, 0);
		await vscode.commands.executeCommand('notifications.clearAll');
	});

	it('spells them out in the tree', async () => {
		await showTree();
		const rows = await until('its rows', async () => {
			const found = await treeRows();
			return found.some(({ text }) => text.includes('op\\x1b')) ? found : undefined;
		});
		assertVisible(rows.flatMap(({ text, label }) => [text, label]).join('|'), 'op\\x1b[31m\\u202e\\n', 'passwd');
		const name = await inWindow(() => document.querySelector('.sidebar .pane .message')?.textContent ?? '', undefined);
		assertVisible(name, 'host\\u202eile.waitline');
		await screenshot('tree-hostile-names');
	});

	it('spells them out in the list of sessions, and on the clipboard', async () => {
		void vscode.commands.executeCommand('waitline.switchSession');
		const rows = await until('the list', async () => {
			const found = await quickPickRows();
			return found.length > 0 ? found : undefined;
		});
		assertVisible(rows.join('|'), 'host\\u202eile.waitline');
		await press('Escape');
		await until('no list', async () => (await quickPickRows()).length === 0);

		await vscode.window.showTextDocument(vscode.Uri.file(fileOf(OWN)), { viewColumn: vscode.ViewColumn.Beside });
		await until('its annotation', () => api.annotations(fileOf(OWN)).length > 0);
		vscode.window.activeTextEditor!.selection = new vscode.Selection(0, 0, 0, 0);
		await vscode.commands.executeCommand('waitline.copyLine');
		assertVisible(await vscode.env.clipboard.readText(), 'op\\\\x1b\\[31m\\\\u202e');
	});

	it('spells them out in the hover', async () => {
		await showDetails(vscode.window.activeTextEditor!, 1);
		const shown = await until('the hover', () =>
			inWindow(() => {
				const found = [...document.querySelectorAll('.monaco-hover')].find((each) =>
					/op\\x1b/.test(each.textContent ?? ''),
				);
				return found === undefined
					? null
					: { text: found.textContent ?? '', foreign: found.querySelectorAll('img').length };
			}, undefined).then((found) => found ?? undefined),
		);
		assertVisible(shown.text.replaceAll('\u00a0', ' '), 'op\\x1b[31m\\u202e');
		assert.equal(shown.foreign, 0);
		await screenshot('hover-hostile-recording');
		await press('Escape');
	});
});
