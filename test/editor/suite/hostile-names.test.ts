// A file whose name is Markdown, HTML and a command link: in a hover it is its name and nothing else, and a way to its line.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { WaitlineApi } from '../../../src/vscode/api.ts';
import { screenshotInEveryTheme } from './color-themes.ts';
import { fileOf, lineWith, showDetails, until, waitline } from './editor.ts';
import { profile, stopAll } from './session.ts';
import { click, hoverAfter, inWindow, press, seenLines, seesWindow } from './window.ts';

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

	it('stands in the hover of what it called as it is, and leads to its line', async () => {
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
