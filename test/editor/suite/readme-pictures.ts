// Takes the README's pictures in the real editor; readme-pictures.ts, one folder up, runs it and writes them to
// `media/`. A screenshot's name determines its use: `moving-NUMBER-MS` is a frame that is shown for MS ms, `still-NAME`
// a picture of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { WaitlineApi } from '../../../src/vscode/api.ts';
import { COLOR_THEMES, setTheme } from './color-themes.ts';
import { fileOf, lineWith, open, showDetails, until, waitline } from './editor.ts';
import { launched, profile, stopAll } from './session.ts';
import { showTree, treeRows } from './tree.ts';
import { capture, click, inWindow, press, quickPickRows, resize, seenLines, type } from './window.ts';

const [DARK, LIGHT] = COLOR_THEMES;
const PROGRAM = 'orders.cjs';
const COMMAND = 'Waitline: Debug with Async Profile';
/** What a reader needs for a picture of the plain program, for a list, for new figures, and for the hover in the end. */
const MS = { program: 1500, list: 1200, running: 350, ended: 1500, hover: 5000 };
/** The program runs for some four seconds; more frames would only cost bytes. */
const MOST_RUNNING = 20;

/** Whether the hover with a line's details has its table. */
function hoverStands(): Promise<boolean> {
	return inWindow(
		() => [...document.querySelectorAll('.monaco-hover table')].some((each) => each.clientHeight > 0),
		undefined,
	);
}

describe('pictures for the README', function () {
	this.timeout(300_000);
	let api: WaitlineApi;
	let frames = 0;
	const frame = (ms: number) => capture(`moving-${String(++frames).padStart(3, '0')}-${ms}`, 'now');

	before(async () => {
		api = await waitline();
		await resize('picture');
		await vscode.commands.executeCommand('workbench.action.closeSidebar');
	});
	after(async () => {
		await setTheme(undefined);
		await stopAll();
	});

	it('of a program that is profiled, from the command to the hover', async () => {
		await setTheme(DARK);
		const editor = await open(fileOf(PROGRAM));
		await vscode.commands.executeCommand('notifications.clearAll');
		await sleep(1000);
		await frame(MS.program);
		await press('F1');
		await until('the palette', async () => (await quickPickRows()).length > 0);
		await type(COMMAND);
		await sleep(1500);
		await frame(MS.list);
		const launch = await launched(async () => {
			await press('Enter');
			await until('the list of what to run', async () => (await quickPickRows())[0]?.includes('Current file') === true);
			await frame(MS.list);
			await press('Enter');
		});
		for (let taken = 0; taken < MOST_RUNNING && !launch.ended; taken++) {
			await frame(MS.running);
			await sleep(150);
		}
		await launch.end();
		await until('the end of the profile', () => !api.live());
		await until('the last figures', async () =>
			(await seenLines()).some(({ after: text }) => text.includes('×40 threadpool')),
		);
		await sleep(1000);
		await frame(MS.ended);
		await showDetails(editor, lineWith(fileOf(PROGRAM), 'hash(user'));
		await until('the hover', hoverStands);
		await sleep(500);
		await frame(MS.hover);
		await press('Escape');
	});

	it('of a hover in a light theme', async () => {
		await setTheme(LIGHT);
		await profile(api, 'seed3-five-hashes.cjs', { UV_THREADPOOL_SIZE: '2' });
		const file = fileOf('seed3-five-hashes.cjs');
		await until('all figures', async () =>
			(await seenLines()).some(({ after: text }) => text.includes('×5 threadpool')),
		);
		await showDetails(await vscode.window.showTextDocument(vscode.Uri.file(file)), lineWith(file, 'pbkdf2('));
		await until('the hover', hoverStands);
		await capture('still-editor');
		await press('Escape');
	});

	it('of several kinds of lines, one of them edited', async () => {
		await setTheme(DARK);
		await profile(api, 'kinds.cjs');
		const editor = vscode.window.activeTextEditor!;
		const line = lineWith(fileOf('kinds.cjs'), 'setTimeout(done') - 1;
		await editor.edit((edit) => edit.insert(new vscode.Position(line, 0), 'void '));
		await until('the edited line', async () =>
			(await seenLines()).some(({ after: text }) => text.includes('edited since')),
		);
		await capture('still-lines');
		await vscode.commands.executeCommand('undo');
		await editor.document.save();
	});

	it('of the tree, the panel and its timeline', async () => {
		await setTheme(LIGHT);
		await profile(api, 'findings/loop-blocked.cjs');
		await showTree();
		await until('the finding', async () => (await treeRows()).some(({ text }) => text.includes('Event loop blocked')));
		await capture('still-tree');
		await vscode.commands.executeCommand('workbench.action.closeSidebar');
		await vscode.commands.executeCommand('waitline.showPanel');
		await until('the panel', () => (api.panelState()?.rows.length ?? 0) > 0);
		// Once more takes the focus into it.
		await vscode.commands.executeCommand('waitline.showPanel');
		await vscode.commands.executeCommand('workbench.action.closeEditorsInOtherGroups');
		await capture('still-panel');
		await click('vscode-panel-tab#timeline', { webviewWith: '.findings' });
		await until('the timeline', () => (api.panelState()?.timeline?.lanes.length ?? 0) > 0);
		await capture('still-timeline');
	});
});
