// The keyboard alone: from the tree and the panel to the lines, and to what their menus offer.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WaitlineApi } from '../../../src/vscode/api.ts';
import { screenshotInEveryTheme } from './color-themes.ts';
import { fileOf, lineWith, open, until, waitline } from './editor.ts';
import { profile, stopAll } from './session.ts';
import { showTree, treeRows } from './tree.ts';
import { inWebview, inWindow, press, seesWindow } from './window.ts';

const HASHES = 'seed3-five-hashes.cjs';
/** After this long a key has led nowhere, even on a busy machine. */
const KEY_LEADS_NOWHERE_MS = 3000;

describe('the keyboard alone', () => {
	let api: WaitlineApi;
	let line: number;

	before(async function () {
		if (!seesWindow) this.skip();
		api = await waitline();
		line = lineWith(fileOf(HASHES), 'crypto.pbkdf2(');
		await profile(api, HASHES, { UV_THREADPOOL_SIZE: '1' });
	});
	beforeEach(async () => {
		await open(fileOf('rounds.cjs'));
	});
	after(async () => {
		await stopAll();
		await vscode.commands.executeCommand('workbench.action.closeSidebar');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	const isAtLine = () => {
		const editor = vscode.window.activeTextEditor;
		return editor?.document.uri.fsPath === fileOf(HASHES) && editor.selection.active.line === line - 1;
	};

	/** Presses a key until something is so; a key does nothing while its view is still being drawn. */
	async function pressUntil(what: string, keys: string, isSo: () => Promise<boolean>): Promise<void> {
		await until(what, async () => {
			if (await isSo()) return true;
			await press(keys);
			return false;
		});
	}

	/** By the command, once to open it and once more to go there. */
	async function enterPanel(): Promise<void> {
		await vscode.commands.executeCommand('waitline.showPanel');
		await until('the panel', () => (api.panelState()?.rows.length ?? 0) > 0);
		await vscode.commands.executeCommand('waitline.showPanel');
		await until('the focus in it', () => inWebview('table.lines', () => document.hasFocus()));
	}

	/** From another tab. What the panel says of itself comes later than what it shows: a key that is pressed until then would lead past the tab. */
	async function goToTab(tab: string): Promise<void> {
		const selected = () =>
			inWebview('table.lines', () => document.querySelector('vscode-panel-tab[aria-selected=true]')?.id);
		await until(`the tab "${tab}"`, async () => {
			const before = await selected();
			if (before === tab) return true;
			await press('ArrowRight');
			await until(`a tab behind "${before}"`, async () => (await selected()) !== before);
			return false;
		});
		await until(`"${tab}" in the panel`, () => api.panelState()?.tab === tab);
	}

	/**
	 * Goes down the tree to a row, from its end to its start: each key is pressed when one sees where the one before has led, and again where it led nowhere, as while
	 * the tree is drawn anew.
	 */
	async function focusRow(label: RegExp): Promise<void> {
		let [from, pressedAt] = [-2, 0];
		await until(`the row ${label}`, async () => {
			const row = await focusedRow();
			if (row === undefined || label.test(row.text)) return row !== undefined;
			if (row.index === from && performance.now() - pressedAt < KEY_LEADS_NOWHERE_MS) return false;
			[from, pressedAt] = [row.index, performance.now()];
			await press(row.isLast ? 'Home' : 'ArrowDown');
			return false;
		});
	}

	it('opens a menu of a finding in the tree, with what its icons do', async () => {
		await showTree();
		await until('rows', async () => (await treeRows()).length > 0);
		await vscode.commands.executeCommand('waitline.waits.focus');
		await focusRow(/saturated/i);
		await press('Shift+F10');
		const items = await until('its menu', async () => {
			const seen = await menuItems();
			return seen.length > 0 ? seen : undefined;
		});
		assert.ok(items.includes('What Findings Mean'), items.join(', '));
		await screenshotInEveryTheme('keyboard-menu', async () => {
			await until('no menu', async () => (await menuItems()).length === 0);
			await press('Shift+F10');
		});
		await press('Escape');
	});

	it('opens a menu of a line, in the tree and in the editor', async () => {
		await showTree();
		await vscode.commands.executeCommand('waitline.waits.focus');
		await focusRow(/^crypto\.pbkdf2 at/);
		await press('Shift+F10');
		const ofRow = ['Reveal Line in Panel', 'Show Only This Line in the Tree', 'Copy Line as Markdown'];
		await until('its menu', async () => (await menuItems()).join() === ofRow.join());
		await vscode.env.clipboard.writeText('');
		await pressUntil('the last of them', 'ArrowDown', async () => (await focusedItem()) === ofRow.at(-1));
		await press('Enter');
		await until('the line in the clipboard', async () =>
			(await vscode.env.clipboard.readText()).startsWith(`**${HASHES}:${line}**`),
		);
		const editor = await open(fileOf(HASHES));
		editor.selection = new vscode.Selection(line - 1, 0, line - 1, 0);
		const openMenu = async () => {
			await until('no menu', async () => (await menuItems()).length === 0);
			await press('Shift+F10');
			await until('it in the editor’s menu', async () => (await menuItems()).includes('Reveal Line in Panel'));
		};
		await openMenu();
		await screenshotInEveryTheme('keyboard-editor-menu', openMenu);
		await press('Escape');
	});

	it('opens a line of the tree', async () => {
		await vscode.commands.executeCommand('waitline.waits.focus');
		await focusRow(/^crypto\.pbkdf2 at/);
		await press('Enter');
		await until('the line in the editor', isAtLine);
	});

	it('opens a line of the table in the panel', async () => {
		await enterPanel();
		await pressUntil(
			'the location',
			'Tab',
			async () => (await focusedInPanel())?.includes(`${HASHES}:${line}`) === true,
		);
		await screenshotInEveryTheme('keyboard-panel');
		await press('Enter');
		await until('the line in the editor', isAtLine);
	});

	it('opens an annotated line of the source in the panel', async () => {
		await enterPanel();
		await pressUntil('the way to the source', 'Tab', async () => (await focusedInPanel()) === '⤷');
		await press('Enter');
		await until('the source', () => (api.panelState()?.source?.lineCount ?? 0) > 0);
		await pressUntil('its annotation', 'Tab', async () => (await focusedInPanel())?.includes('×5 threadpool') === true);
		await screenshotInEveryTheme('keyboard-source');
		await press('Enter');
		await until('the line in the editor', isAtLine);
	});

	it('follows a link of the hover', async () => {
		const editor = await open(fileOf(HASHES));
		editor.selection = new vscode.Selection(line - 1, 0, line - 1, 0);
		await until('its annotation', () => api.annotations(fileOf(HASHES)).some((each) => each.line === line));
		const isInHover = () => inWindow(() => document.activeElement?.closest('.monaco-hover') != null, undefined);
		const focusedLink = () =>
			inWindow(
				() => (document.activeElement?.closest('.monaco-hover a')?.textContent ?? '').replaceAll('\u00a0', ' '),
				undefined,
			);
		const focusLink = async () => {
			await vscode.commands.executeCommand('waitline.showLineDetails');
			await until('the focus in the hover', isInHover);
			await pressUntil('the link', 'Tab', async () => (await focusedLink()) === 'Show in panel');
		};
		await focusLink();
		await screenshotInEveryTheme('keyboard-hover', async () => {
			await press('Escape');
			await until('no focus in the hover', async () => !(await isInHover()));
			await focusLink();
		});
		await press('Enter');
		await until('its line in the panel', () => api.panelState()?.source?.revealed === line);
	});

	it('goes to every tab of the panel, and there to every control', async () => {
		const isAtTabs = async () => (await focusedTag()) === 'VSCODE-PANEL-TAB';
		await enterPanel();
		await pressUntil('the tabs', 'Shift+Tab', isAtTabs);
		const isHeadReached = async () => (await unreached('.header')).length === 0;
		await pressUntil('all of the head', 'Shift+Tab', isHeadReached);
		await pressUntil('the tabs behind the head', 'Tab', isAtTabs);
		for (const tab of ['lines', 'source', 'timeline', 'findings']) {
			await pressUntil('the tabs', 'Shift+Tab', isAtTabs);
			await goToTab(tab);
			// The timeline comes after its tab.
			const controls = await until(`controls of "${tab}"`, async () => {
				const there = await unreached();
				return there.length > 0 ? there : undefined;
			});
			await pressUntil(`all of ${controls.join(', ')}`, 'Tab', async () => (await unreached()).length === 0);
		}
		await screenshotInEveryTheme('keyboard-controls');
	});
});

function focusedTag(): Promise<string | undefined> {
	return inWebview('table.lines', () => document.activeElement?.tagName ?? '');
}

/** The controls of the panel that can be seen and have not had the focus yet, at any look; of those that arrow keys lead to, the one that Tab does. @param within a part of it */
async function unreached(within = 'body'): Promise<string[]> {
	const look = (within: string) => {
		if (document.activeElement instanceof HTMLElement) document.activeElement.dataset.reached = 'yes';
		const controls = document.querySelectorAll<HTMLElement>(
			'button:not([tabindex="-1"]), a[href], input, select, vscode-button, vscode-dropdown, vscode-panel-tab[aria-selected=true], [tabindex="0"]',
		);
		return [...controls]
			.filter((each) => each.closest(within) !== null)
			.filter((each) => each.getClientRects().length > 0 && each.dataset.reached === undefined)
			.map((each) => each.textContent?.trim() || each.getAttribute('aria-label') || each.tagName);
	};
	const left = await inWebview('table.lines', look, within);
	return left ?? ['the panel'];
}

/** The row of the tree that has the focus: a screen reader's text for it, and its place. Undefined while keys would go elsewhere. */
function focusedRow(): Promise<{ text: string; index: number; isLast: boolean } | undefined> {
	return inWindow(() => {
		const pane = document.activeElement?.closest('.pane');
		if (pane == null) return null;
		const row = pane.querySelector('.monaco-list-row.focused');
		// A tree may have the focus and no row of it yet: then it begins with the first.
		if (row === null) return { text: '', index: -1, isLast: true };
		return {
			text: row.getAttribute('aria-label') ?? '',
			index: Number(row.getAttribute('data-index')),
			isLast: row.getAttribute('data-last-element') === 'true',
		};
	}, undefined).then((seen) => seen ?? undefined);
}

/** The panel's button that has the focus. */
function focusedInPanel(): Promise<string | null | undefined> {
	return inWebview('table.lines', () => document.querySelector('button:focus')?.textContent?.trim() ?? null);
}

/** The entry of the menu that Enter would take. */
function focusedItem(): Promise<string | null> {
	return inWindow(() => {
		const roots = [document, ...[...document.querySelectorAll('.shadow-root-host')].map((host) => host.shadowRoot!)];
		const [item] = roots.flatMap((root) => root.querySelector('.monaco-menu .action-item.focused') ?? []);
		return item?.querySelector('.action-label')?.textContent ?? null;
	}, undefined);
}

/** Menus are drawn in a shadow tree. */
function menuItems(): Promise<string[]> {
	return inWindow(() => {
		const roots = [document, ...[...document.querySelectorAll('.shadow-root-host')].map((host) => host.shadowRoot!)];
		return roots
			.flatMap((root) => [...root.querySelectorAll('.context-view .action-label, .monaco-menu .action-label')])
			.map((each) => each.textContent ?? '')
			.filter((text) => text !== '');
	}, undefined);
}
