// Which process a session of js-debug is about, and when the time of a process does not advance.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { nowUs } from '../../../src/host/sessions/journal-clock.ts';
import { followPauses, PausedThreads, pidOfSession, threadOf } from '../../../src/vscode/debugging/debugger-pauses.ts';

test('the process of a session is in its name', () => {
	assert.equal(pidOfSession('program.js [12345]'), 12345);
	assert.equal(pidOfSession('Launch Program'), undefined);
	assert.equal(pidOfSession('[worker 1] program.js'), undefined);
	assert.equal(pidOfSession('Remote Process [0]'), undefined);
});

test('the thread of a session is in its name, where it is a Worker’s', () => {
	assert.equal(threadOf('[worker 1]'), 1);
	assert.equal(threadOf('[worker 12] WorkerThread'), 12);
	assert.equal(threadOf('program.js [12345]'), 0);
});

test('a process that runs beside other sessions, as in a compound, is known too', () => {
	assert.equal(pidOfSession('rounds.cjs [10842] « Rounds one'), 10842);
});

test('the time of a process does not advance from the pause of its first thread until its last one continues', () => {
	const paused = new PausedThreads();
	assert.equal(paused.stop(1, 'main'), true);
	assert.equal(paused.stop(1, 'worker'), false);
	assert.equal(paused.stop(2, 'other'), true);
	assert.equal(paused.resume(1, 'main'), false);
	assert.equal(paused.resume(1, 'main'), false, 'a request and its event both say so');
	assert.equal(paused.resume(1, 'worker'), true);
	assert.equal(paused.resume(2, 'other'), true);
	assert.equal(paused.resume(2, 'other'), false);
});

/** Waits for what only a hung test never sees. */
async function until(holds: () => boolean): Promise<void> {
	while (!holds()) await delay(1);
}

/** Follows a thread whose tracer's clock answers so. @returns the session's messages, and what is reported */
function followed(clock: { stop: number | undefined; go: number | undefined }) {
	const reports: string[] = [];
	const asked: string[] = [];
	const answer = (call: 'stop' | 'go') => async () => {
		asked.push(call);
		await delay(5);
		return clock[call];
	};
	const listener = {
		pause: (pid: number, at: number) => reports.push(`pause ${pid} ${at}`),
		resume: (pid: number) => reports.push(`resume ${pid}`),
	};
	const tracer = { stop: answer('stop'), go: answer('go') };
	const messages = followPauses('thread', async () => 7, new PausedThreads(), listener, tracer);
	return { messages, reports, asked };
}

test('a pause that was asked for begins when there was code to stop, and is over in order however late the tracer answers', async () => {
	const { messages, reports, asked } = followed({ stop: 1_000_000, go: 3_500_000 });
	const before = nowUs();
	messages.onWillReceiveMessage!({ command: 'pause' });
	messages.onDidSendMessage!({ type: 'event', event: 'stopped' });
	messages.onWillReceiveMessage!({ command: 'continue' });
	await until(() => reports.length === 2);
	const [pause, resume] = reports;
	const from = Number(pause!.replace('pause 7 ', ''));
	assert.ok(from >= before + 2_500_000 && from <= nowUs() + 2_500_000, pause);
	assert.equal(resume, 'resume 7');
	assert.deepEqual(asked, ['stop', 'go']);
});

test('a stop at a breakpoint asks no tracer, and one without a tracer begins when the debugger says so', async () => {
	const breakpoint = followed({ stop: 1, go: 2 });
	breakpoint.messages.onDidSendMessage!({ type: 'event', event: 'stopped' });
	const bare = followed({ stop: undefined, go: undefined });
	const before = nowUs();
	bare.messages.onWillReceiveMessage!({ command: 'pause' });
	bare.messages.onDidSendMessage!({ type: 'event', event: 'stopped' });
	await until(() => bare.reports.length === 1 && breakpoint.reports.length === 1);
	assert.deepEqual(breakpoint.asked, []);
	assert.ok(Number(bare.reports[0]!.replace('pause 7 ', '')) >= before);
});
