// Which process a session of js-debug is about.
import assert from 'node:assert/strict';
import test from 'node:test';
import { processOf } from '../../src/vscode/debugger-pauses.ts';

test('the process of a session is in its name', () => {
	assert.equal(processOf('program.js [12345]'), 12345);
	assert.equal(processOf('Launch Program'), undefined);
	assert.equal(processOf('[worker 1] program.js'), undefined);
});

test('a process that runs beside other sessions, as in a compound, is known too', () => {
	assert.equal(processOf('rounds.cjs [10842] « Rounds one'), 10842);
});
