// Windows that are not one folder: none, and the several of a workspace file.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { screenshotOtherInEveryTheme } from './color-themes.ts';
import { fileOf, lineWith, until, workspaceFolder } from './editor.ts';
import { paneRows, unfoldOnly } from './tree.ts';
import {
	choose,
	closeWindow,
	inWindow,
	openByDialog,
	openWindow,
	press,
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

/** The hashes' line in the editor that is open, with the text behind it. */
async function annotated() {
	const line = lineWith(fileOf(HASHES), 'crypto.pbkdf2(');
	return until('the text behind the line', async () =>
		(await seenLines()).find((seen) => seen.line === line && seen.after.includes('×5 threadpool')),
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
		await annotated();
		await screenshotOtherInEveryTheme('no-folder');
	});
});

describe('a window with several folders', () => {
	const second = () => path.join(path.dirname(workspaceFolder().uri.fsPath), 'second');
	const workspace = () => path.join(path.dirname(workspaceFolder().uri.fsPath), 'several.code-workspace');

	before(function () {
		if (!seesWindow) this.skip();
		mkdirSync(path.join(second(), '.vscode'), { recursive: true });
		cpSync(fileOf(HASHES), path.join(second(), HASHES));
		const launch = (name: string, program: string) => ({ type: 'node', request: 'launch', name, program });
		writeFileSync(
			path.join(second(), '.vscode', 'launch.json'),
			JSON.stringify({
				version: '0.2.0',
				configurations: [launch('Hashes of the second', `\${workspaceFolder}/${HASHES}`)],
			}),
		);
		writeFileSync(
			workspace(),
			JSON.stringify({
				folders: [{ path: workspaceFolder().uri.fsPath }, { path: second() }],
				launch: {
					version: '0.2.0',
					configurations: [launch('Hashes of the workspace', `\${workspaceFolder:second}/${HASHES}`)],
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

	/** Opens the file of that name in a folder. */
	async function openIn(folder: string): Promise<void> {
		await openByDialog(path.join(folder, HASHES));
		await until('the file', () =>
			inWindow(
				(end) =>
					document.querySelector<HTMLElement>('.editor-instance .monaco-editor')?.dataset.uri?.endsWith(end) === true,
				encodeURI(path.join(folder, HASHES)),
			),
		);
		await until('its lines', async () => (await seenLines()).some(({ code }) => code.includes('crypto.pbkdf2(')));
	}

	for (const [name, description] of [
		['Hashes of the second', 'second'],
		['Hashes of the workspace', ''],
	] as const) {
		it(`profiles "${name}", on the lines of the folder that it belongs to`, async () => {
			await openWorkspace();
			await openIn(second());
			await press('F1');
			await choose(DEBUG, `>${DEBUG}`);
			const rows = await until('what can be run', async () => {
				const seen = await quickPickRows();
				return seen.some((row) => row.includes(name)) ? seen : undefined;
			});
			assert.ok(rows.includes(description === '' ? name : `${name}, ${description}`), rows.join('\n'));
			assert.ok(
				rows.some((row) => row.includes('Rounds one')),
				'those of the first folder too',
			);
			await choose(name);
			await annotated();
			await press('Control+Shift+D');
			await until('the line in the tree', async () => {
				await unfoldOnly('Async I/O');
				return (await paneRows('Async I/O')).some(({ text }) => text.includes('crypto.pbkdf2'));
			});
			if (description !== '') await screenshotOtherInEveryTheme('several-folders');
			await openIn(workspaceFolder().uri.fsPath);
			// As long as annotations may take to come.
			await sleep(DRAWN_MS);
			assert.deepEqual(
				(await seenLines()).filter(({ after }) => after !== ''),
				[],
				'a file of the same name in another folder',
			);
		});
	}
});
