// While the program runs: its waits are on its lines already, grow, and are complete in the end.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { screenshotInEveryTheme } from './color-themes.ts';
import { entryOf, fileOf, lineWith, open, setSetting, until, waitline } from './editor.ts';
import { debug, type Launch, stopAll, untilMoreIsPrinted } from './session.ts';
import { showTree, treeRows } from './tree.ts';
import { click, inWindow, press, screenshot, seenLines, seesWindow } from './window.ts';

const PANEL = { webviewWith: 'table.lines' };

/** Four times a second, and the one that may lie on each end of the stretch. */
const UPDATES_PER_SECOND = 4;
/** Enough of them to know how many come in a second. */
const UPDATES_SEEN = 10;

/** Nothing is said of the profile but the offer of its result, which the first one on a machine ends with (first-result.test.ts). */
async function assertNotNotified(): Promise<void> {
	await vscode.commands.executeCommand('notifications.showList');
	const messages = await inWindow(
		() => [...document.querySelectorAll('.notification-list-item-message')].map((each) => each.textContent ?? ''),
		undefined,
	);
	assert.deepEqual(
		messages.filter(
			(message) => /waitline|profil/i.test(message) && !/^“rounds\.cjs” has been profiled\./.test(message),
		),
		[],
	);
	await vscode.commands.executeCommand('notifications.hideList');
}

describe('a program that still runs', () => {
	let api: WaitlineApi;
	let launch: Launch;
	let line: number;
	let stopFile: string;

	/** Rounds that the report knows of. */
	const count = () =>
		api.report()?.lines.find((each) => each.file === fileOf('rounds.cjs') && each.line === line)?.count ?? 0;

	before(async () => {
		api = await waitline();
		line = lineWith(fileOf('rounds.cjs'), 'crypto.pbkdf2(');
		stopFile = fileOf('stop');
		await open(fileOf('rounds.cjs'));
		launch = await debug('rounds.cjs', { env: { STOP_FILE: stopFile }, [PROFILE_MARK]: true });
	});
	after(stopAll);

	it('is reported before it ends, and the report grows', async () => {
		await until('a first round in the report', () => count() >= 1);
		assert.equal(launch.ended, false);
		assert.equal(api.live(), true);
		const first = count();
		await until('more rounds', () => count() >= first + 3);
		assert.equal(launch.ended, false);
	});

	it('is annotated before it ends, and the annotation changes', async () => {
		const first = await until('an annotation', () =>
			api.annotations(fileOf('rounds.cjs')).find((at) => at.line === line),
		);
		await until('another annotation', () => {
			const now = api.annotations(fileOf('rounds.cjs')).find((at) => at.line === line);
			return now !== undefined && now.text !== first.text;
		});
		assert.equal(launch.ended, false);
	});

	it('changes behind the line, in the window', async function () {
		if (!seesWindow) this.skip();
		const shown = async () => (await seenLines()).find((seen) => seen.line === line && seen.after !== '')?.after;
		const first = await until('a text behind the line', shown);
		await until('another text', async () => {
			const now = await shown();
			return now !== undefined && now !== first;
		});
		await screenshotInEveryTheme('editor-live');
		assert.equal(launch.ended, false);
	});

	it('is in the status bar', async function () {
		await until('a text', () => /loop \d+ %/.test(api.status() ?? ''));
		if (!seesWindow) this.skip();
		await until('the text in the window', () =>
			inWindow(
				() =>
					[...document.querySelectorAll('.statusbar-item')].some((item) =>
						/loop \d+ % · pool [01]\/4 · \d queued/.test(item.textContent ?? ''),
					),
				undefined,
			),
		);
	});

	it('has a name for screen readers in the status bar', async function () {
		if (!seesWindow) this.skip();
		await until('the name', () =>
			inWindow(
				() =>
					[...document.querySelectorAll('.statusbar-item, .statusbar-item [aria-label]')].some((item) =>
						/^Waitline: loop \d+ %/.test(item.getAttribute('aria-label') ?? ''),
					),
				undefined,
			),
		);
	});

	it('has its panel behind the status bar', async function () {
		if (!seesWindow) this.skip();
		assert.equal(api.panelState(), undefined);
		await click('.statusbar-item:has-text("loop"):has-text("%") a');
		await until('the panel', () => (api.panelState()?.rows.length ?? 0) > 0);
		await open(fileOf('rounds.cjs'));
	});

	it('has a timeline that leaves what one looks at, and follows the program again when it is asked to', async function () {
		if (!seesWindow) this.skip();
		await vscode.commands.executeCommand('waitline.showPanel');
		await until('the panel', () => (api.panelState()?.rows.length ?? 0) > 0);
		await click('vscode-panel-tab#timeline', PANEL);
		const timeline = () => api.panelState()?.timeline ?? null;
		await until('operations', () => timeline()?.lanes.some(({ operations }) => operations > 1));
		await click('.chart', PANEL);
		await press('0');
		const whole = await until('the program goes on', () => {
			const { toMs } = timeline()!;
			return toMs > 0 ? toMs : undefined;
		});
		await until('what is new', () => timeline()!.toMs > whole);
		await press('+');
		const stretch = await until('a shorter stretch', () => {
			const now = timeline()!;
			return now.fromMs > 0 ? now : undefined;
		});
		const behind = () =>
			inWindow(
				() =>
					[...document.querySelectorAll<HTMLElement>('.source-bar vscode-button')].some(
						(each) => !each.hidden && /behind · Jump to live$/.test(each.textContent ?? ''),
					),
				undefined,
				PANEL,
			);
		await until('how far behind it is', behind);
		assert.deepEqual([timeline()!.fromMs, timeline()!.toMs], [stretch.fromMs, stretch.toMs]);
		await screenshot('panel-timeline-behind');
		await press('f');
		const later = await until('the end', () => (timeline()!.toMs > stretch.toMs ? timeline()! : undefined));
		assert.ok(Math.abs(later.toMs - later.fromMs - (stretch.toMs - stretch.fromMs)) < 1e-6, 'as long as before');
		await until('what comes then', () => timeline()!.toMs > later.toMs);
		assert.equal(await behind(), false);
		await click('vscode-panel-tab#lines', PANEL);
		await open(fileOf('rounds.cjs'));
	});

	it('shows no notification', async function () {
		if (!seesWindow) this.skip();
		await assertNotNotified();
	});

	it('is in the tree, whose rows change', async function () {
		if (!seesWindow) this.skip();
		await showTree();
		const row = async () => (await treeRows()).find(({ text }) => text.includes('crypto.pbkdf2'))?.text;
		const first = await until('its row', row);
		await until('another text', async () => {
			const now = await row();
			return now !== undefined && now !== first;
		});
		assert.equal(launch.ended, false);
		await vscode.commands.executeCommand('workbench.action.closeSidebar');
	});

	it('updates at most four times a second', async () => {
		let updates = 0;
		const began = performance.now();
		const remove = api.onUpdate(() => updates++);
		await until('updates', () => updates >= UPDATES_SEEN);
		remove();
		const seconds = (performance.now() - began) / 1000;
		assert.ok(updates <= seconds * UPDATES_PER_SECOND + 2, `${updates} updates in ${seconds} s`);
	});

	it('changes its lines no more often than the setting allows', async () => {
		const delayMs = 2000;
		await setSetting('annotations.updateDelayMs', delayMs);
		try {
			const texts = new Set<string>();
			const began = performance.now();
			await until('four texts', async () => {
				const now = api.annotations(fileOf('rounds.cjs')).find((at) => at.line === line);
				if (now !== undefined) texts.add(now.text);
				return texts.size >= 4;
			});
			// What stood there, and what was due already.
			assert.ok(texts.size <= (performance.now() - began) / delayMs + 2, `${texts.size} texts`);
		} finally {
			await setSetting('annotations.updateDelayMs', undefined);
		}
	});

	it('is complete when it has ended', async () => {
		writeFileSync(stopFile, '');
		await launch.end();
		await until('the end of the profile', () => !api.live());
		const rounds = Number(readFileSync(stopFile, 'utf8'));
		assert.ok(rounds > 0);
		const hashes = entryOf(api.report(), fileOf('rounds.cjs'), line, 'crypto.pbkdf2');
		assert.deepEqual([hashes.count, hashes.pending], [rounds, 0]);
		assert.deepEqual(
			api.report()!.processes.map(({ end }) => end),
			['exit'],
		);
		await until('the last figures behind the line', () =>
			api.annotations(fileOf('rounds.cjs')).some((at) => at.line === line && at.text.includes(`×${rounds} threadpool`)),
		);
		if (seesWindow) await assertNotNotified();
	});
});

describe('a profile that is stopped before its program ends', () => {
	let api: WaitlineApi;
	let launch: Launch;
	const stopFile = () => fileOf('stop after the profile');

	before(async () => {
		api = await waitline();
		launch = await debug('rounds.cjs', { env: { STOP_FILE: stopFile() }, [PROFILE_MARK]: true });
		// The report of the session before may still be the one that is shown.
		await until('a first round', () => api.live() && (api.report()?.lines.length ?? 0) > 0);
	});
	after(async () => {
		await stopAll();
		await vscode.commands.executeCommand('workbench.action.closeSidebar');
	});

	const STOP = '.action-label[aria-label^="Stop Async Profile"]';
	const offered = (where: string) =>
		inWindow((selector) => document.querySelectorAll(selector).length > 0, `${where} ${STOP}`);

	it('can be stopped from the call stack and from the toolbar, while it runs', async function () {
		if (!seesWindow) this.skip();
		await vscode.commands.executeCommand('workbench.view.debug');
		await vscode.commands.executeCommand('workbench.debug.action.focusCallStackView');
		await until('the action in the toolbar', () => offered('.debug-toolbar'));
		await until('the action in the call stack', () => offered('.debug-call-stack'));
		await screenshotInEveryTheme('profiling-actions');
		await click(`.debug-toolbar ${STOP}`);
		await until('the end of the profile', () => !api.live());
		await until('no action in the toolbar', async () => !(await offered('.debug-toolbar')));
		await until('no action in the call stack', async () => !(await offered('.debug-call-stack')));
	});

	it('leaves the program running, with what it did so far in the report', async () => {
		await vscode.commands.executeCommand('waitline.stopProfiling');
		await until('the end of the profile', () => !api.live());
		assert.equal(launch.ended, false);
		const line = lineWith(fileOf('rounds.cjs'), 'crypto.pbkdf2(');
		const { count } = entryOf(api.report(), fileOf('rounds.cjs'), line, 'crypto.pbkdf2');
		// The program does more rounds, and the report does not know of them.
		for (let round = 0; round < 2; round++) await untilMoreIsPrinted(launch);
		writeFileSync(stopFile(), '');
		await launch.end();
		assert.ok(Number(readFileSync(stopFile(), 'utf8')) > count);
		assert.equal(entryOf(api.report(), fileOf('rounds.cjs'), line, 'crypto.pbkdf2').count, count);
	});
});

describe('a program whose loop is blocked', () => {
	it('is shown in the status bar while it is blocked', async function () {
		// On other systems a process's threads cannot be watched.
		if (process.platform !== 'linux') this.skip();
		const api = await waitline();
		const [freeFile, stopFile] = [fileOf('free the loop'), fileOf('stop spinning')];
		try {
			const launch = await debug('spins.cjs', {
				env: { FREE_FILE: freeFile, STOP_FILE: stopFile },
				[PROFILE_MARK]: true,
			});
			await until('the block in the status bar', () => /loop blocked for [\d.]+ m?s/.test(api.status() ?? ''));
			if (seesWindow) {
				const { label, background } = await until('the block in the window', () =>
					inWindow(() => {
						const item = [...document.querySelectorAll<HTMLElement>('.statusbar-item')].find((each) =>
							each.textContent?.includes('loop blocked for'),
						);
						if (item === undefined) return undefined;
						return {
							label: item.querySelector('a')?.getAttribute('aria-label') ?? '',
							background: item.classList.contains('warning-kind'),
						};
					}, undefined).then((found) => found ?? undefined),
				);
				assert.match(label, /^Waitline: loop blocked for/);
				assert.equal(background, true);
				await screenshotInEveryTheme('status-blocked');
				assert.match(api.status() ?? '', /loop blocked for/);
			}
			writeFileSync(freeFile, '');
			await until('the end of the block', () => !/blocked/.test(api.status() ?? ''));
			assert.equal(api.live(), true, 'the program still runs');
			writeFileSync(stopFile, '');
			await launch.end();
			await until('the end of the profile', () => !api.live());
		} finally {
			await stopAll();
		}
	});
});

describe('a program that is restarted', () => {
	it('is profiled again, without the figures of the run before', async () => {
		const api = await waitline();
		const line = lineWith(fileOf('rounds.cjs'), 'crypto.pbkdf2(');
		const stopFile = fileOf('stop restarted');
		try {
			const launch = await debug('rounds.cjs', { env: { STOP_FILE: stopFile }, [PROFILE_MARK]: true });
			const count = () => api.report()?.lines.find((each) => each.line === line)?.count ?? 0;
			await until('a profile', () => api.live() && count() >= 5);
			const first = api.report()!.processes[0]!.pid;
			await vscode.commands.executeCommand('workbench.action.debug.restart');
			await until('the second process', () => launch.children.length === 2);
			// The report of the first run has its rounds until that of the second is shown.
			await until('rounds of the second run', () => {
				const [process] = api.report()!.processes;
				return process !== undefined && process.pid !== first && count() >= 5;
			});
			writeFileSync(stopFile, '');
			await launch.end();
			await until('the end of the profile', () => !api.live());
			const rounds = Number(readFileSync(stopFile, 'utf8'));
			assert.equal(api.report()!.processes.length, 1, 'one process: that of the second run');
			assert.equal(entryOf(api.report(), fileOf('rounds.cjs'), line, 'crypto.pbkdf2').count, rounds);
		} finally {
			await stopAll();
		}
	});
});
