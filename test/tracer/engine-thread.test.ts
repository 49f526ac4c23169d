// The thread in which the editor reads journals gives the same report as the engine in this process; its end is
// reported and does no harm.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ReadRecording, readInThread } from '../../src/host/engine-thread/recording-thread.ts';
import { SessionThread } from '../../src/host/engine-thread/session-thread.ts';
import { tracedEnvironment } from '../../src/host/injection/environment.ts';
import { NotARecording, readRecording } from '../../src/host/recordings/recording-file.ts';
import { nowUs } from '../../src/host/sessions/journal-clock.ts';
import { reportSourceOf } from '../../src/host/sessions/report-source.ts';
import { LEASE_FILE } from '../../src/protocol/journal.ts';
import { nodes } from '../support/nodes.ts';
import { root, tracerPrograms } from '../support/paths.ts';
import { plainEnvironment } from '../support/process.ts';
import { assertComplete, entry, lineWith } from '../support/report.ts';
import { scratchFolder } from '../support/scratch.ts';

const program = join(root, 'dist', 'engine-thread.js');
const twoSeconds = join(tracerPrograms, 'stats-in-rounds.cjs');
/** So short that it is read one by one. */
const STRETCH = { fromMs: 200, toMs: 300, bins: 100 };
/** Until then that program surely runs. */
const LAST_MS = 2000;
const never = new AbortController().signal;
/** Both sides count in whole µs. */
const ROUNDED_MS = 0.005;
/** When to give up on something that takes a second. */
const LIMIT_MS = 240_000;

function start(folder: string, file = twoSeconds, args: string[] = []) {
	const env = plainEnvironment(tracedEnvironment({}, { tracer: join(root, 'dist', 'tracer.cjs'), folder }));
	return spawn(nodes().at(-1)!.path, [file, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** A thread that does something else. */
function otherProgram(text: string): string {
	const file = join(scratchFolder(), 'thread.cjs');
	writeFileSync(file, text);
	return file;
}

describe('a session in its thread', () => {
	const recording = join(scratchFolder(), 'saved.waitline');
	let thread: SessionThread;
	let updates = 0;
	let stretch = STRETCH;

	before(async () => {
		thread = await SessionThread.start({ folder: scratchFolder('session'), program });
		const seen = join(scratchFolder(), 'seen');
		// On a slow machine two seconds are over before the first update comes.
		const child = start(thread.folder, twoSeconds, ['Infinity', seen]);
		const firstUpdate = new Promise<void>((resolve) => {
			thread.onUpdate(() => {
				if (child.exitCode === null) updates++;
				resolve();
			});
		});
		const ended = once(child, 'exit');
		await firstUpdate;
		writeFileSync(seen, '');
		await ended;
	});

	it('reports what the program does while it runs, and its timeline', async () => {
		assert.ok(updates > 0, 'it was not said before the end');
		const shown = async () => (await thread.timeline(stretch)).detail?.operations.line.length ?? 0;
		// The machine may have stopped in the first of these.
		while ((await shown()) <= 10) {
			const { fromMs, toMs } = stretch;
			assert.ok(toMs < LAST_MS, 'no stretch has operations');
			stretch = { ...STRETCH, fromMs: toMs, toMs: 2 * toMs - fromMs };
		}
	});

	it('ends with the report that its recording gives', async () => {
		const report = await thread.stop();
		assertComplete(report);
		const stats = entry(report, { file: twoSeconds, line: lineWith(twoSeconds, 'fs.stat('), op: 'fs.stat' });
		assert.ok(stats.count > 100, 'the program did a lot');
		await thread.save(recording);
		const recorded = reportSourceOf(await readRecording(recording));
		assert.deepEqual(report, await recorded.report());
		const timeline = await thread.timeline(stretch);
		assert.ok(timeline.detail!.operations.line.length > 10, 'its journals are read again');
		assert.deepEqual(timeline, await recorded.timeline(stretch));
		assert.deepEqual(await thread.overview(), recorded.overview());
	});

	it('is gone then, with its lease, and its folder when it is removed', async () => {
		assert.ok(!existsSync(join(thread.folder, LEASE_FILE)));
		await thread.remove();
		assert.ok(!existsSync(thread.folder));
	});

	it('follows the next run in the same folder without the one before', async () => {
		const first = await SessionThread.start({ folder: scratchFolder('session'), program });
		await once(start(first.folder), 'exit');
		const second = await first.again();
		const child = start(first.folder);
		await once(child, 'exit');
		const [before, after] = [await first.stop(), await second.stop()];
		assert.deepEqual(
			after.processes.map(({ pid }) => pid),
			[child.pid],
		);
		assert.equal(before.processes.length, 1);
		assert.notEqual(before.processes[0]!.pid, child.pid);
		await first.remove();
		assert.equal(readdirSync(first.folder).length, 1, 'the journal of the second');
		await second.remove();
		assert.ok(!existsSync(first.folder));
	});

	it('reports how busy the loop is now, not how busy it was in all', async () => {
		const thread = await SessionThread.start({ folder: scratchFolder('session'), program });
		const rest = join(scratchFolder(), 'rest');
		const child = start(thread.folder, join(tracerPrograms, 'busy-then-idle.cjs'), [rest]);
		const utilization = () => thread.now()[0]?.threads[0]?.utilization ?? null;
		const until = async (what: string, holds: () => boolean) => {
			const deadline = Date.now() + LIMIT_MS;
			while (!holds()) {
				assert.ok(Date.now() < deadline, `${what}: ${utilization()}`);
				await sleep(20);
			}
		};
		await until('busy', () => (utilization() ?? 0) > 0.4);
		writeFileSync(rest, '');
		await until('idle', () => (utilization() ?? 1) < 0.1);
		const inAll = thread.report().loops[0]!.utilization;
		assert.ok(inAll > 2 * utilization()!, `${inAll} in all, ${utilization()} now`);
		child.kill();
		await thread.stop();
	});

	it('takes out the time of a debugger’s pauses', async () => {
		const paused = await SessionThread.start({ folder: scratchFolder('session'), program });
		// The program waits until this test answers.
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
		const file = join(tracerPrograms, 'asks-and-prints.cjs');
		const child = start(paused.folder, file, [String((server.address() as AddressInfo).port)]);
		let said = '';
		child.stdout.on('data', (text) => {
			said += text;
		});
		const [, response] = await asked;
		const until = Date.now() + LIMIT_MS;
		while (paused.now().length === 0 && Date.now() < until) await sleep(20);
		const from = nowUs();
		paused.pause(child.pid!, from);
		await sleep(300);
		const to = nowUs();
		paused.resume(child.pid!, to);
		const answered = nowUs();
		response.end();
		await once(child, 'close');
		server.close();
		const report = await paused.stop();
		const { wait } = entry(report, { file, line: lineWith(file, 'http.get('), op: 'http.get' });
		// All on one clock: the wait began within the call, and ended after the answer and before the program had it.
		const called = JSON.parse(said) as { from: number; to: number; answered: number };
		const least = (answered - called.to - (to - from)) / 1000 - ROUNDED_MS;
		const most = (called.answered - called.from - (to - from)) / 1000 + ROUNDED_MS;
		assert.ok(wait!.maxMs >= least && wait!.maxMs <= most, `${least} <= ${wait!.maxMs} <= ${most} ms`);
	});
});

describe('a session whose thread ends by itself', () => {
	for (const [what, text, reason] of [
		['with an error', "setTimeout(() => { throw new Error('no more'); }, 200)", /^no more$/],
		['without one', 'setTimeout(() => process.exit(), 200)', /thread has ended/],
	] as const) {
		it(`${what} reports that and gives up the lease`, async () => {
			const thread = await SessionThread.start({ folder: scratchFolder('session'), program: otherProgram(text) });
			assert.ok(existsSync(join(thread.folder, LEASE_FILE)));
			const failure = await new Promise<Error>((resolve) => thread.onFailure(resolve));
			assert.match(failure.message, reason);
			await assert.rejects(thread.stop(), failure);
			await assert.rejects(thread.timeline(STRETCH), failure);
			const saved = join(scratchFolder(), 'saved.waitline');
			await thread.save(saved);
			assert.ok(existsSync(saved), 'what there is can be saved all the same');
			assert.equal(thread.report().lines.length, 0);
			assert.ok(!existsSync(join(thread.folder, LEASE_FILE)));
		});
	}
});

describe('a recording in a thread', () => {
	let bytes: Buffer;
	let read: ReadRecording;
	const file = join(scratchFolder(), 'read.waitline');
	const folders: string[] = [];

	before(async () => {
		const thread = await SessionThread.start({ folder: scratchFolder('session'), program });
		await once(start(thread.folder), 'exit');
		await thread.stop();
		await thread.save(file);
		await thread.remove();
		bytes = readFileSync(file);
		read = await readInThread({ bytes, name: file, folders }, program, never);
	});

	it('gives the same report as in this process', async () => {
		const recorded = reportSourceOf(await readRecording(file));
		assert.deepEqual(read.report, await recorded.report());
		assert.deepEqual(await read.timeline(STRETCH), await recorded.timeline(STRETCH));
		assert.deepEqual(read.overview, recorded.overview());
	});

	it('that is none is refused with the reason', async () => {
		const refused = readInThread({ bytes: Buffer.from('something else'), name: 'other.txt', folders }, program, never);
		await assert.rejects(refused, (error) => error instanceof NotARecording && error.reason === 'foreign');
	});

	it('can be cancelled before and while it is read', async () => {
		const gone = new Error('not wanted any more');
		await assert.rejects(readInThread({ bytes, name: file, folders }, program, AbortSignal.abort(gone)), gone);
		const controller = new AbortController();
		const reading = readInThread(
			{ bytes, name: file, folders },
			otherProgram('setInterval(() => {}, 1000)'),
			controller.signal,
		);
		controller.abort(gone);
		await assert.rejects(reading, gone);
	});

	it('reports it when its thread fails', async () => {
		const failing = readInThread({ bytes, name: file, folders }, otherProgram("throw new Error('no memory')"), never);
		await assert.rejects(failing, /^Error: no memory$/);
		const silent = readInThread({ bytes, name: file, folders }, otherProgram('process.exit()'), never);
		await assert.rejects(silent, /thread has ended/);
	});
});
