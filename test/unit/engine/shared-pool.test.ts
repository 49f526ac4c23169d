// Threads of one process share its pool: their journals, which arrive separately and in any pieces, are replayed
// together.
import assert from 'node:assert/strict';
import test from 'node:test';
import { SessionModel } from '../../../src/engine/session-model.ts';
import type { Report } from '../../../src/protocol/report.ts';
import { simulate, type Task } from '../../support/pool-simulation.ts';
import { random } from '../../support/random.ts';
import { PID, ThreadJournal } from '../../support/thread-journal.ts';

const THREADS = 3;
const POOL = 2;
/** hrtime at the begin of the main thread's journal, µs. */
const BEGAN = 5_000_000;
/** Operation that starts the Worker of that id, on the main thread. */
const startOf = (worker: number) => 1_000_000 + worker;

/** Jobs of the main thread and two Workers on a pool of two, and their journals. */
function sharedLoad(seed: number): { tasks: Task[]; journals: ThreadJournal[] } {
	const next = random(seed);
	const tasks: Task[] = [];
	for (let id = 0; id < 90; id++) {
		const submitted = 20_000 + id * 300 + Math.floor(next() * 300);
		tasks.push({ id, submitted, length: 100 + Math.floor(next() * 1000), isSlow: false, began: 0, done: 0 });
	}
	simulate(tasks, POOL);
	const journals = Array.from({ length: THREADS }, (_, threadId) => {
		const beganUs = BEGAN + threadId * 5000;
		return new ThreadJournal({ threadId, beganUs, pool: POOL });
	});
	for (let worker = 1; worker < THREADS; worker++) {
		journals[0]!
			.start(startOf(worker), 90 + worker, worker * 4000, 'WORKER')
			.worker(startOf(worker), worker)
			.flush();
	}
	const events = tasks.flatMap((task) => [
		{ at: task.submitted, task, isEnd: false },
		{ at: task.done, task, isEnd: true },
	]);
	events.sort((a, b) => a.at - b.at || Number(a.isEnd) - Number(b.isEnd));
	for (const { at, task, isEnd } of events) {
		const threadId = task.id % THREADS;
		const journal = journals[threadId]!;
		const time = at - threadId * 5000;
		if (isEnd) journal.callback(task.id + 2, time);
		else journal.start(task.id + 2, task.id + 1, time);
		if (next() < 0.3) journal.flush();
	}
	for (const journal of journals) journal.exit(200_000);
	return { tasks, journals };
}

/** Reads journals in the order of the given pieces. */
function reportOf(pieces: Iterable<[name: string, bytes: Uint8Array]>, looks = false): Report {
	const model = new SessionModel();
	const names = new Set<string>();
	for (const [name, bytes] of pieces) {
		names.add(name);
		model.push(name, bytes);
		// The host keeps reading, but not long enough to stop waiting for a thread.
		if (looks) model.lookAt(BEGAN + 500_000);
	}
	for (const name of names) model.finish(name, true);
	return model.report(({ script, line }) => ({ file: script, line }));
}

function* inTurns(journals: ThreadJournal[], size: () => number): Generator<[string, Uint8Array]> {
	const left = journals.map(({ name, bytes }) => ({ name, bytes, at: 0 }));
	while (left.some(({ at, bytes }) => at < bytes.length)) {
		for (const journal of left) {
			const end = Math.min(journal.bytes.length, journal.at + size());
			if (end > journal.at) yield [journal.name, journal.bytes.subarray(journal.at, end)];
			journal.at = end;
		}
	}
}

test('jobs of three threads queue behind one another, each as it really did', () => {
	for (let seed = 1; seed <= 10; seed++) {
		const { tasks, journals } = sharedLoad(seed);
		const report = reportOf(journals.map(({ name, bytes }) => [name, bytes]));
		for (const { id, submitted, began, done } of tasks) {
			const line = report.lines.find((one) => one.line === id + 1);
			const { queue, execute } = line ?? {};
			const [queueUs, executeUs] = [(queue?.totalMs ?? 0) * 1000, (execute?.totalMs ?? 0) * 1000];
			assert.deepEqual([queue?.basis, execute?.basis], ['measured', 'measured'], `seed ${seed}, job ${id}`);
			assert.ok(Math.abs(queueUs - (began - submitted)) < 1, `seed ${seed}, job ${id}: queued ${queueUs} µs`);
			assert.ok(Math.abs(executeUs - (done - began)) < 1, `seed ${seed}, job ${id}: executed ${executeUs} µs`);
		}
		const [pool, ...others] = report.pools;
		assert.deepEqual(others, [], 'one pool');
		assert.deepEqual([pool?.pid, pool?.size], [PID, POOL]);
		assert.ok(pool!.maxQueued > 1 && pool!.saturatedMs > 0);
		assert.deepEqual([report.processes.length, report.loops.length, report.untraced.length], [THREADS, THREADS, 0]);
	}
});

/** Threads are listed in the order in which their journals arrived. */
function sorted(report: Report): Report {
	const byThread = (a: { threadId: number }, b: { threadId: number }) => a.threadId - b.threadId;
	return { ...report, processes: report.processes.toSorted(byThread), loops: report.loops.toSorted(byThread) };
}

test('the report is the same in whatever pieces and order the journals come', () => {
	for (let seed = 1; seed <= 5; seed++) {
		const { journals } = sharedLoad(seed);
		const whole = reportOf(journals.map(({ name, bytes }) => [name, bytes]));
		for (const order of [
			[0, 2, 1],
			[1, 0, 2],
			[2, 1, 0],
		]) {
			const pieces = order.map((i): [string, Uint8Array] => [journals[i]!.name, journals[i]!.bytes]);
			assert.deepEqual(sorted(reportOf(pieces)), sorted(whole));
		}
		const next = random(seed);
		const sizes = [() => 1, () => 7, () => 1 + Math.floor(next() * 400), () => 5000];
		for (const size of sizes) {
			for (const looks of [false, true]) assert.deepEqual(reportOf(inTurns(journals, size), looks), whole);
		}
	}
});

test('while a thread has to wait, its records are neither counted nor lost', () => {
	const { journals } = sharedLoad(1);
	const model = new SessionModel();
	const [main] = journals;
	model.push(main!.name, main!.bytes);
	const { accounting, lines } = model.report(({ script, line }) => ({ file: script, line }));
	assert.deepEqual(
		lines.map(({ op, count }) => `${op} ×${count}`),
		['new Worker ×0'],
		'nothing is read past the start of a Worker that has not written yet',
	);
	const { emitted, decoded, dropped, lost } = accounting;
	assert.deepEqual([emitted, dropped, lost], [decoded, 0, 0]);
});

/**
 * A Worker's job of 5 ms on a pool of one, behind one of 100 ms of the main thread, which is recorded only after 3 s.
 */
function silentMain() {
	const main = new ThreadJournal({ beganUs: BEGAN, pool: 1 });
	main.start(5, 9, 100, 'WORKER').worker(5, 1).flush();
	const early = main.bytes;
	main.start(2, 1, 10_000).callback(2, 3_000_000).flush();
	const worker = new ThreadJournal({ threadId: 1, beganUs: BEGAN, pool: 1 });
	worker.start(2, 2, 11_000).callback(2, 115_000).flush();
	return { main, early, rest: main.bytes.subarray(early.length), worker };
}

test('a thread that is silent for long is not waited for', () => {
	const { main, early, worker } = silentMain();
	const model = new SessionModel();
	const count = () =>
		model.report(({ script, line }) => ({ file: script, line })).lines.find(({ line }) => line === 2)?.count ?? 0;
	model.push(main.name, early);
	model.push(worker.name, worker.bytes);
	assert.equal(model.lookAt(BEGAN + 900_000), false);
	assert.equal(count(), 0);
	assert.equal(model.lookAt(BEGAN + 1_200_000), true);
	assert.equal(count(), 1);
});

test('what a thread writes after the others stopped waiting for it makes their figures estimates that contain the true values', () => {
	const { main, early, rest, worker } = silentMain();
	const line = (looks: boolean) => {
		const model = new SessionModel();
		model.push(main.name, early);
		model.push(worker.name, worker.bytes);
		if (looks) model.lookAt(BEGAN + 2_500_000);
		model.push(main.name, rest);
		for (const { name } of [main, worker]) model.finish(name, true);
		return model.report(({ script, line }) => ({ file: script, line })).lines.find((one) => one.line === 2)!;
	};
	const { queue, execute } = line(true);
	assert.deepEqual([queue?.basis, execute?.basis], ['estimated', 'estimated']);
	// It was taken between its submit and its callback: no more is known.
	assert.ok(queue!.uncertaintyMs >= 104 && execute!.uncertaintyMs >= 104);
	// Read in the order of time, the main thread's job is known to have been before it.
	assert.notEqual(line(false).queue?.basis, 'measured');
});

test('the pool’s size is the one that was read last before anything surely used it', () => {
	// Such as when an add-on is loaded, whose functions may call back from a thread of its own.
	const journal = new ThreadJournal({ pool: 4 }).sized(2).start(2, 1, 100).sized(8).callback(2, 1100).exit(2000);
	const { pools, processes } = reportOf([[journal.name, journal.bytes]]);
	assert.deepEqual([pools[0]!.size, processes[0]!.poolSize], [2, 2]);
});

test('two processes that had one id are two', () => {
	const reports = [0, 1].map((second) => {
		const journals = [0, second].map((run) => new ThreadJournal({ beganUs: BEGAN + run * 1_000_000, pool: 1 + run }));
		for (const journal of journals) journal.start(2, 1, 100).callback(2, 1100).exit(2000);
		return reportOf(journals.slice(0, 1 + second).map(({ name, bytes }) => [name, bytes]));
	});
	assert.deepEqual(
		reports.map(({ pools }) => pools.map(({ pid, size }) => [pid, size])),
		[
			[[PID, 1]],
			[
				[PID, 1],
				[PID, 2],
			],
		],
	);
});
