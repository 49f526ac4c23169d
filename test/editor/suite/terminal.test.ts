// js-debug's own terminal, as a person opens it from the editor: what is typed there is profiled where the setting is
// on.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { WaitlineApi } from '../../../src/vscode/api.ts';
import { screenshotInEveryTheme } from './color-themes.ts';
import { entryOf, fileOf, journalFolders, lineWith, setSetting, until, waitline } from './editor.ts';
import { stopAll } from './session.ts';

const ROUNDS = 'rounds.cjs';

describe('the JavaScript Debug Terminal', () => {
	let api: WaitlineApi;
	const stopFile = () => fileOf('stop in the terminal');
	const codeFile = () => fileOf('code of the terminal');

	before(async function () {
		// What is typed is for a POSIX shell.
		if (process.platform === 'win32') this.skip();
		api = await waitline();
	});
	afterEach(async () => {
		await setSetting('profileEveryNodeSession', undefined);
		await stopAll();
		for (const terminal of vscode.window.terminals) terminal.dispose();
		for (const file of [stopFile(), codeFile()]) rmSync(file, { force: true });
	});

	/** Opens it, types a command that runs the program, and waits until it is debugged. */
	async function typeProgram(): Promise<void> {
		const before = new Set(vscode.window.terminals);
		void vscode.commands.executeCommand('extension.js-debug.createDebuggerTerminal');
		const terminal = await until('the terminal', () => vscode.window.terminals.find((each) => !before.has(each)));
		terminal.show();
		const debugged = new Promise<void>((resolve) => {
			const listener = vscode.debug.onDidStartDebugSession(() => {
				listener.dispose();
				resolve();
			});
		});
		terminal.sendText(`STOP_FILE='${stopFile()}' node ${ROUNDS}; echo $? >'${codeFile()}'`);
		await debugged;
	}

	/** Lets the program end; returns its own count. */
	async function stopProgram(): Promise<number> {
		writeFileSync(stopFile(), '');
		await until('its exit code', () => existsSync(codeFile()) && readFileSync(codeFile(), 'utf8') !== '');
		assert.equal(readFileSync(codeFile(), 'utf8').trim(), '0');
		return Number(readFileSync(stopFile(), 'utf8'));
	}

	const rounds = (line: number) =>
		api.report()?.lines.find((each) => each.file === fileOf(ROUNDS) && each.line === line)?.count ?? 0;

	it('is profiled when the setting is on', async () => {
		await setSetting('profileEveryNodeSession', true);
		const before = api.report();
		await typeProgram();
		const line = lineWith(fileOf(ROUNDS), 'crypto.pbkdf2(');
		await until('rounds', () => api.report() !== before && api.live() && rounds(line) >= 3);
		await screenshotInEveryTheme('debug-terminal');
		const counted = await stopProgram();
		await until('the end of the profile', () => !api.live());
		const { count } = entryOf(api.report(), fileOf(ROUNDS), line, 'crypto.pbkdf2');
		// js-debug reports a program in its terminal when that is already running.
		assert.ok(api.report()!.warnings.some(({ code }) => code === 'started-late'));
		assert.ok(count <= counted, `${count} of ${counted} rounds`);
	});

	it('is left alone otherwise', async () => {
		const [before, folders] = [api.report(), journalFolders()];
		await typeProgram();
		await stopProgram();
		assert.equal(api.report(), before);
		assert.deepEqual(journalFolders(), folders);
	});
});
