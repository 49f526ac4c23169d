// The way of a served request through the callbacks that led to its response: stories with known times.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addedUp, type PathStep, type StepKind } from '../../../src/engine/operations/request-path.ts';
import { START_FLAG } from '../../../src/protocol/journal-records.ts';
import type { RequestStep, Route } from '../../../src/protocol/report.ts';
import { Story } from '../../support/story.ts';

const TIMER = { api: ['setTimeout', 'node:timers'] as [string, string] };
const FETCH = { api: ['fetch', 'node:internal/process/pre_execution'] as [string, string] };

/** `wait 30 setTimeout:5`, with the limits where they differ. */
function stepText({ kind, ms, leastMs, mostMs, op, line }: RequestStep): string {
	const range = leastMs === mostMs ? '' : ` (${leastMs}–${mostMs})`;
	return `${kind} ${ms}${range} ${kind === 'blocked' || kind === 'unknown' ? '' : op}:${line}`;
}

function stepsOf({ typical }: Route): string[] {
	return typical.steps.filter(({ mostMs }) => mostMs > 0).map(stepText);
}

/** A connection, and a request over it whose handler on line 3 runs from 100 ms on; `during` is what it starts. */
function served(during: (story: Story) => void): Story {
	const story = new Story();
	story.start(10, 'TCPWRAP', 0, 0).begin(10, 100, { idle: 100 });
	during(story);
	return story.start(11, 'HTTPSERVERREQUEST', 3, 100).attribute(11);
}

test('the time of a request is that of the callbacks and operations that led to its response', () => {
	const story = served((at) => at.start(20, 'Timeout', 5, 101, { ...TIMER, delay: 30 }))
		.end(102)
		.begin(20, 131, { idle: 29 })
		.start(21, 'FETCH', 6, 132, FETCH)
		.end(133)
		.begin(21, 170, { idle: 37 })
		.respond(11, 172)
		.end(173);
	const [route] = story.report().requests;
	assert.deepEqual(stepsOf(route!), [
		'run 1 http.Server request:3',
		'wait 30 setTimeout:5',
		'run 1 setTimeout:5',
		'wait 38 fetch:6',
		'run 2 fetch:6',
	]);
	assert.deepEqual([route!.count, route!.pending, route!.line, route!.duration.totalMs], [1, 0, 3, 72]);
	const [bin] = route!.histogram;
	assert.ok(bin !== undefined && bin.fromMs <= 72 && 72 < bin.toMs && bin.count === 1, JSON.stringify(bin));
	const { run, wait, blocked, unknown } = route!;
	assert.deepEqual(
		[run, wait, blocked, unknown].map(({ totalMs }) => totalMs),
		[4, 68, 0, 0],
	);
});

/** A server accepts three connections; each brings a request whose handler computes 200 ms, and the loop sleeps as long before each as `sleeps` says. */
function acceptsThree(...sleeps: number[]): { low: number; high: number }[] {
	const story = new Story().start(3, 'TCPSERVERWRAP', 1, 0, { api: ['listen', 'node:net'] });
	let at = 0;
	for (const [index, idle] of sleeps.entries()) {
		const [parser, request] = [10 + index, 20 + index];
		at += idle;
		story.begin(3, at, idle > 0 ? { idle } : { poll: 'new' });
		story.start(parser, 'HTTPINCOMINGMESSAGE', 0, at, { parent: 3 }).end(at + 1);
		story
			.begin(parser, at + 1, { poll: 'new' })
			.start(request, 'HTTPSERVERREQUEST', 5 + index, at++)
			.attribute(request);
		at += 200;
		story.respond(request, at).end(at);
	}
	return story
		.report()
		.requests.sort((a, b) => a.line - b.line)
		.map(({ duration: { range, maxMs } }) => ({ low: range?.low.maxMs ?? maxMs, high: range?.high.maxMs ?? maxMs }));
}

test('the range of a request whose connection waited to be accepted did not contain what its client had waited', () => {
	const [first, second, third] = acceptsThree(100, 0, 0);
	assert.ok(first!.low <= 201 && first!.high <= 202, JSON.stringify(first));
	// They may have come with the first.
	assert.ok(second!.low <= 201 && second!.high >= 401 && second!.high <= 403, JSON.stringify(second));
	assert.ok(third!.low <= 201 && third!.high >= 602 && third!.high <= 604, JSON.stringify(third));
});

test('a connection that is accepted after the loop has slept came then', () => {
	const [, second] = acceptsThree(100, 50);
	assert.ok(second!.high <= 202, JSON.stringify(second));
});

test('the request near the median is one of all that are shown together, not of those of one site alone', () => {
	const story = new Story().start(10, 'TCPWRAP', 0, 0);
	for (const [index, [line, ms]] of (
		[
			[3, 10],
			[3, 90],
			[3, 95],
			[4, 30],
			[4, 40],
		] as const
	).entries()) {
		const [at, request] = [100 + 100 * index, 20 + index];
		story.begin(10, at, { idle: 100 }).start(request, 'HTTPSERVERREQUEST', line, at).attribute(request);
		story.respond(request, at + ms).end(at + ms);
	}
	const [route, ...others] = story.report(({ script }) => ({ file: script, line: 3 })).requests;
	assert.deepEqual(others, []);
	assert.deepEqual([route!.count, route!.duration.p50Ms, route!.typical.durationMs], [5, 40, 40]);
});

test('a wait for a connection that a time-out of the pool’s has ended is that wait, and no timer of the line', () => {
	const waits = (timerLine: number) =>
		served((at) => at.start(20, 'POOLWAIT', 5, 101).start(21, 'Timeout', timerLine, 101, { ...TIMER, delay: 50 }))
			.end(102)
			.begin(21, 151, { idle: 49 })
			.nested(20, 152, 152)
			.respond(11, 153)
			.end(154)
			.report().requests[0]!;
	assert.deepEqual(stepsOf(waits(5)), [
		'run 1 http.Server request:3',
		'wait 50 pool connection:5',
		'run 2 pool connection:5',
	]);
	assert.deepEqual(stepsOf(waits(7))[1], 'wait 50 setTimeout:7', 'another line’s timer gave a connection back');
});

test('what a request’s handler computes once its body is there is on its line, and not where its server listens', () => {
	const listens = 9;
	const story = new Story().start(10, 'TCPWRAP', listens, 0).begin(10, 100, { idle: 100 });
	story.start(11, 'HTTPSERVERREQUEST', 3, 100).attribute(11).end(102);
	story.begin(10, 110, { idle: 8 }).respond(11, 180).end(190);
	assert.deepEqual(
		story.report().loops[0]!.blocks.map(({ line, durationMs }) => [line, durationMs]),
		[[3, 80]],
	);
	story.begin(10, 200, { idle: 10 }).end(290);
	assert.equal(story.report().loops[0]!.blocks[1]?.line, listens, 'it works for no request');
});

test('what a child process says is waited for on the line that has started it', () => {
	const EXEC = { api: ['execFile', 'node:child_process'] as [string, string] };
	const steps = (pipeLine: number) =>
		stepsOf(
			served((at) => at.start(20, 'PROCESSWRAP', 5, 101, EXEC).start(21, 'PIPEWRAP', pipeLine, 101, EXEC))
				.end(102)
				.callback(21, 140, { idle: 38, sync: 1 })
				.begin(20, 150, { idle: 9 })
				.end(151)
				.begin(21, 152, { idle: 1 })
				.respond(11, 153)
				.end(154)
				.report().requests[0]!,
		);
	assert.deepEqual(steps(5), [
		'run 1 http.Server request:3',
		'wait 39 child_process.execFile:5',
		'run 1 child_process.execFile:5',
		'wait 11 child_process.execFile:5',
		'run 1 child_process.execFile:5',
	]);
	assert.match(steps(7)[1]!, /^wait \d+ http\.Server request:3$/, 'a pipe of another line');
});

test('a block while an HTTP request is answered is on its line, and not on one that begins something behind it', () => {
	const story = new Story()
		.start(10, 'TCPWRAP', 3, 0)
		.start(12, 'HTTPCLIENTREQUEST', 5, 10)
		.begin(10, 100, { idle: 90 })
		.nested(12, 101, 102)
		.end(180, 0, 7)
		.begin(10, 200, { idle: 20 })
		.end(280, 0, 7);
	assert.deepEqual(
		story.report().loops[0]!.blocks.map(({ line }) => line),
		[5, 7],
	);
});

test('what goes on beside the way takes no time of the request', () => {
	const story = served((at) => {
		at.start(20, 'Timeout', 5, 101, { ...TIMER, delay: 15 });
		at.start(21, 'Timeout', 6, 101, { ...TIMER, delay: 45 });
	})
		.end(102)
		.callback(20, 116, { idle: 14, sync: 1 })
		.begin(21, 146, { idle: 29 })
		.respond(11, 147)
		.end(148);
	assert.deepEqual(stepsOf(story.report().requests[0]!), [
		'run 1 http.Server request:3',
		'wait 45 setTimeout:6',
		'run 1 setTimeout:6',
	]);
});

test('what another line’s code blocked counts for that line', () => {
	const story = served((at) => at.start(20, 'Timeout', 5, 101, { ...TIMER, delay: 30 }))
		.end(102)
		.start(30, 'Timeout', 9, 102, { ...TIMER, delay: 20 })
		.callback(30, 122, { idle: 20, sync: 40 })
		.begin(20, 162)
		.respond(11, 163)
		.end(164);
	assert.deepEqual(stepsOf(story.report().requests[0]!), [
		'run 1 http.Server request:3',
		'wait 30 setTimeout:5',
		'blocked 31 :9',
		'run 1 setTimeout:5',
	]);
});

test('requests on one line are added up, by line and kind', () => {
	const story = served((at) => at.start(20, 'Timeout', 5, 101, { ...TIMER, delay: 30 }))
		.end(102)
		.begin(20, 131, { idle: 29 })
		.respond(11, 132)
		.end(133);
	story
		.begin(10, 200, { idle: 67 })
		.start(22, 'Timeout', 5, 201, { ...TIMER, delay: 10 })
		.start(12, 'HTTPSERVERREQUEST', 3, 200)
		.attribute(12)
		.end(202)
		.begin(22, 211, { idle: 9 })
		.respond(12, 213)
		.end(214);
	const { requests } = story.report();
	assert.equal(requests.length, 1);
	const { count, duration, parts } = requests[0]!;
	assert.deepEqual([count, duration.totalMs, duration.maxMs], [2, 32 + 13, 32]);
	assert.deepEqual(
		parts.map((part) => `${stepText(part)} ×${part.count}`),
		['wait 40 setTimeout:5 ×2', 'run 3 setTimeout:5 ×2', 'run 2 http.Server request:3 ×2'],
	);
});

test('where the way is lost, the rest of the time is unknown', () => {
	// The response is finished in the callback of a connection whose line nobody knows.
	const story = served(() => undefined)
		.end(102)
		.start(30, 'TCPWRAP', 0, 0)
		.begin(30, 150, { idle: 48 })
		.respond(11, 151)
		.end(152);
	assert.deepEqual(stepsOf(story.report().requests[0]!), ['run 2 http.Server request:3', 'unknown 49 :null']);
});

test('a response that something else brings, such as a timer that emits an event, has waited for that', () => {
	const story = served(() => undefined)
		.end(102)
		.start(30, 'Timeout', 9, 0, { ...TIMER, delay: 150 })
		.begin(30, 150, { idle: 48 })
		.respond(11, 151)
		.end(152);
	assert.deepEqual(stepsOf(story.report().requests[0]!), [
		'run 2 http.Server request:3',
		'wait 48 setTimeout:9',
		'run 1 setTimeout:9',
	]);
});

test('a request that waits for the answer that another one has asked for has waited for that', () => {
	const story = served((at) => at.start(20, 'FETCH', 6, 101, FETCH))
		.end(102)
		.start(12, 'TCPWRAP', 0, 0)
		.begin(12, 110, { idle: 8 })
		.start(13, 'HTTPSERVERREQUEST', 3, 110)
		.attribute(13)
		.end(111)
		.begin(20, 140, { idle: 29 })
		.respond(11, 141)
		.respond(13, 142)
		.end(143);
	const [route] = story.report().requests;
	const parts = route!.parts.map((part) => `${stepText(part)} ×${part.count}`);
	assert.ok(parts.includes('wait 68 fetch:6 ×2'), parts.join(', '));
	assert.equal(route!.unknown.totalMs, 0);
});

test('the turn of a connection’s next callback, whose bytes had come already, was a wait for the request itself', () => {
	const story = served(() => undefined)
		.end(110)
		.begin(10, 115, { poll: 'same' })
		.end(116)
		// The rest of the request's body.
		.begin(10, 150, { idle: 34 })
		.respond(11, 151)
		.end(152);
	assert.deepEqual(stepsOf(story.report().requests[0]!), [
		'run 10 http.Server request:3',
		'unknown 5 :null',
		'run 1 http.Server request:3',
		'wait 34 http.Server request:3',
		'run 1 http.Server request:3',
	]);
});

test('what a request waited for before the callback that answers it was on the line of that callback', () => {
	// The answer to what another request has asked at 131 ms: until then this one has waited for something else.
	const story = served(() => undefined)
		.end(102)
		.start(12, 'TCPWRAP', 0, 0)
		.begin(12, 130, { idle: 28 })
		.start(13, 'HTTPSERVERREQUEST', 3, 130)
		.attribute(13)
		.start(20, 'FETCH', 6, 131, FETCH)
		.end(131)
		.begin(20, 140, { idle: 9 })
		.respond(11, 141)
		.end(142);
	assert.deepEqual(stepsOf(story.report().requests[0]!), [
		'run 2 http.Server request:3',
		'unknown 29 :null',
		'wait 9 fetch:6',
		'run 1 fetch:6',
	]);
});

test('a wait for a pool’s connection that a timer of nobody’s had ended was unknown', () => {
	const story = served((at) => at.start(20, 'POOLWAIT', 5, 101))
		.end(102)
		.start(30, 'TCPWRAP', 0, 0)
		.begin(30, 150, { idle: 48 })
		.respond(20, 150)
		.end(151)
		.begin(30, 156, { idle: 5 })
		.respond(11, 157)
		.end(157);
	assert.deepEqual(stepsOf(story.report().requests[0]!).slice(0, 3), [
		'run 1 http.Server request:3',
		'wait 49 pool connection:5',
		'unknown 7 :null',
	]);
});

test('a request whose response is not finished is pending, and one that nobody knows changes nothing', () => {
	const story = served(() => undefined)
		.end(102)
		.respond(99, 103);
	assert.deepEqual(story.report().requests, []);
	story.begin(10, 200, { idle: 98 }).start(12, 'HTTPSERVERREQUEST', 3, 200).attribute(12).respond(12, 201).end(202);
	const [route] = story.report().requests;
	assert.deepEqual([route!.count, route!.pending], [1, 1]);
});

test('a stream that answers for ever keeps a bounded way, whose parts add up all the same', () => {
	const story = served((at) => at.start(1000, 'Timeout', 5, 101, { ...TIMER, delay: 1 })).end(102);
	const last = 1000 + 3000;
	for (let op = 1000; op < last; op++) {
		const at = 102 + 2 * (op - 1000);
		story
			.begin(op, at, { idle: 1 })
			.start(op + 1, 'Timeout', 5, at + 1, { ...TIMER, delay: 1 })
			.end(at + 1);
	}
	const end = 102 + 2 * (last - 1000);
	story.begin(last, end, { idle: 1 }).respond(11, end).end(end);
	const [route] = story.report().requests;
	assert.ok(route!.typical.steps.length < 600, `${route!.typical.steps.length} steps`);
	const sum = route!.typical.steps.reduce((total, { ms }) => total + ms, 0);
	assert.ok(Math.abs(sum - (end - 100)) < 0.001, `${sum} ms`);
	assert.equal(route!.duration.totalMs, end - 100);
});

const NAMED = { api: ['emitInitNative', 'node:internal/async_hooks'] as [string, string] };

test('named work is a request of its own, and on the way of the one that it is part of', () => {
	const [whole, part] = served((at) => at.start(20, 'part', 5, 101, NAMED))
		.start(21, 'Timeout', 6, 103, { ...TIMER, delay: 30 })
		.nested(20, 102, 103)
		.end(104)
		.begin(21, 133, { idle: 29 })
		.over(20, 134)
		.respond(11, 135)
		.end(136)
		.report().requests;
	assert.deepEqual(stepsOf(part!), ['wait 1 part:5', 'run 1 part:5', 'wait 30 setTimeout:6', 'run 1 setTimeout:6']);
	assert.deepEqual([part!.op, part!.count, part!.duration.totalMs], ['part', 1, 33]);
	assert.deepEqual(stepsOf(whole!), [
		'run 1 http.Server request:3',
		'wait 1 part:5',
		'run 1 part:5',
		'wait 30 setTimeout:6',
		'run 2 setTimeout:6',
	]);
});

test('what requests do that one callback continues is code of each, or has blocked it, and not unknown', () => {
	const write: [string, string] = ['write', 'node:net'];
	const queue: [string, string] = ['', 'bullmq'];
	const story = new Story().begin(1, 0).start(2, 'TCPWRAP', 4, 0);
	for (const job of [10, 11, 12])
		story.start(job, 'report', 5, 1, { api: queue }).start(-job, 'TURNEXCHANGE', 6, 1, { api: write, parent: 2 });
	story.end(1).begin(2, 20, { idle: 19 });
	for (const job of [10, 11, 12]) story.attribute(-job);
	// Each computes for a while, and the last one goes on later.
	for (const job of [10, 11]) story.over(job, 110);
	story.start(21, 'Timeout', 7, 110, { ...TIMER, delay: 10 }).end(20, 90);
	const [route] = story.report().requests;
	assert.deepEqual(stepsOf(route!), [
		'wait 19 net.Socket.write:6',
		'blocked 60 (0–90) :6',
		'run 30 (0–90) net.Socket.write:6',
	]);
	assert.deepEqual([route!.count, route!.pending, route!.unknown.totalMs], [2, 1, 0]);
	story.begin(21, 125, { idle: 15 }).over(12, 126).end(126);
	const [all] = story.report().requests;
	assert.equal(all!.count, 3);
	assert.deepEqual(
		[all!.run, all!.blocked].map(({ range }) => [range!.low.totalMs, range!.high.totalMs]),
		[
			[1, 271],
			[0, 270],
		],
	);
});

test('work that makes other work, again and again, keeps a bounded way', () => {
	const story = new Story().start(1000, 'job', 5, 999, NAMED);
	for (let id = 1000; id < 2000; id++) {
		story
			.begin(id, id)
			.start(id + 1, 'job', 5, id, NAMED)
			.over(id, id + 0.5)
			.end(id + 0.5);
	}
	const [route] = story.report().requests;
	assert.deepEqual([route!.count, route!.pending], [1000, 1]);
	// Each began 1 ms before it was called.
	assert.deepEqual([route!.duration.maxMs, route!.run.totalMs], [1.5, 500]);
});

test('a served request that lost its client is no longer pending', () => {
	const story = served(() => undefined).end(102);
	story
		.begin(10, 110, { idle: 8 })
		.over(11, 110)
		.end(111)
		.begin(10, 200, { idle: 89 })
		.start(12, 'HTTPSERVERREQUEST', 3, 200)
		.attribute(12)
		.respond(12, 201)
		.end(202);
	const [{ count, pending }] = story.report().requests as [Route];
	assert.deepEqual([count, pending], [1, 0]);
});

test('requests that were all closed early, or not answered yet, are listed without figures', () => {
	const story = served(() => undefined).end(102);
	const unanswered = () => story.report().unanswered.map((route) => [route.line, route.pending, route.closedEarly]);
	assert.deepEqual([story.report().requests, unanswered()], [[], [[3, 1, 0]]]);
	story.begin(10, 110, { idle: 8 }).over(11, 110).end(111);
	assert.deepEqual([story.report().requests, unanswered()], [[], [[3, 0, 1]]]);
	// Work that the program names is over only if it says so.
	story.start(20, 'job', 5, 120, NAMED);
	assert.deepEqual(unanswered(), [[3, 0, 1]]);
	story.begin(10, 200, { idle: 89 }).start(12, 'HTTPSERVERREQUEST', 3, 200).attribute(12).respond(12, 201).end(202);
	assert.deepEqual(unanswered(), []);
	assert.equal(story.report().requests[0]!.closedEarly, 1);
});

test('the oldest request without an answer is known, also after later ones were answered and the journal has ended', () => {
	const story = served(() => undefined).end(102);
	const arrive = (id: number, time: number) =>
		story.begin(10, time, { idle: 1 }).start(id, 'HTTPSERVERREQUEST', 3, time).attribute(id);
	arrive(12, 200).end(201);
	arrive(13, 300).respond(13, 301).end(302);
	const oldest = () => story.report().requests[0]!.oldestPending;
	assert.deepEqual(oldest(), { pid: 7, threadId: 0, startMs: 100 });
	story.begin(20, 400, { idle: 1 }).respond(11, 401).end(402);
	assert.deepEqual(oldest(), { pid: 7, threadId: 0, startMs: 200 });
	story.model.close();
	assert.deepEqual(oldest(), { pid: 7, threadId: 0, startMs: 200 });
});

test('few steps and many are added up alike: by line, and for each line by kind, in their order', () => {
	let seed = 1;
	const draw = (below: number) => {
		seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
		return (seed >>> 8) % below;
	};
	const kinds: StepKind[] = ['run', 'wait', 'blocked', 'unknown'];
	const keyOf = ({ place }: PathStep) => (place === null ? '' : `${place.line} ${place.column}`);
	for (let round = 0; round < 200; round++) {
		const steps = Array.from({ length: draw(40) }, (): PathStep => {
			const us = draw(100);
			const place = draw(3) === 0 ? null : { script: '/app/main.js', line: draw(3), column: draw(2) };
			return { kind: kinds[draw(4)]!, stats: null, place, times: draw(2), low: us, value: us, high: us };
		});
		const expected = [...new Set(steps.map(keyOf))].flatMap((key) => {
			const own = steps.filter((step) => keyOf(step) === key);
			return [...new Set(own.map(({ kind }) => kind))].map((kind) => {
				const same = own.filter((step) => step.kind === kind);
				return [
					key,
					kind,
					same.reduce((sum, { value }) => sum + value, 0),
					same.reduce((sum, { times }) => sum + times, 0),
				];
			});
		});
		assert.deepEqual(
			addedUp(steps).map((step) => [keyOf(step), step.kind, step.value, step.times]),
			expected,
		);
	}
});

test('a request over a connection that was used before came after the answer to the last one: its wait is a range', () => {
	const story = served(() => undefined)
		.respond(11, 101)
		.end(102)
		// The loop has not slept since, nothing says when it polled.
		.start(30, 'TCPWRAP', 0, 0)
		.callback(30, 102, { sync: 98 })
		.begin(10, 200)
		.start(12, 'HTTPSERVERREQUEST', 3, 200)
		.attribute(12)
		.respond(12, 202)
		.end(203);
	const { wait, wallMs } = story.report().lines.find(({ line }) => line === 3)!;
	assert.deepEqual([wait!.range!.low.totalMs, wait!.totalMs, wait!.range!.high.totalMs], [0, 49.5, 99]);
	assert.equal(wallMs, 49.5);
});

test('requests that wait at the same time are counted as such', () => {
	const story = new Story();
	for (const op of [10, 20, 30]) story.start(op, 'TCPWRAP', 0, 0);
	story.callback(10, 100, { idle: 99 }).callback(10, 101, { sync: 99 });
	for (const [i, op] of [10, 20, 30].entries()) {
		story
			.begin(op, 200 + i)
			.start(op + 1, 'HTTPSERVERREQUEST', 3, 200 + i)
			.attribute(op + 1)
			.end(200.5 + i);
	}
	const { maxInFlight } = story.report().lines.find(({ line }) => line === 3)!;
	assert.equal(maxInFlight, 3);
});

test('a proxy waits for the other side, though its own connection’s callback ends the response', () => {
	// The answer of the server behind it comes in pieces; the client's connection shows that the last one is sent.
	const story = served((at) => at.start(40, 'TCPWRAP', 0, 101).start(20, 'HTTPREQUEST', 5, 101))
		.end(102)
		.begin(40, 130, { idle: 28 })
		.attribute(20)
		.end(131)
		.callback(40, 200, { idle: 69, sync: 1 })
		.callback(40, 300, { idle: 99, sync: 1 })
		.begin(10, 302, { idle: 1 })
		.respond(11, 302)
		.end(303);
	const [route] = story.report().requests;
	const waits = stepsOf(route!).filter((step) => step.startsWith('wait'));
	assert.deepEqual(waits, ['wait 29 http.request:5', 'wait 69 http.request:5', 'wait 99 http.request:5']);
	assert.equal(route!.duration.totalMs, 202);
});

test('a request that answers from an interval waits for each of its turns', () => {
	const story = served((at) => at.start(20, 'Timeout', 5, 101, { ...TIMER, delay: 50, repeats: true }))
		.end(102)
		.callback(20, 151, { idle: 49, sync: 1 })
		.callback(20, 202, { idle: 50, sync: 1 })
		.begin(20, 253, { idle: 50 })
		.respond(11, 254)
		.end(255);
	assert.deepEqual(stepsOf(story.report().requests[0]!), [
		'run 1 http.Server request:3',
		...['wait 50 setTimeout:5', 'run 1 setTimeout:5'],
		...['wait 50 setTimeout:5', 'run 1 setTimeout:5'],
		...['wait 50 setTimeout:5', 'run 1 setTimeout:5'],
	]);
});

test('a response to a request whose arrival was not read is no request that nobody answers', () => {
	const story = new Story();
	story.start(10, 'TCPWRAP', 0, 0).begin(10, 100, { idle: 100 });
	story.model.start(11, START_FLAG.restated, 50_000, story.string('HTTPSERVERREQUEST'), story.site(3), 11, -1);
	story.respond(11, 101).end(102);
	const { requests, unanswered } = story.report();
	assert.deepEqual([requests, unanswered], [[], []]);
});
