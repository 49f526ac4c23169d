// The parts of the editor adapters that need no editor: lines that move with edits, and NODE_OPTIONS of an env file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LineEdit, LineShifts, type TextLines } from '../../../src/vscode/annotations/line-shifts.ts';
import { envFileValue } from '../../../src/vscode/debugging/env-file.ts';

/** A document's lines, as the editor gives them. */
function lines(text: string): TextLines & { all: string[] } {
	const all = text.split('\n');
	return { all, lineCount: all.length, lineAt: (line) => ({ text: all[line]! }) };
}

const NINE = 'a\nb\nc\nd\ne\nf\ng\nh\ni';

/** What edits make of a text of nine lines, before anyone looks at the document. */
function after(...edits: LineEdit[]): LineShifts {
	const shifts = new LineShifts(lines(NINE).all, lines(NINE));
	for (const edit of edits) shifts.add(edit);
	return shifts;
}

/** Where the lines of one text are in another, from 1; `~` marks those that are edited. */
function places(ran: string, now: string): (string | undefined)[] {
	const document = lines(now);
	const shifts = new LineShifts(lines(ran).all, document);
	shifts.settle(document);
	return lines(ran).all.map((_, index) => {
		const at = shifts.current(index + 1);
		return at === undefined ? undefined : `${at}${shifts.edited(index + 1, document.all[at - 1]!) ? '~' : ''}`;
	});
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

test('a line that was deleted comes back with its text, elsewhere too', () => {
	const shifts = after({ startLine: 1, endLine: 3, keepsStart: false, newBreaks: 0 });
	shifts.settle(lines('a\nd\ne\nf\ng\nh\ni'));
	assert.deepEqual([shifts.current(2), shifts.current(3)], [undefined, undefined]);
	// The undo.
	shifts.add({ startLine: 1, endLine: 1, keepsStart: false, newBreaks: 2 });
	shifts.settle(lines(NINE));
	assert.deepEqual([shifts.current(2), shifts.current(3), shifts.current(4)], [2, 3, 4]);
});

test('a document that differs from what ran keeps the lines that it shares with it', () => {
	assert.deepEqual(places('a\nb\nc', 'a\nb\nc'), ['1', '2', '3']);
	assert.deepEqual(places('a\nb\nc', 'new\na\nb\nc'), ['2', '3', '4'], 'lines in front');
	assert.deepEqual(places('a\nb\nc', 'a\nc'), ['1', undefined, '2'], 'a line less');
	assert.deepEqual(places('a\nb\nc\nd', 'a\nx\nc\ny\nb\nd'), ['1', '5', '3', '6'], 'another order');
	assert.deepEqual(places('a\nb\nx\nx\nc', 'x\nnew\nx\nc'), [undefined, undefined, '1', '3', '4'], 'equal lines');
	assert.deepEqual(places('a\nb\nc', ''), [undefined, undefined, undefined]);
});

test('a line with other code is edited, one with other indentation is not', () => {
	assert.deepEqual(places('a\nb\nc', 'a\n\tb\nc'), ['1', '2', '3']);
	assert.deepEqual(places('a\nb\nc', 'a\nb()\nc'), ['1', '2~', '3']);
	assert.deepEqual(places('a\nb\nc\nd', 'a\nB\nC\nd'), ['1', '2~', '3~', '4'], 'as many lines as before');
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
