// Several profiled sessions: side by side, after one another, started again; which one is shown, and which are kept.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { pidOfSession } from '../../../src/vscode/debugging/debugger-pauses.ts';
import { screenshotInEveryTheme } from './color-themes.ts';
import { fileOf, journalFolders, lineWith, open, setSetting, until, waitline, workspaceFolder } from './editor.ts';
import { chooseFrom, closeList } from './list.ts';
import { debug, focusSession, type Launch, launchesSince, stopAll } from './session.ts';
import {
	answerDialog,
	choose,
	click,
	dialogField,
	inWindow,
	quickPickRows,
	seesWindow,
	typeInDialog,
} from './window.ts';

const ROUNDS = 'rounds.cjs';

/** Rounds that the report which is shown knows of. */
function shownRounds(api: WaitlineApi): number {
	const line = lineWith(fileOf(ROUNDS), 'crypto.pbkdf2(');
	return api.report()?.lines.find((each) => each.file === fileOf(ROUNDS) && each.line === line)?.count ?? 0;
}

/** Lets a program of rounds end, and returns how many it counted itself. */
async function stopRounds(stopFile: string, launch: Launch): Promise<number> {
	writeFileSync(stopFile, '');
	await launch.end();
	return Number(readFileSync(stopFile, 'utf8'));
}

/** Restarts the session that is shown, and waits for rounds of its next run: until that is shown, the report is of the one before. */
async function restart(api: WaitlineApi): Promise<void> {
	const first = api.report()!.processes[0]!.pid;
	await vscode.commands.executeCommand('workbench.action.debug.restart');
	await until('rounds of the next run', () => {
		const [process] = api.report()!.processes;
		return process !== undefined && process.pid !== first && shownRounds(api) >= 2;
	});
}

/** Opens the list of sessions and returns its rows; the command ends when one is taken. */
async function openList(): Promise<string[]> {
	void vscode.commands.executeCommand('waitline.switchSession');
	return until('the list of sessions', async () => {
		const rows = await quickPickRows();
		return rows.length > 0 ? rows : undefined;
	});
}

/** Shows the first session of the list whose row holds the text, with the keyboard alone. */
async function switchTo(text: string): Promise<void> {
	assert.equal(await chooseFrom('waitline.switchSession', (row) => row.includes(text)), true);
}

describe('a compound that is chosen from the command', () => {
	after(() => stopAll());

	it('is profiled whole, without a setting', async function () {
		if (!seesWindow) this.skip();
		await waitline();
		await open(fileOf(ROUNDS));
		const before = launchesSince();
		const started = vscode.commands.executeCommand('waitline.debug');
		await until('the compound in the list', async () =>
			(await quickPickRows()).some((row) => row.includes('Both rounds')),
		);
		await screenshotInEveryTheme('what-should-run');
		await choose('Both rounds');
		assert.equal(await started, true);
		const launches = await until('both sessions', () => (before().length === 2 ? before() : undefined));
		for (const { root } of launches) assert.ok(existsSync(String(root.configuration.env.WAITLINE_FOLDER)), root.name);
		const plain = await debug(ROUNDS, { env: { STOP_FILE: fileOf('stop plain') } });
		assert.equal(plain.root.configuration.env?.WAITLINE_FOLDER, undefined, 'and nothing after it');
		await vscode.commands.executeCommand('waitline.stopProfiling', plain.root.id);
		await vscode.commands.executeCommand('notifications.showList');
		await until('why nothing happens', () =>
			inWindow(
				(sentence) =>
					[...document.querySelectorAll('.notification-list-item-message')].some((each) =>
						(each.textContent ?? '').includes(sentence),
					),
				`“${plain.root.name}” is not being profiled.`,
			),
		);
		await vscode.commands.executeCommand('notifications.clearAll');
	});
});

describe('a launch configuration that is chosen from the command', () => {
	after(async () => {
		await stopAll();
		rmSync(fileOf('stop one'), { force: true });
	});

	it('is profiled again when it is restarted, though its mark is lost', async function () {
		if (!seesWindow) this.skip();
		const api = await waitline();
		await open(fileOf(ROUNDS));
		const started = vscode.commands.executeCommand('waitline.debug');
		await until('it in the list', async () => (await quickPickRows()).some((row) => row.includes('Rounds one')));
		await choose('Rounds one');
		assert.equal(await started, true);
		await until('rounds', () => api.live() && shownRounds(api) >= 2);
		await restart(api);
	});
});

describe('several sessions at once', () => {
	let api: WaitlineApi;
	let one: Launch;
	let two: Launch;
	const [stopOne, stopTwo] = [() => fileOf('stop one'), () => fileOf('stop two')];

	before(async () => {
		api = await waitline();
		await setSetting('profileEveryNodeSession', true);
		await open(fileOf(ROUNDS));
		const before = launchesSince();
		assert.ok(await vscode.debug.startDebugging(workspaceFolder(), 'Both rounds'));
		const launches = await until('both sessions of the compound', () => {
			const started = before();
			return started.length === 2 && started.every(({ children }) => children.length === 1) ? started : undefined;
		});
		one = launches.find(({ root }) => root.name.includes('Rounds one'))!;
		two = launches.find(({ root }) => root.name.includes('Rounds two'))!;
	});
	after(async () => {
		await stopAll();
		await setSetting('profileEveryNodeSession', undefined);
		for (const file of [stopOne(), stopTwo()]) rmSync(file, { force: true });
	});

	it('are each profiled for themselves', async () => {
		const folders = [one, two].map(({ root }) => String(root.configuration.env.WAITLINE_FOLDER));
		assert.notEqual(folders[0], folders[1]);
		for (const folder of folders) assert.ok(existsSync(folder));
		await until('rounds in the one that is shown', () => shownRounds(api) >= 2);
		assert.equal(api.report()!.processes.length, 1, 'nothing of the other one');
	});

	it('can be switched with the keyboard, and the list distinguishes them', async function () {
		if (!seesWindow) this.skip();
		const rows = await openList();
		assert.equal(rows.filter((row) => /Rounds (one|two).*running since/.test(row)).length, 2, rows.join('\n'));
		assert.equal(rows.filter((row) => row.includes('shown')).length, 1, rows.join('\n'));
		await screenshotInEveryTheme('switch-session');
		await closeList();
		const pidOf = () => api.report()?.processes[0]?.pid;
		await switchTo('Rounds one');
		await until('rounds of the first', () => shownRounds(api) >= 2);
		const first = pidOf();
		await switchTo('Rounds two');
		await until('rounds of the second', () => shownRounds(api) >= 2 && pidOf() !== first);
	});

	it('show the one that is focused in the debugger', async function () {
		if (!seesWindow) this.skip();
		// Whichever has the focus now: to give it again to the one that has it would change nothing.
		await focusSession(one.children[0]!);
		for (const launch of [two, one, two]) {
			const [process] = launch.children;
			await focusSession(process!);
			const pid = pidOfSession(process!.name);
			await until('its profile', () => api.report()?.processes[0]?.pid === pid);
			const threads = launch === two ? 2 : 4;
			await until('its pool in the status bar', () => new RegExp(`pool \\d/${threads} `).test(api.status() ?? ''));
		}
		await screenshotInEveryTheme('focused-session');
	});

	it('end each with its own totals', async function () {
		const rounds = { one: await stopRounds(stopOne(), one), two: await stopRounds(stopTwo(), two) };
		assert.ok(rounds.one > 0 && rounds.two > 0);
		await until('the end of both', () => !api.live());
		if (!seesWindow) this.skip();
		await switchTo('Rounds one');
		await until('the totals of the first', () => shownRounds(api) === rounds.one);
		await switchTo('Rounds two');
		await until('the totals of the second', () => shownRounds(api) === rounds.two);
	});
});

describe('sessions after their end', () => {
	let api: WaitlineApi;

	before(async () => {
		api = await waitline();
		await setSetting('keptSessions', 1);
	});
	after(async () => {
		await stopAll();
		await setSetting('keptSessions', undefined);
	});

	/** Profiles a short program to its end. */
	async function profile(name: string): Promise<void> {
		const before = api.report();
		const launch = await debug('modules.mjs', { name, [PROFILE_MARK]: true });
		await launch.end();
		await until('the end of the profile', () => api.report() !== before && !api.live());
	}

	it('are kept on disk up to the number of the setting', async function () {
		await setSetting('keptSessions', 2);
		for (const name of ['Kept A', 'Kept B', 'Kept C']) await profile(name);
		await until('two folders', () => journalFolders().length === 2);
		if (!seesWindow) this.skip();
		const rows = await openList();
		assert.deepEqual(
			rows.map((row) => /Kept [ABC]/.exec(row)?.[0]),
			['Kept C', 'Kept B'],
		);
		for (const row of rows) assert.match(row, /ended · .* · \d/);
		await screenshotInEveryTheme('kept-sessions');
		await closeList();
	});

	it('can be shown again, saved, and opened with the same figures', async function () {
		if (!seesWindow) this.skip();
		const latest = api.report();
		await switchTo('Kept B');
		assert.notEqual(api.report(), latest);
		assert.equal(api.live(), false);
		const target = vscode.Uri.file(fileOf('kept.waitline'));
		assert.equal(await vscode.commands.executeCommand('waitline.saveRecording', target), true);
		const { lines } = api.report()!;
		assert.equal(await vscode.commands.executeCommand('waitline.openRecording', target), true);
		await until('what was saved', () => api.report()?.lines !== lines);
		assert.deepEqual(api.report()!.lines, lines);
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await switchTo('Kept B');
	});

	it('are saved where the person chooses, in VS Code’s own dialog', async function () {
		if (!seesWindow) this.skip();
		const target = fileOf('saved in the dialog.waitline');
		rmSync(target, { force: true });
		const saved = vscode.commands.executeCommand<boolean>('waitline.saveRecording');
		await until('the name that it proposes', async () => (await dialogField()).endsWith('Kept B.waitline'));
		await typeInDialog(target);
		assert.equal(await answerDialog('Enter', saved), true);
		assert.ok(existsSync(target));
		await vscode.commands.executeCommand('notifications.showList');
		const notice = '.notifications-center .notification-list-item:has-text("Saved saved in the dialog.waitline.")';
		await click(`${notice} .monaco-button:has-text("Reveal")`);
		await until('the file in the explorer', () =>
			inWindow(
				() => document.querySelector('.explorer-folders-view .monaco-list-row.selected')?.textContent ?? '',
				undefined,
			).then((text) => text.includes('saved in the dialog.waitline')),
		);
		rmSync(target);
	});

	it('stay beside the run that a restart begins', async function () {
		const stopFile = fileOf('stop the second run');
		const launch = await debug(ROUNDS, { name: 'Twice', env: { STOP_FILE: stopFile }, [PROFILE_MARK]: true });
		await until('a profile', () => api.live() && shownRounds(api) >= 5);
		await restart(api);
		const rounds = await stopRounds(stopFile, launch);
		rmSync(stopFile);
		await until('the end of the profile', () => !api.live());
		assert.equal(shownRounds(api), rounds);
		assert.deepEqual(
			api.report()!.processes.map(({ end }) => end),
			['exit'],
		);
		if (!seesWindow) this.skip();
		const rows = (await openList()).filter((row) => row.includes('Twice'));
		await closeList();
		assert.equal(rows.length, 2, 'both runs');
		const last = api.report();
		await setSetting('keptSessions', 3);
		await chooseFrom('waitline.switchSession', (row) => row.includes('Twice') && !row.includes('shown'));
		await until('the run before', () => api.report() !== last);
		assert.ok(shownRounds(api) >= 5);
		assert.deepEqual(
			api.report()!.processes.map(({ end }) => end),
			['killed'],
		);
	});

	it('leave nothing on disk when they are forgotten', async () => {
		await setSetting('keptSessions', 1);
		await profile('The last');
		await until('one folder', () => journalFolders().length === 1);
	});
});
