// What `waitline run` does with signals on each system.
import assert from 'node:assert/strict';
import test from 'node:test';
import { signalsOf } from '../../../src/cli/signals.ts';

test('closing the console of Windows does not have SIGHUP sent to the program, for which Node would throw', () => {
	const { forwarded, fromTerminal, fromConsole } = signalsOf('win32');
	assert.deepEqual([forwarded, fromTerminal], [[], []]);
	assert.ok(fromConsole.includes('SIGHUP'));
});

test('elsewhere the program gets what ends a program, and no signal is treated in two ways', () => {
	for (const platform of ['linux', 'darwin'] as const) {
		const { forwarded, fromTerminal, fromConsole } = signalsOf(platform);
		assert.ok(forwarded.includes('SIGTERM') && forwarded.includes('SIGHUP'));
		const all = [...forwarded, ...fromTerminal, ...fromConsole];
		assert.equal(new Set(all).size, all.length);
	}
});
