// What happened in a stretch one by one: on one clock, with what belongs together, and the same whether a stretch or all of a recording is read again.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { SessionModel } from '../../../src/engine/session-model.ts';
import { StretchDetail } from '../../../src/engine/timeline/timeline-detail.ts';
import type { Timeline } from '../../../src/protocol/timeline.ts';
import { MADE_JOURNAL, OPEN, writeMadeJournal } from '../../bench/engine/made-journal.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { functionOf, Story } from '../../support/story.ts';
import { ThreadJournal } from '../../support/thread-journal.ts';
import { emptyDetail } from '../../support/timeline-values.ts';

const STAT: [string, string] = ['stat', 'node:fs'];
const PBKDF2: [string, string] = ['pbkdf2', 'node:internal/crypto/pbkdf2'];
const TIMEOUT: [string, string] = ['setTimeout', 'node:timers'];

const ALL = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, bins: 512 };
const resolve = ({ script, line }: { script: string; line: number }) => ({ file: script, line });

/** The timeline of stories, which happen one after the other. */
function timelineOf(stories: Story[], fill: (story: Story, index: number) => void, query = ALL): Timeline {
	const recording = new SessionModel();
	const detail = new StretchDetail(-Infinity, Infinity);
	for (const [i, story] of stories.entries()) {
		recording.add(`7.${i}.0.journal`, story.model);
		story.model.timeline.detail = detail;
	}
	stories.forEach(fill);
	for (const { model } of stories) model.close();
	return recording.timeline(query, detail, resolve);
}

/** `thread line: start +wait (queue/execute/lag±uncertainty) +run` of each operation, by its start. */
function operationTexts({ detail, lines }: Timeline): string[] {
	const { operations: o } = detail!;
	return Array.from(o.thread, (thread, i) => {
		const { line, op } = lines[o.line[i]!]!;
		const parts = `${o.queueMs[i]}/${o.executeMs[i]}/${o.lagMs[i]}±${o.uncertaintyMs[i]}`;
		const open = o.isOpen[i] === 1 ? ' or more' : '';
		return `${thread} ${line} ${op}: ${o.startMs[i]} +${o.waitMs[i]}${open} (${parts}) +${o.runMs[i]}`;
	});
}

function timers(story: Story, count: number): void {
	for (let i = 0; i < count; i++) {
		story.start(i + 2, 'Timeout', 5, i * 2, { api: TIMEOUT, delay: 1 }).callback(i + 2, i * 2 + 1, { idle: 1 });
	}
}

test('each operation with its parts; parts without meaning or unknown are -1', () => {
	const timeline = timelineOf([new Story({ pool: 1 })], (story) =>
		story
			.start(2, 'PBKDF2REQUEST', 3, 0, { api: PBKDF2 })
			.start(3, 'PBKDF2REQUEST', 3, 0, { api: PBKDF2 })
			.start(4, 'Timeout', 5, 0, { api: TIMEOUT, delay: 120 })
			.callback(2, 100, { idle: 100, sync: 2 })
			.callback(4, 125, { idle: 23 })
			.begin(3, 200, { idle: 75 })
			.start(5, 'FSREQCALLBACK', 7, 200, { api: STAT })
			.end(240)
			.callback(5, 240)
			.start(6, 'Immediate', 8, 240, { api: ['setImmediate', 'node:timers'] })
			.callback(6, 241),
	);
	assert.deepEqual(operationTexts(timeline), [
		'0 3 crypto.pbkdf2: 0 +100 (0/100/0±0) +2',
		'0 5 setTimeout: 0 +125 (-1/-1/5±0) +0',
		'0 3 crypto.pbkdf2: 0 +200 (100/100/0±0) +40',
		'0 7 fs.stat: 200 +40 (0/20/20±20) +0',
		'0 8 setImmediate: 240 +1 (-1/-1/-1±0) +0',
	]);
	assert.deepEqual(timeline.threads, [{ pid: 7, threadId: 0, startMs: 0, endMs: 241 }]);
	assert.equal(timeline.endMs, 241);
});

test('an operation of several steps has waited for less time than it took until its last callback', () => {
	const READ: [string, string] = ['createReadStream', 'node:fs'];
	const timeline = timelineOf([new Story({ pool: 1 })], (story) =>
		story
			.start(2, 'FSREQCALLBACK', 3, 0, { api: READ })
			.begin(2, 2, { idle: 2 })
			.start(3, 'FSREQCALLBACK', 3, 12, { api: READ, parent: 2 })
			.end(12)
			.callback(3, 16, { idle: 4, sync: 1 }),
	);
	assert.deepEqual(operationTexts(timeline), ['0 3 fs.createReadStream: 0 +6 (0/6/0±0) +11']);
	assert.deepEqual([...timeline.detail!.operations.calledMs], [16]);
});

test('callbacks, what started each operation, and what has not ended', () => {
	const { detail, lines } = timelineOf([new Story()], (story) =>
		story
			.start(2, 'Timeout', 5, 0, { api: TIMEOUT, delay: 10 })
			.begin(2, 10, { idle: 10 })
			.start(3, 'FSREQCALLBACK', 7, 12, { api: STAT })
			.end(30)
			.begin(3, 35, { idle: 5 })
			.start(4, 'FSREQCALLBACK', 9, 36, { api: STAT })
			.end(40),
	);
	const { operations, runs } = detail!;
	const ran = Array.from(
		runs.line,
		(line, i) => `${lines[line]!.op} ${lines[line]!.line}: ${runs.startMs[i]} +${runs.durationMs[i]}`,
	);
	assert.deepEqual(ran, ['setTimeout 5: 10 +20', 'fs.stat 7: 35 +5']);
	assert.deepEqual(
		Array.from(runs.line, (line) => lines[line]!.function),
		[functionOf(5), functionOf(7)],
		'the functions that the lines are in',
	);
	assert.deepEqual([...operations.starter], [-1, 0, 1], 'the callback in which each was started');
	assert.deepEqual([...operations.run], [0, 1, -1]);
	assert.deepEqual([...operations.isOpen], [0, 0, 1]);
	assert.equal(operations.waitMs[2], 4, 'it has waited since');
});

test('a request has its operations', () => {
	const { detail, lines } = timelineOf([new Story()], (story) =>
		story
			.start(2, 'HTTPSERVERREQUEST', 20, 100)
			.begin(2, 100, { idle: 100 })
			.start(3, 'FSREQCALLBACK', 21, 105, { api: STAT })
			.end(110)
			.start(5, 'FSREQCALLBACK', 30, 110, { api: STAT })
			.callback(5, 112)
			.begin(3, 150, { idle: 38 })
			.respond(2, 160)
			.end(170),
	);
	const { operations, requests } = detail!;
	assert.deepEqual([requests.startMs[0], requests.durationMs[0], requests.isOpen[0]], [100, 60, 0]);
	const own = [...operations.request.keys()].filter((index) => operations.request[index] === 0);
	assert.deepEqual(
		own.map((index) => lines[operations.line[index]!]!.line),
		[21],
	);
});

test('what waited for the answer to an earlier command over its connection names that command', () => {
	const write: [string, string] = ['write', 'node:net'];
	const { detail, lines } = timelineOf([new Story()], (story) => {
		story.begin(1, 0).start(2, 'TCPWRAP', 4, 0).start(-1, 'TURNEXCHANGE', 5, 0, { api: write }).end(1);
		story.begin(2, 1).attribute(-1).start(-2, 'TURNEXCHANGE', 6, 1, { api: write });
		story.start(-3, 'TURNEXCHANGE', 7, 2, { api: write }).end(2);
		story.begin(2, 101, { idle: 2 }).attribute(-2).end(101);
		story.begin(2, 103, { idle: 1 }).attribute(-3).end(103);
	});
	const { operations } = detail!;
	const named = (index: number) => lines[operations.line[index]!]!;
	const behind = [...operations.behind.entries()].flatMap(([index, earlier]) =>
		earlier < 0 ? [] : [[named(index).op, named(index).line, named(earlier).line]],
	);
	assert.deepEqual(behind, [['earlier command', 7, 6]]);
});

test('where only a sample was recorded, or records are missing, is said', () => {
	const { gaps } = timelineOf([new Story()], (story) => {
		timers(story, 10);
		story.model.gap();
		story.start(50, 'Timeout', 5, 40, { api: TIMEOUT, delay: 1 }).callback(50, 41, { idle: 1 });
		story.model.stage(50_000, 3, 10, 30);
		story.model.stage(60_000, 1, 1, 10);
		story.start(51, 'Timeout', 5, 80, { api: TIMEOUT, delay: 1 }).callback(51, 81, { idle: 1 });
	});
	assert.deepEqual(gaps, [
		{ thread: 0, kind: 'sampled', fromMs: 50, toMs: 60, stoppedMs: 0 },
		{ thread: 0, kind: 'lost', fromMs: 19, toMs: 41, stoppedMs: 0 },
	]);
});

test('a stretch of a long journal has just what happened in it, and few of its bytes are read for that', () => {
	const count = 150_000;
	const journal = readFileSync(writeMadeJournal(scratchFolder('journal'), count));
	const session = new SessionModel();
	session.load([{ name: MADE_JOURNAL, pieces: () => [journal] }]);
	// The n-th starts every 10 µs, calls back when OPEN more have started, and runs for 5 µs.
	const start = (n: number) => n * 10;
	const called = (n: number) => (n + OPEN) * 10 + 2;
	for (const from of [0, 10_000, 333_333, 700_000, 1_490_000]) {
		const to = from + 20_000;
		const query = { fromMs: from / 1000, toMs: to / 1000, bins: 100 };
		const stretches = session.stretches(query)!;
		const { from: begin, to: end } = stretches.get(MADE_JOURNAL)!;
		const detail = session.readAgain(query, stretches, () => journal.subarray(begin, end));
		const { operations } = session.timeline(query, detail, resolve).detail!;
		const all = Array.from({ length: count }, (_, n) => n);
		const expected = all.filter((n) => start(n) <= to && (n >= count - OPEN ? from <= 1.5e6 : called(n) + 5 >= from));
		// What was cleared never calls back, so of those that are left at the end some are not known.
		const closed = [...operations.startMs.keys()].filter((index) => operations.isOpen[index] === 0);
		const ended = expected.filter((n) => n < count - OPEN);
		assert.deepEqual(
			closed.map((index) => Math.round(operations.startMs[index]! * 1000)),
			ended.map(start),
		);
		assert.ok(closed.every((index) => Math.abs(operations.waitMs[index]! - 0.162) < 1e-6));
		assert.ok(end - begin < 0.75 * journal.length, `${end - begin} of ${journal.length} bytes`);
	}
	assert.equal(session.stretches({ fromMs: 0, toMs: 1500, bins: 100 }), null, 'all of it is too much');
	const whole = session.timeline({ fromMs: 0, toMs: 1500, bins: 100 }, null, resolve);
	assert.equal(whole.detail, null);
	assert.equal(whole.density.lanes.length, 60);
});

test('where jobs were under way when reading begins, no wait for a thread is said to be known that is not', () => {
	// Two threads, always busy: each job takes 2 s and waits for 2 s, and there are more generations than one reads back.
	const journal = new ThreadJournal({ pool: 2 });
	const second = 1_000_000;
	for (let job = 0; job < 40; job++) {
		journal.turn(job * second).start(100 + job, 5, job * second + 1);
		if (job < 4) continue;
		const done = job - 4;
		journal.restate(100 + done, 5, done * second + 1).callback(100 + done, job * second + 500_000);
	}
	journal.flush();
	const bytes = journal.bytes;
	const session = new SessionModel();
	session.load([{ name: journal.name, pieces: () => [bytes] }]);
	const read = (query: typeof ALL) => {
		const stretches = session.stretches(query)!;
		const detail = session.readAgain(query, stretches, (name) => {
			const { from, to } = stretches.get(name)!;
			return bytes.subarray(from, to);
		});
		return { ...session.timeline(query, detail, resolve).detail!.operations, from: stretches.get(journal.name)!.from };
	};
	const all = read(ALL);
	const part = read({ fromMs: 25_000, toMs: 30_000, bins: 100 });
	assert.equal(all.from, 0);
	assert.ok(part.from > 0, 'it begins in the midst');
	const known = new Map(Array.from(all.startMs, (start, index) => [start, index]));
	let seen = 0;
	for (const [index, start] of part.startMs.entries()) {
		if (part.isOpen[index] === 1) continue;
		seen++;
		const truth = known.get(start)!;
		assert.equal(part.waitMs[index], all.waitMs[truth]);
		const [low, high] = [
			part.queueMs[index]! - part.uncertaintyMs[index]!,
			part.queueMs[index]! + part.uncertaintyMs[index]!,
		];
		assert.ok(
			all.queueMs[truth]! >= low - 1 && all.queueMs[truth]! <= high + 1,
			`${all.queueMs[truth]} ms are not from ${low} to ${high}`,
		);
	}
	assert.ok(seen >= 4);
});

test('a debugger’s stop is no time for any thread, even for one that began after it', () => {
	const first = new Story();
	const second = new Story({ began: 5000 });
	for (const { pauses } of [first.debugger, second.debugger]) {
		pauses.stop(1_000_000);
		pauses.go(4_000_000);
	}
	const { threads, detail, gaps } = timelineOf([first, second], (story, i) => {
		const at = i === 0 ? 6000 : 1000;
		story.start(2, 'Timeout', 5, at, { api: TIMEOUT, delay: 1 }).callback(2, at + 1, { idle: 1 });
	});
	assert.deepEqual(
		threads.map(({ startMs }) => startMs),
		[0, 2000],
	);
	assert.deepEqual(gaps, [{ thread: 0, kind: 'stopped', fromMs: 1000, toMs: 1000, stoppedMs: 3000 }]);
	assert.deepEqual([...detail!.operations.startMs], [3000, 3000], 'both started at the same moment');
});

test('the recording began when its first journal did; what is no time is unknown', () => {
	const beganAt = (...stories: Story[]) => {
		const session = new SessionModel();
		for (const [i, { model }] of stories.entries()) session.add(`7.${i}.0.journal`, model);
		return session.beganAt;
	};
	assert.equal(beganAt(new Story({ began: 100, wall: 5100 }), new Story({ began: 0, wall: 5000 })), 5000);
	assert.equal(beganAt(new Story({ wall: 9e15 })), null);
});

test('blocks are on the same clock; nothing at all is an empty timeline', () => {
	const { blocks } = timelineOf([new Story(), new Story({ began: 100 })], (story) =>
		story.start(2, 'Timeout', 5, 0, { api: TIMEOUT, delay: 10 }).callback(2, 10, { idle: 10, sync: 60 }),
	);
	const at = { file: '/app/main.js', line: 5 };
	assert.deepEqual(blocks, [
		{ thread: 0, at, startMs: 10, durationMs: 60 },
		{ thread: 1, at, startMs: 110, durationMs: 60 },
	]);
	assert.deepEqual(
		timelineOf([], () => assert.fail()),
		{
			fromMs: 0,
			toMs: 0,
			endMs: 0,
			threads: [],
			lines: [],
			density: { fromMs: 0, binMs: 1.024, length: 0, lanes: [], loops: [], flights: [], queues: [] },
			detail: emptyDetail(),
			blocks: [],
			gaps: [],
		},
	);
});

test('the density has all operations, also where they are too many to be there one by one', () => {
	const count = 20_000;
	const timeline = timelineOf([new Story()], (story) => timers(story, count));
	const { density, detail, lines } = timeline;
	assert.equal(detail, null);
	assert.deepEqual(
		density.lanes.map((lane) => [lines[lane.line]!.line, lane.count, lane.longestMs]),
		[[5, count, 1]],
	);
	const { levels } = density.lanes[0]!;
	// Each timer takes 1 ms of every 2.
	const used = Array.from(levels.subarray(1, -1));
	assert.ok(
		used.every((level) => Math.abs(level - 128) <= 2),
		String(used.filter((level) => Math.abs(level - 128) > 2)),
	);
	assert.ok(Math.abs(density.binMs * levels.length - 2 * count) <= 2 * density.binMs);
	assert.deepEqual(
		density.flights.map(({ kind, counts, longestMs, worst }) => [kind, counts[5]!.toFixed(1), longestMs, worst]),
		[['timer', '0.5', 1, 0]],
	);
});

test('a stretch has bins of its own, finer than those of the whole', () => {
	const ofWhole = timelineOf([new Story()], (story) => timers(story, 20_000)).density;
	const query = { fromMs: 10_000, toMs: 11_000, bins: 512 };
	const ofStretch = timelineOf([new Story()], (story) => timers(story, 20_000), query).density;
	assert.ok(ofStretch.binMs <= ofWhole.binMs / 16);
	assert.ok(ofStretch.fromMs <= 10_000 && ofStretch.fromMs + ofStretch.length * ofStretch.binMs > 11_000);
	assert.ok(Math.abs(ofStretch.lanes[0]!.count - 500) <= 10);
});
