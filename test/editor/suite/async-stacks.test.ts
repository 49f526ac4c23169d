// The debugger's asynchronous call stacks: a profile makes js-debug collect none before a breakpoint, unless the user
// has chosen. The program itself says whether V8 collects them (workspace/async-stacks.cjs).
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { fileOf, lineWith, setSetting, until, waitline, workspaceFolder } from './editor.ts';
import { debug, type Launch, launched, stopAll } from './session.ts';

const PROGRAM = 'async-stacks.cjs';
const PROFILED = { [PROFILE_MARK]: true };

describe("the debugger's asynchronous call stacks", () => {
	const stopFile = fileOf('stop-async-stacks');
	const env = { STOP_FILE: stopFile };

	let api: WaitlineApi;

	before(async () => {
		api = await waitline();
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

	/** What the program has seen from now on, once it has looked five times: `on`, `off`, or both when that has changed meanwhile. */
	async function seen(launch: Launch): Promise<string> {
		const looks = () =>
			launch.events('output').flatMap(({ body }) => /async stacks (on|off)/.exec(String(body?.output))?.[1] ?? []);
		const before = looks().length;
		await until('five looks', () => looks().length >= before + 5);
		return [...new Set(looks().slice(before))].join();
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

	it('are reported as on, with the command that turns them off: in the report, the status bar and on the line', async () => {
		const launch = await start({ ...PROFILED, showAsyncStacks: { onAttach: 32 } });
		assert.equal(await seen(launch), 'on');
		const line = at('setTimeout(look');
		const run = () => api.report()?.lines.find((each) => each.file === fileOf(PROGRAM) && each.line === line);
		await until('the mark', () => (run()?.asyncStackRuns ?? 0) > 0);
		assert.ok(api.report()!.warnings.some(({ code }) => code === 'async-stacks-on'));
		await until('the status bar', () => api.status()?.includes('async stacks on'));
		await vscode.commands.executeCommand('waitline.turnOffAsyncStacks');
		await until('none', async () => (await seen(launch)) === 'off');
		await until('the status bar', () => api.status()?.includes('async stacks on') === false);
		// The report is behind: at first it still grows by what ran before.
		let last = run()!;
		await until('runs that have no mark', () => {
			const now = run()!;
			if (now.asyncStackRuns > last.asyncStackRuns) last = now;
			return now.count > last.count + 20;
		});
	});

	it('have no mark before a breakpoint is resolved, and one from then on', async () => {
		const launch = await start(PROFILED);
		assert.equal(await seen(launch), 'off');
		await until('runs', () => (api.report()?.lines[0]?.count ?? 0) > 5);
		assert.deepEqual(
			api.report()!.lines.map(({ asyncStackRuns }) => asyncStackRuns),
			[0],
		);
		assert.deepEqual(
			api.report()!.warnings.map(({ code }) => code),
			[],
		);
		const inLook = new vscode.Location(
			vscode.Uri.file(fileOf(PROGRAM)),
			new vscode.Position(at('existsSync(process') - 1, 0),
		);
		const breakpoints = [new vscode.SourceBreakpoint(inLook)];
		vscode.debug.addBreakpoints(breakpoints);
		const { session, threadId } = await until('the stop', () => launch.stopped());
		await launch.removeBreakpoints(breakpoints);
		await session.customRequest('continue', { threadId });
		await until('the stacks', async () => (await seen(launch)) === 'on');
		await until('the mark', () => (api.report()?.lines[0]?.asyncStackRuns ?? 0) > 0);
	});

	it('are turned off while a session is profiled that was started without, and on again after that', async () => {
		const launch = await start({});
		assert.equal(await seen(launch), 'on');
		await vscode.commands.executeCommand('waitline.startProfiling', launch.root.id);
		await until('none', async () => (await seen(launch)) === 'off');
		await vscode.commands.executeCommand('waitline.stopProfiling', launch.root.id);
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

	it('stay as the debugger has them when the setting demands that', async () => {
		await setSetting('lazyAsyncStacks', false);
		assert.equal(await seen(await start(PROFILED)), 'on');
	});
});
