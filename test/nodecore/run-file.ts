// Runs one file of Node's tests in one arm, by the rules of Node's own runner.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tracedEnvironment } from '../../src/host/injection/environment.ts';
import { JournalFolder } from '../../src/host/sessions/journal-folder.ts';
import { plainEnvironment } from '../support/process.ts';
import type { TestFile } from './choose-files.ts';
import { directivesOf } from './directives.ts';
import { giveTo, makeFolder, type Stage } from './stage.ts';

/** `bare`: as Node runs it. `empty`: with a preload that does nothing. `tracer`: with ours, which somebody reads. */
export type Arm = 'bare' | 'empty' | 'tracer';

export interface Ending {
	passed: boolean;
	/** `exit 1`, `SIGABRT`, `no end in 120 s`. */
	how: string;
	/** Both its outputs as they came. */
	said: string;
	seconds: number;
	/** Whether a thread of the program wrote a journal; false in the other arms. */
	traced: boolean;
}

/** Node's own runner gives a test the same time, in ms; one that takes longer has failed. */
const LONGEST_MS = 120_000;
/** How often the lease is renewed, in ms; as the product does (src/host/sessions/live-session.ts). */
const RENEW_MS = 2000;

/** The leaders of the process groups that run now: ended with us, whatever ends us. */
const running = new Set<number>();
process.on('exit', () => {
	for (const leader of running) killGroup(leader);
});

/** @param slot which of the runs at the same time this is; each has folders of its own */
export async function runFile(stage: Stage, { path: file, alone }: TestFile, arm: Arm, slot: number): Promise<Ending> {
	const own = join(stage.folder, `slot${slot}`);
	makeFolder(stage, own);
	const journals = new JournalFolder(join(own, 'journals'));
	if (arm === 'tracer') {
		await journals.open();
		giveTo(stage.identity, journals.path);
	}
	const lease = setInterval(() => arm === 'tracer' && void journals.renewLease(), RENEW_MS);
	try {
		const path = join('test', file);
		const { flags, env } = directivesOf(readFileSync(join(stage.sources, path), 'utf8'));
		const log = join(own, 'log');
		const output = openSync(log, 'w');
		const began = performance.now();
		const child = spawn(stage.node, [...flags, join(stage.sources, path)], {
			...stage.identity,
			cwd: stage.sources,
			env: armed(stage, arm, journals.path, environmentOf(stage, own, alone, slot, env)),
			stdio: ['ignore', output, output],
			detached: true,
		});
		const how = await ending(child);
		closeSync(output);
		return {
			passed: how === 'exit 0',
			how,
			said: readFileSync(log, 'utf8'),
			seconds: (performance.now() - began) / 1000,
			traced: arm === 'tracer' && (await journals.journals()).length > 0,
		};
	} finally {
		clearInterval(lease);
		rmSync(own, { recursive: true, force: true, maxRetries: 3 });
	}
}

function environmentOf(
	{ identity }: Stage,
	own: string,
	alone: boolean,
	slot: number,
	wanted: Record<string, string>,
): Record<string, string> {
	return plainEnvironment({
		// Where root's own folders are, a user without rights may not even look: a program that is nowhere would then be forbidden, not missing.
		...(identity.uid === undefined ? {} : { HOME: own, PATH: '/usr/local/bin:/usr/bin:/bin' }),
		NODE_TEST_DIR: own,
		TEST_SERIAL_ID: '0',
		TEST_THREAD_ID: String(slot),
		// Forbids the fixed ports that the others use.
		...(alone ? {} : { TEST_PARALLEL: '1' }),
		...wanted,
	});
}

/** The environment of an arm. */
function armed(stage: Stage, arm: Arm, folder: string, env: Record<string, string>): Record<string, string> {
	if (arm === 'bare') return env;
	const tracer = arm === 'tracer' ? stage.tracer : stage.empty;
	const traced = tracedEnvironment(env, { tracer, folder });
	return { ...env, ...traced };
}

/** Waits for the end of a program and ends what it left behind. */
function ending(child: ChildProcess): Promise<string> {
	return new Promise((resolve, reject) => {
		child.on('error', reject);
		const leader = child.pid;
		if (leader === undefined) return;
		running.add(leader);
		let isLate = false;
		const limit = setTimeout(() => {
			isLate = true;
			killGroup(leader);
		}, LONGEST_MS);
		child.on('exit', (code, signal) => {
			clearTimeout(limit);
			killGroup(leader);
			running.delete(leader);
			resolve(isLate ? `no end in ${LONGEST_MS / 1000} s` : (signal ?? `exit ${code}`));
		});
	});
}

function killGroup(leader: number): void {
	try {
		process.kill(-leader, 'SIGKILL');
	} catch {
		// No process of the group is left.
	}
}
