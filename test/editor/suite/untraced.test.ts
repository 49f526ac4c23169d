// A program whose children cannot be profiled: the reader must not take the figures for those of all.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WaitlineApi } from '../../../src/vscode/api.ts';
import { screenshotInEveryTheme } from './color-themes.ts';
import { until, waitline } from './editor.ts';
import { profile, stopAll } from './session.ts';
import { inWindow, seesWindow } from './window.ts';

const PROGRAM = 'untraced.cjs';
const LINE = 'child processes and Workers not traced: 2';

describe('a program with children that cannot be traced', () => {
	let api: WaitlineApi;

	before(async () => {
		api = await waitline();
		await profile(api, PROGRAM);
	});
	after(async () => {
		await stopAll();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	it('has them in its report, each with its process', () => {
		const { processes, untraced } = api.report()!;
		assert.equal(processes.length, 1);
		const { pid } = processes[0]!;
		assert.deepEqual(
			untraced.map(({ kind, parentPid, threadId }) => ({ kind, parentPid, threadId })),
			[
				{ kind: 'process', parentPid: pid, threadId: 0 },
				{ kind: 'process', parentPid: pid, threadId: 0 },
			],
		);
	});

	it('is marked so in the head of the panel', async function () {
		await vscode.commands.executeCommand('waitline.showPanel');
		await until('the line', () => api.panelState()?.header.includes(LINE));
		if (!seesWindow) this.skip();
		await until('the line in the window', async () => {
			const texts = await inWindow(
				() => [...document.querySelectorAll('.facts li')].map((each) => each.textContent ?? ''),
				undefined,
				{ webviewWith: 'table.lines' },
			);
			return texts.includes(LINE);
		});
		await screenshotInEveryTheme('panel-untraced');
	});
});
