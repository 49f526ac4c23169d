// The panel in each kind of theme, wide and narrow: axe-core has nothing serious against it, and a screenshot shows it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Drawn } from '../../../src/protocol/webview.ts';
import type { WaitlineApi } from '../../../src/vscode/api.ts';
import { COLOR_THEMES, type ColorTheme, setTheme } from './color-themes.ts';
import { fileOf, open, until, waitline } from './editor.ts';
import { profile, stopAll } from './session.ts';
import {
	click,
	hover,
	inWebview,
	inWindow,
	MAKES_PICTURES,
	press,
	quickPickRows,
	resize,
	screenshot,
	seesWindow,
	seriousFindings,
} from './window.ts';

const PANEL = { webviewWith: 'table.lines' };

/** It has something on each tab. */
const PROGRAM = 'every-tab.cjs';
/** Of its pool, so that jobs queue. */
const ENV = { UV_THREADPOOL_SIZE: '1' };

/** The tabs, and whether what belongs there is drawn. */
const TABS: Record<Drawn['tab'], (drawn: Drawn) => boolean> = {
	lines: ({ rows }) => rows.length > 0,
	source: ({ source }) => (source?.annotations.length ?? 0) > 0,
	timeline: ({ timeline }) => (timeline?.lanes.length ?? 0) > 0,
	findings: ({ findings }) => findings.length > 0,
	requests: ({ requests }) => requests.length > 0,
	whatIf: ({ whatIf }) => whatIf.length > 0,
	compare: ({ comparison }) => comparison.length > 0,
};

describe('the panel in every theme', () => {
	let api: WaitlineApi;

	before(async function () {
		if (!seesWindow) this.skip();
		api = await waitline();
		// The first of both is what the second is compared with.
		await profile(api, PROGRAM, ENV);
		await profile(api, PROGRAM, ENV);
		await vscode.commands.executeCommand('waitline.showPanel');
		await until('the panel', () => (api.panelState()?.rows.length ?? 0) > 0);
		await compareWithTheOther();
	});
	after(async () => {
		await setTheme(undefined);
		await stopAll();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	/** A comparison stays as long as the panel, and closing other editors may close that. */
	async function compareUnlessDone(): Promise<void> {
		if ((await inWebview('.compare', () => document.querySelectorAll('.compare tbody tr').length)) === 0)
			await compareWithTheOther();
	}

	async function compareWithTheOther(): Promise<void> {
		await click('vscode-panel-tab#compare', PANEL);
		await click('.compare vscode-button', PANEL);
		await until('both runs and recordings', async () => (await quickPickRows()).length >= 2);
		await click('.quick-input-list .monaco-list-row[data-index="0"]');
		await press('Enter');
		const { comparison } = await until('the comparison', () => {
			const drawn = api.panelState();
			return drawn !== undefined && drawn.comparison.length > 0 ? drawn : undefined;
		});
		// Every line of the same program is in both.
		assert.deepEqual(
			comparison.filter((cells) => /^(new|gone)/.test(cells[1]!)),
			[],
		);
	}

	it('shows its comparison again after it was hidden', async () => {
		const rows = () =>
			inWebview('.compare tbody tr', () =>
				[...document.querySelectorAll('.compare tbody tr')].map((row) => row.textContent ?? ''),
			);
		const before = await until('the comparison', rows);
		await vscode.window.showTextDocument(vscode.Uri.file(fileOf(PROGRAM)), { viewColumn: vscode.ViewColumn.Two });
		await until('it to be hidden', async () => (await rows()) === undefined);
		await vscode.commands.executeCommand('waitline.showPanel');
		assert.deepEqual(await until('the comparison', rows), before);
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
		await until('the panel', () => (api.panelState()?.rows.length ?? 0) > 0);
		// Until its group is the active one, it is itself among those that are closed.
		await until(
			'the panel to be active',
			() => vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview,
		);
		await vscode.commands.executeCommand('workbench.action.closeEditorsInOtherGroups');
		await until('a wide panel', () => inWindow(() => innerWidth > 1000, undefined, PANEL));
	}

	/** Shows each tab in that theme, one after the other. */
	async function inEachTab(theme: ColorTheme, look: (tab: string) => Promise<unknown>): Promise<void> {
		await setTheme(theme);
		await until('the theme', () => inWindow((name) => document.body.classList.contains(name), theme.webview, PANEL));
		for (const [tab, hasContent] of Object.entries(TABS)) {
			await click(`vscode-panel-tab#${tab}`, PANEL);
			await until(`the tab "${tab}"`, () => {
				const drawn = api.panelState();
				return drawn?.tab === tab && hasContent(drawn);
			});
			await look(tab);
		}
	}

	for (const [width, layOut] of [
		['wide', makeWide],
		['narrow', makeNarrow],
	] as const) {
		describe(width, () => {
			before(async () => {
				await layOut();
				await compareUnlessDone();
			});

			for (const theme of COLOR_THEMES) {
				it(`has nothing serious against accessibility in "${theme.name}"`, async () => {
					await inEachTab(theme, async (tab) => {
						await screenshot(`panel-${width}-${tab}-${theme.kind}`);
						assert.deepEqual(await seriousFindings(PANEL), [], tab);
					});
				});
			}
		});
	}

	/** The whole of a window of each size, in each theme: to be looked at. */
	describe('at the sizes of usual windows', () => {
		before(async function () {
			if (!MAKES_PICTURES) this.skip();
			await makeWide();
			await compareUnlessDone();
		});
		after(() => resize('wide'));

		for (const size of ['usual', 'small', 'zoomed'] as const) {
			it(`is drawn in a window that is "${size}"`, async () => {
				await resize(size);
				for (const theme of COLOR_THEMES) {
					await inEachTab(theme, (tab) => screenshot(`panel-${size}-${tab}-${theme.kind}`));
				}
			});
		}
	});

	it('draws again in the colours of a theme that comes while it is shown', async () => {
		await click('vscode-panel-tab#timeline', PANEL);
		await until('the timeline', () => (api.panelState()?.timeline?.lanes.length ?? 0) > 0);
		const drawn = { '.strip canvas': '--wl-execute', '.chart canvas': '--wl-blocked' };
		for (const theme of COLOR_THEMES) {
			await setTheme(theme);
			for (const [canvas, colour] of Object.entries(drawn)) {
				await until(`${colour} of "${theme.name}" on ${canvas}`, () =>
					inWindow(
						({ body, canvas, colour }) => {
							if (!document.body.classList.contains(body)) return false;
							const probe = document.body.appendChild(document.createElement('i'));
							probe.style.color = `var(${colour})`;
							const wanted = getComputedStyle(probe).color.match(/\d+/g)!.slice(0, 3).map(Number);
							probe.remove();
							const { width, height } = document.querySelector<HTMLCanvasElement>(canvas)!;
							const { data } = document
								.querySelector<HTMLCanvasElement>(canvas)!
								.getContext('2d')!
								.getImageData(0, 0, width, height);
							for (let at = 0; at < data.length; at += 4) {
								if (data[at + 3] === 255 && wanted.every((part, index) => data[at + index] === part)) return true;
							}
							return false;
						},
						{ body: theme.webview, canvas, colour },
						PANEL,
					),
				);
			}
		}
		await setTheme(undefined);
	});

	it('leaves its tabs where they are, whatever they show', async () => {
		const tops = new Set<number>();
		for (const tab of Object.keys(TABS)) {
			await click(`vscode-panel-tab#${tab}`, PANEL);
			await until(`the tab "${tab}"`, () => api.panelState()?.tab === tab);
			const top = () => document.querySelector('vscode-panel-tab#lines')!.getBoundingClientRect().top;
			tops.add(await inWindow(top, undefined, PANEL));
		}
		assert.equal(tops.size, 1, [...tops].join());
	});

	/** What the pointer says of the timeline is in the window. */
	async function assertPointerFits(): Promise<void> {
		await hover('.chart', PANEL);
		const [left, right, room] = await until('the text', () =>
			inWindow(
				() => {
					const { left, right, width } = document.querySelector('.pointer span')!.getBoundingClientRect();
					return width > 0 ? ([left, right, innerWidth] as const) : null;
				},
				undefined,
				PANEL,
			).then((found) => found ?? undefined),
		);
		assert.ok(left >= 0 && right <= room, `${left} to ${right} of ${room}`);
		await screenshot('panel-narrowest-pointer');
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
				if (tab === 'timeline') await assertPointerFits();
				const [width, room] = await inWindow(
					() => ['.tabs', 'body'].map((part) => document.querySelector(part)!.scrollWidth) as [number, number],
					undefined,
					PANEL,
				);
				assert.ok(
					width <= room && room <= (await inWindow(() => innerWidth, undefined, PANEL)),
					`${tab}: ${width}, ${room}`,
				);
				const inView = await inWindow(
					(tab) => {
						const scroll = document.querySelector(`#view-${tab} .scroll`)!;
						return [scroll.scrollWidth, scroll.clientWidth] as const;
					},
					tab,
					PANEL,
				);
				const cut = await inWindow(
					() => {
						const row = document.querySelector('.glance')!.getBoundingClientRect();
						const shown = [...document.querySelectorAll('.glance > span')].filter((each) => {
							const { top, right } = each.getBoundingClientRect();
							return top < row.bottom - 1 && right > row.right + 1;
						});
						return shown.map((each) => each.textContent);
					},
					undefined,
					PANEL,
				);
				assert.deepEqual(cut, [], 'no figure without its unit');
				// Code is as wide as it is, and a table of figures has a least width.
				if (!['source', 'lines', 'requests'].includes(tab)) assert.ok(inView[0] <= inView[1], `${tab}: ${inView}`);
			}
		} finally {
			await resize('wide');
		}
	});

	it('keeps the timeline’s axis above the chart where an editor is as narrow as it can be', async () => {
		await makeWide();
		await click('vscode-panel-tab#timeline', PANEL);
		try {
			await resize('least');
			await until('a panel of that width', () => inWindow(() => innerWidth < 270, undefined, PANEL));
			const isInPlace = () => {
				const left = (part: string) => document.querySelector(part)!.getBoundingClientRect().left;
				const scroll = document.querySelector('#view-timeline .scroll')!;
				return left('.axis span') === left('.chart') && scroll.scrollWidth === scroll.clientWidth;
			};
			await until('the axis above the chart', () => inWindow(isInPlace, undefined, PANEL));
			await screenshot('panel-least-timeline');
		} finally {
			await resize('wide');
		}
	});
});
