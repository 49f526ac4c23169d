// The replay of a program under other conditions against independent truths: a pool stepped through time, and processors shared alike by hand.
import assert from 'node:assert/strict';
import test from 'node:test';
import { whatIfText } from '../../../src/cli/what-if-text.ts';
import { LoggedThread, type ProgramLogs } from '../../../src/engine/what-if/logged-thread.ts';
import { WhatIf } from '../../../src/engine/what-if/what-if.ts';
import type { Durations } from '../../../src/protocol/report.ts';
import { simulate, type Task } from '../../support/pool-simulation.ts';
import { random } from '../../support/random.ts';
import { Story } from '../../support/story.ts';

const READ = { api: ['readFile', 'node:fs'] as [string, string] };
const LOOKUP = { api: ['lookup', 'node:dns'] as [string, string] };
const HASH = { api: ['pbkdf2', 'node:internal/crypto/pbkdf2'] as [string, string] };

/** A story that is written down for a replay. */
function logged(pool: number): { story: Story; whatIf(cores: number): WhatIf } {
	const logs: ProgramLogs = new Map();
	const story = new Story({ pool }, (debuggerOf) => new LoggedThread(debuggerOf, logs));
	const whatIf = (cores: number) => {
		const [log] = logs.values();
		return new WhatIf(log!, { threads: pool, cores }, ({ script, line }) => ({ file: script, line }));
	};
	return { story, whatIf };
}

function tasksOf(next: () => number, slowShare: number): Task[] {
	let now = 0;
	return Array.from({ length: 40 }, (_, index) => {
		now += 1 + Math.floor(next() * 12);
		const id = index + 2;
		// Distinct times: what comes first in one instant is libuv's secret.
		const submitted = now * 100 + id;
		return { id, submitted, length: 50 + Math.floor(next() * 4000), isSlow: next() < slowShare, began: 0, done: 0 };
	});
}

/** Records the tasks as they were, each with a callback at its end that does nothing. Times are in ms. */
function record(story: Story, tasks: readonly Task[]): void {
	const events = [
		...tasks.map((task) => ({ at: task.submitted, isEnd: false, task })),
		...tasks.map((task) => ({ at: task.done, isEnd: true, task })),
	].sort((a, b) => a.at - b.at || Number(a.isEnd) - Number(b.isEnd));
	for (const { at, isEnd, task } of events) {
		if (isEnd) story.callback(task.id, at, { idle: 0.01 });
		else if (task.isSlow) story.start(task.id, 'GETADDRINFOREQWRAP', 2, at, LOOKUP);
		else story.start(task.id, 'FSREQCALLBACK', 1, at, READ);
	}
}

function assertWaits(figures: Durations, tasks: readonly Task[], what: string): void {
	const waits = tasks.map(({ submitted, done }) => done - submitted).sort((a, b) => a - b);
	const truth = {
		totalMs: waits.reduce((sum, wait) => sum + wait, 0),
		p50Ms: waits[Math.ceil(0.5 * waits.length) - 1]!,
		p95Ms: waits[Math.ceil(0.95 * waits.length) - 1]!,
		maxMs: waits.at(-1)!,
	};
	for (const figure of ['totalMs', 'p50Ms', 'p95Ms', 'maxMs'] as const) {
		assert.ok(
			Math.abs(figures[figure] - truth[figure]) < 0.1,
			`${what}, ${figure}: ${figures[figure]} is not ${truth[figure]}`,
		);
	}
}

for (const [recorded, slowShare] of [
	[1, 0],
	[3, 0],
	// With a thread for each nothing queued, so that it is known how long each look-up took.
	[100, 0.4],
] as const) {
	test(`jobs recorded on ${recorded} threads wait on others as a pool of that size makes them, ${slowShare * 100} % look-ups`, () => {
		for (let seed = 1; seed <= 5; seed++) {
			const tasks = tasksOf(random(seed), slowShare);
			simulate(tasks, recorded);
			const { story, whatIf } = logged(recorded);
			record(story, tasks);
			const process = whatIf(1);
			for (const threads of [1, 2, 4, 9]) {
				const others = tasks.map((task) => ({ ...task }));
				simulate(others, threads);
				const { total } = process.predict({ threads, cores: 1, changed: [] });
				assertWaits(total.recorded, tasks, `seed ${seed}, as recorded`);
				assertWaits(total.predicted, others, `seed ${seed}, on ${threads} threads`);
				const queued = others.reduce((sum, { began, submitted }) => sum + began - submitted, 0);
				const { predicted } = total.queueMs;
				assert.ok(Math.abs(predicted - queued) < 0.1, `seed ${seed}, on ${threads}: ${predicted} of queue`);
			}
		}
	});
}

/** Four equal hashes at once on four threads: on two processors each takes 200 ms, alone 100. */
function fourHashes(): WhatIf {
	const { story, whatIf } = logged(4);
	for (const op of [2, 3, 4, 5]) story.start(op, 'PBKDF2REQUEST', 8, 0, HASH);
	for (const op of [2, 3, 4, 5]) story.callback(op, 200, { idle: 200 });
	return whatIf(2);
}

for (const [threads, cores, waits] of [
	[1, 1, [100, 200, 300, 400]],
	[1, 8, [100, 200, 300, 400]],
	[2, 2, [100, 100, 200, 200]],
	[4, 1, [400, 400, 400, 400]],
	[4, 2, [200, 200, 200, 200]],
	[4, 3, [133.33, 133.33, 133.33, 133.33]],
	[64, 4, [100, 100, 100, 100]],
] as const) {
	test(`hashes on ${threads} threads share ${cores} processors alike`, () => {
		const { total, endedMs } = fourHashes().predict({ threads, cores, changed: [] });
		assert.equal(total.count, 4);
		const sum = waits.reduce((all, wait) => all + wait, 0);
		assert.ok(Math.abs(total.predicted.totalMs - sum) < 0.1, `${total.predicted.totalMs} in all`);
		assert.ok(Math.abs(total.predicted.maxMs - waits[3]) < 0.1, `${total.predicted.maxMs} at most`);
		assert.ok(Math.abs(endedMs.predicted - waits[3]) < 0.1, `over after ${endedMs.predicted}`);
	});
}

test('what a callback starts comes earlier when its operation is over earlier, and a loop runs one callback at a time', () => {
	const { story, whatIf } = logged(1);
	// A file of 100 ms; 10 ms into its callback of 50 ms another one, and a timer of 30 ms that has to wait for that callback.
	story
		.start(2, 'FSREQCALLBACK', 1, 0, READ)
		.begin(2, 100, { idle: 100 })
		.start(3, 'FSREQCALLBACK', 2, 110, READ)
		.start(4, 'Timeout', 3, 110, { api: ['setTimeout', 'node:timers'], delay: 30 })
		.end(150)
		.callback(4, 150, { sync: 40 })
		.callback(3, 210, { idle: 20 });
	const half = whatIf(4).predict({ threads: 1, cores: 4, changed: [{ file: '/app/main.js', line: 1, percent: -50 }] });
	const at = (line: number) => half.lines.find((each) => each.line === line)!.predicted.totalMs;
	assert.deepEqual([at(1), at(2)], [50, 100]);
	// 50 of the first file, 10 until the second one, 100 for that.
	assert.equal(half.endedMs.predicted, half.endedMs.recorded - 50);
	// The second one as fast as can be is over at 110 and waits for both callbacks.
	const none = whatIf(4).predict({ threads: 1, cores: 4, changed: [{ file: '/app/main.js', line: 2, percent: -100 }] });
	const wait = none.lines.find((each) => each.line === 2)!.predicted.totalMs;
	assert.ok(wait === 40, `it waits for the callback that started it, ${wait} ms`);
});

test('limits are wide where the recording leaves open how long jobs took', () => {
	const { story, whatIf } = logged(1);
	story
		.start(2, 'FSREQCALLBACK', 1, 0, READ)
		.start(3, 'Timeout', 3, 0, { api: ['setTimeout', 'node:timers'], delay: 10 })
		.callback(3, 10, { idle: 10, sync: 200 })
		.callback(2, 210);
	const { total } = whatIf(1).predict({
		threads: 2,
		cores: 1,
		changed: [{ file: '/app/main.js', line: 1, percent: 100 }],
	});
	const { low, high } = total.predicted.range;
	// It took 10 to 210 ms, so twice that is 20 to 420; the callback of 200 ms is in between.
	assert.ok(low.totalMs <= 211 && high.totalMs >= 419, `${low.totalMs} to ${high.totalMs}`);
});

test('the terminal shows what was recorded, each condition, and what is assumed', () => {
	const hashes = fourHashes();
	const of = (...sizes: number[]) => sizes.map((threads) => hashes.predict({ threads, cores: 2, changed: [] }));
	const terminal = { columns: 80, hasColours: false };
	const table = whatIfText({ schema: 'waitline/what-if@1', predictions: of(1, 2, 4), areCoresKnown: false }, terminal);
	assert.deepEqual(
		table.split('\n').filter((line) => line.length > 80),
		[],
	);
	assert.match(table, /^process 7 · 4 threads on 2 processors when it was recorded$/m);
	assert.match(table, /^ {2}1 +200 ms +400 ms +1 s +600 ms +400 ms$/m);
	assert.match(table, /^ {2}4 \* +200 ms +200 ms +800 ms +0 +200 ms$/m);
	assert.match(table, /Assumptions: .* processors there were/s);
	const single = whatIfText({ schema: 'waitline/what-if@1', predictions: of(2), areCoresKnown: true }, terminal);
	assert.match(
		single,
		/main\.js:8 {2}crypto\.pbkdf2 ×4\n +p50 200 ms → 100 ms {2}p95 200 ms → 200 ms {2}total 800 ms → 600 ms/,
	);
	const none = whatIfText({ schema: 'waitline/what-if@1', predictions: [], areCoresKnown: true }, terminal);
	assert.match(none, /^No line of the program used the thread pool, so there is nothing to replay\.$/m);
});

/** A server whose clients each send the next request some time after the last answer, over a connection of their own; each takes one file. In ms. */
interface Client {
	/** By request: how long the client waits before it, and how long its file takes. */
	requests: { pause: number; length: number }[];
}

/** Steps through it: the pool takes jobs in the order of their start, and callbacks take no time. @returns when each request came and was answered */
function serveAll(clients: readonly Client[], threads: number): { client: number; from: number; to: number }[] {
	const free: number[] = new Array(threads).fill(0);
	const done: { client: number; from: number; to: number }[] = [];
	const next = clients.map(({ requests }, client) => ({ client, at: requests[0]!.pause, index: 0 }));
	for (;;) {
		const first = next
			.filter(({ index, client }) => index < clients[client]!.requests.length)
			.sort((a, b) => a.at - b.at)[0];
		if (first === undefined) return done.sort((a, b) => a.from - b.from);
		const { requests } = clients[first.client]!;
		free.sort((a, b) => a - b);
		const to = Math.max(free[0]!, first.at) + requests[first.index]!.length;
		free[0] = to;
		done.push({ client: first.client, from: first.at, to });
		first.at = to + (requests[++first.index]?.pause ?? 0);
	}
}

function tellServer(story: Story, clients: readonly Client[], threads: number): void {
	const served = serveAll(clients, threads);
	let id = 100;
	const events = served.flatMap(({ client, from, to }) => {
		const request = id++;
		const file = id++;
		return [
			{ at: from, client, request, file, isEnd: false },
			{ at: to, client, request, file, isEnd: true },
		];
	});
	for (const client of clients.keys()) story.start(10 + client, 'TCPWRAP', 0, 0);
	for (const { at, client, request, file, isEnd } of events.sort((a, b) => a.at - b.at)) {
		if (isEnd) story.begin(file, at, { idle: 0.01 }).respond(request, at).end(at);
		else {
			story
				.begin(10 + client, at, { idle: 0.01 })
				.start(request, 'HTTPSERVERREQUEST', 3, at)
				.attribute(request)
				.start(file, 'FSREQCALLBACK', 1, at, READ)
				.end(at);
		}
	}
}

test('clients that wait for their answers ask later on a smaller pool, and earlier on a larger one', () => {
	for (let seed = 1; seed <= 5; seed++) {
		const next = random(seed);
		// Distinct times: what comes first in one instant is libuv's secret.
		const drawn = () => 1 + Math.floor(next() * 40_000) / 1000;
		const clients = Array.from({ length: 6 }, () => ({
			requests: Array.from({ length: 8 }, () => ({ pause: drawn(), length: drawn() })),
		}));
		for (const recorded of [1, 3, 6]) {
			const { story, whatIf } = logged(recorded);
			tellServer(story, clients, recorded);
			for (const threads of [1, 2, 6]) {
				const { total, endedMs } = whatIf(1).predict({ threads, cores: 1, changed: [] });
				const served = serveAll(clients, threads);
				const waits = served.reduce((sum, { from, to }) => sum + to - from, 0);
				const what = `seed ${seed}, from ${recorded} to ${threads}`;
				assert.ok(Math.abs(total.predicted.totalMs - waits) < 0.1, `${what}: ${total.predicted.totalMs}, not ${waits}`);
				const ended = Math.max(...served.map(({ to }) => to));
				assert.ok(Math.abs(endedMs.predicted - ended) < 0.1, `${what}: over after ${endedMs.predicted}, not ${ended}`);
			}
		}
	}
});
