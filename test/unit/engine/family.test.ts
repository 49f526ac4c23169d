// Which process started which, from what the processes record.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Family } from '../../../src/engine/processes/family.ts';
import { isKill, type Kill } from '../../../src/engine/threads/kill.ts';
import { ThreadChildren } from '../../../src/engine/threads/thread-children.ts';
import type { ThreadModel } from '../../../src/engine/threads/thread-model.ts';

/** A main thread that has started these processes. @param ancestors the nearest first: all of them on Linux, elsewhere the parent alone */
function thread(pid: number, ancestors: number[], started: number[] = [], own: object = {}): ThreadModel {
	const all = started.map((id) => ({ kind: 'process', id, at: 0 }));
	const facts = { pid, threadId: 0, parentPid: ancestors[0], beganUs: 0, ...own };
	return {
		facts,
		ancestors,
		children: { all, endedWorkers: new Map(), signals: new Map() },
		outcome: 'exit',
		stopReason: null,
	} as unknown as ThreadModel;
}

/** A thread without a last record. */
function silent(pid: number, own: object = {}): ThreadModel {
	return { ...thread(pid, [1], [], own), outcome: 'killed' } as ThreadModel;
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

test('a Worker whose end its process has seen was terminated; one that was left ended with its process', () => {
	const main = thread(10, [1]);
	main.children.endedWorkers.set(1, { end: 'terminated', at: 1_300_000 });
	const workers = [1, 2].map((threadId) => ({ ...silent(10, { threadId }), latestInHrtime: 50_000 }) as ThreadModel);
	const family = new Family([main, ...workers]);
	assert.deepEqual(
		workers.map((worker) => family.endOf(worker)),
		['terminated', 'process-exited'],
	);
	assert.deepEqual(
		workers.map((worker) => family.unrecordedMsOf(worker)),
		[1250, null],
		'what it did since its last record',
	);
	const alone = new Family([silent(10), workers[1]!]);
	assert.equal(alone.endOf(workers[1]!), 'killed', 'as its process was');
});

test('how a process ended whose recording had stopped before is not known, unless the host saw what killed it', () => {
	const stopped = { ...silent(10), stopReason: 'quota' } as ThreadModel;
	const ends = [new Map(), new Map([[10, 'stop']]), new Map([[10, 'SIGTERM']])] as Map<number, Kill>[];
	assert.deepEqual(
		ends.map((kills) => new Family([stopped], kills).endOf(stopped)),
		['not-recorded', 'stopped', 'killed'],
	);
});

test('a Worker ended at its memory limit where its process called no terminate(), as far as both were seen', () => {
	const main = thread(10, [1]);
	const worker = silent(10, { threadId: 1 });
	const stopped = { ...worker, stopReason: 'quota' } as ThreadModel;
	const endsWhen = (happens: (children: ThreadChildren) => void) => {
		const children = new ThreadChildren();
		children.add(5, { kind: 'worker', id: 1, at: 0 });
		happens(children);
		children.end(5, 1000);
		const family = new Family([{ ...main, children } as ThreadModel, worker]);
		return [family.endOf(worker), family.endOf(stopped)];
	};
	assert.deepEqual(
		endsWhen(() => undefined),
		['memory-limit', 'worker-ended'],
	);
	assert.deepEqual(
		endsWhen((children) => children.gap()),
		['worker-ended', 'worker-ended'],
	);
	assert.deepEqual(
		endsWhen((children) => children.terminate(5)),
		['terminated', 'terminated'],
	);
});

test('who killed a process is said where the host knows it', () => {
	const [process, worker] = [silent(10), silent(10, { threadId: 1 })];
	const endsOf = (...kills: [number, Kill][]) => {
		const family = new Family([process, worker], new Map(kills));
		return [process, worker].flatMap((model) => [family.endOf(model), family.signalOf(model)]);
	};
	assert.deepEqual(endsOf([11, 'stop']), ['killed', null, 'killed', null]);
	assert.deepEqual(endsOf([10, 'SIGTERM']), ['killed', 'SIGTERM', 'killed', 'SIGTERM']);
	assert.deepEqual(endsOf([10, 'stop']), ['stopped', null, 'stopped', null]);
	const ended = thread(10, [1]);
	const family = new Family([ended], new Map([[10, 'stop']]));
	assert.deepEqual([family.endOf(ended), family.signalOf(ended)], ['exit', null], 'it had ended by itself');
	assert.deepEqual(['SIGKILL', 'stop', 'SIG', 'SIGTERM\n', 'sigterm'].map(isKill), [true, true, false, false, false]);
});

test('which signal ended a process is said where the one that had started it saw that', () => {
	const child = silent(20);
	const endsWhen = (signal: string, kills: [number, Kill][] = []) => {
		const children = new ThreadChildren();
		children.kill(20, signal);
		const family = new Family([{ ...thread(10, [1], [20]), children } as ThreadModel, child], new Map(kills));
		return [family.endOf(child), family.signalOf(child)];
	};
	assert.deepEqual(endsWhen('SIGTERM'), ['killed', 'SIGTERM']);
	assert.deepEqual(endsWhen('SIGKILL', [[20, 'stop']]), ['stopped', null], 'the host knows who sent it');
	for (const claim of ['stop', 'exit'])
		assert.deepEqual(endsWhen(claim), ['killed', null], 'a recording may claim anything');
	assert.deepEqual(
		endsWhen('', [[20, 'exit']]),
		['not-recorded', null],
		'it left by itself, perhaps as another program',
	);
});

test('a process in which another program began was replaced', () => {
	const before = silent(10);
	assert.equal(new Family([before]).endOf(before), 'killed');
	const after = thread(10, [1], [], { beganUs: 5 });
	const family = new Family([before, after]);
	assert.deepEqual([family.endOf(before), family.endOf(after)], ['replaced', 'exit']);
	const stranger = thread(10, [3], [], { beganUs: 5 });
	assert.equal(new Family([before, stranger]).endOf(before), 'killed', 'another process has the same id');
});
