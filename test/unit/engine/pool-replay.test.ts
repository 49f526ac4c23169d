// The replay of libuv's pool against an independent truth: a simulation that steps through time thread by thread.
import assert from 'node:assert/strict';
import test from 'node:test';
import { PoolReplay } from '../../../src/engine/pool/pool-replay.ts';
import { poolSize } from '../../../src/protocol/journal.ts';
import { simulate, type Task } from '../../support/pool-simulation.ts';
import { random } from '../../support/random.ts';

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
	pool = new PoolReplay(threads),
): Map<number, { low: number; high: number } | null> {
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

	test(`intervals of completions give intervals that contain the start: ${threads} threads`, () => {
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

/** For how long at least one of these queued, computed moment by moment. */
function queuedTime(tasks: readonly Task[]): number {
	const end = Math.max(...tasks.map(({ began }) => began));
	let time = 0;
	for (let at = 0; at < end; at++) if (tasks.some(({ submitted, began }) => submitted <= at && at < began)) time++;
	return time;
}

for (const threads of [1, 3]) {
	test(`how long work queued, and its share of the threads, lie within the reported limits: ${threads} threads`, () => {
		for (let seed = 1; seed <= 5; seed++) {
			const next = random(seed);
			const tasks = load(next, 25, 0);
			simulate(tasks, threads);
			const [exact, blurred] = [new PoolReplay(threads), new PoolReplay(threads)];
			replay(tasks, threads, () => 0, exact);
			replay(tasks, threads, () => Math.floor(next() * 400), blurred);
			const queued = queuedTime(tasks);
			const occupied = tasks.reduce((sum, { length }) => sum + length, 0);
			assert.deepEqual(exact.occupied, { low: occupied, value: occupied, high: occupied });
			// Nothing lies between two times that were counted before.
			assert.ok(exact.saturatedUs.low <= queued && exact.saturatedUs.low > 0.9 * queued, `seed ${seed}`);
			assert.ok(blurred.saturatedUs.low <= queued, `seed ${seed}: ${blurred.saturatedUs.low} of ${queued}`);
			assert.ok(blurred.saturatedUs.high > 0.9 * queued, `seed ${seed}: ${blurred.saturatedUs.high} of ${queued}`);
			assert.ok(blurred.occupied.low <= occupied && occupied <= blurred.occupied.high, `seed ${seed}`);
		}
	});
}

test('look-ups that queue though a thread is idle are distinguished from those that queue because every thread is taken', () => {
	const at = (done: number) => ({ low: done, high: done });
	const idle = new PoolReplay(4);
	for (const id of [1, 2, 3]) idle.submit(id, id, true);
	idle.complete(1, 1, at(400));
	idle.complete(2, 2, at(400));
	idle.complete(3, 3, at(800));
	assert.deepEqual([idle.lookupsQueuedUs, idle.saturatedUs.high], [397, 0]);
	const taken = new PoolReplay(1);
	taken.submit(1, 0, false);
	taken.submit(2, 0, true);
	taken.complete(1, 0, at(400));
	taken.complete(2, 0, at(401));
	assert.deepEqual([taken.lookupsQueuedUs, taken.saturatedUs], [0, { low: 400, high: 400 }]);
	// Behind another look-up it may have been the limit.
	const unclear = new PoolReplay(2);
	for (const id of [1, 2]) unclear.submit(id, 0, false);
	for (const id of [3, 4]) unclear.submit(id, 0, true);
	for (const id of [1, 2, 3]) unclear.complete(id, 0, at(400));
	assert.deepEqual(unclear.saturatedUs, { low: 400, high: 400 });
	unclear.complete(4, 0, at(800));
	assert.deepEqual(unclear.saturatedUs, { low: 400, high: 400 });
});

test('slow work whose turn came later than it should have is put back when the work behind it is done first', () => {
	const pool = new PoolReplay(2);
	const at = (done: number) => ({ low: done, high: done });
	pool.submit(1, 0, true);
	pool.submit(2, 1, false);
	pool.submit(3, 2, true);
	pool.submit(4, 3, false);
	pool.submit(5, 4, false);
	assert.deepEqual(pool.complete(1, 0, at(100)), at(0));
	// It is the third one's turn; but the other thread has looked before the slow one was over, and sent that to the back.
	assert.deepEqual(pool.complete(4, 3, at(150)), at(100));
	assert.deepEqual(pool.complete(5, 4, at(180)), at(150));
	assert.deepEqual(pool.complete(2, 1, at(400)), at(1));
	assert.deepEqual(pool.complete(3, 2, at(500)), at(180));
});

test('slow work that began before faster work was submitted keeps its thread, though its end is reported after that submit', () => {
	const pool = new PoolReplay(2);
	const at = (done: number) => ({ low: done, high: done });
	// All are submitted in one callback, and what was done meanwhile is reported after it.
	for (const id of [1, 2, 3]) pool.submit(id, id, true);
	for (const id of [4, 5, 6]) pool.submit(id, 10 * id, false);
	assert.deepEqual(pool.complete(1, 1, at(20)), at(1));
	assert.deepEqual(pool.complete(2, 2, at(30)), at(20));
	assert.deepEqual(pool.complete(3, 3, at(39)), at(30));
	assert.deepEqual(pool.complete(4, 40, at(90)), at(40));
});

test('a slow job’s place in the queue is chance: what that makes wide or wrong is found by what is done later', () => {
	let off = 0;
	for (let seed = 1; seed <= 60; seed++) {
		const next = random(seed);
		const tasks = load(next, 60, 0.3);
		simulate(tasks, 2, () => next() < 0.1);
		const found = replay(tasks, 2, () => 0);
		for (const { id, began } of tasks) {
			const interval = found.get(id);
			assert.ok(interval, `seed ${seed}, task ${id}: no interval`);
			// A thread that had just finished slow work and not yet updated the count made others check again one unit later.
			if (interval.low < began - 1 || interval.high > began + 1) off++;
		}
	}
	// Without looking back it would be 34.
	assert.ok(off <= 3, `${off} of 3600 are off`);
});

/** A loop that is busy now and then, and reports what ended meanwhile only afterwards. */
class BusyLoop {
	private stretch = { from: 0, to: 0 };

	/** None of them starts what may be no job. */
	disprove(): never {
		throw new Error('nothing was suspected');
	}

	/** When it reports something that is done at `done`. */
	callAt(done: number): number {
		return Math.max(done, this.stretch.to);
	}

	/** A callback of that length begins. */
	call(at: number, length: number): void {
		this.stretch = { from: at > this.stretch.to ? at : this.stretch.from, to: at + length };
	}

	knownUpTo(at: number): number {
		return at < this.stretch.to ? this.stretch.from : at;
	}
}

/** The replay of jobs that several loops submit and report. */
function replayOfLoops(tasks: Task[], threads: number, next: () => number) {
	const pool = new PoolReplay(threads);
	const loops = [new BusyLoop(), new BusyLoop(), new BusyLoop()];
	const loopOf = (task: Task) => loops[task.id % loops.length]!;
	const waiting = tasks.toSorted((a, b) => a.submitted - b.submitted);
	const running = tasks.toSorted((a, b) => a.done - b.done);
	const completed: { task: Task; began: { low: number; high: number } | null }[] = [];
	while (running.length > 0) {
		const [first] = running.toSorted((a, b) => loopOf(a).callAt(a.done) - loopOf(b).callAt(b.done) || a.done - b.done);
		const task = first!;
		const called = loopOf(task).callAt(task.done);
		while (waiting.length > 0 && waiting[0]!.submitted < called) {
			const { id, submitted, isSlow } = waiting[0]!;
			pool.submit(id, submitted, isSlow, loopOf(waiting.shift()!));
		}
		running.splice(running.indexOf(task), 1);
		loopOf(task).call(called, next() < 0.2 ? Math.floor(next() * 9000) : 0);
		const blur = Math.floor(next() * 40);
		const done = { low: task.done - blur, high: task.done + blur };
		completed.push({ task, began: pool.complete(task.id, task.submitted, done, called) });
	}
	return completed;
}

for (const threads of [1, 2, 4]) {
	test(`loops that learn of the ends of their jobs with a delay and out of order get intervals that contain the start: ${threads} threads`, () => {
		for (let seed = 1; seed <= 60; seed++) {
			const next = random(seed);
			const tasks = load(next, 60, 0);
			simulate(tasks, threads);
			for (const { task, began } of replayOfLoops(tasks, threads, next)) {
				assert.ok(began, `seed ${seed}, task ${task.id}: no interval`);
				assert.ok(
					began.low <= task.began && task.began <= began.high,
					`seed ${seed}, task ${task.id}: ${task.began} is not in ${began.low} to ${began.high}`,
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
	assert.deepEqual(pool.saturatedUs, { low: 400, high: 400 });
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
