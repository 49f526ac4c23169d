// However a program ends: what it did until then is in the report, by its own count.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import * as vscode from 'vscode';
import type { End } from '../../../src/protocol/report.ts';
import { PROFILE_MARK, type WaitlineApi } from '../../../src/vscode/api.ts';
import { entryOf, fileOf, lineWith, until, waitline } from './editor.ts';
import { debug, stopAll } from './session.ts';

const PROGRAM = 'ends.cjs';

interface Ending {
	env: string;
	/** As the report has it. */
	end: End;
	/** Rounds of 50 ms whose end may be lost: a process that is killed loses a twentieth of its time, 200 ms at most (tracer/recorder.ts). */
	lost: number;
	/** What the person does meanwhile. */
	meanwhile?: (root: vscode.DebugSession) => unknown;
}

describe('the totals of a program that ends', () => {
	const endings: Record<string, Ending> = {
		'by process.exit': { env: 'exit', end: 'exit', lost: 0 },
		'by an uncaught error': { env: 'throw', end: 'exit', lost: 0 },
		'by SIGKILL': { env: 'kill', end: 'killed', lost: 3 },
		'by a crash of native code': { env: 'crash', end: 'killed', lost: 3 },
		// js-debug ends what it has launched; what it attached to continues (attach.test.ts).
		'by disconnecting': {
			env: '',
			end: 'stopped',
			lost: 3,
			meanwhile: () => vscode.commands.executeCommand('workbench.action.debug.disconnect'),
		},
		'by the stop button': { env: '', end: 'stopped', lost: 3, meanwhile: (root) => vscode.debug.stopDebugging(root) },
	};
	let api: WaitlineApi;
	/** One for each test: a program that is killed may write a mark more when its session has ended already. */
	let countFile: string;
	const counted = () => (existsSync(countFile) ? readFileSync(countFile, 'utf8').length : 0);

	before(async () => {
		api = await waitline();
	});
	afterEach(async () => {
		await stopAll();
		rmSync(countFile, { force: true });
	});

	for (const [how, { env, end, lost, meanwhile }] of Object.entries(endings)) {
		it(`${how} are those of the program`, async () => {
			countFile = fileOf(`rounds counted ${how}`);
			const launch = await debug(PROGRAM, { env: { COUNT_FILE: countFile, ENDING: env }, [PROFILE_MARK]: true });
			await until('five rounds', () => counted() >= 5);
			await meanwhile?.(launch.root);
			await launch.end();
			await until('the end of the profile', () => !api.live());
			const line = lineWith(fileOf(PROGRAM), 'crypto.pbkdf2(');
			const { count } = entryOf(api.report(), fileOf(PROGRAM), line, 'crypto.pbkdf2');
			const rounds = counted();
			assert.ok(count <= rounds && count >= rounds - lost, `${count} of ${rounds} rounds`);
			assert.deepEqual(
				api.report()!.processes.map((process) => process.end),
				[end],
			);
		});
	}
});
