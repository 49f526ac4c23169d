// Programs that run already: attached to by port or by process id, or debugged without a profile so far. Nothing of it may harm
// them: they go on when the profile ends, and end as they would.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import * as vscode from 'vscode';
import type { WaitlineApi } from '../../../src/vscode/api.ts';
import { screenshotInEveryTheme } from './color-themes.ts';
import { fileOf, lineWith, open, until, waitline } from './editor.ts';
import { type Options, Program } from './program.ts';
import { debug, type Launch, launched, stopAll } from './session.ts';
import { choose, quickPickRows, seenLines, seesWindow, seriousFindings } from './window.ts';

const ROUNDS = 'rounds.cjs';

/** Where Node's inspector listens by default. */
const NODES_PORT = 9229;

async function freePort(wanted = 0): Promise<number> {
	const server = createServer().listen(wanted, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}

async function isFree(port: number): Promise<boolean> {
	try {
		await freePort(port);
		return true;
	} catch {
		return false;
	}
}

describe('a program that runs already', () => {
	let api: WaitlineApi;
	let line: number;
	const programs: Program[] = [];

	before(async () => {
		api = await waitline();
		line = lineWith(fileOf(ROUNDS), 'crypto.pbkdf2(');
		await open(fileOf(ROUNDS));
	});
	afterEach(async () => {
		for (const program of programs.splice(0)) program.process.kill();
		await stopAll();
	});

	async function start(name: string, options: Options, ...args: string[]): Promise<Program> {
		const program = await Program.start(name, options, ...args);
		programs.push(program);
		return program;
	}

	/** Rounds in the report that is shown, if it is of that process. */
	const rounds = (pid: number | undefined) =>
		api.report()?.processes.some((process) => process.pid === pid)
			? (api.report()!.lines.find((each) => each.line === line && each.op === 'crypto.pbkdf2')?.count ?? 0)
			: 0;

	function assertStartedLate(): void {
		assert.ok(
			api.report()!.warnings.some(({ code }) => code === 'started-late'),
			JSON.stringify(api.report()!.warnings),
		);
	}

	/**
	 * What every attached program goes through: it is profiled, left alone, and continues.
	 * @param tracer as in `Program.heard`
	 */
	async function assertProfiledAndLeft(program: Program, launch: Launch, tracer = 0): Promise<void> {
		await until('rounds', () => rounds(program.process.pid) >= 3);
		assertStartedLate();
		const atLeast = program.heard(tracer);
		await vscode.debug.stopDebugging(launch.root);
		await launch.end();
		await until('the end of the profile', () => !api.live());
		assert.ok(program.runs, 'it goes on');
		const reported = rounds(program.process.pid);
		assert.deepEqual(
			api.report()!.processes.map(({ end }) => end),
			['running'],
		);
		const counted = await program.stop();
		assert.ok(reported < counted, `${reported} of ${counted} rounds`);
		// It may go on for a moment after the last look at its journal.
		const atMost = program.heard(tracer);
		assert.ok(reported >= atLeast && reported <= atMost, `${reported} rounds, from ${atLeast} to ${atMost}`);
		assert.doesNotMatch(program.stderr, /waitline/i);
	}

	it('is profiled when it is attached to by port', async () => {
		const program = await start('attached by port', {}, '--inspect=127.0.0.1:0');
		const launch = await program.attach();
		await until('rounds', () => rounds(program.process.pid) >= 2);
		if (seesWindow) {
			await until('its annotation in the window', async () =>
				(await seenLines()).some((seen) => seen.line === line && seen.after !== ''),
			);
			await vscode.commands.executeCommand('waitline.showPanel');
			await until('the notice in the panel', () => (api.panelState()?.notices.length ?? 0) > 0);
			assert.match(api.panelState()!.notices.join('\n'), /operations started before are not known/);
			assert.deepEqual(await seriousFindings({ webviewWith: 'table.lines' }), []);
			await screenshotInEveryTheme('attached');
			await open(fileOf(ROUNDS));
		}
		await assertProfiledAndLeft(program, launch);
	});

	it('is profiled when it is attached to by its process id: the debugger has it listen', async function () {
		// Where a process is named by its id alone, js-debug uses Node's own port.
		if (!(await isFree(NODES_PORT))) this.skip();
		const program = await start('attached by id', {});
		const launch = await launched(() => vscode.commands.executeCommand('waitline.attach', `${program.process.pid}`));
		await assertProfiledAndLeft(program, launch);
	});

	it('is profiled when it is attached to by its process id and the port at which it listens', async () => {
		const program = await start('attached by id and port', {}, '--inspect-port=0');
		program.process.kill('SIGUSR1');
		const port = await program.inspectorPort();
		const launch = await launched(() =>
			vscode.commands.executeCommand('waitline.attach', `${program.process.pid}:${port}`),
		);
		await assertProfiledAndLeft(program, launch);
	});

	it('is profiled when it is chosen from the list of processes', async function () {
		if (!seesWindow) this.skip();
		const port = await freePort();
		const program = await start('chosen from the list', {}, `--inspect-port=${port}`);
		program.process.kill('SIGUSR1');
		await until('its inspector', () => program.stderr.includes('Debugger listening'));
		const attached = launched(() => vscode.commands.executeCommand('waitline.attach'));
		await until('the list of processes', async () => (await quickPickRows()).length > 0);
		await screenshotInEveryTheme('process-list');
		await choose(`${port}`, `inspect-port=${port}`);
		await assertProfiledAndLeft(program, await attached);
	});

	it('is profiled again when its session is restarted', async () => {
		const program = await start('attached again', {}, '--inspect=127.0.0.1:0');
		const launch = await program.attach();
		// Enough rounds that the second profile is seen while it still has fewer.
		await until('rounds', () => rounds(program.process.pid) >= 50);
		const first = rounds(program.process.pid);
		await vscode.commands.executeCommand('workbench.action.debug.restart');
		// Those of the first profile are more than that; of the second there are no more than its tracer has heard.
		await until('rounds of the second profile', () => {
			const now = rounds(program.process.pid);
			return now > 0 && (now < first || now <= program.heard(1));
		});
		await assertProfiledAndLeft(program, launch, 1);
	});

	it('is profiled with the Workers that it has and those that it starts later', async () => {
		const startFile = fileOf('start another Worker');
		const program = await start(
			'stop the Workers',
			{ program: 'workers-late.cjs', startFile },
			'--inspect=127.0.0.1:0',
		);
		const launch = await program.attach();
		const threads = () => (api.report()?.processes ?? []).filter(({ pid }) => pid === program.process.pid);
		await until('the Worker that ran already', () => threads().some(({ threadId }) => threadId === 1));
		await until('its rounds', () => rounds(program.process.pid) >= 3);
		writeFileSync(startFile, '');
		await until('the Worker that was started later', () => threads().some(({ threadId }) => threadId === 2));
		await until(
			'each thread to say that profiling began after its start, if only a moment after',
			() => api.report()!.warnings.filter(({ code }) => code === 'started-late').length === 3,
		);
		await vscode.debug.stopDebugging(launch.root);
		await launch.end();
		rmSync(startFile);
		assert.ok(program.runs, 'it goes on');
		await program.stop();
	});

	it('is profiled from the command on, and again after it was stopped, when its session had no profile', async () => {
		const stopFile = fileOf('started later');
		rmSync(stopFile, { force: true });
		const before = api.report();
		const launch = await debug(ROUNDS, { env: { STOP_FILE: stopFile } });
		const [child] = await until('its process', () => (launch.children.length > 0 ? launch.children : undefined));
		const pid = Number(/\[(\d+)\]/.exec(child!.name)![1]);
		assert.equal(api.report(), before, 'nothing is profiled yet');

		assert.equal(await vscode.commands.executeCommand('waitline.startProfiling', launch.root.id), true);
		await until('rounds', () => rounds(pid) >= 3);
		assertStartedLate();
		await vscode.commands.executeCommand('waitline.stopProfiling', launch.root.id);
		assert.equal(api.live(), false);
		const first = api.report();
		assert.ok(!launch.ended, 'the program goes on');

		assert.equal(await vscode.commands.executeCommand('waitline.startProfiling'), true);
		await until('rounds of the second profile', () => api.report() !== first && rounds(pid) >= 3);
		writeFileSync(stopFile, '');
		await launch.end();
		await until('the end of the profile', () => !api.live());
		assert.ok(rounds(pid) < Number(readFileSync(stopFile, 'utf8')));
		assert.deepEqual(
			api.report()!.processes.map(({ end }) => end),
			['exit'],
		);
	});
});
