// Which process started which, from what the processes record.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Family } from '../../src/engine/family.ts';
import type { ThreadModel } from '../../src/engine/thread-model.ts';

/** A main thread that has started these processes. @param ancestors the nearest first: all of them on Linux, elsewhere the parent alone */
function thread(pid: number, ancestors: number[], started: number[] = []): ThreadModel {
	const all = started.map((id) => ({ kind: 'process', id, at: 0 }));
	const facts = { pid, threadId: 0, parentPid: ancestors[0] };
	return { facts, ancestors, children: { all } } as unknown as ThreadModel;
}

test('a program that a shell has started on Windows has no parent: what started the shell is taken for it', () => {
	const [parent, child] = [thread(10, [1], [20]), thread(30, [20])];
	const family = new Family([parent, child]);
	assert.deepEqual([family.parentOf(30), family.parentOf(10)], [10, 0]);
	assert.deepEqual(family.untracedOf(parent, Infinity), []);
});

test('on Linux the nearest traced process above a shell is the parent', () => {
	const family = new Family([thread(10, [1], [11]), thread(11, [10, 1], [20]), thread(30, [20, 11, 10, 1])]);
	assert.equal(family.parentOf(30), 11);
});
