// The panel in each kind of theme, wide and narrow: axe-core has nothing serious against it, and a screenshot shows it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Drawn } from '../../../src/protocol/webview.ts';
import type { WaitlineApi } from '../../../src/vscode/api.ts';
import { fileOf, open, until, waitline } from './editor.ts';
import { profile, stopAll } from './session.ts';
import { audit, click, inWindow, screenshot, seesWindow } from './window.ts';

const PANEL = { webviewWith: 'table.lines' };

const THEMES = [
	['Default Dark Modern', 'vscode-dark'],
	['Default Light Modern', 'vscode-light'],
	['Default High Contrast', 'vscode-high-contrast'],
	['Default High Contrast Light', 'vscode-high-contrast-light'],
] as const;

/** It has something on each tab. */
const PROGRAM = 'findings/loop-blocked.cjs';

/** The tabs, and whether what belongs there is drawn. */
const TABS: Record<string, (drawn: Drawn) => boolean> = {
	lines: ({ rows }) => rows.length > 0,
	source: ({ source }) => (source?.annotations.length ?? 0) > 0,
	timeline: ({ timeline }) => (timeline?.lanes.length ?? 0) > 0,
	findings: ({ findings }) => findings.length > 0,
};

describe('the panel in every theme', () => {
	let api: WaitlineApi;

	before(async function () {
		if (!seesWindow) this.skip();
		api = await waitline();
		await profile(api, PROGRAM);
		await vscode.commands.executeCommand('waitline.showPanel');
		await until('the panel', () => (api.panelState()?.rows.length ?? 0) > 0);
	});
	after(async () => {
		await vscode.workspace
			.getConfiguration('workbench')
			.update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
		await stopAll();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	for (const [theme, kind] of THEMES) {
		it(`has nothing serious against accessibility in "${theme}"`, async () => {
			const workbench = vscode.workspace.getConfiguration('workbench');
			await workbench.update('colorTheme', theme, vscode.ConfigurationTarget.Global);
			await until('the theme', () => inWindow((name) => document.body.classList.contains(name), kind, PANEL));
			for (const [tab, hasContent] of Object.entries(TABS)) {
				await click(`vscode-panel-tab#${tab}`, PANEL);
				await until(`the tab "${tab}"`, () => {
					const drawn = api.panelState();
					return drawn?.tab === tab && hasContent(drawn);
				});
				await screenshot(`panel-${tab}-${kind.replace('vscode-', '')}`);
				const serious = (await audit(PANEL)).filter(({ impact }) => impact === 'serious' || impact === 'critical');
				assert.deepEqual(serious, [], tab);
			}
		});
	}

	it('is the whole window wide, and a narrow column', async () => {
		await click('vscode-panel-tab#lines', PANEL);
		await vscode.commands.executeCommand('workbench.action.closeEditorsInOtherGroups');
		await until('a wide panel', () => inWindow(() => innerWidth > 1000, undefined, PANEL));
		await screenshot('panel-wide');
		await open(fileOf(PROGRAM));
		await vscode.commands.executeCommand('waitline.showPanel');
		await vscode.commands.executeCommand('workbench.action.evenEditorWidths');
		for (let step = 0; step < 4; step++) await vscode.commands.executeCommand('workbench.action.increaseViewWidth');
		await until('the panel', () => (api.panelState()?.rows.length ?? 0) > 0);
		await until('a narrow panel', () => inWindow(() => innerWidth < 700, undefined, PANEL));
		await screenshot('panel-narrow');
	});
});
