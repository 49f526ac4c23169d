// A command that is a step of `npm test` counts as one test; where it fails, the end of the run says why.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { command } from '../../support/command.ts';

async function ran(code: string) {
	let written = '';
	const counts = await command('planted', ['-e', code], (text) => {
		written += text;
	});
	return { ...counts, written };
}

test('a command that ends well is one test that passed', async () => {
	const { passed, failed, failures, written } = await ran("console.log('fine')");
	assert.deepEqual({ passed, failed, failures, written }, { passed: 1, failed: 0, failures: [], written: 'fine\n' });
});

test('of one that fails, what stands behind its first mark of a failure is the reason', async () => {
	const { failed, failures } = await ran("console.log('one\\n✖ two\\n    three\\nfour'); process.exit(3)");
	assert.deepEqual([failed, failures], [1, ['planted\n    It ended with 3.\n    ✖ two\n        three\n    four']]);
});

test('where nothing is marked, it is the end of the output', async () => {
	const { failures } = await ran("console.error('1\\n2\\n3\\n4\\n5\\n6'); process.kill(process.pid, 'SIGKILL')");
	assert.deepEqual(failures, ['planted\n    It ended with SIGKILL.\n    2\n    3\n    4\n    5\n    6']);
});
