// What the command line tool answers to arguments that it cannot carry out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCommandLine, UsageError } from '../../../src/cli/command-line.ts';

function answerTo(...args: string[]): string {
	try {
		readCommandLine(args);
	} catch (error) {
		assert.ok(error instanceof UsageError);
		return error.message;
	}
	throw new Error('the arguments were accepted');
}

test('a program’s option without -- before the program is answered by where to put it', () => {
	assert.equal(
		answerTo('run', 'node', 'server.js', '--port', '80'),
		"Unknown option '--port' (see --help). Options of the program come after '--', as in 'waitline run -- node program.js --port 80'.",
	);
	assert.equal(answerTo('run', '--jsn', 'x', '--', 'node', 'server.js'), "Unknown option '--jsn' (see --help).");
});
