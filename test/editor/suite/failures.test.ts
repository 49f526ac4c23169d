// When something of ours fails: one sentence says why, the program continues, and what was known stays.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { screenshotInEveryTheme } from './color-themes.ts';
import { fileOf, lineWith, open, until, waitline, workspaceFolder } from './editor.ts';
import { debug, type Launch, stopAll, untilMoreIsPrinted } from './session.ts';
import { choose, inWindow, runCommand, seesWindow } from './window.ts';

const ROUNDS = 'rounds.cjs';

describe('what fails', () => {
	let api: WaitlineApi;
	let launch: Launch;
	const stopFile = () => fileOf('stop of what fails');
	const rounds = () =>
		api
			.report()
			?.lines.find(({ line, op }) => line === lineWith(fileOf(ROUNDS), 'crypto.pbkdf2(') && op === 'crypto.pbkdf2')
			?.count ?? 0;

	before(async function () {
		if (!seesWindow) this.skip();
		api = await waitline();
		await vscode.commands.executeCommand('notifications.clearAll');
		await open(fileOf(ROUNDS));
	});
	after(async () => {
		await stopAll();
		rmSync(stopFile(), { force: true });
		await vscode.commands.executeCommand('notifications.clearAll');
	});

	/** Waits for a notification that begins like this; returns all of it. */
	async function notice(beginning: string): Promise<string> {
		await vscode.commands.executeCommand('notifications.showList');
		return until(`"${beginning}"`, async () => {
			const messages = await inWindow(
				() => [...document.querySelectorAll('.notification-list-item-message')].map((each) => each.textContent ?? ''),
				undefined,
			);
			return messages.find((message) => message.startsWith(beginning));
		});
	}

	it('is a recording that cannot be written where the person wants it', async () => {
		launch = await debug(ROUNDS, { env: { STOP_FILE: stopFile() }, [PROFILE_MARK]: true });
		await until('rounds', () => api.live() && rounds() >= 2);
		const folder = workspaceFolder().uri;
		assert.equal(await vscode.commands.executeCommand('waitline.saveRecording', folder), false);
		const sentence = await notice('The recording could not be saved.');
		assert.match(sentence, /^The recording could not be saved\. It is a folder\. \(.+\)$/);
		assert.equal(launch.ended, false);
	});

	it('is a session whose journals were removed: what it knew stays, and the program continues', async () => {
		const folder: unknown = launch.root.configuration.env?.WAITLINE_FOLDER;
		const before = rounds();
		rmSync(String(folder), { recursive: true });
		const sentence = await notice('Waitline could not follow the program.');
		assert.match(sentence, /^Waitline could not follow the program\. The file does not exist\. \(.+\)$/);
		await screenshotInEveryTheme('failure');
		await until('the end of the profile', () => !api.live());
		await vscode.commands.executeCommand('notifications.clearAll');
		assert.ok(rounds() >= before && before >= 2);
		// More than one, for the end of one of them may be in the report.
		for (let round = 0; round < 2; round++) await untilMoreIsPrinted(launch);
		writeFileSync(stopFile(), '');
		await launch.end();
		assert.ok(Number(readFileSync(stopFile(), 'utf8')) > rounds());
	});

	it('is a program that runs on another machine: it runs as it would', async () => {
		const name = 'Over there';
		rmSync(stopFile(), { force: true });
		const plain = await debug(ROUNDS, {
			name,
			env: { STOP_FILE: stopFile() },
			remoteRoot: '/srv/app',
			localRoot: workspaceFolder().uri.fsPath,
			[PROFILE_MARK]: true,
		});
		await notice(`“${name}” is not being profiled: it runs on another machine.`);
		assert.equal(plain.root.configuration.env?.WAITLINE_FOLDER, undefined);
		await until('its start', () => plain.events('output').some(({ body }) => String(body?.output).includes('started')));
		// The program prints the number of its rounds in the end.
		await untilMoreIsPrinted(plain);
		writeFileSync(stopFile(), '');
		await plain.end();
		assert.ok(Number(readFileSync(stopFile(), 'utf8')) >= 1);
		assert.equal(api.live(), false);
		await vscode.commands.executeCommand('notifications.clearAll');
	});

	it('has a log channel to look into', async () => {
		await runCommand('Output: Show Output Channels');
		await choose('Waitline');
		await until('the channel', () =>
			inWindow(
				() =>
					document.querySelector<HTMLSelectElement>('.output-view-switcher select, .pane-composite-part.panel select')
						?.selectedOptions[0]?.text === 'Waitline',
				undefined,
			),
		);
		await vscode.commands.executeCommand('workbench.action.closePanel');
	});
});
