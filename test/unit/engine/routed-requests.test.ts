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

/** Two requests on the middleware on line 3, whose timers call back at once; it calls the handlers on lines 7 and 8 for them, in an unknown order, and each starts a timer. */
function passedOnTogether(): Story {
	const story = arrive(arrive(new Story(), 0, EXPRESS), 1, EXPRESS)
		.begin(20, 110, { idle: 8 })
		.attribute(120);
	story.handler(7, EXPRESS, true).start(30, 'Timeout', 7, 110, { ...TIMER, isRouted: true });
	story.handler(8, EXPRESS, true).start(31, 'Timeout', 8, 110, { ...TIMER, isRouted: true });
	return story.start(32, 'Timeout', 9, 110, TIMER).end(111);
}

test('of two requests that one callback continues, each is the handler’s whose operation leads to its answer', () => {
	const story = passedOnTogether();
	story.begin(30, 115, { idle: 4 }).respond(111, 116).end(116).begin(31, 117, { idle: 1 }).respond(11, 118).end(118);
	assert.deepEqual(linesOf(story), ['7 ×1', '8 ×1', 'row 7 ×1', 'row 8 ×1']);
});

test('so it is where the handler’s operation starts another', () => {
	const story = passedOnTogether().begin(30, 115, { idle: 4 }).start(40, 'Timeout', 7, 116, TIMER).end(116);
	story.begin(40, 120, { idle: 4 }).respond(111, 121).end(121);
	assert.deepEqual(linesOf(story), ['3 +1', '7 ×1', 'row 3 ×0 +1', 'row 7 ×1']);
});

test('what no router’s handler has started shows nothing of that, nor does a callback of several operations', () => {
	const story = passedOnTogether().begin(32, 115, { idle: 4 }).respond(111, 116).end(116);
	story.begin(30, 117, { idle: 1 }).attribute(31).respond(11, 118).end(118);
	assert.deepEqual(linesOf(story), ['3 ×2', 'row 3 ×2']);
});

test('of two requests that one callback continues, one that a handler answers at once is that handler’s, if a router calls it', () => {
	const story = arrive(arrive(new Story(), 0, EXPRESS), 1, EXPRESS)
		.begin(20, 110, { idle: 8 })
		.attribute(120);
	story.handler(7, EXPRESS, true).place(111, 'HTTPSERVERREQUEST', 7, 101).respond(111, 111);
	story.place(11, 'HTTPSERVERREQUEST', 9, 100).respond(11, 111).end(112);
	assert.deepEqual(linesOf(story), ['3 ×1', '7 ×1', 'row 3 ×1', 'row 7 ×1']);
});

test('one that another handler answers later, as it keeps responses, stays where it is', () => {
	const story = arrive(new Story(), 0, EXPRESS).begin(20, 110, { idle: 9 }).handler(7, EXPRESS).end(111);
	story.start(50, 'Timeout', 9, 111, TIMER).begin(50, 120, { idle: 9 }).place(11, 'HTTPSERVERREQUEST', 9, 100);
	assert.deepEqual(linesOf(story.respond(11, 121).end(121)), ['7 ×1', 'row 7 ×1']);
});

test('of two requests that one callback after the other continues together, neither is taken for the other', () => {
	const story = passedOnTogether();
	let ids = [30, 31];
	for (let turn = 0; turn < 60; turn++) {
		const at = 115 + 5 * turn;
		story.begin(ids[0]!, at, { idle: 4 }).attribute(ids[1]!);
		ids = ids.map((id) => id + 2);
		story.handler(7, EXPRESS, true).start(ids[0]!, 'Timeout', 7, at, { ...TIMER, isRouted: true });
		story
			.handler(8, EXPRESS, true)
			.start(ids[1]!, 'Timeout', 8, at, { ...TIMER, isRouted: true })
			.end(at + 1);
	}
	story.begin(ids[0]!, 500, { idle: 4 }).respond(111, 501).end(501);
	assert.deepEqual(linesOf(story).slice(0, 2), ['3 +1', '7 ×1']);
});
