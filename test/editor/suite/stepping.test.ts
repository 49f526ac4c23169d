// A person steps into a call that starts an operation: the hooks that are called then are not where they come to.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import * as vscode from 'vscode';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { fileOf, lineWith, until, waitline } from './editor.ts';
import { debug, stopAll } from './session.ts';

const ROUNDS = 'rounds.cjs';
const STOP_FILE = 'stop the stepping';
const STEPS = 2;

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

	for (const [when, start] of [
		['from its start', () => debug(ROUNDS, { env: env(), [PROFILE_MARK]: true })],
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
});
