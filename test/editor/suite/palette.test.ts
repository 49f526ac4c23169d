// What the command palette offers: what applies, and nothing else.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { WaitlineApi } from '../../../src/vscode/api.ts';
import { EXTENSION_ID, fileOf, open, until, waitline } from './editor.ts';
import { debug, type Launch, profile, stopAll } from './session.ts';
import { paletteCommands, seesWindow } from './window.ts';

const HASHES = 'seed3-five-hashes.cjs';
const ROUNDS = 'rounds.cjs';

/** In every state of a trusted window. */
const ALWAYS = ['attach', 'debug', 'openRecording', 'profileSample', 'showPanel'];
/** Where there is a report. */
const OF_REPORT = [
	'clearAnnotations',
	'filterToClass',
	'groupByClass',
	'saveRecording',
	'switchSession',
	'toggleAnnotations',
];
/** And an editor beside it. */
const OF_LINE = ['copyLine', 'filterToLine', 'revealInPanel', 'showLineDetails'];
/** And a profile being made. */
const WHILE_PROFILING = ['stopProfiling', 'turnOffAsyncStacks'];

describe('the palette', () => {
	let api: WaitlineApi;
	let launch: Launch;

	before(async function () {
		if (!seesWindow) this.skip();
		api = await waitline();
		// One thread for five hashes is a finding.
		await profile(api, HASHES, { UV_THREADPOOL_SIZE: '1' });
		await vscode.commands.executeCommand('waitline.groupByFile');
	});
	after(async () => {
		await stopAll();
		rmSync(fileOf('stop of the palette'), { force: true });
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	async function offers(...commands: string[][]): Promise<void> {
		const { extensionPath } = vscode.extensions.getExtension(EXTENSION_ID)!;
		const titles = JSON.parse(readFileSync(path.join(extensionPath, 'package.nls.json'), 'utf8')) as Record<
			string,
			string
		>;
		let expected: string[] = [];
		let offered: string[] = [];
		try {
			await until('what applies', async () => {
				// A busy machine makes findings of its own.
				const ofFindings = api.report()!.findings.length > 0 ? ['explainFindings'] : [];
				expected = [...commands.flat(), ...ofFindings].map((command) => titles[`command.${command}`]!).sort();
				offered = await paletteCommands('Waitline');
				return offered.join() === expected.join();
			});
		} catch (error) {
			assert.deepEqual(offered, expected, String(error));
		}
	}

	it('offers a profile of the session that runs without one', async () => {
		await open(fileOf(ROUNDS));
		launch = await debug(ROUNDS, { env: { STOP_FILE: fileOf('stop of the palette') } });
		await until('its process', () => launch.children.length > 0);
		assert.ok(api.report()!.findings.length > 0, 'the hashes’ pool was saturated');
		await offers(ALWAYS, OF_REPORT, OF_LINE, ['startProfiling']);
	});

	it('offers its end while one is made', async () => {
		await vscode.commands.executeCommand('waitline.startProfiling', launch.root.id);
		await until('lines', () => api.live() && (api.report()?.lines.length ?? 0) > 0);
		await offers(ALWAYS, OF_REPORT, OF_LINE, WHILE_PROFILING);
	});

	it('offers no line’s commands without an editor, and all lines only where some are left out', async () => {
		await vscode.commands.executeCommand('waitline.filterToClass', 'timer');
		await vscode.commands.executeCommand('waitline.groupByClass');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		const others = OF_REPORT.filter((command) => command !== 'groupByClass');
		try {
			await offers(ALWAYS, others, WHILE_PROFILING, ['clearFilter', 'groupByFile']);
		} finally {
			await vscode.commands.executeCommand('waitline.clearFilter');
			await vscode.commands.executeCommand('waitline.groupByFile');
		}
	});

	it('offers neither when nothing runs', async () => {
		await stopAll();
		await until('the end of the profile', () => !api.live());
		await offers(ALWAYS, OF_REPORT);
	});

	it('offers nothing on lines whose annotations are off', async () => {
		await open(fileOf(ROUNDS));
		await vscode.commands.executeCommand('waitline.toggleAnnotations');
		try {
			await offers(
				ALWAYS,
				OF_REPORT,
				OF_LINE.filter((command) => command !== 'showLineDetails'),
			);
		} finally {
			await vscode.commands.executeCommand('waitline.toggleAnnotations');
		}
	});
});
