// The panel in each kind of theme, wide and narrow: axe-core has nothing serious against it, and a screenshot shows it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Drawn } from '../../../src/protocol/webview.ts';
import type { WaitlineApi } from '../../../src/vscode/api.ts';
import { COLOR_THEMES, setTheme } from './color-themes.ts';
import { fileOf, open, until, waitline } from './editor.ts';
import { profile, stopAll } from './session.ts';
import { click, inWindow, resize, screenshot, seesWindow, seriousFindings } from './window.ts';

const PANEL = { webviewWith: 'table.lines' };

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
		await setTheme(undefined);
		await stopAll();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	/** Beside an editor that takes the most of the window. */
	async function makeNarrow(): Promise<void> {
		await open(fileOf(PROGRAM));
		await vscode.commands.executeCommand('waitline.showPanel');
		await vscode.commands.executeCommand('workbench.action.evenEditorWidths');
		for (let step = 0; step < 4; step++) await vscode.commands.executeCommand('workbench.action.increaseViewWidth');
		await until('the panel', () => (api.panelState()?.rows.length ?? 0) > 0);
		await until('a narrow panel', () => inWindow(() => innerWidth < 700, undefined, PANEL));
	}

	/** The whole of the window. */
	async function makeWide(): Promise<void> {
		await vscode.commands.executeCommand('waitline.showPanel');
		await vscode.commands.executeCommand('workbench.action.closeEditorsInOtherGroups');
		await until('a wide panel', () => inWindow(() => innerWidth > 1000, undefined, PANEL));
	}

	for (const [width, layOut] of [
		['wide', makeWide],
		['narrow', makeNarrow],
	] as const) {
		describe(width, () => {
			before(layOut);

			for (const theme of COLOR_THEMES) {
				it(`has nothing serious against accessibility in "${theme.name}"`, async () => {
					await setTheme(theme);
					const isThere = (name: string) => document.body.classList.contains(name);
					await until('the theme', () => inWindow(isThere, theme.webview, PANEL));
					for (const [tab, hasContent] of Object.entries(TABS)) {
						await click(`vscode-panel-tab#${tab}`, PANEL);
						await until(`the tab "${tab}"`, () => {
							const drawn = api.panelState();
							return drawn?.tab === tab && hasContent(drawn);
						});
						await screenshot(`panel-${width}-${tab}-${theme.kind}`);
						assert.deepEqual(await seriousFindings(PANEL), [], tab);
					}
				});
			}
		});
	}

	it('keeps to its width beside an editor in half a window', async () => {
		await setTheme(undefined);
		try {
			await resize('narrow');
			await until('a panel of that width', () => inWindow(() => innerWidth < 400, undefined, PANEL));
			for (const [tab, hasContent] of Object.entries(TABS)) {
				await click(`vscode-panel-tab#${tab}`, PANEL);
				await until(`the tab "${tab}"`, () => {
					const drawn = api.panelState();
					return drawn?.tab === tab && hasContent(drawn);
				});
				await screenshot(`panel-narrowest-${tab}`);
				assert.deepEqual(await seriousFindings(PANEL), [], tab);
				const [width, room] = await inWindow(
					() => ['.tabs', 'body'].map((part) => document.querySelector(part)!.scrollWidth) as [number, number],
					undefined,
					PANEL,
				);
				assert.ok(
					width <= room && room <= (await inWindow(() => innerWidth, undefined, PANEL)),
					`${tab}: ${width}, ${room}`,
				);
			}
		} finally {
			await resize('wide');
		}
	});
});
