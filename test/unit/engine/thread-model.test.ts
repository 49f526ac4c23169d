// From records to lines: short stories whose lines a person can check by reading.
import assert from 'node:assert/strict';
import test from 'node:test';
import { START_FLAG } from '../../../src/protocol/journal-records.ts';
import type { Line } from '../../../src/protocol/report.ts';
import { Story } from '../../support/story.ts';

const READ_FILE: [string, string] = ['readFile', 'node:fs'];
const PBKDF2: [string, string] = ['pbkdf2', 'node:internal/crypto/pbkdf2'];
const TIMEOUT: [string, string] = ['setTimeout', 'node:timers'];

test('an idle loop: the split is measured; microtasks after the callback count as its run', () => {
	const story = new Story()
		.start(2, 'FSREQPROMISE', 5, 1, { api: ['stat', 'node:internal/fs/promises'] })
		.callback(2, 11, { idle: 9, sync: 1, drain: 30 });
	assert.deepEqual(story.summary(), ['5 fs.promises.stat threadpool ×1: wait 10, queue 0, execute 10, lag 0, run 31']);
});

test('the jobs that have not called back are counted, whatever becomes of them', () => {
	const story = new Story()
		.start(2, 'FSREQCALLBACK', 5, 1, { api: READ_FILE })
		.start(3, 'PBKDF2REQUEST', 6, 1, { api: PBKDF2 })
		.start(4, 'Timeout', 7, 1, { api: TIMEOUT, delay: 5 });
	assert.equal(story.model.openJobs, 2);
	story.callback(2, 3);
	assert.equal(story.model.openJobs, 1);
	// An id that comes again, as in a damaged journal, takes the other's place.
	story.start(3, 'FSREQCALLBACK', 5, 4, { api: READ_FILE });
	assert.equal(story.model.openJobs, 1);
	story.model.over(3, 5000);
	story.callback(4, 7);
	assert.equal(story.model.openJobs, 0);
	story.start(5, 'FSREQCALLBACK', 5, 8, { api: READ_FILE });
	story.model.rest(9000, false, 0, 0);
	assert.equal(story.model.openJobs, 0);
});

test('the four requests of one readFile are one operation', () => {
	const story = new Story().start(2, 'FSREQCALLBACK', 5, 0, { api: READ_FILE });
	for (const [op, at] of [
		[2, 2],
		[3, 4],
		[4, 6],
	] as const) {
		story
			.begin(op, at, { idle: 1.9 })
			.start(op + 1, 'FSREQCALLBACK', 5, at + 0.1, { api: READ_FILE, parent: 2 })
			.end(at + 0.1);
	}
	story.callback(5, 8, { idle: 1.9, sync: 3 });
	const [line] = story.report().lines;
	assert.equal(line?.count, 1);
	assert.ok(Math.abs(line.wait!.totalMs - 7.7) < 1e-9);
	assert.ok(Math.abs(line.execute!.totalMs - 7.7) < 1e-9);
	assert.ok(Math.abs(line.run!.totalMs - 3.3) < 1e-9);
});

/** A stream reads twice for 2 ms; for each piece its program computes 10 ms before the next read. */
function computingReader(): Story {
	const READ: [string, string] = ['createReadStream', 'node:fs'];
	const story = new Story().start(2, 'FSREQCALLBACK', 5, 0, { api: READ });
	for (const [op, at] of [
		[2, 2],
		[3, 14],
	] as const) {
		story
			.begin(op, at, { idle: 2 })
			.start(op + 1, 'FSREQCALLBACK', 5, at + 10, { api: READ, parent: 2 })
			.end(at + 10);
	}
	return story.callback(4, 26, { idle: 2 });
}

test('the wait of a stream had the program’s own code between its pieces in it', () => {
	const story = computingReader();
	assert.deepEqual(story.summary(), ['5 fs.createReadStream threadpool ×1: wait 6, queue 0, execute 6, lag 0, run 20']);
	assert.equal(story.report().lines[0]!.wallMs, 6);
});

test('a stream that is paused does not wait meanwhile', () => {
	const READ: [string, string] = ['createReadStream', 'node:fs'];
	const story = new Story()
		.start(2, 'FSREQCALLBACK', 5, 0, { api: READ })
		.callback(2, 2, { idle: 2 })
		.start(3, 'FSREQCALLBACK', 5, 50, { api: READ, parent: 2 })
		.callback(3, 53, { idle: 51 });
	const [line] = story.report().lines;
	assert.deepEqual([line!.count, line!.wait!.totalMs, line!.wallMs], [1, 5, 5]);
});

test('steps that wait at the same time: each moment counts once, and the time on threads is added up', () => {
	const RM: [string, string] = ['rm', 'node:fs'];
	const story = new Story({ pool: 1 })
		.start(2, 'FSREQCALLBACK', 5, 0, { api: RM })
		.begin(2, 2, { idle: 2 })
		.start(3, 'FSREQCALLBACK', 5, 2, { api: RM, parent: 2 })
		.start(4, 'FSREQCALLBACK', 5, 2, { api: RM, parent: 2 })
		.end(2)
		.callback(3, 12, { idle: 10 })
		.callback(4, 22, { idle: 10 });
	// One by one on the only thread: the second of them queues while the first has it.
	assert.deepEqual(story.summary(), ['5 fs.rm threadpool ×1: wait 22, queue 0, execute 22, lag 0, run 0']);
	assert.equal(story.report().lines[0]!.threadTimeMs, null);

	const both = new Story({ pool: 2 })
		.start(2, 'FSREQCALLBACK', 5, 0, { api: RM })
		.begin(2, 2, { idle: 2 })
		.start(3, 'FSREQCALLBACK', 5, 2, { api: RM, parent: 2 })
		.start(4, 'FSREQCALLBACK', 5, 2, { api: RM, parent: 2 })
		.end(2)
		.callback(3, 12, { idle: 10 })
		.callback(4, 22, { idle: 10 });
	assert.deepEqual(both.summary(), ['5 fs.rm threadpool ×1: wait 22, queue 0, execute 22, lag 0, run 0']);
	assert.deepEqual(both.report().lines[0]!.threadTimeMs, { low: 32, high: 32 });
});

test('a copy begins with a look at the source and one at the destination: they are one operation, whichever it continues from', () => {
	const CP: [string, string] = ['cp', 'node:internal/fs/promises'];
	const story = new Story().begin(0, 0);
	for (const op of [2, 3, 4, 5]) story.start(op, 'FSREQPROMISE', 5, 0, { api: CP });
	story.end(0);
	story.callback(2, 1, { idle: 1 });
	story.begin(3, 2, { idle: 1 }).start(6, 'FSREQPROMISE', 5, 2, { api: CP, parent: 3 }).end(2);
	story.callback(4, 3, { idle: 1 }).callback(5, 4, { idle: 1 });
	assert.equal(story.report().lines[0]!.pending, 1);
	story.callback(6, 10, { idle: 6 });
	assert.deepEqual(
		story.report().lines.map(({ count, pending, wait }) => [count, pending, wait!.totalMs]),
		[[2, 0, 14]],
	);
});

test('a loop that woke up and got no CPU: what arrived meanwhile arrived then or later', () => {
	const story = new Story()
		.start(2, 'PBKDF2REQUEST', 1, 0, { api: PBKDF2 })
		.start(3, 'PBKDF2REQUEST', 2, 0, { api: PBKDF2 })
		.callback(2, 20, { idle: 19, cpuWait: 8 })
		.callback(3, 20);
	assert.deepEqual(story.summary(), [
		'1 crypto.pbkdf2 threadpool ×1: wait 20, queue 0, execute 16±4, lag 4±4, run 0',
		'2 crypto.pbkdf2 threadpool ×1: wait 20, queue 0, execute 16±4, lag 4±4, run 0',
	]);
});

test('a loop that lost its CPU after it woke: its sleep may be shorter than what it waited', () => {
	const story = new Story().start(2, 'PBKDF2REQUEST', 1, 0, { api: PBKDF2 }).callback(2, 20, { idle: 1, cpuWait: 8 });
	assert.deepEqual(story.summary(), ['1 crypto.pbkdf2 threadpool ×1: wait 20, queue 0, execute 16±4, lag 4±4, run 0']);
});

test('a poll that was over before the loop got a CPU: the next one may bring what came meanwhile', () => {
	const story = new Story()
		.start(2, 'Timeout', 1, 0, { api: TIMEOUT, delay: 10 })
		.start(3, 'PBKDF2REQUEST', 2, 0, { api: PBKDF2 })
		.callback(2, 20, { idle: 10, cpuWait: 10, sync: 40 })
		.callback(3, 60, { poll: 'new' });
	assert.deepEqual(story.summary(), [
		'1 setTimeout timer ×1: wait 20, lag 10, run 40',
		'2 crypto.pbkdf2 threadpool ×1: wait 60, queue 0, execute 35±25, lag 25±25, run 0',
	]);
});

test('five equal jobs on one thread queue behind one another', () => {
	const story = new Story({ pool: 1 });
	for (let op = 1; op <= 5; op++) story.start(op, 'PBKDF2REQUEST', 3, 0, { api: PBKDF2 });
	for (let op = 1; op <= 5; op++) story.callback(op, op * 100, { idle: 100 });
	assert.deepEqual(story.summary(), [
		'3 crypto.pbkdf2 threadpool ×5: wait 1500, queue 1000, execute 500, lag 0, run 0',
	]);
	assert.deepEqual(story.report().pools, [
		{
			pid: 7,
			size: 1,
			saturatedMs: 400,
			saturatedMostMs: 400,
			lookupsQueuedMs: 0,
			maxQueued: 4,
			occupiedMs: { low: 500, high: 500 },
		},
	]);
});

test('done while the loop was busy: the split is an interval of a stated width', () => {
	const story = new Story()
		.start(2, 'Timeout', 1, 0, { api: TIMEOUT, delay: 10 })
		.begin(2, 10, { idle: 10 })
		.start(3, 'FSREQCALLBACK', 4, 10, { api: ['stat', 'node:fs'] })
		.end(50)
		.callback(3, 50);
	assert.deepEqual(story.summary(), [
		'1 setTimeout timer ×1: wait 10, lag 0, run 40',
		'4 fs.stat threadpool ×1: wait 40, queue 0, execute 20±20, lag 20±20, run 0',
	]);
});

test('many jobs that were done while the loop was busy: together they executed no longer than the pool had threads for', () => {
	const story = new Story({ pool: 2 })
		.start(2, 'Timeout', 1, 0, { api: TIMEOUT, delay: 10 })
		.begin(2, 10, { idle: 10 });
	for (let op = 3; op < 13; op++) story.start(op, 'FSREQCALLBACK', 4, 10, { api: ['stat', 'node:fs'] });
	story.end(50);
	for (let op = 3; op < 13; op++) story.callback(op, 50);
	const { execute } = story.report().lines.find(({ op }) => op === 'fs.stat')!;
	assert.equal(execute!.range!.low.totalMs, 0);
	assert.equal(execute!.range!.high.maxMs, 40, 'each of them may have taken as long as it lasted');
	assert.equal(execute!.range!.high.totalMs, 80, 'two threads for 40 ms');
	assert.ok(execute!.totalMs <= 80, `${execute!.totalMs} ms`);
});

test('two callbacks of one poll: the second was done before the first ran, so its lag is known', () => {
	const story = new Story()
		.start(2, 'GETADDRINFOREQWRAP', 1, 0)
		.start(3, 'PBKDF2REQUEST', 2, 0, { api: PBKDF2 })
		.callback(2, 10, { idle: 10, sync: 40 })
		.callback(3, 50, { poll: 'same' });
	assert.deepEqual(story.summary(), [
		'1 dns.lookup threadpool ×1: wait 10, queue 0, execute 10, lag 0, run 40',
		'2 crypto.pbkdf2 threadpool ×1: wait 50, queue 0, execute 10, lag 40, run 0',
	]);
});

test('a pool job behind a socket of the same poll may have been done while that ran', () => {
	const story = new Story()
		.start(2, 'TCPWRAP', 1, 0)
		.start(3, 'PBKDF2REQUEST', 2, 0, { api: PBKDF2 })
		.callback(2, 10, { idle: 10, sync: 40 })
		.callback(3, 50, { poll: 'same' });
	assert.deepEqual(story.summary(), [
		'2 crypto.pbkdf2 threadpool ×1: wait 50, queue 0, execute 30±20, lag 20±20, run 0',
	]);
});

test('polls between long callbacks narrow down when the third was done', () => {
	const story = new Story();
	for (const op of [2, 3, 4]) story.start(op, 'PBKDF2REQUEST', op, 0, { api: PBKDF2 });
	story
		.callback(2, 10, { idle: 10, sync: 40 })
		.callback(3, 50, { poll: 'new', sync: 40 })
		.callback(4, 90, { poll: 'new' });
	assert.deepEqual(
		story.summary().filter((line) => line.startsWith('4')),
		['4 crypto.pbkdf2 threadpool ×1: wait 90, queue 0, execute 70±20, lag 20±20, run 0'],
	);
});

test('a timer between two events shows that the loop has polled between them', () => {
	const story = new Story()
		.start(2, 'PBKDF2REQUEST', 1, 0, { api: PBKDF2 })
		.start(3, 'Timeout', 2, 0, { api: TIMEOUT, delay: 10, repeats: true })
		.start(4, 'PBKDF2REQUEST', 4, 0, { api: PBKDF2 })
		.start(5, 'PBKDF2REQUEST', 5, 0, { api: PBKDF2 })
		.callback(2, 100, { idle: 100, sync: 100 })
		.callback(3, 200, { sync: 10 })
		.callback(4, 210, { sync: 90 })
		.callback(3, 300, { sync: 10 })
		.callback(5, 310);
	const [line] = story.report().lines.filter(({ line }) => line === 5);
	assert.deepEqual([line!.lag!.range!.low.totalMs, line!.lag!.range!.high.totalMs], [0, 100]);
});

test('callbacks of one poll after a timer are of one poll', () => {
	const story = new Story()
		.start(2, 'PBKDF2REQUEST', 1, 0, { api: PBKDF2 })
		.start(3, 'Timeout', 2, 0, { api: TIMEOUT, delay: 10, repeats: true })
		.start(5, 'PBKDF2REQUEST', 5, 0, { api: PBKDF2 })
		.start(6, 'TCPWRAP', 0, 0)
		.callback(2, 100, { idle: 100 })
		.callback(3, 200, { sync: 10 })
		// Its data came with the poll from 210 on, as that of the next two did.
		.callback(6, 210, { sync: 40 });
	for (const [op, at] of [
		[7, 250],
		[8, 290],
	] as const) {
		story
			.begin(6, at)
			.start(op, 'HTTPSERVERREQUEST', op, at)
			.attribute(op)
			.end(at + 40);
	}
	story.callback(3, 330, { sync: 10 }).callback(5, 340);
	const lag = (of: number) => story.report().lines.find(({ line }) => line === of)!.lag!.range!.high.totalMs;
	assert.deepEqual([lag(7), lag(8), lag(5)], [150, 190, 130]);
});

test('timers of one turn of the loop do not show that it has polled', () => {
	const story = new Story()
		.start(2, 'PBKDF2REQUEST', 1, 0, { api: PBKDF2 })
		.start(3, 'Timeout', 2, 0, { api: TIMEOUT, delay: 10, repeats: true })
		.start(5, 'PBKDF2REQUEST', 5, 0, { api: PBKDF2 })
		.callback(2, 100, { idle: 100, sync: 100 })
		.callback(3, 200, { sync: 90 })
		// Nobody knows what that is: it may be another timer.
		.callback(99, 290)
		.callback(3, 290, { sync: 10 })
		.callback(5, 300);
	const [line] = story.report().lines.filter(({ line }) => line === 5);
	assert.equal(line!.lag!.range!.high.totalMs, 200);
});

test('a block delays the connections that are accepted right after it: they came since the loop had last polled', () => {
	const story = new Story()
		.start(2, 'Timeout', 1, 0, { api: ['setTimeout', 'node:timers'], delay: 10 })
		.start(3, 'TCPSERVERWRAP', 5, 0, { api: ['listen', 'node:net'] })
		.callback(3, 5, { idle: 5 })
		.callback(2, 10, { idle: 5, sync: 100 })
		.callback(3, 110, { poll: 'new' })
		// One a poll.
		.callback(3, 111, { poll: 'new' })
		.callback(3, 150, { idle: 39 });
	const [block, ...others] = story.report().loops[0]!.blocks;
	assert.deepEqual(others, []);
	assert.deepEqual([block?.delayed, block?.delayedMs, block?.basis], [2, 99.5, 'estimated'], 'each by 0 to 100 ms');
	assert.deepEqual(
		block!.delays.map(({ line, op, count }) => [line, op, count]),
		[[5, 'net.Server connection', 2]],
	);
	assert.deepEqual(
		story.report().lines.map(({ op }) => op),
		['setTimeout'],
		'no line counts connections',
	);
});

test('a block delays no connection from before the server listened', () => {
	const story = new Story()
		.start(2, 'Timeout', 1, 0, { api: ['setTimeout', 'node:timers'], delay: 10 })
		.begin(2, 10, { idle: 10 })
		.start(3, 'TCPSERVERWRAP', 5, 108, { api: ['listen', 'node:net'] })
		.end(110)
		.callback(3, 110, { poll: 'new' });
	const [block] = story.report().loops[0]!.blocks;
	assert.deepEqual([block?.durationMs, block?.delayed, block?.delayedMs], [100, 1, 1], 'by 0 to 2 ms');
});

test('a block names the line that blocked the loop and counts what it delayed', () => {
	const story = new Story()
		.start(2, 'Timeout', 1, 0, { api: TIMEOUT, delay: 10 })
		.start(3, 'Timeout', 2, 0, { api: TIMEOUT, delay: 20 })
		.start(4, 'Timeout', 3, 0, { api: TIMEOUT, delay: 200 })
		.callback(2, 10, { idle: 10, sync: 20, drain: 80 })
		.callback(3, 110)
		.callback(4, 200, { idle: 90 });
	assert.deepEqual(story.summary(), [
		'1 setTimeout timer ×1: wait 10, lag 0, run 100',
		'2 setTimeout timer ×1: wait 110, lag 90, run 0',
		'3 setTimeout timer ×1: wait 200, lag 0, run 0',
		'block at 1: 100 from 10, delayed 1, 2 setTimeout ×1 by 90',
	]);
});

test('a block shows what it cost each line, and how certain that is', () => {
	const story = new Story({ pool: 4 })
		.start(2, 'Timeout', 1, 0, { api: TIMEOUT, delay: 10 })
		.start(3, 'Timeout', 2, 0, { api: TIMEOUT, delay: 60 })
		.start(4, 'Timeout', 2, 0, { api: TIMEOUT, delay: 70 })
		.begin(2, 10, { idle: 10 })
		.start(5, 'FSREQCALLBACK', 4, 50, { api: ['stat', 'node:fs'] })
		.end(110)
		.callback(3, 110, { sync: 5 })
		.callback(4, 115, { sync: 5 })
		.callback(5, 120);
	const [block] = story.report().loops[0]!.blocks;
	assert.equal(block?.delayed, 3);
	// The timers were due 50 and 40 ms before the end; the stat was done at any time after 50.
	assert.equal(block.delayedMs, 50 + 40 + 25);
	assert.deepEqual([block.surelyDelayed, block.delayedLeastMs, block.delayedMostMs], [2, 50 + 40, 50 + 40 + 60]);
	assert.equal(block.basis, 'estimated');
	assert.deepEqual(
		block.delays.map(({ file: _, ...delay }) => delay),
		[
			{ line: 2, op: 'setTimeout', count: 2, totalMs: 90, leastMs: 90, mostMs: 90 },
			{ line: 4, op: 'fs.stat', count: 1, totalMs: 25, leastMs: 0, mostMs: 60 },
		],
	);
});

test('a block whose operations were due at known times has a measured cost', () => {
	const story = new Story()
		.start(2, 'Timeout', 1, 0, { api: TIMEOUT, delay: 10 })
		.start(3, 'Timeout', 2, 0, { api: TIMEOUT, delay: 60 })
		.callback(2, 10, { idle: 10, sync: 100 })
		.callback(3, 110);
	const [block] = story.report().loops[0]!.blocks;
	assert.deepEqual(
		[block?.basis, block?.delayedMs, block?.delayedLeastMs, block?.delayedMostMs],
		['measured', 50, 50, 50],
	);
});

test('a block delays an immediate that it sets before it is over, and not one that it sets at its end', () => {
	const api: [string, string] = ['setImmediate', 'node:timers'];
	const blocks = (setAt: number) =>
		new Story()
			.start(2, 'Timeout', 1, 0, { api: TIMEOUT, delay: 10 })
			.begin(2, 10, { idle: 10 })
			.start(3, 'Immediate', 4, setAt, { api })
			.end(110)
			.callback(3, 111)
			.summary()
			.filter((text) => text.startsWith('block'));
	assert.deepEqual(blocks(30), ['block at 1: 100 from 10, delayed 1, 4 setImmediate ×1 by 80']);
	assert.deepEqual(blocks(109.5), ['block at 1: 100 from 10, delayed 0']);
});

test('the main script is a block where the program did little else, if samples show what took the time', () => {
	const frames = [{ script: 0, name: 0, line: 3, column: 1, lines: [3], isLibrary: false }];
	const blocks = (until: number, isSampled: boolean) => {
		const story = new Story().start(1, 'MAIN', 0, 0).begin(1, 0).end(200);
		if (isSampled) story.model.stack(1, 0, frames);
		if (isSampled) story.model.sampled(0, 200_000, 1, false);
		story.model.exit(until * 1000, 0);
		return story.report().loops[0]!.blocks.map(({ isStartUp, durationMs }) => [isStartUp, durationMs]);
	};
	assert.deepEqual(blocks(210, true), [[true, 200]]);
	assert.deepEqual(blocks(500, true), [], 'it did other things, for which nobody waited');
	assert.deepEqual(blocks(210, false), []);
});

test('a block that was mostly garbage collection is marked so, whenever the collection was recorded', () => {
	const story = new Story()
		.start(2, 'Timeout', 1, 0, { api: TIMEOUT, delay: 10 })
		.start(3, 'Timeout', 2, 0, { api: TIMEOUT, delay: 10 })
		.start(4, 'Timeout', 3, 0, { api: TIMEOUT, delay: 10 })
		.callback(2, 10, { idle: 10, sync: 100 })
		.begin(3, 110);
	story.model.garbage(5000, 5000);
	story.model.garbage(20_000, 30_000);
	story.model.garbage(60_000, 25_000);
	story.model.garbage(120_000, 70_000);
	story.end(210).callback(4, 210, { sync: 100 }).begin(5, 400, { idle: 90 });
	const [loop] = story.report().loops;
	assert.deepEqual(
		loop?.blocks.map(({ line, cause }) => ({ line, cause })),
		[
			{ line: 1, cause: 'gc' },
			{ line: 2, cause: 'gc' },
			{ line: 3, cause: 'code' },
		],
	);
	assert.deepEqual(loop.gc, { count: 4, totalMs: 130, maxMs: 70 });
});

test('unrecorded operations count, and those recorded at the same time represent them', () => {
	const story = new Story();
	const timer = (op: number, at: number, ms: number) =>
		story.start(op, 'Timeout', 4, at, { api: TIMEOUT, delay: ms }).callback(op, at + ms, { idle: ms });
	timer(2, 0, 100);
	story.model.stage(100_000, 2, 4, 31);
	timer(3, 100, 10);
	story.unrecorded('Timeout', 4, TIMEOUT, 4, 3);
	timer(4, 110, 20);
	// No other has called back since: the next one represents these too.
	story.unrecorded('Timeout', 4, TIMEOUT, 4, 2).unrecorded('Timeout', 4, TIMEOUT, 4, 3);
	timer(5, 130, 30);
	story.unrecorded('Timeout', 4, TIMEOUT, 4, 1);
	const { lines, processes } = story.report();
	assert.deepEqual(processes[0]?.stages, [{ startMs: 100, stage: 2, costPercent: 3.1 }]);
	assert.equal(processes[0]?.stage, 2);
	const [line] = lines;
	assert.deepEqual([line?.count, line?.sampledOf, line?.wait?.basis], [13, 4, 'estimated']);
	// 100 ms before the first is written, so its mean with the next counts for three; then 20 and 30 for two and four.
	assert.equal(line!.wait!.totalMs, 160 + 3 * 55 + 2 * 20 + 4 * 30);
	assert.equal(line!.wait!.maxMs, 100);
});

test('operations of a rest are estimated: timers as many as the time says, others as many as there were ids', () => {
	const story = new Story();
	const timer = (op: number, at: number) =>
		story.start(op, 'Timeout', 4, at, { api: TIMEOUT, delay: 10 }).callback(op, at + 10, { idle: 10 });
	const immediate = (op: number, at: number) =>
		story.start(op, 'Immediate', 5, at, { api: ['setImmediate', 'node:timers'] }).callback(op, at + 1);
	timer(2, 0);
	story.model.stage(100_000, 4, 1, 50);
	timer(3, 100);
	immediate(4, 110);
	story.model.rest(200_000, false, 0, 100);
	assert.equal(story.model.isResting, true);
	story.model.rest(600_000, true, 300_000, 900);
	timer(5, 600);
	const { lines, processes, loops } = story.report();
	assert.deepEqual(
		lines.map(({ op, count, isCountEstimated, sampledOf, wait }) => [
			op,
			count,
			isCountEstimated,
			sampledOf,
			wait?.totalMs,
		]),
		[
			// One in the 100 ms before the rest represents four in its 400 ms.
			['setTimeout', 7, true, 5, 70],
			// There were nine times as many ids.
			['setImmediate', 10, true, 10, 10],
		],
	);
	assert.deepEqual([processes[0]?.durationMs, processes[0]?.recordedMs], [610, 210]);
	assert.ok(Math.abs(loops[0]!.utilization - (1 - 330 / 610)) < 1e-9);
});

test('the count of a line that was quiet before a rest is no longer exact: what it did in the rest is not known', () => {
	const story = new Story().start(2, 'Timeout', 4, 0, { api: TIMEOUT, delay: 10 }).callback(2, 10, { idle: 10 });
	story.model.stage(100_000, 4, 1, 50);
	story.model.rest(200_000, false, 0, 0);
	assert.equal(story.report().lines[0]!.isCountEstimated, false);
	story.model.rest(600_000, true, 300_000, 900);
	const [line] = story.report().lines;
	assert.deepEqual([line?.count, line?.isCountEstimated], [1, true]);
});

test('what a rest may have ended unseen is neither pending nor a long wait', () => {
	const story = new Story()
		.start(2, 'Timeout', 4, 0, { api: ['setInterval', 'node:timers'], delay: 10, repeats: true })
		.callback(2, 10, { idle: 10 })
		.start(3, 'FSREQCALLBACK', 5, 20, { api: ['stat', 'node:fs'] })
		.start(4, 'WORKER', 6, 20, { api: ['Worker', 'node:internal/worker'] });
	story.model.stage(25_000, 4, 1, 50);
	story.model.rest(30_000, false, 0, 0);
	assert.deepEqual(story.summary(), ['4 setInterval timer ×1: wait 10, lag 0, run 0']);
	story.model.rest(500_000, true, 400_000, 0);
	story.callback(3, 510).callback(2, 520, { idle: 10 }).callback(2, 530, { idle: 10 });
	assert.deepEqual(story.summary(), ['4 setInterval timer ×3: wait 30±0, lag 0, run 0']);
	const [line] = story.report().lines;
	assert.deepEqual([line?.wait?.maxMs, line?.wait?.basis], [10, 'estimated'], 'the first wait after it is unknown');
});

test('after a rest the pool may have work that nobody saw', () => {
	const story = new Story({ pool: 1 }).start(2, 'PBKDF2REQUEST', 3, 0, { api: PBKDF2 });
	story.model.stage(5000, 4, 1, 50);
	story.model.rest(10_000, false, 0, 0);
	story.model.rest(100_000, true, 0, 0);
	story.start(3, 'PBKDF2REQUEST', 4, 100, { api: PBKDF2 }).callback(3, 150, { idle: 50 });
	story.start(4, 'PBKDF2REQUEST', 5, 150, { api: PBKDF2 }).callback(4, 170, { idle: 20 });
	assert.deepEqual(story.summary(), [
		'4 crypto.pbkdf2 threadpool ×1: wait 50, queue 25±25, execute 25±25, lag 0, run 0',
		'5 crypto.pbkdf2 threadpool ×1: wait 20, queue 0, execute 20, lag 0, run 0',
	]);
});

test('a connection’s callback has no line: its block is on the line where it first started something', () => {
	const story = new Story().start(2, 'TCPWRAP', 9, 0).begin(2, 10, { idle: 10 }).end(110, 0, 6);
	assert.deepEqual(story.summary(), ['block at 6: 100 from 10, delayed 0']);
});

test('start-up is no block, unless something waited for it', () => {
	const story = new Story().start(1, 'MAIN', 0, 0).begin(1, 0).end(200);
	assert.deepEqual(story.summary(), []);
	const awaited = new Story()
		.start(1, 'MAIN', 0, 0)
		.begin(1, 0)
		.start(2, 'Timeout', 4, 10, { api: TIMEOUT, delay: 5 })
		.end(200, 0, 4)
		.callback(2, 200);
	assert.deepEqual(awaited.summary(), [
		'4 setTimeout timer ×1: wait 190, lag 185, run 0',
		'block at 4: 200 from 0, delayed 1, 4 setTimeout ×1 by 185',
	]);
});

test('a function that samples found for less than a third of a block, and else code in no file, is not said to have blocked the loop', () => {
	const culprits = (ms: number) => {
		const story = new Story()
			.start(2, 'Timeout', 1, 0, { api: TIMEOUT, delay: 10 })
			.callback(2, 10, { idle: 10, sync: 100 });
		story.model.stack(1, 0, [{ script: 0, name: 0, line: 3, column: 1, lines: [3], isLibrary: false }]);
		story.model.stack(2, 0, []);
		story.model.sampled(10_000, ms * 1000, 1, false);
		story.model.sampled(10_000 + ms * 1000, (100 - ms) * 1000, 2, false);
		const [block] = story.report().loops[0]!.blocks;
		return [block!.isSampled, block!.culprits.length];
	};
	assert.deepEqual(culprits(40), [true, 1]);
	assert.deepEqual(culprits(30), [true, 0]);
});

test('samples of a collection alone, of which V8 gives no stack, do not say that native code blocked the loop', () => {
	const isSampled = (collectionMs: number, nativeMs: number) => {
		const story = new Story()
			.start(2, 'Timeout', 1, 0, { api: TIMEOUT, delay: 10 })
			.callback(2, 10, { idle: 10, sync: 100 });
		story.model.stack(1, 0, []);
		story.model.sampled(10_000, collectionMs * 1000, 1, true);
		story.model.sampled(10_000 + collectionMs * 1000, nativeMs * 1000, 1, false);
		return story.report().loops[0]!.blocks[0]!.isSampled;
	};
	assert.deepEqual([isSampled(90, 5), isSampled(20, 75)], [false, true]);
});

test('a short callback that waits for a CPU blocked the loop, and its line was to blame', () => {
	const causeOf = (blockMs: number, lostMs: number) => {
		const story = new Story()
			.start(2, 'Timeout', 1, 0, { api: TIMEOUT, delay: 10 })
			.callback(2, 10, { idle: 10, sync: blockMs });
		story.model.lostCpu(lostMs * 1000);
		story.model.stack(1, 0, [{ script: 0, name: 0, line: 3, column: 1, lines: [3], isLibrary: false }]);
		story.model.sampled(10_000, blockMs * 1000, 1, false);
		const report = story.report();
		const [block] = report.loops[0]!.blocks;
		return [block!.cause, block!.lostCpuMs, block!.culprits.length];
	};
	assert.deepEqual(causeOf(100, 70), ['no-cpu', 70, 0]);
	assert.deepEqual(causeOf(300, 200), ['code', 200, 1], 'with a CPU, too');
});

test('a start-up of a second is shown where samples say what took it, though nothing waited', () => {
	const startUp = (ms: number, isSampled: boolean) => {
		const story = new Story().start(1, 'MAIN', 0, 0).begin(1, 0).end(ms);
		story.model.stack(1, 0, []);
		if (isSampled) story.model.sampled(0, ms * 1000, 1, false);
		return story.report().loops[0]!.blocks.map(({ isStartUp, durationMs }) => [isStartUp, durationMs]);
	};
	assert.deepEqual(startUp(1000, true), [[true, 1000]]);
	assert.deepEqual([startUp(990, true), startUp(1000, false)], [[], []]);
});

test('every turn of an interval counts', () => {
	const story = new Story().start(2, 'Timeout', 4, 0, {
		api: ['setInterval', 'node:timers'],
		delay: 10,
		repeats: true,
	});
	for (const at of [10, 20, 35]) story.callback(2, at, { idle: 9, sync: 1 });
	assert.deepEqual(story.summary(), ['4 setInterval timer ×3: wait 35, lag 5, run 3']);
});

test('the name look-up inside fetch is a wait of its own on the same line', () => {
	const fetch: [string, string] = ['fetch', 'node:internal/bootstrap/web/exposed-window-or-worker'];
	const story = new Story()
		.start(-2, 'FETCH', 6, 0, { api: fetch })
		.start(2, 'GETADDRINFOREQWRAP', 6, 1, { api: fetch, parent: -2 })
		.callback(2, 5, { idle: 4 })
		.start(3, 'TCPCONNECTWRAP', 6, 5, { api: fetch, parent: -2 })
		.callback(3, 6, { idle: 1 })
		.begin(4, 20, { idle: 14 });
	story.model.attribute(-2);
	story.end(21);
	assert.deepEqual(story.summary(), [
		'6 dns.lookup threadpool ×1: wait 4, queue 0, execute 4, lag 0, run 0',
		'6 fetch kernel ×1: wait 20, lag 0, run 1',
	]);
});

test('what has not called back is pending, but a timer long overdue was cleared', () => {
	const story = new Story()
		.start(2, 'PBKDF2REQUEST', 1, 0, { api: PBKDF2 })
		.start(3, 'Timeout', 2, 0, { api: TIMEOUT, delay: 5 })
		.start(4, 'Timeout', 3, 0, { api: TIMEOUT, delay: 9000 })
		.callback(5, 3000, { idle: 3000 });
	assert.deepEqual(story.summary(), ['1 crypto.pbkdf2 threadpool ×0+1: ', '3 setTimeout timer ×0+1: ']);
	story.model.exit(3_000_000, 3_000_000);
	assert.deepEqual(story.summary(), ['1 crypto.pbkdf2 threadpool ×0+1: ']);
});

test('Node’s own timers and a library’s connections make no lines', () => {
	const story = new Story()
		.start(2, 'Timeout', 4, 0, { api: ['request', 'node:http'], delay: 5 })
		.start(3, 'TCPCONNECTWRAP', 4, 0, { api: ['request', 'node:http'] })
		.callback(2, 5, { idle: 5 })
		.callback(3, 6, { idle: 1 });
	assert.deepEqual(story.summary(), []);
});

test('each chunk of a zlib stream is one operation, all jobs for it count, and so does what it does to the pool', () => {
	const story = new Story({ pool: 1 })
		.start(2, 'ZLIB', 4, 0, { api: ['createGzip', 'node:zlib'] })
		.start(-2, 'ZLIBWRITE', 4, 0, { api: ['createGzip', 'node:zlib'] })
		.start(3, 'PBKDF2REQUEST', 5, 0, { api: PBKDF2 })
		.begin(2, 8, { idle: 8 })
		.attribute(-2)
		.start(-3, 'ZLIBWRITE', 4, 9, { api: ['createGzip', 'node:zlib'], parent: -2 })
		.end(9)
		.callback(3, 20, { idle: 11 })
		.begin(2, 24, { idle: 4 })
		.attribute(-3)
		.end(25);
	assert.deepEqual(story.summary(), [
		'4 zlib.createGzip threadpool ×1: wait 23, queue 11, execute 12, lag 0, run 2',
		'5 crypto.pbkdf2 threadpool ×1: wait 20, queue 8, execute 12, lag 0, run 0',
	]);
});

test('nameless work of an add-on is called by its package also where no line of the user’s led to it', () => {
	const script = '/app/node_modules/@swc/core/index.js';
	const story = new Story({ pool: 1 }).start(2, 'addon undefined', 340, 0, { script }).callback(2, 50, { idle: 50 });
	assert.deepEqual(
		story.report().lines.map(({ op }) => op),
		['@swc/core'],
	);
});

test('an add-on’s work counts as jobs of the pool, and what stands on that is estimated', () => {
	const story = new Story({ pool: 1 })
		.start(2, 'addon bcrypt:EncryptAsyncWorker', 1, 0)
		.start(3, 'PBKDF2REQUEST', 2, 1, { api: PBKDF2 })
		.callback(2, 50, { idle: 50 })
		.callback(3, 60, { idle: 10 })
		.start(4, 'PBKDF2REQUEST', 3, 60, { api: PBKDF2 })
		.callback(4, 70, { idle: 10 });
	assert.deepEqual(story.summary(), [
		'1 bcrypt:EncryptAsyncWorker threadpool ×1: wait 50, queue 0±0, execute 50±0, lag 0±0, run 0',
		'2 crypto.pbkdf2 threadpool ×1: wait 59, queue 49±0, execute 10±0, lag 0±0, run 0',
		'3 crypto.pbkdf2 threadpool ×1: wait 10, queue 0, execute 10, lag 0, run 0',
	]);
	assert.deepEqual(
		story.report().lines.map(({ assumesAddonJobs }) => assumesAddonJobs),
		[true, true, false],
	);
});

test('an add-on that is only loaded does not use the pool: its thread-safe functions are not jobs', () => {
	const story = new Story({ pool: 1 })
		.start(2, 'addon CustomGC', 1, 0)
		.start(3, 'addon napi_resolve_deferred', 1, 0)
		.start(4, 'PBKDF2REQUEST', 2, 1, { api: PBKDF2 })
		.callback(4, 11, { idle: 10 })
		// As napi-rs 3 writes them.
		.start(5, 'addon CustomGC\0', 1, 11)
		.start(6, 'addon napi_resolve_deferred\0', 3, 11);
	assert.deepEqual(story.summary(), [
		'1 napi_resolve_deferred other ×0+1: ',
		'2 crypto.pbkdf2 threadpool ×1: wait 10, queue 0, execute 10, lag 0, run 0',
		'3 napi_resolve_deferred other ×0+1: ',
	]);
});

test('a job of crypto.sign without a callback never ends, and is no job of the pool; with one it is', () => {
	const sign: [string, string] = ['signOneShot', 'node:internal/crypto/sig'];
	const story = new Story({ pool: 1 });
	for (let op = 2; op < 40; op++) story.start(op, 'SIGNREQUEST', 1, 0, { api: sign });
	story
		.start(40, 'FSREQCALLBACK', 2, 1, { api: ['stat', 'node:fs'] })
		.callback(40, 2, { idle: 1 })
		.start(41, 'SIGNREQUEST', 3, 2, { api: sign })
		.start(42, 'SIGNREQUEST', 3, 2, { api: sign })
		.callback(41, 12, { idle: 10 })
		.callback(42, 22, { idle: 10 })
		.start(43, 'SIGNREQUEST', 3, 22, { api: sign })
		.callback(43, 32, { idle: 10 });
	assert.deepEqual(story.summary(), [
		'2 fs.stat threadpool ×1: wait 1, queue 0, execute 1, lag 0, run 0',
		'3 crypto.sign threadpool ×3: wait 40, queue ?, execute ?, lag ?, run 0',
	]);
	assert.equal(story.report().pools[0]?.maxQueued, 0);
	// The third one queued with the others' line known.
	const signs = story.report().lines.find(({ op }) => op === 'crypto.sign');
	assert.deepEqual(signs?.execute?.atLeast, { totalMs: 10, p50Ms: 0, p95Ms: 10, maxMs: 10, unknown: 2 });
	assert.equal(signs?.wait?.atLeast, null);
});

test('what a blob reads of a file is neither pending for ever nor keeps a thread of the pool', () => {
	const api: [string, string] = ['text', 'node:internal/blob'];
	const story = new Story({ pool: 1 })
		.start(5, 'BLOBREADER', 1, 0, { api })
		.start(2, 'FSREQCALLBACK', 1, 0, { api })
		.callback(5, 1, { idle: 1 })
		.start(3, 'FSREQCALLBACK', 1, 1, { api })
		.start(4, 'PBKDF2REQUEST', 2, 10, { api: PBKDF2 })
		.callback(4, 20, { idle: 19 });
	assert.deepEqual(story.summary(), ['2 crypto.pbkdf2 threadpool ×1: wait 10, queue 0, execute 10, lag 0, run 0']);
});

test('what calls back twice under an add-on’s name is no job, and from then on nothing of that name is', () => {
	const story = new Story({ pool: 1 })
		.start(2, 'addon events', 1, 0)
		.callback(2, 5, { idle: 5 })
		.callback(2, 9, { idle: 4 })
		.start(3, 'addon events', 2, 10)
		.start(4, 'PBKDF2REQUEST', 3, 10, { api: PBKDF2 })
		.callback(4, 20, { idle: 10 })
		.callback(3, 21, { idle: 1 });
	assert.deepEqual(story.summary(), [
		'1 events threadpool ×1: wait 5, queue 0±0, execute 5±0, lag 0±0, run 0',
		'3 crypto.pbkdf2 threadpool ×1: wait 10, queue 0, execute 10, lag 0, run 0',
	]);
});

test('a thread-safe function is no operation: nothing waits for it, and it is never pending', () => {
	const story = new Story({ pool: 1 })
		.start(2, 'addon napi_rs_threadsafe_function', 1, 0)
		.callback(2, 5, { idle: 5 })
		.start(3, 'addon napi_rs_threadsafe_function', 1, 5)
		.start(4, 'addon events', 2, 6)
		.start(5, 'addon events', 3, 6)
		.callback(4, 7, { idle: 1 })
		.begin(4, 8, { idle: 1 })
		.start(6, 'PBKDF2REQUEST', 4, 8, { api: PBKDF2 })
		.end(8)
		.callback(6, 18, { idle: 10 })
		.callback(5, 20, { idle: 2 });
	assert.deepEqual(story.summary(), [
		// Its first call was that of a job.
		'2 events threadpool ×1: wait 1, queue 0±0, execute 1±0, lag 0±0, run 0',
		'4 crypto.pbkdf2 threadpool ×1: wait 10, queue 5±5, execute 5±5, lag 0, run 0',
	]);
});

test('an add-on’s thread that lives for long is no job of the pool', () => {
	const story = new Story({ pool: 1 })
		.start(2, 'addon watcher', 1, 0)
		.start(6, 'Timeout', 5, 0, { delay: 10_000 })
		.callback(6, 10_001, { idle: 10_001 })
		.start(3, 'PBKDF2REQUEST', 2, 10_001, { api: PBKDF2 })
		.callback(3, 10_011, { idle: 10 })
		.start(4, 'addon watcher', 3, 10_020)
		.start(5, 'PBKDF2REQUEST', 4, 10_020, { api: PBKDF2 })
		.callback(5, 10_030, { idle: 10 })
		.callback(2, 10_040, { idle: 10 });
	assert.deepEqual(story.summary(), [
		'1 watcher threadpool ×1: wait 10040, queue ?, execute ?, lag ?, run 0',
		'2 crypto.pbkdf2 threadpool ×1: wait 10, queue 5±5, execute 5±5, lag 0, run 0',
		'3 watcher other ×0+1: ',
		'4 crypto.pbkdf2 threadpool ×1: wait 10, queue 0, execute 10, lag 0, run 0',
	]);
});

test('an add-on’s job that has a thread for very long stays one, and what else may have had that thread is a range', () => {
	const story = new Story({ pool: 2 })
		.start(2, 'addon hash', 1, 0)
		.start(6, 'Timeout', 5, 0, { delay: 11_000 })
		.callback(6, 11_000, { idle: 11_000 })
		.start(3, 'PBKDF2REQUEST', 2, 11_000, { api: PBKDF2 })
		.callback(3, 11_010, { idle: 10 })
		// One of them queues if the long one is a job.
		.start(4, 'PBKDF2REQUEST', 3, 11_010, { api: PBKDF2 })
		.start(5, 'PBKDF2REQUEST', 4, 11_010, { api: PBKDF2 })
		.callback(4, 11_020, { idle: 10 })
		.callback(5, 11_030, { idle: 10 })
		.callback(2, 12_000, { idle: 970 })
		.start(7, 'addon hash', 6, 12_000)
		.callback(7, 12_005, { idle: 5 });
	assert.deepEqual(story.summary(), [
		'1 hash threadpool ×1: wait 12000, queue 0±0, execute 12000±0, lag 0±0, run 0',
		'2 crypto.pbkdf2 threadpool ×1: wait 10, queue 0±0, execute 10±0, lag 0±0, run 0',
		'3 crypto.pbkdf2 threadpool ×1: wait 10, queue 0±0, execute 10±0, lag 0±0, run 0',
		'4 crypto.pbkdf2 threadpool ×1: wait 20, queue 5±5, execute 15±5, lag 0±0, run 0',
		'6 hash threadpool ×1: wait 5, queue 0±0, execute 5±0, lag 0±0, run 0',
	]);
});

test('an add-on’s job that queues for long, or that a busy loop reports late, stays one', () => {
	const story = new Story({ pool: 1 });
	for (const id of [2, 3, 4]) story.start(id, 'addon hash', 1, 0);
	story.callback(2, 6000, { idle: 6000 }).callback(3, 11_000, { idle: 5000 });
	// By then the third has been started for longer than any job runs, and a thread has had it for one second.
	story.start(5, 'Timeout', 2, 11_000, { delay: 1000 }).callback(5, 12_000, { idle: 1000, sync: 11_000 });
	story.start(6, 'addon hash', 1, 23_000).callback(4, 23_001).callback(6, 24_000, { idle: 999 });
	const [hash] = story.summary();
	// The second queued for 6 s, the third for 11 s.
	assert.match(hash!, /^1 hash threadpool ×4: wait 41001, queue 17000\.5±0\.5, execute /);
});

test('fs over io_uring is kept out of the pool, what libuv keeps there is not', () => {
	const story = new Story({ pool: 1, ioUring: true })
		.start(2, 'PBKDF2REQUEST', 1, 0, { api: PBKDF2 })
		.start(3, 'FSREQCALLBACK', 2, 0, { api: ['stat', 'node:fs'] })
		.start(4, 'FSREQCALLBACK', 3, 0, { api: ['readdir', 'node:fs'] })
		.callback(3, 1, { idle: 1 })
		.callback(2, 100, { idle: 99 })
		.callback(4, 101, { idle: 1 });
	assert.deepEqual(story.summary(), [
		'1 crypto.pbkdf2 threadpool ×1: wait 100, queue 0, execute 100, lag 0, run 0',
		'2 fs.stat io_uring ×1: wait 1, lag 0, run 0',
		'3 fs.readdir threadpool ×1: wait 101, queue 100, execute 1, lag 0, run 0',
	]);
});

test('a stop at a breakpoint is no run, no wait, no lag and no block', () => {
	const linesWith = (pauseMs: number) => {
		const story = new Story();
		if (pauseMs > 0) {
			story.debugger.pauses.stop(20_000);
			story.debugger.pauses.stop(20_000);
			story.debugger.pauses.go((20 + pauseMs) * 1000);
		}
		return story
			.start(2, 'Timeout', 1, 0, { api: TIMEOUT, delay: 10 })
			.start(3, 'PBKDF2REQUEST', 2, 0, { api: PBKDF2 })
			.start(4, 'Timeout', 3, 0, { api: TIMEOUT, delay: 100 })
			.callback(2, 10, { idle: 10, sync: 20 + pauseMs, drain: 5 })
			.callback(3, 35 + pauseMs)
			.callback(4, 100 + pauseMs, { idle: 60 })
			.summary();
	};
	assert.deepEqual(linesWith(5000), linesWith(0));
	assert.ok(linesWith(0).includes('1 setTimeout timer ×1: wait 10, lag 0, run 25'), linesWith(0).join('\n'));
});

test('a stop that still lasts lets no time pass', () => {
	const story = new Story().start(2, 'PBKDF2REQUEST', 2, 0, { api: PBKDF2 });
	story.debugger.pauses.stop(10_000);
	story.start(3, 'PBKDF2REQUEST', 3, 5000, { api: PBKDF2 });
	assert.equal(story.report().processes[0]?.durationMs, 10);
});

test('a tool in node_modules is shown with its own lines', () => {
	const story = new Story();
	story.model.string(900, 'PBKDF2REQUEST');
	story.model.string(901, '/app/node_modules/tool/index.js');
	story.model.position(90, 901, 33, 1, 0);
	story.model.site(91, 0, 90, 0, 0);
	story.model.start(2, 0, 0, 900, 91, 2, -1);
	story.callback(2, 10, { idle: 10 });
	assert.deepEqual(story.summary(), ['33 crypto threadpool ×1: wait 10, queue 0, execute 10, lag 0, run 0']);
});

test('a timer that was due in a block is late because of it, though the loop slept for a moment after the block', () => {
	const story = new Story();
	story
		.start(2, 'Timeout', 3, 0, { api: ['setTimeout', 'node:timers'], delay: 30 })
		.start(4, 'Timeout', 5, 0, { api: ['setTimeout', 'node:timers'], delay: 40 })
		.callback(2, 30, { idle: 30, sync: 100 })
		// libuv sleeps for 1 ms at least when Node asks for a timer.
		.callback(4, 131.2, { idle: 1 });
	const [block] = story.report().loops[0]!.blocks;
	assert.deepEqual([block!.delayed, block!.delayedMs, block!.basis], [1, 90, 'measured']);
});

test('a timer that was refreshed waits from then, and is not late by what it had waited before', () => {
	const story = new Story().start(2, 'Timeout', 3, 0, { api: TIMEOUT, delay: 30 });
	story.model.start(2, START_FLAG.delay | START_FLAG.restated, 150_000, 0, 0, 2, 30);
	assert.deepEqual(story.callback(2, 182, { idle: 100 }).summary(), ['3 setTimeout timer ×1: wait 32, lag 2, run 0']);
	const repeated = new Story().start(2, 'Timeout', 3, 10, { api: TIMEOUT, delay: 30 });
	repeated.model.start(2, START_FLAG.delay | START_FLAG.restated, 10_000, 0, 0, 2, 30);
	assert.deepEqual(repeated.callback(2, 42, { idle: 30 }).summary(), ['3 setTimeout timer ×1: wait 32, lag 2, run 0']);
});

test('a wait for a connection whose line shows only at its end is moved there, once', () => {
	const story = new Story().begin(1, 1).start(2, 'POOLWAIT', 116, 5).start(3, 'POOLWAIT', 116, 6).end(7);
	assert.deepEqual(story.summary(), ['116 pool connection other ×0+2: ']);
	const move = () => story.model.start(2, START_FLAG.restated, 5_000, story.string('POOLWAIT'), story.site(9), 2, -1);
	move();
	assert.deepEqual(story.summary(), ['9 pool connection other ×0+1: ', '116 pool connection other ×0+1: ']);
	move();
	story.respond(2, 20).respond(3, 30);
	assert.deepEqual(story.summary(), ['9 pool connection other ×1: wait 15', '116 pool connection other ×1: wait 24']);
});

test('of waits whose line shows only at their ends, one seemed to wait at a time', () => {
	const story = new Story().begin(1, 1);
	for (const op of [2, 3, 4]) story.start(op, 'POOLWAIT', 116, 5);
	story.end(7);
	for (const [op, at] of [
		[2, 20],
		[3, 30],
		[4, 40],
	] as const) {
		story.model.start(op, START_FLAG.restated, 5_000, story.string('POOLWAIT'), story.site(9), op, -1);
		story.respond(op, at);
	}
	const [line] = story.report().lines.filter(({ line: at }) => at === 9);
	assert.deepEqual([line!.count, line!.maxInFlight], [3, 3]);
});

test('what a library binds to its context is on no line, not even its own; its work, and what the program binds itself, is', () => {
	const story = new Story();
	const start = (op: number, type: string, site: number) =>
		story.model.start(op, 0, 0, story.string(type), site, op, -1);
	story.site(5);
	story.site(9);
	story.model.site(1, 51, 91, 0, 0);
	start(2, 'onerror', 1);
	start(3, 'bound-anonymous-fn', 1);
	start(4, 'Piscina.Task', 1);
	start(5, 'onerror', story.site(5));
	// As morgan's, which on-finished binds for every request; no line of the program's led to it.
	start(6, 'logRequest', story.site(7, undefined, 1, '/app/node_modules/on-finished/index.js'));
	assert.deepEqual(story.summary(), ['5 Piscina.Task other ×0+1: ', '5 onerror other ×0+1: ']);
});

const SPAWN: [string, string] = ['spawn', 'node:child_process'];

test('a process that could not be started is over with the callback that tried, within its ticks', () => {
	const story = new Story().begin(1, 10).start(2, 'PROCESSWRAP', 5, 11, { api: SPAWN });
	story.start(3, 'PROCESSWRAP', 6, 12, { api: SPAWN });
	story.model.child(3, 'process', 70);
	story.end(14, 4);
	assert.deepEqual(story.summary(), [
		'5 child_process.spawn process ×1: wait 3±4, lag 0',
		'6 child_process.spawn process ×0+1: ',
	]);
	assert.deepEqual(
		story.callback(3, 50, { idle: 32 }).summary()[1],
		'6 child_process.spawn process ×1: wait 38, lag 0, run 0',
	);
});

test('where records are lost, a process without an id may have been started', () => {
	const story = new Story().begin(1, 10).start(2, 'PROCESSWRAP', 5, 11, { api: SPAWN });
	story.model.gap();
	assert.deepEqual(story.end(14).summary(), ['5 child_process.spawn process ×0+1: ']);
});

test('an immediate that has not run for a second was cleared', () => {
	const story = new Story().start(2, 'Immediate', 5, 0, { api: ['setImmediate', 'node:timers'] });
	assert.deepEqual(story.callback(9, 500).summary(), ['5 setImmediate loop ×0+1: ']);
	assert.deepEqual(story.callback(9, 1001).summary(), []);
});

test('once a line has cleared a timer, which of its others are pending is unknown', () => {
	const story = new Story()
		.start(2, 'Timeout', 5, 0, { api: TIMEOUT, delay: 1 })
		.start(3, 'Timeout', 5, 0, { api: TIMEOUT, delay: 60_000 })
		.start(4, 'Timeout', 6, 0, { api: TIMEOUT, delay: 60_000 });
	assert.deepEqual(story.callback(9, 500).summary(), ['5 setTimeout timer ×0+2: ', '6 setTimeout timer ×0+1: ']);
	assert.deepEqual(story.callback(9, 1002).summary(), ['6 setTimeout timer ×0+1: ']);
});

for (const { node, waits } of [
	{ node: '20.0.0', waits: 110 },
	{ node: '24.0.0', waits: 10 },
]) {
	test(`a request counts from when its agent has a socket, where Node ${node} announces it before`, () => {
		const get: [string, string] = ['get', 'node:http'];
		const story = new Story({ node }).begin(1, 0).start(2, 'QueuedRequest', 5, 0, { api: get });
		// On Node 20 it is one of another request, which has a socket.
		story.start(-3, 'HTTPREQUEST', 5, 0, { api: get }).end(1);
		story.begin(8, 100);
		story.model.nested(2, 100_000, 0);
		story.end(100).begin(9, 110).attribute(-3).end(110);
		assert.deepEqual(
			story.summary().map((text) => text.replace(/, lag .*/, '')),
			['5 agent socket other ×1: wait 100', `5 http.get kernel ×1: wait ${waits}`],
		);
	});

	test(`requests that wait for a socket are not under way, where Node ${node} announces them before`, () => {
		const get: [string, string] = ['get', 'node:http'];
		const story = new Story({ node }).begin(1, 0);
		const isAnnounced = node !== '20.0.0';
		for (const id of [2, 3, 4]) {
			story.start(id, 'QueuedRequest', 5, 0, { api: get });
			if (isAnnounced) story.start(-id, 'HTTPREQUEST', 5, 0, { api: get });
		}
		story.end(1);
		for (const [id, at] of [
			[2, 100],
			[3, 200],
			[4, 300],
		] as const) {
			story.begin(8, at).nested(id, at, at);
			if (!isAnnounced) story.start(-id, 'HTTPREQUEST', 5, at, { api: get });
			story
				.end(at + 1)
				.begin(9, at + 50)
				.attribute(-id)
				.end(at + 51);
		}
		const atOnce = story.report().lines.map(({ op, count, maxInFlight }) => [op, count, maxInFlight]);
		assert.deepEqual(atOnce, [
			['agent socket', 3, 3],
			['http.get', 3, 1],
		]);
	});
}

test('what is sent over a connection behind another request waits for its answer first', () => {
	const write: [string, string] = ['write', 'node:net'];
	const story = new Story()
		.begin(1, 0)
		.start(2, 'TCPWRAP', 4, 0)
		.start(-1, 'TURNEXCHANGE', 5, 0, { api: write })
		.end(1);
	// Alone: the way to the server and back takes 1 ms.
	story.begin(2, 1).attribute(-1).start(-2, 'TURNEXCHANGE', 6, 1, { api: write });
	for (const op of [-3, -4]) story.start(op, 'TURNEXCHANGE', 7, 2, { api: write });
	// Of what is sent little before an answer, that way may be most.
	story.end(2).begin(9, 98).start(-5, 'TURNEXCHANGE', 8, 98, { api: write }).end(98);
	story.begin(2, 101, { idle: 2 }).attribute(-2).end(101);
	// The loop has slept until just now, so the first answer of these came now, and not before.
	story.begin(2, 103, { idle: 1 }).attribute(-3).attribute(-4).attribute(-5).end(103);
	assert.deepEqual(
		story.summary().map((text) => text.replace(/, lag .*/, '')),
		[
			'5 net.Socket.write kernel ×1: wait 1',
			'6 net.Socket.write kernel ×1: wait 100',
			'7 earlier command other ×2: wait 200',
			'7 net.Socket.write kernel ×2: wait 2',
			'8 net.Socket.write kernel ×1: wait 5',
		],
	);
	const at = [...story.model.lines.values()].find(({ op }) => op === 'earlier command');
	assert.equal(at?.own.most, 2);
	assert.deepEqual(aheadIn(story), ['7 behind 6: 198 ms, longest 100 ms', '7 behind 7: 2 ms, longest 2 ms']);
});

test('a query that its client keeps back was behind what had the connection until all of its answer came', () => {
	const write: [string, string] = ['write', 'node:net'];
	const story = new Story()
		.begin(1, 0)
		.start(2, 'TCPWRAP', 4, 0)
		.start(-1, 'EXCHANGE', 5, 10, { api: write })
		.start(-2, 'CONNECTIONWAIT', 6, 20, { api: write })
		.start(-3, 'CONNECTIONWAIT', 7, 20, { api: write })
		.end(20);
	// The first bytes of the answer, and the last ones.
	story.begin(2, 50).attribute(-1).end(50).begin(2, 90);
	story.model.nested(-2, 90_000, 0);
	story.start(-4, 'EXCHANGE', 6, 90, { api: write }).end(90).begin(2, 100).attribute(-4);
	story.model.nested(-3, 100_000, 0);
	story.end(100);
	assert.deepEqual(aheadIn(story), [
		'6 behind 5: 70 ms, longest 80 ms',
		'7 behind 5: 70 ms, longest 80 ms',
		'7 behind 6: 10 ms, longest 10 ms',
	]);
});

/** Which lines had connections while that line waited for one of a pool's. */
function holdersIn({ model }: Story): string[] {
	return [...model.poolHolders].flatMap(([{ place }, lines]) =>
		[...lines].map(
			([other, { used, kept }]) =>
				`${place.line} waited: ${other.place.line} used ${used / 1000} ms, kept ${kept / 1000} ms`,
		),
	);
}

test('a wait for a pool: whose commands were under way, and who kept a connection without one', () => {
	const write: [string, string] = ['write', 'node:net'];
	const story = new Story()
		.begin(1, 0)
		.start(2, 'TCPWRAP', 4, 0)
		.start(3, 'TCPWRAP', 4, 0)
		.start(-1, 'EXCHANGE', 5, 10, { api: write })
		.start(-2, 'EXCHANGE', 6, 10, { api: write })
		.start(-3, 'POOLWAIT', 7, 20, { api: write })
		.end(20);
	// Line 6 has its answer, more of it follows, and it keeps its connection until it asks again.
	story.begin(3, 40).attribute(-2).end(40).begin(3, 50).end(50);
	story.begin(1, 70).start(-4, 'EXCHANGE', 6, 70, { api: write }).end(70);
	// Line 5 gives its connection to line 7.
	story.begin(2, 100).attribute(-1).nested(-3, 100, 100).start(-5, 'EXCHANGE', 7, 100, { api: write }).end(100);
	assert.deepEqual(
		holdersIn(story),
		['7 waited: 6 used 30 ms, kept 20 ms', '7 waited: 5 used 80 ms, kept 0 ms'],
		'who has the other one since is not known: two commands have no answer',
	);
	story.begin(3, 120).attribute(-4).end(120).begin(2, 130).attribute(-5).end(130);
	assert.deepEqual(holdersIn(story), ['7 waited: 6 used 60 ms, kept 20 ms', '7 waited: 5 used 80 ms, kept 0 ms']);
	// Both keep them while another line waits in vain.
	story
		.begin(1, 200)
		.start(-6, 'POOLWAIT', 8, 200, { api: write })
		.end(200)
		.begin(1, 300)
		.nested(-6, 300, 300)
		.end(300);
	assert.deepEqual(holdersIn(story).slice(2), [
		'8 waited: 6 used 0 ms, kept 100 ms',
		'8 waited: 7 used 0 ms, kept 100 ms',
	]);
});

test('where very many wait for a pool at once, some of them stand for the others', () => {
	const write: [string, string] = ['write', 'node:net'];
	const story = new Story().begin(1, 0);
	for (let connection = 10; connection < 20; connection++) story.start(connection, 'TCPWRAP', 4, 0);
	for (let wait = 1; wait <= 2000; wait++) story.start(-wait, 'POOLWAIT', 7, 0, { api: write });
	story.end(0);
	// The commands of line 5 take nine times as long as those of line 6.
	for (let n = 0; n < 2000; n++) {
		const [at, line] = [n * 10, n % 2 === 0 ? 5 : 6];
		const command = -10_000 - n;
		story
			.begin(1, at)
			.start(command, 'EXCHANGE', line, line === 5 ? at : at + 8, { api: write })
			.end(at);
		story
			.begin(10 + (n % 10), at + 9)
			.attribute(command)
			.nested(-1 - n, at + 9, at + 9)
			.end(at + 9);
	}
	const [held] = [...story.model.poolHolders.values()];
	const [slow, fast] = [5, 6].map((line) => [...held!].find(([{ place }]) => place.line === line)![1].used);
	assert.ok(slow! / fast! > 8.5 && slow! / fast! < 9.5, `${slow} and ${fast}`);
});

test('a connection that was closed is in nobody’s hands', () => {
	const write: [string, string] = ['write', 'node:net'];
	const story = new Story().begin(1, 0).start(2, 'TCPWRAP', 4, 0).start(-1, 'EXCHANGE', 5, 0, { api: write }).end(0);
	story.begin(2, 10).attribute(-1).end(10).begin(2, 2000).end(2000);
	story
		.begin(1, 3000)
		.start(-2, 'POOLWAIT', 7, 3000, { api: write })
		.end(3000)
		.begin(1, 4000)
		.nested(-2, 4000, 4000)
		.end(4000);
	assert.deepEqual(holdersIn(story), []);
});

test('answers that may have waited for a busy loop name no earlier command', () => {
	const write: [string, string] = ['write', 'node:net'];
	const story = new Story()
		.begin(1, 0)
		.start(2, 'TCPWRAP', 4, 0)
		.start(-1, 'TURNEXCHANGE', 5, 0, { api: write })
		.end(1);
	story.begin(2, 1, { idle: 0.5 }).attribute(-1);
	for (const op of [-2, -3]) story.start(op, 'TURNEXCHANGE', 6, 1, { api: write });
	story.end(2).begin(9, 3, { idle: 0.5 }).end(200).begin(2, 200).attribute(-2).attribute(-3).end(200);
	assert.deepEqual(
		story.summary().map((text) => text.replace(/: .*/, '')),
		['5 net.Socket.write kernel ×1', '6 net.Socket.write kernel ×2', 'block at 0'],
	);
});

test('how long a request over a kept connection waited for a busy loop is a range', () => {
	const story = new Story().begin(1, 0).start(2, 'TCPWRAP', 4, 0).end(1);
	story.begin(2, 10, { idle: 9 }).start(-1, 'HTTPSERVERREQUEST', 5, 10).attribute(-1).end(10);
	assert.deepEqual(story.summary(), ['5 http.Server request kernel ×1: wait 0, lag 0, run 0']);
	story.begin(9, 20, { idle: 10 }).end(60);
	story.begin(2, 60, { poll: 'new' }).start(-2, 'HTTPSERVERREQUEST', 6, 60).attribute(-2).end(60);
	const [, { wait, lag }] = story.report().lines as [Line, Line];
	assert.deepEqual([wait!.basis, wait!.range!.low.totalMs, wait!.range!.high.totalMs], ['estimated', 0, 40]);
	assert.deepEqual(wait, lag, 'for the loop alone');
	// Its client cannot have sent the next one before it had this answer.
	story.begin(9, 61).respond(-2, 70).end(100);
	story.begin(2, 100, { poll: 'new' }).start(-3, 'HTTPSERVERREQUEST', 7, 100).attribute(-3).end(100);
	assert.equal(story.report().lines[2]!.wait!.range!.high.totalMs, 30);
});

test('a stream of HTTP/2 is over once no session is left that was there when it was opened', () => {
	const connect: [string, string] = ['connect', 'node:internal/http2/core'];
	const ask: [string, string] = ['request', 'node:internal/http2/core'];
	const story = new Story().begin(1, 0);
	for (const [session, at] of [
		[2, 1],
		[3, 2],
		[4, 9],
	] as const)
		story.start(session, 'HTTP2SESSION', 5, at, { api: connect });
	story.start(6, 'HTTP2STREAM', 7, 5, { api: ask }).end(10);
	const pending = () => story.report().lines.find(({ line }) => line === 7)?.pending ?? 0;
	story.begin(2, 20).over(2, 20).end(20);
	assert.equal(pending(), 1, 'it may be the other one’s');
	story.begin(3, 30).over(3, 30);
	assert.equal(pending(), 1, 'its callback may still come in this one');
	story.end(30);
	assert.equal(pending(), 0, 'the third session is younger');
});

test('what TLS writes to the socket below it is no wait for a reader', () => {
	const write: [string, string] = ['_write', 'node:net'];
	const story = new Story().begin(1, 0).start(2, 'TLSWRAP', 4, 0).start(3, 'READERWAIT', 5, 0, { api: write });
	story.start(4, 'WRITEWRAP', 6, 0, { api: write }).start(5, 'READERWAIT', 6, 0, { api: write }).end(1);
	assert.deepEqual(story.summary(), ['5 reader kernel ×0+1: ']);
	// The program's write is over, so what is written below TLS is too.
	story.begin(4, 10).start(6, 'READERWAIT', 7, 10, { api: write }).end(11);
	assert.deepEqual(story.summary(), ['5 reader kernel ×0+1: ', '7 reader kernel ×0+1: ']);
});

test('a socket that is handed to a forked process does not wait for a reader', () => {
	const story = new Story().begin(1, 0);
	story.start(2, 'READERWAIT', 5, 0, { api: ['fork', 'node:internal/cluster/primary'] });
	story.start(3, 'READERWAIT', 6, 0, { api: ['spawn', 'node:child_process'] }).end(1);
	assert.deepEqual(story.summary(), ['6 reader kernel ×0+1: ']);
});

test('the oldest pending operation of a line is known by its start', () => {
	const story = new Story({ began: 1000 });
	for (const [op, at] of [
		[2, 10],
		[3, 20],
		[4, 30],
	] as const) {
		story.start(op, 'PBKDF2REQUEST', 5, at, { api: PBKDF2 });
	}
	const oldest = () => story.report().lines.map(({ pending, oldestPending }) => [pending, oldestPending?.startMs]);
	assert.deepEqual(oldest(), [[3, 10]]);
	story.callback(2, 40).callback(4, 41);
	assert.deepEqual(oldest(), [[1, 20]]);
	story.callback(3, 50);
	assert.deepEqual(oldest(), [[0, undefined]]);
});

/** Which line's commands were behind which one's. */
function aheadIn({ model }: Story): string[] {
	return [...model.commandsAhead].flatMap(([{ place }, lines]) =>
		[...lines].map(
			([other, { us, longest }]) =>
				`${place.line} behind ${other.place.line}: ${us / 1000} ms, longest ${longest / 1000} ms`,
		),
	);
}
