// What the activation takes, as VS Code itself measures it: the figures of "Developer: Startup Performance". While the editor still
// starts, and when it has come to rest and has to read our files from the disk again.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { COLD_VARIABLE, OUT_VARIABLE } from '../environment.ts';
import { EXTENSION_ID, until, waitline } from './editor.ts';

/** Whole ms are VS Code's: it takes them from a clock of that resolution. */
export interface Activation {
	/** Reading, compiling and running the bundle. */
	loadMs: number;
	/** The call of `activate`. */
	callMs: number;
	/** Until what `activate` returned was there. */
	resolveMs: number;
	/** What the extension host's main thread computed meanwhile, in ms. */
	cpuMs: number;
	/** What it waited for a processor, in ms. */
	stolenMs: number;
}

/** The share of the processors' time that an editor at rest leaves to others, over the given ms. */
const REST = { idle: 0.9, overMs: 1000 };

/** Of all processors: ms that they were idle, and all. */
function processorTimes(): { idle: number; all: number } {
	const times = os.cpus().map((cpu) => cpu.times);
	const all = times.flatMap((each) => Object.values(each)).reduce((sum, ms) => sum + ms, 0);
	return { idle: times.reduce((sum, { idle }) => sum + idle, 0), all };
}

async function isAtRest(): Promise<boolean> {
	const before = processorTimes();
	await sleep(REST.overMs);
	const after = processorTimes();
	return (after.idle - before.idle) / (after.all - before.all) >= REST.idle;
}

/** Takes a file out of the system's memory, so that it is read from the disk again (`dd` of coreutils: `nocache` without a count). */
function forget(file: string): void {
	execFileSync('dd', [`if=${file}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' });
}

/** Of this thread: proc(5), schedstat, in ms. */
function schedule(): { cpuMs: number; stolenMs: number } {
	const [cpu, stolen] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ').map(Number);
	return { cpuMs: cpu! / 1e6, stolenMs: stolen! / 1e6 };
}

describe('activation', () => {
	it('is measured', async () => {
		if (process.env[COLD_VARIABLE] === '1') {
			await until('an editor at rest', isAtRest);
			const folder = path.join(vscode.extensions.getExtension(EXTENSION_ID)!.extensionPath, 'dist');
			for (const file of readdirSync(folder)) forget(path.join(folder, file));
		}
		const before = schedule();
		await waitline();
		const after = schedule();
		await vscode.commands.executeCommand('perfview.show');
		const page = await vscode.workspace.openTextDocument(vscode.Uri.parse('perf:Startup Performance'));
		const row = await until('the row of the extension', () =>
			page
				.getText()
				.split('\n')
				.find((line) => line.startsWith(`| ${EXTENSION_ID} `)),
		);
		// | extension | eager | load code | call activate | finish activate | event | by |
		const [loadMs, callMs, resolveMs] = row.split('|').slice(3, 6).map(Number);
		assert.ok(Number.isInteger(loadMs) && Number.isInteger(callMs) && Number.isInteger(resolveMs), row);
		const activation: Activation = {
			loadMs: loadMs!,
			callMs: callMs!,
			resolveMs: resolveMs!,
			cpuMs: after.cpuMs - before.cpuMs,
			stolenMs: after.stolenMs - before.stolenMs,
		};
		writeFileSync(path.join(process.env[OUT_VARIABLE]!, 'activation.json'), JSON.stringify(activation));
	});
});
