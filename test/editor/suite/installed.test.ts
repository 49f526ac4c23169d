// The extension as people have it: installed from its package, used, and uninstalled. Nothing of it is left in terminals, and those that
// still have its variables start `node` as if they had not.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { PACKAGE_VARIABLE } from '../environment.ts';
import {
	EXTENSION_ID,
	entryOf,
	fileOf,
	journalFolders,
	lineWith,
	sessionStorage,
	setSetting,
	until,
	waitline,
	workspaceFolder,
} from './editor.ts';
import { launched, stopAll } from './session.ts';
import { chooseInPalette, inWindow, openWindow, press, runCommand, seesWindow, type } from './window.ts';

const HASHES = 'seed3-five-hashes.cjs';
/** What the tracer brings into a program's environment. */
const OURS = /^WAITLINE_FOLDER=|^WAITLINE_BUDGET=|waitline.tracer-/m;

describe('the installed extension', () => {
	let api: WaitlineApi;
	let extensionPath: string;
	/** The one that the profiled program ran in. */
	let stale: vscode.Terminal;

	before(function () {
		// What is typed is for a POSIX shell.
		if (process.platform === 'win32') this.skip();
	});
	after(async () => {
		await setSetting('profileEveryNodeSession', undefined);
		await stopAll();
		for (const terminal of vscode.window.terminals) terminal.dispose();
	});

	/** Runs a command in a terminal and returns what it, the shell and js-debug printed, and its exit code in the last line. */
	async function runIn(terminal: vscode.Terminal, command: string): Promise<string> {
		const file = fileOf('printed.txt');
		rmSync(file, { force: true });
		terminal.sendText(`{ ${command}; echo $?; } >printing.txt 2>&1; mv printing.txt printed.txt`);
		await until(`"${command}" in a terminal`, () => existsSync(file));
		return readFileSync(file, 'utf8');
	}

	it('is installed from its package', async () => {
		assert.equal(vscode.extensions.getExtension(EXTENSION_ID), undefined);
		const file = workspaceFolder().uri.with({ path: process.env[PACKAGE_VARIABLE]! });
		await vscode.commands.executeCommand('workbench.extensions.installExtension', file);
		const extension = await until('the extension', () => vscode.extensions.getExtension(EXTENSION_ID));
		({ extensionPath } = extension);
		assert.equal(extension.isActive, false);
	});

	it('profiles a program in a terminal', async () => {
		api = await waitline();
		const before = new Set(vscode.window.terminals);
		await launched(() =>
			vscode.debug.startDebugging(workspaceFolder(), {
				type: 'node-terminal',
				request: 'launch',
				name: 'in a terminal',
				command: `node ${HASHES}`,
				cwd: workspaceFolder().uri.fsPath,
				[PROFILE_MARK]: true,
			}),
		);
		await until('five hashes', () => api.report()?.lines.some(({ count }) => count === 5));
		const line = lineWith(fileOf(HASHES), 'crypto.pbkdf2(');
		assert.equal(entryOf(api.report(), fileOf(HASHES), line, 'crypto.pbkdf2').count, 5);
		stale = vscode.window.terminals.find((terminal) => !before.has(terminal))!;
		assert.match(await runIn(stale, 'env'), OURS, 'the variables are in this terminal');
	});

	it('leaves other terminals alone, also while it profiles', async () => {
		assert.equal(api.live(), true);
		const other = vscode.window.createTerminal({ cwd: workspaceFolder().uri });
		assert.doesNotMatch(await runIn(other, 'env'), OURS);
	});

	it('is disabled in a window with a terminal that has its variables: node works there, and nothing is in new ones', async function () {
		if (!seesWindow) this.skip();
		const folder = mkdtempSync(fileOf('..', 'disabled in '));
		cpSync(fileOf(HASHES), path.join(folder, HASHES));
		mkdirSync(path.join(folder, '.vscode'));
		const configuration = {
			type: 'node-terminal',
			request: 'launch',
			name: 'Hashes',
			command: `node ${HASHES} && touch done`,
		};
		const launch = { version: '0.2.0', configurations: [configuration] };
		writeFileSync(path.join(folder, '.vscode/launch.json'), JSON.stringify(launch));
		/** Types into the terminal that has the focus. */
		const typeThere = async (command: string, name: string) => {
			const file = path.join(folder, name);
			await type(`{ ${command}; echo $?; } >${name}.part 2>&1; mv ${name}.part ${name}`);
			await press('Enter');
			await until(`"${command}" in a terminal`, () => existsSync(file));
			return readFileSync(file, 'utf8');
		};
		const terminalHasFocus = () =>
			until('the focus in a terminal', () =>
				inWindow(() => document.activeElement?.closest('.terminal-wrapper') !== null, undefined),
			);

		await setSetting('profileEveryNodeSession', true);
		await openWindow(folder);
		await chooseInPalette('Hashes', 'debug Hashes');
		await until('the end of the program', () => existsSync(path.join(folder, 'done')));
		await runCommand('Terminal: Focus on Terminal View');
		await terminalHasFocus();
		assert.match(await typeThere('env', 'before'), OURS);
		await runCommand('Extensions: Disable All Installed Extensions for this Workspace');
		// The window offers to reload itself, which ends such terminals. A desktop's only starts its extension host
		// again; so does this one when that ends.
		const hosts = journalFolders().map((name) => Number.parseInt(name, 10));
		process.kill(hosts.find((pid) => pid !== process.pid)!, 'SIGTERM');
		await until('the status bar without us', () =>
			inWindow(
				() => ![...document.querySelectorAll('.statusbar-item')].some((item) => item.textContent?.includes('loop')),
				undefined,
			),
		);
		await runCommand('Terminal: Focus on Terminal View');
		await terminalHasFocus();
		assert.match(await typeThere('env', 'stale'), OURS);
		// Without js-debug's own variable, which has node wait for a debugger that is gone.
		const printed = await typeThere(`VSCODE_INSPECTOR_OPTIONS= node -p '6 * 7'`, 'node');
		assert.match(printed, /42\n(?:.*\n)?0\n$/);
		assert.doesNotMatch(printed, /waitline|cannot find/i);
		await runCommand('Terminal: Create New Terminal');
		await terminalHasFocus();
		assert.doesNotMatch(await typeThere('env', 'fresh'), OURS);
	});

	it('is uninstalled with everything but the file that terminals may still name', async () => {
		await vscode.commands.executeCommand('workbench.extensions.uninstallExtension', EXTENSION_ID);
		// An editor removes the folders when it starts next, when no window uses them any more.
		for (const folder of [extensionPath, path.dirname(sessionStorage())]) {
			assert.ok(existsSync(folder), folder);
			rmSync(folder, { recursive: true });
		}
	});

	it('does not break node where a terminal has its variables still', async () => {
		assert.match(await runIn(stale, 'env'), OURS);
		const printed = await runIn(stale, `node -p '6 * 7'`);
		assert.match(printed, /42\n(?:.*\n)?0\n$/);
		assert.doesNotMatch(printed, /waitline|cannot find/i);
	});

	it('leaves nothing in new terminals', async () => {
		const fresh = vscode.window.createTerminal({ cwd: workspaceFolder().uri });
		const printed = await runIn(fresh, 'env');
		assert.doesNotMatch(printed, OURS);
		assert.match(printed, /^PATH=/m);
	});
});
