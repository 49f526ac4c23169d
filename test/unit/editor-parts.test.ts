// The parts of the editor adapters that need no editor: lines that move with edits, and NODE_OPTIONS of an env file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { envFileValue } from '../../src/vscode/env-file.ts';
import { type LineEdit, LineShifts } from '../../src/vscode/line-shifts.ts';

function after(...edits: LineEdit[]): LineShifts {
	const shifts = new LineShifts();
	for (const edit of edits) shifts.add(edit);
	return shifts;
}

test('lines below an edit move with it, lines above stay', () => {
	const inserted = after({ startLine: 4, endLine: 4, keepsStart: false, newBreaks: 2 });
	assert.deepEqual(
		[4, 5, 6].map((line) => inserted.current(line)),
		[4, 7, 8],
	);
	const removed = after({ startLine: 1, endLine: 3, keepsStart: false, newBreaks: 0 });
	assert.deepEqual(
		[1, 2, 3, 4, 5].map((line) => removed.current(line)),
		[1, undefined, undefined, 2, 3],
	);
});

test('a line break at the end of a line leaves that line where it is', () => {
	const broken = after({ startLine: 4, endLine: 4, keepsStart: true, newBreaks: 1 });
	assert.deepEqual(
		[5, 6].map((line) => broken.current(line)),
		[5, 7],
	);
});

test('an edit within a line moves nothing, and an undo takes a move back', () => {
	assert.equal(after({ startLine: 4, endLine: 4, keepsStart: true, newBreaks: 0 }).current(5), 5);
	const undone = after(
		{ startLine: 0, endLine: 0, keepsStart: false, newBreaks: 3 },
		{ startLine: 0, endLine: 3, keepsStart: false, newBreaks: 0 },
	);
	assert.deepEqual(
		[1, 9].map((line) => undone.current(line)),
		[1, 9],
	);
});

test('an env file gives the last value of a variable, without quotes and comments', () => {
	const text = [
		'\uFEFF# NODE_OPTIONS=--in-a-comment',
		'OTHER="NODE_OPTIONS=--in-another"',
		'NODE_OPTIONS=--first # why',
		'export NODE_OPTIONS=\'--require "/a b/x.js"\'',
		'EMPTY=',
		'NEXT=value',
	].join('\r\n');
	assert.equal(envFileValue(text, 'NODE_OPTIONS'), '--require "/a b/x.js"');
	assert.equal(envFileValue(text, 'EMPTY'), '');
	assert.equal(envFileValue(text, 'NEXT'), 'value');
	assert.equal(envFileValue(text, 'MISSING'), undefined);
	assert.equal(envFileValue('NODE_OPTIONS="--trace-warnings"\n', 'NODE_OPTIONS'), '--trace-warnings');
});
