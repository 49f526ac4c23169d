// The way of a served request through the callbacks that led to its response: stories with known times.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestStep, Route } from '../../src/protocol/report.ts';
import { Story } from '../support/story.ts';

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
	const { run, wait, blocked, unknown } = route!;
	assert.deepEqual(
		[run, wait, blocked, unknown].map(({ totalMs }) => totalMs),
		[4, 68, 0, 0],
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
	// The response is finished in the callback of something that the request has not started.
	const story = served(() => undefined)
		.end(102)
		.start(30, 'Timeout', 9, 0, { ...TIMER, delay: 150 })
		.begin(30, 150, { idle: 48 })
		.respond(11, 151)
		.end(152);
	assert.deepEqual(stepsOf(story.report().requests[0]!), ['run 2 http.Server request:3', 'unknown 49 :null']);
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
