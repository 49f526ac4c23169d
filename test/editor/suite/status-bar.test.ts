// The status bar beside the debugger: whose figures it shows, by what has the focus.
import { rmSync, writeFileSync } from 'node:fs';
import type * as vscode from 'vscode';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { screenshotInEveryTheme } from './color-themes.ts';
import { fileOf, open, until, waitline } from './editor.ts';
import { debug, focusSession, type Launch, stopAll } from './session.ts';
import { seesWindow } from './window.ts';

const PROGRAM = 'worker-turns.cjs';
const PLAIN = 'rounds.cjs';

describe('the status bar of a program with a Worker', () => {
	let api: WaitlineApi;
	let launch: Launch;
	const stopFile = () => fileOf('stop the threads');
	const stopPlainFile = () => fileOf('stop the other');

	before(async function () {
		if (!seesWindow) this.skip();
		api = await waitline();
		await open(fileOf(PROGRAM));
		launch = await debug(PROGRAM, { [PROFILE_MARK]: true, env: { STOP_FILE: stopFile() } });
		await until('the Worker', () => api.report()?.loops.some(({ threadId }) => threadId === 1) === true);
		// The debugger may learn of it later than its journal says so.
		await until('its session', () => launch.children.length === 2);
	});
	after(async () => {
		await stopAll();
		rmSync(stopFile(), { force: true });
		rmSync(stopPlainFile(), { force: true });
	});

	async function showsLoop(what: string, fits: (percent: number) => boolean): Promise<void> {
		await until(what, () => {
			const percent = /^\$\(pulse\) loop (\d+) %/.exec(api.status() ?? '')?.[1];
			return percent !== undefined && fits(Number(percent));
		});
	}

	it('shows the loop of the thread that has the focus', async () => {
		const [main, worker] = launch.children as [vscode.DebugSession, vscode.DebugSession];
		await focusSession(worker);
		await showsLoop('a busy loop', (percent) => percent > 50);
		await focusSession(main);
		await showsLoop('a loop that is hardly busy', (percent) => percent < 30);
		await focusSession(worker);
		await showsLoop('the busy one again', (percent) => percent > 50);
	});

	it('names the program as long as another one, which is not profiled, has the focus', async () => {
		const plain = await debug(PLAIN, { env: { STOP_FILE: stopPlainFile() } });
		await until('its process', () => plain.children.length === 1);
		await focusSession(plain.children[0]!);
		await until('the name', () => /^\$\(pulse\) worker-turns\.cjs · loop \d+ %/.test(api.status() ?? ''));
		await screenshotInEveryTheme('status-bar-of-another');
		await focusSession(launch.children[0]!);
		await showsLoop('no name', () => true);
		writeFileSync(stopFile(), '');
		await launch.end();
		await until('the end of the profile', () => !api.live());
		await until('the name beside the other', () =>
			/^\$\(watch\) worker-turns\.cjs · loop \d+ %/.test(api.status() ?? ''),
		);
		// VS Code may still call it active, since it is the last one to end.
		writeFileSync(stopPlainFile(), '');
		await plain.end();
		await until('what it was in all', () => /^\$\(watch\) loop \d+ %/.test(api.status() ?? ''));
	});
});
