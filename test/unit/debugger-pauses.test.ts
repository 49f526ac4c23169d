// Which process a session of js-debug is about, and when the time of a process does not advance.
import assert from 'node:assert/strict';
import test from 'node:test';
import { PausedThreads, processOf, threadOf } from '../../src/vscode/debugging/debugger-pauses.ts';

test('the process of a session is in its name', () => {
	assert.equal(processOf('program.js [12345]'), 12345);
	assert.equal(processOf('Launch Program'), undefined);
	assert.equal(processOf('[worker 1] program.js'), undefined);
	assert.equal(processOf('Remote Process [0]'), undefined);
});

test('the thread of a session is in its name, where it is a Worker’s', () => {
	assert.equal(threadOf('[worker 1]'), 1);
	assert.equal(threadOf('[worker 12] WorkerThread'), 12);
	assert.equal(threadOf('program.js [12345]'), 0);
});

test('a process that runs beside other sessions, as in a compound, is known too', () => {
	assert.equal(processOf('rounds.cjs [10842] « Rounds one'), 10842);
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
