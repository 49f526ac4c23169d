// Ticks come out in the order in which they went in, however many wait, and whichever never run.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Operation } from '../../../tracer/operations/operation.ts';
import { TickQueue } from '../../../tracer/operations/tick-queue.ts';

const operation = (id: number) => ({ id }) as Operation;

test('ticks come out as they went in, past the ring’s first size and around its end', () => {
	const queue = new TickQueue();
	let next = 1;
	let due = 1;
	for (const [added, taken] of [
		[50, 40],
		[60, 10],
		[300, 359],
		[5, 6],
	] as const) {
		for (let i = 0; i < added; i++, next++) queue.add(next, operation(next), null);
		for (let i = 0; i < taken; i++, due++) assert.equal(queue.take(due)?.id, due);
	}
	assert.equal(due, next);
	assert.equal(queue.take(next), null);
});

test('a tick that never begins is passed over by the next one, and other ids take nothing', () => {
	const queue = new TickQueue();
	for (const id of [3, 5, 8]) queue.add(id, operation(id), null);
	assert.equal(queue.take(2), null);
	assert.equal(queue.take(4), null);
	assert.equal(queue.take(5)?.id, 5);
	assert.equal(queue.take(3), null);
	assert.equal(queue.take(9), null);
	assert.equal(queue.take(8)?.id, 8);
	assert.equal(queue.take(8), null);
});

test('ticks beyond the capacity of the queue are forgotten, the newest first', () => {
	const queue = new TickQueue();
	for (let id = 1; id <= 70_000; id++) queue.add(id, operation(id), null);
	assert.equal(queue.take(1)?.id, 1);
	assert.equal(queue.take(65_536)?.id, 65_536);
	assert.equal(queue.take(65_537), null);
});
