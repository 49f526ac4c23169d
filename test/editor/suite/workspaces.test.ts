// Windows that are not one folder: none, and the several of a workspace file.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { screenshotOtherInEveryTheme } from './color-themes.ts';
import { fileOf, lineWith, until, workspaceFolder } from './editor.ts';
import { openTreeByIcon, paneRows } from './tree.ts';
import {
	choose,
	closeWindow,
	inWindow,
	openByDialog,
	openWindow,
	quickPickRows,
	runCommand,
	seenLines,
	seesWindow,
} from './window.ts';

const HASHES = 'seed3-five-hashes.cjs';
/** `annotations.updateDelayMs` is 500 by default. */
const DRAWN_MS = 1500;
/** A window that has its folders has them before its list of commands. */
const FOLDERS_MS = 10_000;

const DEBUG = 'Waitline: Debug with Async Profile';

/** A launch configuration: its name, and of its program a line and what stands behind that when it has run. */
const OF_SECOND = {
	name: 'Hashes of the second',
	program: HASHES,
	code: 'crypto.pbkdf2(',
	text: '×5 threadpool',
};
const OF_WORKSPACE = {
	name: 'Modules of the workspace',
	program: 'modules.mjs',
	code: "hash('password'",
	text: '×3 threadpool',
};

/** Waits until the text stands behind that line of the program, in the editor that is open. */
async function annotated(program: string, code: string, text: string): Promise<void> {
	const line = lineWith(fileOf(program), code);
	await until('the text behind the line', async () =>
		(await seenLines()).some((seen) => seen.line === line && seen.after.includes(text)),
	);
}

describe('a window without a folder', () => {
	before(function () {
		if (!seesWindow) this.skip();
	});

	it('explains what to open, and profiles a file that is', async () => {
		await openWindow(undefined);
		await runCommand(DEBUG);
		await runCommand('Notifications: Show Notifications');
		await until('what to do', () =>
			inWindow(
				(sentence) =>
					[...document.querySelectorAll('.notification-list-item-message')].some((each) =>
						(each.textContent ?? '').startsWith(sentence),
					),
				'Open a JavaScript or TypeScript file',
			),
		);
		await runCommand('Notifications: Clear All Notifications');
		await openByDialog(fileOf(HASHES));
		await until('the file', async () => (await seenLines()).some(({ code }) => code.includes('crypto.pbkdf2(')));
		await runCommand(DEBUG);
		await annotated(OF_SECOND.program, OF_SECOND.code, OF_SECOND.text);
		await screenshotOtherInEveryTheme('no-folder');
	});
});

describe('a window with several folders', () => {
	const second = () => path.join(path.dirname(workspaceFolder().uri.fsPath), 'second');
	const workspace = () => path.join(path.dirname(workspaceFolder().uri.fsPath), 'several.code-workspace');

	before(function () {
		if (!seesWindow) this.skip();
		mkdirSync(path.join(second(), '.vscode'), { recursive: true });
		for (const { program } of [OF_SECOND, OF_WORKSPACE]) cpSync(fileOf(program), path.join(second(), program));
		const launch = (name: string, program: string) => ({ type: 'node', request: 'launch', name, program });
		writeFileSync(
			path.join(second(), '.vscode', 'launch.json'),
			JSON.stringify({
				version: '0.2.0',
				configurations: [launch(OF_SECOND.name, `\${workspaceFolder}/${OF_SECOND.program}`)],
			}),
		);
		writeFileSync(
			workspace(),
			JSON.stringify({
				folders: [{ path: workspaceFolder().uri.fsPath }, { path: second() }],
				launch: {
					version: '0.2.0',
					configurations: [launch(OF_WORKSPACE.name, `\${workspaceFolder:second}/${OF_WORKSPACE.program}`)],
				},
			}),
		);
	});
	after(() => {
		rmSync(second(), { recursive: true, force: true });
		rmSync(workspace(), { force: true });
	});

	/**
	 * Opens the workspace. VS Code reads its file late where it has it in no cache, and when it was slow then, the window stays without folders:
	 * opened again, it has them.
	 */
	async function openWorkspace(): Promise<void> {
		const hasFolders = () =>
			inWindow(() => document.querySelectorAll('.explorer-folders-view .monaco-list-row').length > 1, undefined);
		await openWindow(workspace());
		try {
			await until('its folders', hasFolders, FOLDERS_MS);
		} catch {
			await closeWindow();
			await openWindow(workspace());
			await until('its folders', hasFolders);
		}
	}

	/** Opens a program in a folder. @param code in one of its lines */
	async function openIn(folder: string, program: string, code: string): Promise<void> {
		await openByDialog(path.join(folder, program));
		await until('the file', () =>
			inWindow(
				(end) =>
					document.querySelector<HTMLElement>('.editor-instance .monaco-editor')?.dataset.uri?.endsWith(end) === true,
				encodeURI(path.join(folder, program)),
			),
		);
		await until('its lines', async () => (await seenLines()).some((seen) => seen.code.includes(code)));
	}

	it('profiles what belongs to a folder and what belongs to the workspace, each on the lines of its folder', async () => {
		await openWorkspace();
		for (const { name, description, program, code, text } of [
			{ ...OF_SECOND, description: ', second' },
			{ ...OF_WORKSPACE, description: '' },
		]) {
			await openIn(second(), program, code);
			await runCommand(DEBUG);
			const rows = await until('what can be run', async () => {
				const seen = await quickPickRows();
				return seen.some((row) => row.includes(name)) ? seen : undefined;
			});
			assert.ok(rows.includes(`${name}${description}`), rows.join('\n'));
			assert.ok(
				rows.some((row) => row.includes('Rounds one')),
				'those of the first folder too',
			);
			await choose(name);
			await annotated(program, code, text);
			await openTreeByIcon();
			await until('the line in the tree', async () =>
				(await paneRows('Async I/O')).some((row) => row.text.includes('crypto.pbkdf2')),
			);
			if (description !== '') await screenshotOtherInEveryTheme('several-folders');
			await openIn(workspaceFolder().uri.fsPath, program, code);
			// As long as annotations may take to come.
			await sleep(DRAWN_MS);
			assert.deepEqual(
				(await seenLines()).filter(({ after }) => after !== ''),
				[],
				'a file of the same name in another folder',
			);
		}
	});
});
