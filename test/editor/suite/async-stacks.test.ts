// The debugger's asynchronous call stacks: a profile asks js-debug for none before a breakpoint, unless the user has chosen. The program
// itself says whether V8 collects them (workspace/async-stacks.cjs).
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { PROFILE_MARK } from '../../../src/vscode/api.ts';
import { fileOf, lineWith, setSetting, until, waitline, workspaceFolder } from './editor.ts';
import { debug, type Launch, launched, stopAll } from './session.ts';

const PROGRAM = 'async-stacks.cjs';
const PROFILED = { [PROFILE_MARK]: true };

describe("the debugger's asynchronous call stacks", () => {
	const stopFile = fileOf('stop-async-stacks');
	const env = { STOP_FILE: stopFile };

	before(async () => {
		await waitline();
	});
	afterEach(async () => {
		await end();
		vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
		await setSetting('lazyAsyncStacks', undefined);
		await setSetting('profileEveryNodeSession', undefined);
	});

	const at = (text: string) => lineWith(fileOf(PROGRAM), text);
	const start = (parts: Partial<vscode.DebugConfiguration>) =>
		debug(PROGRAM, { env, runtimeArgs: ['--expose-internals'], ...parts });

	async function end(): Promise<void> {
		writeFileSync(stopFile, '');
		await stopAll();
		rmSync(stopFile);
	}

	/** What the program has seen from now on, once it has looked five times: all the same. */
	async function seen(launch: Launch): Promise<string> {
		const looks = () =>
			launch.events('output').flatMap(({ body }) => /async stacks (on|off)/.exec(String(body?.output))?.[1] ?? []);
		const before = looks().length;
		await until('five looks', () => looks().length >= before + 5);
		const states = [...new Set(looks().slice(before))];
		assert.equal(states.length, 1, states.join());
		return states[0]!;
	}

	it('are there from the start in a plain session: the program can see them', async () => {
		assert.equal(await seen(await start({})), 'on');
	});

	it('are not collected while profiling, and are once a breakpoint is resolved', async () => {
		assert.equal(await seen(await start(PROFILED)), 'off');
		await end();
		const source = new vscode.Location(vscode.Uri.file(fileOf(PROGRAM)), new vscode.Position(at('NEVER') - 1, 0));
		vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(source)]);
		const launch = await start(PROFILED);
		await until('the stacks', async () => (await seen(launch)) === 'on');
	});

	it('stay as the user has them in launch.json', async () => {
		await setSetting('profileEveryNodeSession', true);
		const launch = await launched(() => vscode.debug.startDebugging(workspaceFolder(), 'Stacks from the start'));
		assert.equal(await seen(launch), 'on');
	});

	it('stay as the debugger has them where they are on in part', async () => {
		assert.equal(await seen(await start({ ...PROFILED, showAsyncStacks: { onAttach: 8 } })), 'on');
	});

	it('stay as the debugger has them when the setting says so', async () => {
		await setSetting('lazyAsyncStacks', false);
		assert.equal(await seen(await start(PROFILED)), 'on');
	});
});
