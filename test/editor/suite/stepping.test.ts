// A person steps into a call that starts an operation, or pauses the program: neither leads into the tracer, nor through it.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import * as vscode from 'vscode';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { fileOf, lineWith, until, waitline } from './editor.ts';
import { debug, type Launch, stopAll } from './session.ts';

const ROUNDS = 'rounds.cjs';
const IMMEDIATES = 'immediates.cjs';
const STOP_FILE = 'stop the stepping';
const STEPS = 2;
const PAUSES = 3;

interface Frame {
	name: string;
	line: number;
	source?: { path?: string };
}

describe('stepping through a profiled program', () => {
	let api: WaitlineApi;
	const env = () => ({ STOP_FILE: fileOf(STOP_FILE) });

	before(async () => {
		api = await waitline();
	});
	afterEach(async () => {
		await stopAll();
		rmSync(fileOf(STOP_FILE), { force: true });
	});

	async function profiledWhileRunning(): Promise<Launch> {
		const launch = await debug(ROUNDS, { env: env() });
		await until('its process', () => launch.children.length === 1);
		assert.equal(await vscode.commands.executeCommand('waitline.startProfiling', launch.root.id), true);
		return launch;
	}

	for (const [when, start] of [
		['from its start', () => debug(ROUNDS, { env: env(), [PROFILE_MARK]: true })],
		['while it runs', profiledWhileRunning],
	] as const) {
		it(`${when} does not lead into the tracer`, async () => {
			const launch = await start();
			await until('a profile', () => api.live() && (api.report()?.lines.length ?? 0) > 0);
			const line = lineWith(fileOf(ROUNDS), 'setTimeout(');
			const place = new vscode.Location(vscode.Uri.file(fileOf(ROUNDS)), new vscode.Position(line - 1, 0));
			const breakpoint = new vscode.SourceBreakpoint(place);
			const stops = () => launch.events('stopped').length;
			vscode.debug.addBreakpoints([breakpoint]);
			try {
				await until('the breakpoint', () => stops() === 1);
				const [thread] = launch.children;
				const { threadId } = launch.events('stopped')[0]!.body!;
				for (let step = 1; step <= STEPS; step++) {
					await thread!.customRequest('stepIn', { threadId });
					await until('the next stop', () => stops() === 1 + step);
					const { stackFrames } = (await thread!.customRequest('stackTrace', { threadId, levels: 1 })) as {
						stackFrames: Frame[];
					};
					assert.match(stackFrames[0]!.source?.path ?? '', /rounds\.cjs$/, JSON.stringify(stackFrames[0]));
				}
				await launch.removeBreakpoints([breakpoint]);
				await thread!.customRequest('continue', { threadId });
			} finally {
				vscode.debug.removeBreakpoints([breakpoint]);
			}
		});
	}

	it('a pause comes to the program each time', async () => {
		const launch = await debug(ROUNDS, { env: env(), skipFiles: ['<node_internals>/**'], [PROFILE_MARK]: true });
		await until('a profile', () => api.live() && (api.report()?.lines.length ?? 0) > 0);
		const [thread] = launch.children;
		const blocks = () => api.report()!.loops.flatMap((loop) => loop.blocks.filter(({ isStartUp }) => !isStartUp));
		const before = blocks().length;
		const steppedMs: number[] = [];
		for (let pause = 1; pause <= PAUSES; pause++) {
			const asked = performance.now();
			await thread!.customRequest('pause', { threadId: 1 });
			await until('the pause', () => launch.events('stopped').length === pause);
			steppedMs.push(performance.now() - asked);
			const { threadId } = launch.stopped()!;
			const { stackFrames } = (await thread!.customRequest('stackTrace', { threadId, levels: 1 })) as {
				stackFrames: Frame[];
			};
			assert.match(stackFrames[0]!.source?.path ?? '', /rounds\.cjs$/, JSON.stringify(stackFrames[0]));
			await thread!.customRequest('continue', { threadId });
		}
		const rounds = () => api.report()!.lines.find(({ op }) => op === 'crypto.pbkdf2')?.count ?? 0;
		const then = rounds();
		await until('what came after the pauses in the report', () => rounds() >= then + 5);
		// What the debugger stepped through on its way to the program is no time of the program's: else there were a block as long with each
		// of the pauses. A machine that stops the program now and then makes blocks of its own.
		const longest = blocks()
			.slice(before)
			.map(({ durationMs }) => durationMs)
			.sort((a, b) => b - a);
		const stepped = steppedMs.sort((a, b) => b - a);
		assert.ok(
			stepped.some((ms, index) => (longest[index] ?? 0) < ms / 2),
			`blocks of ${longest} ms in ${stepped} ms of steps`,
		);
	});

	it('a pause comes also where the tracer takes most of a program’s time', async () => {
		const launch = await debug(IMMEDIATES, { skipFiles: ['<node_internals>/**'], [PROFILE_MARK]: true });
		await until('a profile', () => api.live() && (api.report()?.lines.length ?? 0) > 0);
		const [thread] = launch.children;
		for (let pause = 1; pause <= PAUSES; pause++) {
			await thread!.customRequest('pause', { threadId: 1 });
			await until('the pause', () => launch.events('stopped').length === pause);
			await thread!.customRequest('continue', { threadId: launch.stopped()!.threadId });
		}
	});
});
