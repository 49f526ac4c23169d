// The actions "Start" and "Stop Async Profile" in the rows of the call stack and in the debug toolbar: only while they apply.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import * as vscode from 'vscode';
import type { WaitlineApi } from '../../../src/vscode/api.ts';
import { screenshotInEveryTheme } from './color-themes.ts';
import { fileOf, until, waitline } from './editor.ts';
import { debug, type Launch, stopAll } from './session.ts';
import { rowOf } from './tree.ts';
import { click, hover, inWindow, seesWindow } from './window.ts';

const ROUNDS = 'rounds.cjs';
const [START, STOP] = ['Start Async Profile', 'Stop Async Profile'];
const STOP_FILES = ['stop the first', 'stop the second'];

describe('the actions of the call stack', () => {
	let api: WaitlineApi;
	let first: Launch;
	let second: Launch;

	before(async function () {
		if (!seesWindow) this.skip();
		api = await waitline();
		[first, second] = [await plain('First', STOP_FILES[0]!), await plain('Second', STOP_FILES[1]!)];
		await vscode.commands.executeCommand('workbench.view.debug');
		await vscode.commands.executeCommand('workbench.debug.action.focusCallStackView');
		await unfoldCallStack();
	});
	after(async () => {
		await stopAll();
		for (const file of STOP_FILES) rmSync(fileOf(file), { force: true });
		await vscode.commands.executeCommand('workbench.action.closeSidebar');
	});

	/** Gives the call stack the room of the debugger's other views: a list draws only the rows that it has room for. */
	async function unfoldCallStack(): Promise<void> {
		await inWindow(() => {
			for (const header of document.querySelectorAll<HTMLElement>('.sidebar .pane-header')) {
				const isWanted = header.textContent?.includes('Call Stack') === true;
				if (isWanted !== (header.getAttribute('aria-expanded') === 'true')) header.click();
			}
		}, undefined);
	}

	/** Debugs a program that runs until it is stopped, without a profile. */
	async function plain(name: string, stopFile: string): Promise<Launch> {
		const launch = await debug(ROUNDS, { name, env: { STOP_FILE: fileOf(stopFile) } });
		assert.equal(launch.root.configuration.env.WAITLINE_FOLDER, undefined);
		await until('its process', () => launch.children.length === 1);
		return launch;
	}

	/** One row per session: a session's process, where it has one alone, shares its row. */
	async function everyRowOffers(actions: string[], rows: number): Promise<void> {
		await until(`${actions.join() || 'nothing'} on each of ${rows} rows`, async () => {
			const offered = await labelsByRow();
			return (
				offered.length === rows &&
				offered.every(
					(labels) => labels.some((label) => /^Pause/.test(label)) && ours(labels).join() === actions.join(),
				)
			);
		});
	}

	async function toolbarOffers(action: string): Promise<void> {
		await until(`${action} in the toolbar`, async () => {
			const labels = await inWindow(
				() =>
					[...document.querySelectorAll('.debug-toolbar .action-label')].map(
						(each) => each.getAttribute('aria-label') ?? '',
					),
				undefined,
			);
			return ours(labels).join() === action;
		});
	}

	it('start a profile on the row of a session', async () => {
		await everyRowOffers([START], 2);
		await screenshotInEveryTheme('call-stack-plain');
		await hover(rowOf('First'));
		await click(`${rowOf('First')} .action-label[aria-label^="${START}"]`);
		await until('its profile', () => api.live() && (api.report()?.lines.length ?? 0) > 0);
	});

	it('offer nothing on any row while one session is profiled and another is not; the toolbar goes with the focus', async () => {
		await everyRowOffers([], 2);
		await screenshotInEveryTheme('call-stack-of-both-kinds');
		for (const [launch, action] of [
			[second, START],
			[first, STOP],
			[second, START],
		] as const) {
			await click(`${rowOf(launch.root.name)} .name`);
			await toolbarOffers(action);
		}
	});

	it('stop the profile on the row of the only session, and the program continues', async () => {
		await vscode.debug.stopDebugging(second.root);
		await second.end();
		await everyRowOffers([STOP], 1);
		await toolbarOffers(STOP);
		await screenshotInEveryTheme('call-stack-profiled');
		await hover(rowOf('First'));
		await click(`${rowOf('First')} .action-label[aria-label^="${STOP}"]`);
		await until('the end of the profile', () => !api.live());
		await everyRowOffers([START], 1);
		assert.equal(first.ended, false);
	});
});

/** The labels of the actions of each row of the call stack. */
function labelsByRow(): Promise<string[][]> {
	return inWindow(
		() =>
			[...document.querySelectorAll('.debug-call-stack .monaco-list-row')].map((row) =>
				[...row.querySelectorAll('.action-label')].map((each) => each.getAttribute('aria-label') ?? ''),
			),
		undefined,
	);
}

/** The labels that are of our actions, without their key bindings. */
function ours(labels: readonly string[]): string[] {
	return labels.flatMap((label) => /^(?:Start|Stop) Async Profile/.exec(label)?.[0] ?? []);
}
