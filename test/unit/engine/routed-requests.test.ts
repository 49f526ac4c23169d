// On which line a request is whose handler has passed it on: which of the handlers that routers have called is the route's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from '../../support/story.ts';

const TIMER = { api: ['setTimeout', 'node:timers'] as [string, string], delay: 5 };
const EXPRESS = '/app/node_modules/express/lib/router/layer.js';
const HOOKS = '/app/node_modules/fastify/lib/hooks.js';
const ROUTES = '/app/node_modules/fastify/lib/handleRequest.js';

/**
 * A request with the id 11 over a connection, and timer 20, which the middleware on line 3 has started for it: it is over, and its callback began at 106 ms.
 * @param router what has called the middleware; none of an older recording
 */
function passedOn(router?: string): Story {
	return arrive(new Story(), 0, router).begin(20, 106, { idle: 4 });
}

/** @param turn 0 for the first request, and 1 for one that comes right behind it */
function arrive(story: Story, turn: number, router?: string): Story {
	return story
		.start(10 + 100 * turn, 'TCPWRAP', 0, 0)
		.begin(10 + 100 * turn, 100 + turn, { idle: 100 * (1 - turn) })
		.start(20 + 100 * turn, 'Timeout', 4, 100 + turn, TIMER)
		.start(11 + 100 * turn, 'HTTPSERVERREQUEST', 3, 100 + turn, router === undefined ? {} : { router })
		.attribute(11 + 100 * turn)
		.end(101 + turn);
}

/** Of each line with requests, the answered and those under way; and how many operations its row has, and has under way. */
function linesOf(story: Story): string[] {
	const { requests, unanswered, lines } = story.report();
	const rows = lines
		.filter(({ op }) => op === 'http.Server request')
		.map(({ line, count, pending }) => `row ${line} ×${count}${pending > 0 ? ` +${pending}` : ''}`);
	return [
		...requests.map(({ line, count, pending }) => `${line} ×${count}${pending > 0 ? ` +${pending}` : ''}`),
		...unanswered.map(({ line, pending }) => `${line} +${pending}`),
		...rows,
	].sort();
}

test('the last handler that the same function of the router has called is the route’s', () => {
	const story = passedOn(EXPRESS).handler(7, EXPRESS);
	assert.deepEqual(linesOf(story), ['7 +1', 'row 7 ×0 +1'], 'before it is answered');
	story.start(21, 'Timeout', 8, 107, TIMER).end(107).begin(21, 112, { idle: 5 }).handler(9, EXPRESS);
	story.respond(11, 113).end(114);
	assert.deepEqual(linesOf(story), ['9 ×1', 'row 9 ×1']);
	const row = story.report().lines.find(({ op }) => op === 'http.Server request');
	assert.equal(row!.maxInFlight, 1, 'it is never said that there was none at a time');
	const [route] = story.report().requests;
	assert.equal(route!.duration.totalMs, 13);
	const waits = route!.parts.filter(({ kind }) => kind === 'wait').map(({ line, ms }) => [line, ms]);
	assert.deepEqual(waits, [
		[4, 6],
		[8, 5],
	]);
});

test('those that are open are under way on their line’s row too, since when they came, and wait no more', () => {
	const story = arrive(arrive(new Story(), 0, EXPRESS), 1, EXPRESS);
	assert.deepEqual(linesOf(story), ['3 +2', 'row 3 ×0 +2']);
	const [row] = story.report().lines.filter(({ op }) => op === 'http.Server request');
	assert.deepEqual([row!.oldestPending?.startMs, row!.maxInFlight], [100, 1]);
	story.begin(20, 106, { idle: 4 }).respond(11, 107).end(108);
	assert.deepEqual(linesOf(story), ['3 ×1 +1', 'row 3 ×1 +1']);
});

test('a handler in the callback in which the request comes has it at once', () => {
	const story = new Story();
	story.start(10, 'TCPWRAP', 0, 0).begin(10, 100, { idle: 100 }).handler(7, EXPRESS);
	story.start(11, 'HTTPSERVERREQUEST', 3, 100, { router: EXPRESS }).attribute(11);
	story.respond(11, 101).end(102);
	assert.deepEqual(linesOf(story), ['7 ×1', 'row 7 ×1']);
});

test('what another function calls has no part in it, such as an error’s handler', () => {
	const story = passedOn(EXPRESS).handler(7, '/app/node_modules/express/lib/response.js').respond(11, 107).end(108);
	assert.deepEqual(linesOf(story), ['3 ×1', 'row 3 ×1']);
});

test('behind a hook of fastify comes the route, and a hook behind it is none', () => {
	const story = passedOn(HOOKS).handler(7, ROUTES).handler(9, HOOKS).respond(11, 107).end(108);
	assert.deepEqual(linesOf(story), ['7 ×1', 'row 7 ×1']);
});

test('behind a guard of NestJS comes the route, and no guard behind it', () => {
	const guards = '/app/node_modules/@nestjs/core/guards/guards-consumer.js';
	const nest = '/app/node_modules/@nestjs/core/router/router-execution-context.js';
	const story = passedOn(guards).handler(7, nest).handler(9, guards).respond(11, 107).end(108);
	assert.deepEqual(linesOf(story), ['7 ×1', 'row 7 ×1']);
});

test('another function of the router’s script may call the route, but one for errors answers instead of it', () => {
	const caller = (line: number, name: string) => ({ script: EXPRESS, line, name });
	const story = passedOn(EXPRESS).handler(7, caller(4, 'handleRequest')).handler(9, caller(5, 'handleError'));
	assert.deepEqual(linesOf(story.respond(11, 107).end(108)), ['7 ×1', 'row 7 ×1']);
});

test('a request whose first handler no router has called is the one’s that a router calls', () => {
	const story = passedOn().handler(7, EXPRESS).respond(11, 107).end(108);
	assert.deepEqual(story.report().requests[0]!.line, 7);
});

test('of two requests that one callback continues, its drain continues either', () => {
	const story = arrive(arrive(new Story(), 0, EXPRESS), 1, EXPRESS);
	story.begin(20, 110, { idle: 8 }).handler(7, EXPRESS).attribute(120).handler(8, EXPRESS, true);
	story.respond(11, 111).respond(111, 111).end(112);
	assert.deepEqual(linesOf(story), ['3 ×1', '7 ×1', 'row 3 ×1', 'row 7 ×1']);
});

test('one that was not answered when the journal ended is counted on its last line', () => {
	const story = passedOn(EXPRESS).handler(7, EXPRESS).end(107);
	story.model.exit(200_000, 0);
	story.model.close();
	assert.deepEqual(linesOf(story), ['7 +1', 'row 7 ×1']);
});

test('one whose tracer rests is counted on its last line', () => {
	const story = passedOn(EXPRESS).handler(7, EXPRESS).end(107);
	story.model.rest(108_000, false, 0, 0);
	assert.deepEqual(linesOf(story), ['row 7 ×1']);
});

test('one whose handler shows only when it goes on is counted there and not where the server listens, though no router is known', () => {
	const story = new Story();
	story.start(10, 'TCPWRAP', 0, 0).begin(10, 100, { idle: 100 });
	story
		.start(11, 'HTTPSERVERREQUEST', 2, 100, { api: ['listen', 'node:_http_server'] })
		.attribute(11)
		.end(101);
	story.start(30, 'Timeout', 4, 101, TIMER).begin(30, 110, { idle: 9 }).place(11, 'HTTPSERVERREQUEST', 7, 100);
	story.respond(11, 111).end(112);
	assert.deepEqual(linesOf(story), ['7 ×1', 'row 7 ×1']);
});
