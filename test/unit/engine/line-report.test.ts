// What a line shows besides its sums: one operation in full, its callers, the libraries between.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Story } from '../../support/story.ts';

const STAT: [string, string] = ['stat', 'node:fs'];
const PBKDF2: [string, string] = ['pbkdf2', 'node:internal/crypto/pbkdf2'];
const TIMEOUT: [string, string] = ['setTimeout', 'node:timers'];

function lineAt(story: Story, number: number) {
	const found = story.report().lines.filter(({ line }) => line === number);
	assert.equal(found.length, 1);
	return found[0]!;
}

function callersOf(story: Story, number: number): string[] {
	return lineAt(story, number).callers.map(({ line, op, count }) => `${line} ${op || 'main'} ×${count}`);
}

test('the typical operation is a real one, near the median, and its parts are its wait', () => {
	const story = new Story({ pool: 1 });
	for (let op = 2; op <= 6; op++) story.start(op, 'PBKDF2REQUEST', 3, 0, { api: PBKDF2 });
	for (let op = 2; op <= 6; op++) story.callback(op, (op - 1) * 100, { idle: 99, sync: 1 });
	const { typical, histogram } = lineAt(story, 3);
	assert.deepEqual(typical, {
		pid: 7,
		threadId: 0,
		startMs: 0,
		waitMs: 300,
		queueMs: 200,
		executeMs: 100,
		lagMs: 0,
		runMs: 1,
		basis: 'measured',
		uncertaintyMs: 0,
	});
	assert.equal(
		histogram.reduce((sum, { count }) => sum + count, 0),
		5,
	);
});

test('a typical operation done behind a busy loop is an estimate; a timer has only a lag', () => {
	const story = new Story()
		.start(2, 'Timeout', 1, 0, { api: TIMEOUT, delay: 10 })
		.begin(2, 13, { idle: 13 })
		.start(3, 'FSREQCALLBACK', 4, 13, { api: STAT })
		.end(53)
		.callback(3, 53);
	const { typical: timer } = lineAt(story, 1);
	assert.deepEqual([timer?.queueMs, timer?.executeMs, timer?.lagMs, timer?.basis], [null, null, 3, 'measured']);
	const { typical: stat } = lineAt(story, 4);
	assert.deepEqual([stat?.executeMs, stat?.lagMs, stat?.basis, stat?.uncertaintyMs], [20, 20, 'estimated', 20]);
});

test('a line that is still under way has no typical operation and no bars', () => {
	const { typical, histogram } = lineAt(new Story().start(2, 'PBKDF2REQUEST', 3, 0, { api: PBKDF2 }), 3);
	assert.equal(typical, null);
	assert.deepEqual(histogram, []);
});

test('two calls on one line are at once and one after the other as any two are, though their positions are two', () => {
	const stat = (column: number) => ({ api: STAT, column });
	const story = new Story()
		.start(2, 'FSREQCALLBACK', 4, 0, stat(1))
		.start(3, 'FSREQCALLBACK', 4, 0, stat(5))
		.callback(2, 100, { idle: 99 })
		.callback(3, 150, { idle: 49 })
		.start(4, 'FSREQCALLBACK', 5, 200, stat(1))
		.callback(4, 300, { idle: 99 })
		.start(5, 'FSREQCALLBACK', 5, 300, stat(5))
		.callback(5, 400, { idle: 99 });
	const figures = [4, 5].map((line) => lineAt(story, line)).map(({ maxInFlight, wallMs }) => ({ maxInFlight, wallMs }));
	assert.deepEqual(figures, [
		{ maxInFlight: 2, wallMs: 150 },
		{ maxInFlight: 1, wallMs: 200 },
	]);
});

test('timers that were cleared were counted among those at once', () => {
	const story = new Story();
	// Each is cleared when the next is set, unseen.
	for (let i = 0; i < 5; i++) story.start(i + 2, 'Timeout', 4, i * 10, { api: TIMEOUT, delay: 100 });
	story.callback(6, 141, { idle: 140 });
	assert.equal(lineAt(story, 4).maxInFlight, null);
});

test('positions of a bundle’s line that are two lines of the sources do not share what is under way', () => {
	const story = new Story()
		.start(2, 'FSREQCALLBACK', 4, 0, { api: STAT, column: 1 })
		.start(3, 'FSREQCALLBACK', 4, 0, { api: STAT, column: 5 })
		.callback(2, 100, { idle: 99 })
		.callback(3, 150, { idle: 49 });
	const { lines } = story.report(({ column }) => ({ file: '/app/source.ts', line: column }));
	assert.deepEqual(
		lines.map(({ line, maxInFlight, wallMs }) => ({ line, maxInFlight, wallMs })),
		[
			{ line: 1, maxInFlight: 1, wallMs: 100 },
			{ line: 5, maxInFlight: 1, wallMs: 150 },
		],
	);
});

test('callers: the main script, and the line whose callback or continuation it was', () => {
	const story = new Story()
		.start(1, 'MAIN', 0, 0)
		.begin(1, 0)
		.start(2, 'Timeout', 1, 1, { api: TIMEOUT, delay: 10 })
		.start(3, 'FSREQCALLBACK', 4, 1, { api: STAT })
		.end(2)
		.begin(2, 10, { idle: 8 })
		.start(4, 'FSREQCALLBACK', 4, 10, { api: STAT })
		.start(5, 'FSREQCALLBACK', 4, 10, { api: STAT })
		.end(11)
		.callback(3, 12)
		.callback(4, 13)
		.callback(5, 14);
	assert.deepEqual(callersOf(story, 1), ['1 main ×1']);
	assert.deepEqual(callersOf(story, 4), ['1 setTimeout ×2', '1 main ×1']);
});

test('what a connection’s callback starts belongs to the request that it turns out to be', () => {
	const story = new Story()
		.start(2, 'TCPWRAP', 9, 0)
		.begin(2, 10, { idle: 10 })
		.start(3, 'FSREQCALLBACK', 5, 11, { api: STAT })
		.start(-2, 'HTTPSERVERREQUEST', 4, 10);
	story.model.attribute(-2);
	story.end(12).callback(3, 14);
	assert.deepEqual(callersOf(story, 5), ['4 http.Server request ×1']);
	assert.deepEqual(callersOf(story, 4), [], 'nobody of the program started the request');
});

test('a step of an operation, and an operation written again, are no new starts', () => {
	const story = new Story()
		.start(2, 'FSREQCALLBACK', 5, 0, { api: STAT })
		.begin(2, 2, { idle: 2 })
		.start(3, 'FSREQCALLBACK', 5, 2.1, { api: STAT, parent: 2 })
		.end(2.2)
		.callback(3, 4);
	assert.deepEqual(callersOf(story, 5), []);
});

test('a helper that the whole program calls names its five most frequent callers', () => {
	const story = new Story();
	let op = 2;
	for (let line = 10; line < 60; line++) {
		story.start(op, 'Timeout', line, 0, { api: TIMEOUT, delay: line }).begin(op++, line, { idle: 1 });
		for (let i = 0; i < line - 9; i++) story.start(op++, 'FSREQCALLBACK', 5, line, { api: STAT });
		story.end(line + 0.5);
	}
	const callers = callersOf(story, 5);
	assert.deepEqual(callers.slice(0, 2), ['41 setTimeout ×32', '40 setTimeout ×31']);
	assert.equal(callers.length, 5);
});

test('the libraries’ lines between the user’s line and Node are listed once each', () => {
	const story = new Story();
	story.model.string(901, '/app/node_modules/tool/index.js');
	story.model.string(902, '/app/main.js');
	story.model.string(903, 'PBKDF2REQUEST');
	story.model.position(80, 902, 3, 1, 0);
	for (const [id, line] of [
		[90, 33],
		[91, 12],
	] as const) {
		story.model.position(id, 901, line, 1, 0);
		for (const site of [id, id + 100]) story.model.site(site, 80, id, 0, 0);
	}
	for (const [op, site] of [90, 190, 91, 191].entries()) story.model.start(op + 2, 0, 0, 903, site, op + 2, -1);
	assert.deepEqual(lineAt(story, 3).libraries, [
		{ file: '/app/node_modules/tool/index.js', line: 12 },
		{ file: '/app/node_modules/tool/index.js', line: 33 },
	]);
});

test('the same call twice on one line is one entry, another call there a second one', () => {
	const story = new Story()
		.start(2, 'FSREQCALLBACK', 5, 0, { api: STAT, column: 1 })
		.start(3, 'FSREQCALLBACK', 5, 0, { api: STAT, column: 7 })
		.start(4, 'Timeout', 5, 0, { api: TIMEOUT, delay: 20, column: 9 });
	story.callback(2, 10, { idle: 10 }).callback(3, 11, { idle: 1 }).callback(4, 20, { idle: 9 });
	assert.deepEqual(story.summary(), [
		'5 fs.stat threadpool ×2: wait 21, queue 0, execute 21, lag 0, run 0',
		'5 setTimeout timer ×1: wait 20, lag 0, run 0',
	]);
});
