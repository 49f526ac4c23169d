// The replay of libuv's pool against an independent truth: a simulation that steps through time thread by thread, with the
// rules of src/threadpool.c written down a second time in another way.
import assert from 'node:assert/strict';
import test from 'node:test';
import { PoolReplay } from '../../src/engine/pool-replay.ts';
import { poolSize } from '../../src/protocol/journal.ts';

interface Task {
	id: number;
	submitted: number;
	length: number;
	isSlow: boolean;
	began: number;
	done: number;
}

/** Steps through time in units of 1; submits come before anything else in a unit. */
function simulate(tasks: Task[], threads: number): void {
	const queue: (Task | 'slow')[] = [];
	const slow: Task[] = [];
	const running: Task[] = [];
	const cap = Math.floor((threads + 1) / 2);
	let left = tasks.length;
	for (let now = 0; left > 0; now++) {
		for (const task of running.filter(({ done }) => done === now)) {
			running.splice(running.indexOf(task), 1);
			if (task.isSlow && slow.length > 0 && !queue.includes('slow')) queue.push('slow');
			left--;
		}
		for (const task of tasks.filter(({ submitted }) => submitted === now)) {
			if (!task.isSlow) queue.push(task);
			else if (slow.push(task) && !queue.includes('slow')) queue.push('slow');
		}
		for (let turns = queue.length + 1; turns > 0 && running.length < threads && queue.length > 0; turns--) {
			const next = queue.shift()!;
			let task: Task | undefined;
			if (next !== 'slow') task = next;
			else if (running.filter(({ isSlow }) => isSlow).length >= cap) queue.push('slow');
			else {
				task = slow.shift();
				if (slow.length > 0) queue.push('slow');
				turns = queue.length + 1;
			}
			if (task === undefined) continue;
			task.began = now;
			task.done = now + task.length;
			running.push(task);
		}
	}
}

/** A seeded generator (mulberry32), so that a failure can be looked at again. */
function random(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
}

function load(next: () => number, count: number, slowShare: number): Task[] {
	const tasks: Task[] = [];
	let now = 0;
	for (let id = 1; id <= count; id++) {
		// Distinct times: what comes first in one instant is libuv's secret.
		now += 1 + Math.floor(next() * 12);
		const isSlow = next() < slowShare;
		tasks.push({ id, submitted: now * 100 + id, length: 50 + Math.floor(next() * 4000), isSlow, began: 0, done: 0 });
	}
	return tasks;
}

/** Feeds the replay in the order in which a loop would see things. */
function replay(
	tasks: Task[],
	threads: number,
	blur: (task: Task) => number,
): Map<number, { low: number; high: number } | null> {
	const pool = new PoolReplay(threads);
	const began = new Map<number, { low: number; high: number } | null>();
	const events = [
		...tasks.map((task) => ({ at: task.submitted, order: 0, task })),
		...tasks.map((task) => ({ at: task.done, order: 1, task })),
	].sort((a, b) => a.at - b.at || a.order - b.order);
	for (const { order, task } of events) {
		if (order === 0) pool.submit(task.id, task.submitted, task.isSlow);
		else {
			const width = blur(task);
			began.set(task.id, pool.complete(task.id, task.submitted, { low: task.done - width, high: task.done + width }));
		}
	}
	return began;
}

for (const threads of [1, 2, 4, 7]) {
	for (const slowShare of [0, 0.3]) {
		test(`exact completions give exact starts: ${threads} threads, ${slowShare * 100} % slow`, () => {
			for (let seed = 1; seed <= 20; seed++) {
				const tasks = load(random(seed), 60, slowShare);
				simulate(tasks, threads);
				const found = replay(tasks, threads, () => 0);
				for (const task of tasks) {
					assert.deepEqual(found.get(task.id), { low: task.began, high: task.began }, `seed ${seed}, task ${task.id}`);
				}
			}
		});
	}

	test(`intervals of completions give intervals that hold the start: ${threads} threads`, () => {
		for (let seed = 1; seed <= 20; seed++) {
			const next = random(seed);
			const tasks = load(next, 60, 0);
			simulate(tasks, threads);
			const found = replay(tasks, threads, () => Math.floor(next() * 40));
			for (const task of tasks) {
				const interval = found.get(task.id);
				assert.ok(interval, `seed ${seed}, task ${task.id}: no interval`);
				assert.ok(
					interval.low <= task.began && task.began <= interval.high,
					`seed ${seed}, task ${task.id}: ${task.began} is not in ${interval.low} to ${interval.high}`,
				);
			}
		}
	});
}

test('five equal jobs on one thread: four queue, for 0 + 1 + 2 + 3 + 4 executions', () => {
	const pool = new PoolReplay(1);
	for (let id = 1; id <= 5; id++) pool.submit(id, 0, false);
	for (let id = 1; id <= 5; id++) {
		assert.deepEqual(pool.complete(id, 0, { low: id * 100, high: id * 100 }), {
			low: (id - 1) * 100,
			high: (id - 1) * 100,
		});
	}
	assert.equal(pool.maxQueued, 4);
	assert.equal(pool.saturatedUs, 400);
});

test('work that no hook shows makes the interval wide, not wrong', () => {
	const pool = new PoolReplay(1);
	pool.submit(1, 10, false);
	pool.submit(2, 20, false);
	// The second one finished first: the first cannot have been on the only thread.
	assert.deepEqual(pool.complete(2, 20, { low: 50, high: 50 }), { low: 20, high: 50 });
});

test('the pool size is read as libuv reads it', () => {
	const sizes = ([undefined, '', '0', '1', '8', '-1', 'abc', '5000', ' 3 '] as const).map(poolSize);
	assert.deepEqual(sizes, [4, 1, 1, 1, 8, 1024, 1, 1024, 3]);
});
