// The heap and the queue of jobs, against arrays that are sorted and searched each time.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Heap } from '../../../src/engine/common/heap.ts';
import { JobQueue } from '../../../src/engine/pool/job-queue.ts';
import { random } from '../../support/random.ts';

test('a heap gives what comes first', () => {
	const draw = random(3);
	const heap = new Heap<number>((a, b) => a < b);
	let all: number[] = [];
	for (let turn = 0; turn < 5000; turn++) {
		if (draw() < 0.55) {
			const value = draw();
			heap.push(value);
			all.push(value);
		} else {
			const least = all.length === 0 ? undefined : Math.min(...all);
			assert.equal(heap.first, least);
			assert.equal(heap.take(), least);
			all = all.filter((value) => value !== least);
		}
		if (turn === 4000) {
			heap.clear();
			all = [];
		}
	}
});

test('a queue keeps its order while jobs leave from its middle and come back to its front', () => {
	const draw = random(4);
	const queue = new JobQueue<{ id: number; hasLeft: boolean }>();
	const all: { id: number; hasLeft: boolean }[] = [];
	for (let id = 0; id < 20_000; id++) {
		const way = draw();
		// It grows at first, and is emptied in the end.
		if (way < (id < 10_000 ? 0.7 : 0.3)) {
			const job = { id, hasLeft: false };
			queue.push(job);
			all.push(job);
		} else if (way < 0.8 || all.length < 2) {
			const job = queue.shift();
			assert.equal(job, all.shift());
			if (way > 0.78 && job !== undefined) {
				queue.unshift(job);
				all.unshift(job);
			}
		} else {
			const [job] = all.splice(Math.floor(draw() * all.length), 1);
			queue.remove(job!);
		}
		assert.equal(queue.length, all.length);
	}
	for (const job of all) assert.equal(queue.shift(), job);
	assert.equal(queue.shift(), undefined);
});
