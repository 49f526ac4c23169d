// A stop at a breakpoint is no wait, no run and no block, whatever is debugged: a program from its start is in debug.test.ts; here are
// an attached one, whose session does not name its process, and a Worker.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { fileOf, lineWith, until, waitline } from './editor.ts';
import { Program } from './program.ts';
import { debug, type Launch, stopAll } from './session.ts';

/** Longer than anything that these programs do by themselves. */
const PAUSE_MS = 4000;

describe('a stop at a breakpoint', () => {
	let api: WaitlineApi;
	let breakpoint: vscode.SourceBreakpoint | undefined;
	let program: Program | undefined;

	before(async () => {
		api = await waitline();
	});
	afterEach(async () => {
		if (breakpoint !== undefined) vscode.debug.removeBreakpoints([breakpoint]);
		program?.process.kill();
		await stopAll();
	});

	function breakAt(file: string, text: string): void {
		const place = new vscode.Position(lineWith(fileOf(file), text) - 1, 0);
		breakpoint = new vscode.SourceBreakpoint(new vscode.Location(vscode.Uri.file(fileOf(file)), place));
		vscode.debug.addBreakpoints([breakpoint]);
	}

	/** Waits for the stop, lets it last, and lets the thread go on. */
	async function pause(launch: Launch): Promise<void> {
		const { session, threadId } = await until('the stop', () => launch.stopped());
		await launch.removeBreakpoints([breakpoint!]);
		await sleep(PAUSE_MS);
		await session.customRequest('continue', { threadId });
	}

	function assertNothingIsAsLong(file: string): void {
		const lines = api.report()!.lines.filter((line) => line.file === fileOf(file));
		assert.ok(lines.length > 0);
		for (const { op, wait, run } of lines) {
			if (op === 'new Worker') continue;
			assert.ok((wait?.maxMs ?? 0) < PAUSE_MS / 2, `${op} waits ${wait!.maxMs} ms`);
			assert.ok((run?.maxMs ?? 0) < PAUSE_MS / 2, `${op} runs ${run!.maxMs} ms`);
		}
		const blocks = api.report()!.loops.flatMap((loop) => loop.blocks);
		assert.ok(!blocks.some(({ durationMs }) => durationMs > PAUSE_MS / 2), JSON.stringify(blocks));
	}

	it('of an attached program is no time of it', async () => {
		program = await Program.start('paused when attached', {}, '--inspect=127.0.0.1:0');
		const launch = await program.attach();
		const rounds = () => api.report()?.lines.find(({ op }) => op === 'crypto.pbkdf2')?.count ?? 0;
		await until('rounds', () => rounds() >= 3);
		breakAt('rounds.cjs', 'rounds++');
		await pause(launch);
		const before = rounds();
		await until('more rounds', () => rounds() >= before + 5);
		await vscode.debug.stopDebugging(launch.root);
		await launch.end();
		await until('the end of the profile', () => !api.live());
		assertNothingIsAsLong('rounds.cjs');
		await program.stop();
	});

	it('of a Worker is no time of it', async () => {
		breakAt('threads.cjs', 'if (error)');
		const launch = await debug('threads.cjs', { [PROFILE_MARK]: true });
		await pause(launch);
		await launch.end();
		await until('the end of the profile', () => !api.live());
		assertNothingIsAsLong('threads.cjs');
	});
});
