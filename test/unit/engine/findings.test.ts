// The rules on made-up facts: where each begins to apply, its sentence, and which finding comes first.

import assert from 'node:assert/strict';
import test from 'node:test';
import { adviceFor } from '../../../src/cli/advice.ts';
import { findingsOf, foundIn } from '../../../src/engine/findings/findings.ts';
import type { ProcessFacts, ThreadBlock } from '../../../src/engine/findings/rule.ts';
import type { Culprit, Line, RequestPart } from '../../../src/protocol/report.ts';
import { block as blockOf, culprit, delay, line, route, split, step } from '../../support/report-values.ts';

/** A block of the main thread. */
function block(values: Partial<ThreadBlock>): ThreadBlock {
	return { threadId: 0, ...blockOf(values), ...values };
}

/** A program of 10 s on a pool of 4 threads without a fault. */
function facts(values: Partial<ProcessFacts>): ProcessFacts {
	return {
		pid: 7,
		durationMs: 10_000,
		threads: 1,
		recordedMs: values.durationMs ?? 10_000,
		poolSize: 4,
		poolWanted: null,
		poolAssignment: null,
		pool: null,
		lines: [],
		routes: [],
		utilization: 0.1,
		busyBetweenBlocks: 0.1,
		blocks: [],
		startUps: [],
		ageMs: () => null,
		connectionUses: [],
		commandsAhead: [],
		poolHolders: [],
		unanswered: [],
		syncCalls: () => [],
		awaits: () => null,
		...values,
	};
}

function codes(values: Partial<ProcessFacts>): string[] {
	return findingsOf(foundIn(facts(values))).map(({ code }) => code);
}

function messages(values: Partial<ProcessFacts>): string[] {
	return findingsOf(foundIn(facts(values))).map(({ message }) => message);
}

const pool = (saturatedMs: number, lookupsQueuedMs = 0) => ({
	pid: 7,
	size: 4,
	saturatedMs,
	saturatedMostMs: saturatedMs,
	lookupsQueuedMs,
	maxQueued: 9,
	occupiedMs: { low: 4 * saturatedMs, high: 4 * saturatedMs },
});
const hashes = line({
	count: 40,
	wait: split(9000),
	queue: split(4000, 'estimated'),
	execute: split(19_000),
	lag: split(0),
});
const reads = line({ line: 9, op: 'fs.readFile', count: 3, wait: split(5010), queue: split(5000), execute: split(10) });

test('a process without figures, and one with good ones, has no findings', () => {
	assert.deepEqual(codes({}), []);
	const fine = [
		line({ count: 1000, maxInFlight: 8, wait: split(2000), queue: split(50), execute: split(1950), run: split(90) }),
		line({ class: 'timer', op: 'setTimeout', count: 100, wait: split(5000), lag: split(120), run: split(100) }),
		line({ class: 'kernel', op: 'fetch', count: 500, maxInFlight: 40, wait: split(9000), lag: split(100) }),
	];
	assert.deepEqual(codes({ lines: fine, pool: pool(60), blocks: [block({ delayed: 0 })] }), []);
});

test('pool-saturated: from a tenth of the time or a whole second, and only when something queued', () => {
	assert.deepEqual(codes({ pool: pool(999), lines: [hashes, reads] }), []);
	assert.deepEqual(codes({ pool: pool(1000), lines: [hashes, reads] }), ['pool-saturated']);
	assert.deepEqual(codes({ pool: pool(300), durationMs: 3000, lines: [hashes, reads] }), ['pool-saturated']);
	assert.deepEqual(codes({ pool: pool(90), durationMs: 100, lines: [hashes, reads] }), []);
	assert.deepEqual(codes({ pool: pool(5000), lines: [line({ queue: split(3), execute: split(9000) })] }), []);
	assert.deepEqual(messages({ pool: pool(5000), lines: [hashes, reads] }), [
		'All 4 threads of the pool were busy for 5 s (50 % of the time), with up to 9 operations in the queue: crypto.pbkdf2 at main.js:3 executed for 19 s, fs.readFile at main.js:9 queued for 5 s. Jobs took 50 % of the threads’ time.',
	]);
});

test('pool-saturated: the holder is what surely had threads, and no longer than there were any', () => {
	const within = (low: number, high: number) => ({
		...split((low + high) / 2, 'estimated'),
		range: { low: split(low), high: split(high) },
	});
	const maybe = line({ ...reads, execute: within(0, 60_000) });
	const surely = line({ ...hashes, execute: within(5000, 50_000) });
	assert.deepEqual(messages({ pool: pool(5000), lines: [maybe, surely] }), [
		'All 4 threads of the pool were busy for 5 s (50 % of the time), with up to 9 operations in the queue: crypto.pbkdf2 at main.js:3 executed for 5–40 s, fs.readFile at main.js:9 queued for 5 s. Jobs took 50 % of the threads’ time.',
	]);
	const unknown = line({ ...hashes, execute: split(0, 'unknown') });
	assert.match(
		messages({ pool: pool(5000), lines: [maybe, unknown] })[0]!,
		/: what used them is not known; fs\.readFile at main\.js:9 queued/,
	);
});

test('pool-saturated: where no line’s known execution is most of what used the threads, none is named as the holder', () => {
	const jobs = line({ op: 'bcrypt', count: 90, queue: split(0, 'unknown'), execute: split(0, 'unknown') });
	const few = { pool: pool(5000), lines: [jobs, reads] };
	assert.match(
		messages(few)[0]!,
		/in the queue: what used them is not known; fs\.readFile at main\.js:9 queued for 5 s\. /,
	);
	const [finding] = findingsOf(foundIn(facts(few)));
	assert.ok(finding?.code === 'pool-saturated' && finding.evidence.holderMs === null && finding.victim === null);
	const partly = { ...jobs.execute!, atLeast: { totalMs: 16_000, p50Ms: 0, p95Ms: 900, maxMs: 900, unknown: 3 } };
	assert.match(
		messages({ pool: pool(5000), lines: [{ ...jobs, execute: partly }, reads] })[0]!,
		/in the queue: bcrypt at main\.js:3 executed for ≥16 s, fs\.readFile at main\.js:9 queued for 5 s\. /,
	);
	// Of 20 s that the threads were taken.
	const executed = (ms: number, others: number) => [
		line({ execute: split(ms) }),
		line({ line: 5, execute: split(others) }),
		reads,
	];
	const holder = (lines: Line[]) => messages({ pool: pool(5000), lines })[0]?.match(/crypto.pbkdf2 at main.js:3/)?.[0];
	assert.equal(holder(executed(9990, 0)), undefined);
	assert.equal(holder(executed(9995, 0)), 'crypto.pbkdf2 at main.js:3');
	assert.equal(holder(executed(8000, 5000)), 'crypto.pbkdf2 at main.js:3', 'less is left than it had');
});

test('pool-saturated: a library’s own line is shown on the user’s line that led to it', () => {
	const library = '/app/node_modules/argon2/argon2.cjs';
	const caller = (file: string, at: number, op: string) => ({ file, line: at, op, count: 8 });
	const inner = line({
		...hashes,
		file: library,
		line: 103,
		op: 'argon2',
		callers: [caller(library, 90, 'crypto.randomBytes')],
	});
	const outer = line({ file: library, line: 90, op: 'crypto.randomBytes', callers: [caller('/app/main.js', 8, '')] });
	const [finding] = findingsOf(foundIn(facts({ pool: pool(5000), lines: [inner, outer, reads] })));
	assert.deepEqual([finding?.file, finding?.line, finding?.op], ['/app/main.js', 8, 'argon2']);
	assert.match(
		finding!.message,
		/: argon2 at argon2\.cjs:103, behind main\.js:8, executed for 19 s, fs\.readFile at main\.js:9 queued/,
	);
	const [alone] = findingsOf(foundIn(facts({ pool: pool(5000), lines: [{ ...inner, callers: [] }, reads] })));
	assert.deepEqual([alone?.file, alone?.line], [library, 103]);
});

const lookups = (values: Partial<Line>) => line({ op: 'dns.lookup', line: 20, count: 2, wait: split(500), ...values });

test('dns-starved: look-ups that queue longer than they take', () => {
	assert.deepEqual(codes({ lines: [lookups({ queue: split(400), execute: split(401) })] }), []);
	assert.deepEqual(codes({ lines: [lookups({ queue: split(99), execute: split(1) })] }), []);
	assert.deepEqual(codes({ lines: [lookups({ queue: { ...split(400), p95Ms: 49 }, execute: split(1) })] }), []);
	assert.deepEqual(codes({ lines: [lookups({ queue: split(400, 'unknown'), execute: null })] }), []);
	const within = (lowMs: number) => ({ ...split(400), range: { low: split(lowMs), high: split(800) } });
	assert.deepEqual(codes({ lines: [lookups({ queue: within(99), execute: split(1) })] }), [], 'perhaps it took longer');
	assert.deepEqual(codes({ lines: [lookups({ queue: within(100), execute: split(1) })] }), ['dns-starved']);
	assert.deepEqual(messages({ lines: [lookups({ queue: split(400), execute: split(1) }), hashes] }), [
		'2 calls of dns.lookup at main.js:20 queued for 400 ms in total, then took 1 ms. Threads that may look up names: 2 of 4. Meanwhile crypto.pbkdf2 at main.js:3 used the pool for 19 s.',
	]);
	const vague = { ...split(9000), range: { low: split(0), high: split(18_000) } };
	const [message] = messages({
		lines: [lookups({ queue: split(400), execute: split(1) }), { ...hashes, execute: vague }],
	});
	assert.match(message!, / of 4\.$/, 'the hashes perhaps had no thread meanwhile');
});

test('dns-starved: look-ups that only wait for each other have met libuv’s limit', () => {
	const [message] = messages({ lines: [lookups({ queue: split(400), execute: split(300) })] });
	assert.match(message!, /took 300 ms\. Threads that may look up names: 2 of 4\.$/);
});

test('dns-starved: where half of the threads were idle, other look-ups occupied the rest, whatever else used the pool', () => {
	const slow = lookups({ line: 9, count: 6, queue: split(0), execute: split(2400) });
	const queued = lookups({ count: 1, queue: split(1100), execute: split(1) });
	assert.deepEqual(messages({ lines: [slow, queued, hashes], pool: pool(0, 1200) }), [
		'1 call of dns.lookup at main.js:20 queued for 1.1 s, then took 1 ms. Threads that may look up names: 2 of 4; lookups queued for at least 1.2 s though another thread was idle. Meanwhile dns.lookup at main.js:9 used them for 2.4 s.',
	]);
});

test('unbounded-concurrency: where the loop had no time left and the pool was not surely full, the loop is the limit', () => {
	const many = line({
		op: 'fs.readFile',
		count: 5000,
		maxInFlight: 5000,
		wait: split(900),
		queue: split(450, 'estimated'),
	});
	const [message] = messages({ lines: [many], utilization: 1, pool: { ...pool(0), saturatedMostMs: 9000 } });
	assert.match(message!, /The event loop was 100 % busy: it is the limit, and more threads would not help\.$/);
	const [other] = messages({ lines: [many], utilization: 0.3, pool: { ...pool(0), saturatedMostMs: 9000 } });
	assert.doesNotMatch(other!, /event loop/);
});

test('loop-blocked: blocks of one line together, when others had to wait for them', () => {
	const delays = [delay({ file: '/app/b.js', line: 9, op: 'fetch', count: 2, totalMs: 70 })];
	const blocks = [
		block({ durationMs: 80, delayed: 1, delayedMs: 30, delays: [] }),
		block({
			durationMs: 120,
			delayed: 2,
			surelyDelayed: 1,
			delayedMs: 90,
			delayedLeastMs: 80,
			delayedMostMs: 140,
			delays,
			basis: 'estimated',
		}),
		block({ line: 5, durationMs: 900 }),
	];
	const timer = line({ class: 'timer', op: 'setTimeout', run: split(200) });
	const [finding, ...others] = findingsOf(foundIn(facts({ blocks, lines: [timer] })));
	assert.deepEqual(others, []);
	assert.deepEqual([finding?.code, finding?.line, finding?.op], ['loop-blocked', 3, 'setTimeout']);
	assert.deepEqual(finding?.evidence, {
		blocks: 2,
		blockedMs: 200,
		share: 0.02,
		longestMs: 120,
		delayed: 3,
		surelyDelayed: 2,
		delayedMs: 120,
		byGc: 0,
		sampled: 0,
		collectionMs: 0,
		inWorkers: 0,
		threads: 1,
	});
	assert.deepEqual([finding.basis, finding.cause], ['estimated', null]);
	assert.deepEqual(finding.victim, { file: '/app/b.js', line: 9, op: 'fetch' });
	assert.equal(
		finding.message,
		'Code that ran after the wait at main.js:3 blocked the event loop 2 times for 200 ms in total (2 % of the time; longest 120 ms), delaying operations at least 2 times, by 110–170 ms in total. Most affected, as far as is certain: fetch at b.js:9.',
	);
	assert.deepEqual(finding.ranges, [{ figure: 'delayedMs', lowMs: 110, highMs: 170 }]);
	assert.deepEqual(codes({ blocks: [block({ delayed: 1, delayedMs: 99 })] }), []);
});

test('loop-blocked: also where nothing waited, when a line does so again and again for a fifth of the time', () => {
	const blocks = (count: number, durationMs: number) => Array.from({ length: count }, () => block({ durationMs }));
	assert.deepEqual(codes({ blocks: blocks(3, 666) }), []);
	assert.deepEqual(codes({ blocks: blocks(2, 3000) }), []);
	const [finding] = findingsOf(foundIn(facts({ blocks: blocks(4, 500) })));
	assert.equal(
		finding?.message,
		'Code that ran after the wait at main.js:3 blocked the event loop 4 times for 2 s in total (20 % of the time; longest 500 ms). Nothing that was recorded in this thread had to wait meanwhile.',
	);
	assert.deepEqual([finding.severity, finding.lostMs, finding.victim], ['high', 2000, null]);
});

test('loop-blocked: also where other code, which follows it each time, took more of some of the blocks', () => {
	const [scan, parse] = [culprit({ line: 8, function: 'scan' }), culprit({ line: 12, function: 'parse' })];
	const blocks = (count: number) =>
		Array.from({ length: count }, (_, i) =>
			block({ durationMs: 2000, isSampled: true, culprits: i % 2 === 0 ? [scan, parse] : [parse, scan] }),
		);
	assert.deepEqual(
		findingsOf(foundIn(facts({ blocks: blocks(4) }))).map(({ line }) => line),
		[8, 12],
	);
	assert.deepEqual(codes({ blocks: blocks(2) }), []);
});

test('loop-blocked: what nobody can be sure of is said so', () => {
	const found = (durationMs: number, delayedMostMs: number) => {
		const values = { delayed: 4, surelyDelayed: 0, delayedMs: delayedMostMs / 2, delayedLeastMs: 0, delayedMostMs };
		const delays = [delay({ line: 9, count: 4, totalMs: delayedMostMs / 2, leastMs: 0, mostMs: delayedMostMs })];
		return findingsOf(foundIn(facts({ blocks: [block({ ...values, delays, durationMs, basis: 'estimated' })] })));
	};
	const [finding] = found(110, 300);
	assert.match(
		finding!.message,
		/ blocked the event loop once, for 110 ms, and may have delayed up to 4 operations by up to 300 ms in total\. Perhaps most affected: fs\.readFile at main\.js:9\.$/,
	);
	assert.deepEqual(finding!.ranges, [{ figure: 'delayedMs', lowMs: 0, highMs: 300 }]);
	assert.equal(finding!.lostMs, 110);
	assert.deepEqual(found(90, 300), []);
	assert.deepEqual(found(110, 190), []);
});

test('loop-blocked: the most affected is who certainly waited, over all blocks together', () => {
	const timer = delay({ line: 5, op: 'setTimeout', totalMs: 60, leastMs: 60 });
	const read = delay({ line: 9, totalMs: 90, leastMs: 10, mostMs: 170 });
	const one = block({ delayed: 2, delayedMs: 150, delayedLeastMs: 70, delayedMostMs: 230, delays: [read, timer] });
	const [finding] = findingsOf(foundIn(facts({ blocks: [one, { ...one, basis: 'estimated' }] })));
	assert.equal(finding!.victim?.op, 'setTimeout');
	assert.match(finding!.message, /Most affected, as far as is certain: setTimeout at main\.js:5\.$/);
});

test('loop-blocked: by the library that computed for longest, several of whose functions share its time', () => {
	const of = (name: string, selfMs: number) =>
		culprit({
			file: `/app/node_modules/${name}/index.js`,
			line: selfMs,
			function: `f${selfMs}`,
			selfMs,
			isLibrary: true,
		});
	const culprits = [of('follow-redirects', 600), of('axios', 500), of('axios', 430)];
	const [finding] = findingsOf(
		foundIn(facts({ blocks: [block({ culprits, durationMs: 1530, delayedLeastMs: 200 })] })),
	);
	assert.match(finding!.message, /^f500 at index\.js:500 \(axios\)/);
	assert.equal(finding!.cause?.name, 'f500');
});

test('loop-blocked: Workers compute side by side, and none was blocked for the time of all', () => {
	const blocks = (ms: number) =>
		[1, 2, 3, 4].flatMap((threadId) => [1, 2, 3].map(() => block({ threadId, durationMs: ms })));
	assert.match(
		messages({ blocks: blocks(900) })[0]!,
		/blocked the event loops of 4 Workers 12 times for 10\.8 s in total \(each up to 27 % of the time; longest 900 ms\)/,
	);
	assert.deepEqual(codes({ blocks: blocks(600) }), [], 'each for 18 % of the time');
});

test('loop-blocked: of a Worker, whose messages count elsewhere', () => {
	const blocks = [1, 2, 3].map(() => block({ threadId: 1, durationMs: 900 }));
	assert.match(
		messages({ blocks })[0]!,
		/blocked the event loop of a Worker 3 times for 2\.7 s in total \(27 % of the time; longest 900 ms\)\. The waits of messages sent with worker\.postMessage are on the lines that sent them; those of messages from other ports are not recorded\.$/,
	);
});

test('loop-blocked: a function and the library that it calls on the same line are one', () => {
	const own = culprit({ line: 6, function: 'check', selfMs: 400, api: 'eval code' });
	const calledFrom = { file: '/app/main.js', line: 6, function: 'check' };
	const library = culprit({
		file: '/app/node_modules/deep/index.js',
		line: 2,
		selfMs: 600,
		isLibrary: true,
		calledFrom,
	});
	const blocks = [own, own, library, library].map((each) =>
		block({ durationMs: each.selfMs, isSampled: true, culprits: [each] }),
	);
	const [finding, ...others] = findingsOf(foundIn(facts({ blocks })));
	assert.deepEqual(others, []);
	assert.deepEqual([finding?.line, finding?.lostMs], [6, 2000]);
	assert.match(finding!.message, /^check at main\.js:6 blocked the event loop 4 times for 2 s/);
});

test('loop-blocked: is on the line that computed, and names its caller', () => {
	const calledFrom = { file: '/app/main.js', line: 14, function: 'handler' };
	const computed = culprit({ line: 9, function: 'buildReport', selfMs: 90, calledFrom });
	const [finding] = findingsOf(
		foundIn(facts({ blocks: [block({ delayed: 1, delayedMs: 100, durationMs: 100, culprits: [computed] })] })),
	);
	assert.equal(finding?.line, 9);
	assert.equal(
		finding.message,
		'buildReport at main.js:9, called from handler at main.js:14, blocked the event loop once, for 100 ms, delaying at least 1 operation by 100 ms.',
	);
});

test('loop-blocked: where samples found nothing of the program’s, it says so and advises no samples', () => {
	const blocks = [block({ delayed: 1, delayedMs: 100, isSampled: true })];
	const [finding] = findingsOf(foundIn(facts({ blocks })));
	assert.equal(
		finding?.message,
		'Code in no file (native, or of eval), or lack of a processor, after the wait at main.js:3 blocked the event loop once, for 100 ms, delaying at least 1 operation by 100 ms.',
	);
	assert.match(adviceFor(finding, true), /^The stack samples show no function that is in a file/);
	const without = findingsOf(foundIn(facts({ blocks: blocks.map((each) => ({ ...each, isSampled: false })) })))[0]!;
	assert.match(adviceFor(without, false), /--sample/);
	assert.doesNotMatch(adviceFor(without, true), /--sample/, 'others were sampled');
});

test('loop-blocked: several functions of one callback were all said to be the one that took most of it', () => {
	const tick = { file: '/app/main.js', line: 14, function: 'tick' };
	const of = (line: number, name: string, selfMs: number) =>
		culprit({ line, function: name, selfMs, calledFrom: tick });
	const slow = [of(6, 'render', 280), of(5, 'validate', 250), of(4, 'parse', 220)];
	const other = [of(5, 'validate', 270), of(6, 'render', 260), of(4, 'parse', 220)];
	const self = [...other.slice(0, 2), culprit({ line: 14, function: 'tick', selfMs: 200 })];
	const blocks = [slow, other, slow].map((culprits) => block({ durationMs: 760, isSampled: true, culprits }));
	const [finding, ...others] = findingsOf(foundIn(facts({ blocks })));
	assert.deepEqual(others, []);
	assert.match(
		finding!.message,
		/^render at main\.js:6 \(≈820 ms\), validate at main\.js:5 \(≈770 ms\) and parse at main\.js:4 \(≈660 ms\), called from tick at main\.js:14, blocked the event loop 3 times for 2\.28 s/,
	);
	assert.deepEqual(
		finding!.computed.map(({ name, ms }) => [name, ms]),
		[
			['render', 820],
			['validate', 770],
			['parse', 660],
		],
	);
	const withTick = [self, slow, self].map((culprits) => block({ durationMs: 760, culprits }));
	assert.match(
		messages({ blocks: withTick })[0]!,
		/^render .*, validate .* and tick .* blocked the event loop 3 times/,
	);
	const alone = [of(6, 'render', 600), of(5, 'validate', 100)];
	const [one] = findingsOf(
		foundIn(facts({ blocks: [1, 2, 3].map(() => block({ durationMs: 760, culprits: alone })) })),
	);
	assert.match(one!.message, /^render at main\.js:6, called from tick at main\.js:14, blocked/);
	assert.deepEqual(one!.computed, []);
});

test('loop-blocked: all of a function’s time was that of the call that took most of it', () => {
	const lines = [
		{ line: 9, api: 'update', selfMs: 50 },
		{ line: 8, api: 'zlib', selfMs: 45 },
		{ line: 7, api: null, selfMs: 30 },
	];
	const build = culprit({ line: 9, function: 'build', selfMs: 125, lines });
	const blocks = [1, 2, 3, 4].map(() => block({ durationMs: 125, isSampled: true, culprits: [build] }));
	assert.match(
		messages({ blocks, durationMs: 1000 })[0]!,
		/^build at main\.js:9 \(in update, ≈200 ms\), :8 \(in zlib, ≈180 ms\) and :7 \(≈120 ms\) blocked the event loop 4 times/,
	);
});

test('loop-blocked: of several callers it says which one called for most of the time', () => {
	const at = (line: number, selfMs: number) => {
		const calledFrom = { file: '/app/main.js', line, function: '' };
		const computed = culprit({ line: 5, function: 'spin', selfMs, calledFrom });
		return block({ delayed: 1, delayedMs: 100, durationMs: selfMs, culprits: [computed] });
	};
	const message = (...blocks: ThreadBlock[]) => findingsOf(foundIn(facts({ blocks })))[0]?.message ?? '';
	assert.match(
		message(at(6, 150), at(8, 90), at(8, 90)),
		/^spin at main\.js:5, called mostly from code at main\.js:8, /,
	);
	assert.match(message(at(6, 150), at(6, 90)), /^spin at main\.js:5, called from code at main\.js:6, /);
	assert.match(
		message(at(6, 100), at(8, 100)),
		/^spin at main\.js:5, called from code at main\.js:6 and code at main\.js:8, /,
		'none of them for more than half',
	);
	assert.match(
		message(at(6, 100), at(8, 90), at(9, 80)),
		/^spin at main\.js:5, called from code at main\.js:6, code at main\.js:8 and others, /,
	);
});

test('loop-blocked: a library’s time is that of one of its functions only where that took most of it', () => {
	const file = '/app/node_modules/bcryptjs/index.js';
	const calledFrom = { file: '/app/main.js', line: 14, function: '' };
	const took = (name: string, line: number, selfMs: number) =>
		culprit({ file, line, function: name, isLibrary: true, calledFrom, selfMs });
	const message = (...culprits: Culprit[]) =>
		findingsOf(foundIn(facts({ blocks: [block({ delayed: 1, delayedMs: 100, isSampled: true, culprits })] })))[0]
			?.message ?? '';
	assert.match(
		message(took('_encipher', 900, 60), took('_key', 500, 40)),
		/^_encipher at index\.js:900 \(bcryptjs\) and others of its package, called from code at main\.js:14, blocked/,
	);
	assert.match(
		message(took('_encipher', 900, 90), took('_key', 500, 10)),
		/^_encipher at index\.js:900 \(bcryptjs\), called from code at main\.js:14, blocked/,
	);
});

test('loop-blocked: lines of one function are one finding, on the line that took the most time', () => {
	const at = (line: number, durationMs: number) =>
		block({
			delayed: 1,
			delayedMs: 100,
			durationMs,
			culprits: [culprit({ line, function: 'walk', selfMs: durationMs })],
		});
	const [finding, ...others] = findingsOf(foundIn(facts({ blocks: [at(4, 60), at(5, 100), at(4, 80)] })));
	assert.deepEqual(others, []);
	assert.equal(finding?.line, 4);
	assert.match(finding.message, /^walk at main\.js:4 blocked the event loop 3 times for 240 ms/);
	assert.equal(
		findingsOf(
			foundIn(
				facts({ blocks: [at(4, 60), { ...at(5, 100), culprits: [culprit({ line: 5, function: '', selfMs: 100 })] }] }),
			),
		).length,
		2,
	);
});

test('loop-blocked: a library that computes in callbacks of its own is shown on the line for which it does so', () => {
	const file = '/app/node_modules/bcryptjs/index.js';
	const blocks = [898, 881].map((line) => {
		const computed = culprit({ file, line, function: '_encipher', isLibrary: true });
		return block({ delayed: 1, delayedMs: 100, durationMs: 100, culprits: [computed] });
	});
	const [finding, ...others] = findingsOf(foundIn(facts({ blocks })));
	assert.deepEqual(others, []);
	assert.deepEqual([finding?.file, finding?.line], ['/app/main.js', 3]);
	assert.match(
		finding!.message,
		/^_encipher at index\.js:898 \(bcryptjs\), behind main\.js:3, blocked the event loop 2 times/,
	);
});

test('loop-blocked: a library in a Worker of its own is not behind itself', () => {
	const file = '/app/node_modules/terser/minify.js';
	const culprits = [culprit({ file, line: 7, function: 'minify', isLibrary: true })];
	const blocks = [block({ file: '', line: 0, delayed: 1, delayedMs: 100, culprits })];
	assert.match(messages({ blocks })[0]!, /^minify at minify\.js:7 \(terser\) blocked the event loop once/);
});

test('loop-blocked: a library’s code is shown on the user’s line that called it', () => {
	const calledFrom = { file: '/app/main.js', line: 14, function: '' };
	const file = '/app/node_modules/bcryptjs/index.js';
	const computed = culprit({ file, line: 900, function: '_encipher', isLibrary: true, calledFrom });
	const [finding] = findingsOf(
		foundIn(facts({ blocks: [block({ delayed: 1, delayedMs: 100, durationMs: 100, culprits: [computed] })] })),
	);
	assert.deepEqual([finding?.file, finding?.line], ['/app/main.js', 14]);
	assert.match(finding!.message, /^_encipher at index\.js:900 \(bcryptjs\), called from code at main\.js:14, blocked/);
});

test('loop-blocked: shows what was garbage collection', () => {
	const gc = block({ delayed: 1, delayedMs: 190, cause: 'gc' });
	assert.deepEqual(messages({ blocks: [gc, gc] }), [
		'Garbage collection, during code that ran after the wait at main.js:3, blocked the event loop 2 times for 200 ms in total (2 % of the time; longest 100 ms), delaying operations at least 2 times, by 380 ms in total.',
	]);
	const culprits = [
		culprit({ line: 9, function: 'build', calledFrom: { file: '/app/main.js', line: 14, function: '' } }),
	];
	assert.match(
		messages({ blocks: [{ ...gc, culprits }] })[0]!,
		/^Garbage collection, during build at main\.js:9, called from code at main\.js:14, blocked the event loop once, for 100 ms/,
	);
	assert.match(messages({ blocks: [gc, block({})] })[0]!, /^Code .* Garbage collection took 100 ms of it\.$/);
	const little = block({ delayed: 1, delayedMs: 190, durationMs: 500, collectionMs: 99 });
	assert.doesNotMatch(messages({ blocks: [little] })[0]!, /[Gg]arbage/);
});

test('pool-size-too-late: the line that set it, where it is known', () => {
	const poolAssignment = { file: '/app/main.js', line: 2 };
	const [finding] = findingsOf(foundIn(facts({ poolWanted: 8, poolAssignment })));
	assert.deepEqual([finding?.file, finding?.line], ['/app/main.js', 2]);
	assert.deepEqual(finding?.evidence, { effective: 4, wanted: 8 });
	assert.deepEqual(findingsOf(foundIn(facts({ poolWanted: 8 })))[0]?.line, null);
});

test('timers-late names the line whose callbacks, each too short for a block, kept the only loop busy', () => {
	const late = line({ class: 'timer', op: 'setInterval', count: 10, wait: split(400), lag: split(300) });
	const turns = (ms: number) => line({ class: 'loop', op: 'setImmediate', line: 9, count: 300, run: split(ms) });
	const busy = { utilization: 0.9, busyBetweenBlocks: 0.9 };
	const causes = (values: Partial<ProcessFacts>) =>
		findingsOf(foundIn(facts({ ...busy, ...values }))).map(({ cause, message }) => [cause?.name, message]);
	const said = 'Code behind setImmediate at main.js:9 ran for 7.3 s meanwhile.';
	const [[name, message] = []] = causes({ lines: [late, turns(7300)] });
	assert.equal(name, 'setImmediate');
	assert.ok(message!.endsWith(said), message);
	assert.deepEqual(causes({ lines: [late, turns(4400)] })[0]![0], undefined, 'others ran as long');
	const startUp = block({ line: 1, durationMs: 1000 });
	assert.equal(causes({ lines: [late, turns(4100)], startUps: [startUp] })[0]![0], 'setImmediate', 'since the start');
	assert.deepEqual(causes({ lines: [late, turns(7300)], threads: 2 })[0]![0], undefined, 'on whose loop?');
	const own = { ...late, run: split(9000) };
	const [[cause, self] = []] = causes({ lines: [own, turns(7300)] });
	assert.equal(cause, undefined, 'its own callbacks');
	assert.ok(self!.endsWith(' Their own callbacks ran for 9 s, one after the other.'), self);
});

test('sync-in-callback: in callbacks that block or take a tenth of the time', () => {
	const called = { file: '/app/main.js', line: 4, name: 'fs.readFileSync' };
	const syncCalls = () => [{ ...called, isBehindMany: false }];
	const runs = (totalMs: number, maxMs: number) => [line({ count: 50, run: { ...split(totalMs), maxMs } })];
	assert.deepEqual(codes({ syncCalls, lines: runs(999, 49) }), []);
	assert.deepEqual(codes({ syncCalls, lines: runs(60, 50) }), ['sync-in-callback']);
	assert.deepEqual(codes({ syncCalls, lines: runs(1000, 20) }), ['sync-in-callback']);
	assert.deepEqual(codes({ syncCalls, lines: runs(99, 20), durationMs: 200 }), []);
	assert.deepEqual(codes({ lines: runs(5000, 900) }), []);
	assert.deepEqual(messages({ syncCalls, lines: runs(1000, 20) }), [
		'The code behind crypto.pbkdf2 at main.js:3 calls fs.readFileSync at main.js:4. Its callbacks ran for 1 s over 50 operations (at most 20 ms for one); nothing else can run while they do.',
	]);
});

test('sync-in-callback: behind two awaits in a row, a call runs in the callback of the second', () => {
	const call = { file: '/app/main.js', line: 6, name: 'zlib.gunzipSync', isBehindMany: false };
	const run = { ...split(120), maxMs: 99 };
	const [first, second] = [line({ op: 'fs.promises.readFile', line: 3, run }), line({ op: 'zlib.gzip', line: 5, run })];
	const behind = (own: readonly number[]) => (at: Line) => (own.includes(at.line) ? [call] : []);
	const found = (values: Partial<ProcessFacts>) =>
		findingsOf(foundIn(facts(values))).map(({ message }) => /behind (\S+)/.exec(message)![1]);
	assert.deepEqual(found({ lines: [first, second], syncCalls: behind([3, 5]) }), ['zlib.gzip']);
	assert.deepEqual(found({ lines: [first, second], syncCalls: behind([3]) }), ['fs.promises.readFile']);
	const seldom = { ...second, count: 1, run: split(0) };
	const often = { ...first, count: 2 };
	assert.deepEqual(
		found({ lines: [often, seldom], syncCalls: behind([3, 5]) }),
		['fs.promises.readFile'],
		'not each time',
	);
});

test('sync-in-callback: several calls in one callback are one finding, the one that samples found first', () => {
	const call = (name: string, line: number) => ({ file: '/app/main.js', line, name, isBehindMany: false });
	const calls = [call('fs.readdirSync', 6), call('fs.statSync', 8), call('fs.lstatSync', 9), call('fs.rmSync', 17)];
	const lines = [line({ run: { ...split(500), maxMs: 49 } })];
	const find = (blocks: ProcessFacts['blocks']) =>
		findingsOf(foundIn(facts({ durationMs: 1000, lines, syncCalls: () => calls, blocks })));
	const [finding, ...others] = find([]);
	assert.deepEqual(others, []);
	assert.deepEqual([finding?.line, finding?.op, finding?.lostMs], [6, 'fs.readdirSync', 500]);
	assert.match(
		finding!.message,
		/ calls fs\.readdirSync at main\.js:6, fs\.statSync at main\.js:8, fs\.lstatSync at main\.js:9 and 1 more\. Its callbacks ran/,
	);
	const sampled = find([block({ culprits: [culprit({ line: 8, function: 'walk', api: 'statSync' })] })]);
	assert.match(sampled[0]!.message, / calls fs\.statSync at main\.js:8, fs\.readdirSync at main\.js:6, /);
	assert.equal(sampled[0]!.line, 8);
});

test('sync-in-callback: a call behind thousands of short callbacks, which runs once, is not said to have taken the time of all', () => {
	const syncCalls = () => [{ file: '/app/main.js', line: 4, name: 'fs.rmSync', isBehindMany: true }];
	const runs = (maxMs: number) => [line({ count: 3000, run: { ...split(1000), maxMs } })];
	assert.deepEqual(codes({ syncCalls, lines: runs(499) }), []);
	assert.deepEqual(
		findingsOf(foundIn(facts({ syncCalls, lines: runs(500) }))).map(({ code, lostMs }) => [code, lostMs]),
		[['sync-in-callback', 500]],
	);
});

test('timers-late: timers that start-ups made late are no finding, which would say that blocks account for nothing', () => {
	const lines = [line({ class: 'timer', op: 'setTimeout', count: 12, wait: split(400), lag: split(300) })];
	const delays = [delay({ op: 'setTimeout', totalMs: 75 })];
	const startUps = [1, 2].map((threadId) => ({ ...block({ isStartUp: true, delayed: 1, delays }), threadId }));
	assert.deepEqual(codes({ busyBetweenBlocks: 0.9, lines, startUps }), []);
	assert.deepEqual(codes({ busyBetweenBlocks: 0.9, lines, startUps: startUps.slice(1) }), ['timers-late']);
});

test('timers-late: what start-up made late counts among the blocks', () => {
	const startUps = [
		{
			...block({ delays: [delay({ op: 'setTimeout', count: 4, totalMs: 120 })] }),
			threadId: 0,
		},
	];
	const lines = [line({ class: 'timer', op: 'setTimeout', count: 10, wait: split(400), lag: split(300) })];
	assert.deepEqual(messages({ busyBetweenBlocks: 0.9, lines, startUps }), [
		'setTimeout at main.js:3 fired 10 times, 30 ms late on average (300 ms at most) because the event loop was busy. Blocks of 50 ms and more account for 40 % of it, start-up among them (120 ms).',
	]);
});

test('timers-late: several, by much, in a loop that was busy', () => {
	const timers = (values: Partial<Line>) => [
		line({ class: 'timer', op: 'setInterval', count: 10, wait: split(400), lag: split(300), ...values }),
	];
	assert.deepEqual(codes({ busyBetweenBlocks: 0.9, lines: timers({}) }), ['timers-late']);
	assert.deepEqual(codes({ utilization: 0.9, lines: timers({}) }), [], 'the machine was late, not the loop');
	assert.deepEqual(codes({ busyBetweenBlocks: 0.9, lines: timers({ count: 4 }) }), []);
	assert.deepEqual(codes({ busyBetweenBlocks: 0.9, lines: timers({ lag: split(99) }) }), []);
	assert.deepEqual(codes({ busyBetweenBlocks: 0.9, lines: timers({ wait: split(3001) }) }), []);
	const delays = [delay({ op: 'setInterval', count: 4, totalMs: 225 })];
	const blocks = [block({ line: 8, delayed: 4, delayedMs: 225, delays })];
	const [blocked] = findingsOf(foundIn(facts({ lines: timers({}), blocks })));
	assert.equal(
		blocked?.effects[0]?.message,
		'setInterval at main.js:3 fired 10 times, 30 ms late on average (300 ms at most) because the event loop was busy. Blocks of 50 ms and more account for 75 % of it.',
	);
});

test('timers-late: names the code that blocked the loop, also where that is no finding of its own', () => {
	const lines = [line({ class: 'timer', op: 'setInterval', count: 10, wait: split(400), lag: split(110) })];
	const delays = [delay({ op: 'setInterval', count: 4, totalMs: 90 })];
	const blocks = [
		block({ delayed: 4, delayedMs: 90, delays, culprits: [culprit({ line: 8, function: 'handle' })], isSampled: true }),
	];
	const found = findingsOf(foundIn(facts({ lines, blocks })));
	assert.deepEqual(
		found.map(({ code, effects }) => [code, effects.length]),
		[['timers-late', 0]],
	);
	assert.match(found[0]!.message, / account for 82 % of it\. Most of that: handle at main\.js:8\.$/);
});

test('leaked-connection: for a second nobody gives one back, and nothing is asked over some', () => {
	const libraries = (name: string) => [{ file: `/app/node_modules/${name}/index.js`, line: 1 }];
	const waiting = line({
		class: 'other',
		op: 'pool connection',
		count: 2,
		pending: 3,
		libraries: libraries('pg-pool'),
	});
	const query = line({ class: 'kernel', op: 'net.Socket.write', line: 4, libraries: libraries('pg') });
	const use = { file: '/app/main.js', line: 4, op: 'net.Socket.write', library: 'pg', quietMs: 1000, isUnread: false };
	const leak = { lines: [waiting, query], ageMs: () => 1000, connectionUses: [use, use] };
	assert.deepEqual(messages(leak), [
		'main.js:3 has been waiting for a free connection for 1 s (waiting: 3), and none was given back meanwhile. Idle connections: 2, last used at main.js:4.',
	]);
	assert.deepEqual(codes({ ...leak, ageMs: () => 999 }), []);
	assert.deepEqual(codes({ ...leak, lines: [{ ...waiting, pending: 0 }, query] }), []);
	assert.deepEqual(codes({ ...leak, lines: [waiting, { ...query, pending: 1 }] }), [], 'the database is slow');
	assert.deepEqual(codes({ ...leak, connectionUses: [{ ...use, quietMs: 999 }] }), []);
	assert.deepEqual(codes({ ...leak, connectionUses: [{ ...use, library: 'redis' }] }), [], 'of another pool');
});

test('leaked-connection: of a pool that has no client of its own', () => {
	const libraries = [{ file: '/app/node_modules/generic-pool/lib/Queue.js', line: 23 }];
	const found = (library: string, values: Partial<ProcessFacts> = {}) => {
		const waits = line({ class: 'other', op: 'pool connection', pending: 3, libraries });
		const use = { file: '/app/main.js', line: 4, op: 'net.Socket.write', library, quietMs: 1000, isUnread: false };
		return codes({ ageMs: () => 1000, connectionUses: [use], ...values, lines: [waits, ...(values.lines ?? [])] });
	};
	assert.deepEqual(found(''), ['leaked-connection'], 'sockets of the program');
	assert.deepEqual(found('thrift'), ['leaked-connection']);
	assert.deepEqual(found('pg'), [], 'has a pool of its own');
	const asking = line({ class: 'kernel', op: 'net.Socket.write', line: 4, pending: 1 });
	assert.deepEqual(found('', { lines: [asking] }), [], 'the server is slow');
	assert.deepEqual(found('', { lines: [{ ...asking, op: 'fs.watch' }] }), ['leaked-connection']);
	const elsewhere = {
		file: '/app/metrics.js',
		line: 4,
		op: 'net.Socket.write',
		library: '',
		quietMs: 1000,
		isUnread: false,
	};
	assert.deepEqual(found('', { connectionUses: [elsewhere] }), []);
});

test('leaked-connection: sockets of an HTTP agent, and the connection of a client of undici’s, whose responses are not read', () => {
	const waits = line({ class: 'other', op: 'agent socket', pending: 3 });
	const ahead = line({ class: 'kernel', op: 'http.get', line: 4 });
	const unread = { file: '/app/main.js', line: 4, op: 'http.get', library: 'axios', quietMs: 1000, isUnread: true };
	const leak = { lines: [waits, ahead], ageMs: () => 1000, connectionUses: [unread, unread] };
	assert.deepEqual(messages(leak), [
		'main.js:3 has been waiting for a free socket of its HTTP agent for 1 s (waiting: 3), and none was given back meanwhile. Responses that have not been read to their end: 2, requested at main.js:4.',
	]);
	const [finding] = findingsOf(foundIn(facts(leak)));
	assert.deepEqual(finding!.evidence, { waiting: 3, waitedMs: 1000, quiet: 2, unread: 2 });
	assert.deepEqual(codes({ ...leak, lines: [waits, { ...ahead, pending: 1 }] }), [], 'the server is slow');
	assert.deepEqual(codes({ ...leak, connectionUses: [{ ...unread, op: 'fetch' }] }), [], 'of no agent');

	const libraries = [{ file: '/app/node_modules/undici/lib/client.js', line: 1 }];
	const behind = line({ class: 'other', op: 'connection queue', pending: 3, libraries });
	const request = { ...unread, op: 'undici request', library: 'undici' };
	const ofClient = { ...leak, lines: [behind], connectionUses: [request] };
	assert.deepEqual(codes(ofClient), ['leaked-connection']);
	const ofPg = { ...behind, libraries: [{ file: '/app/node_modules/pg/lib/client.js', line: 1 }] };
	assert.deepEqual(codes({ ...ofClient, lines: [ofPg], connectionUses: [{ ...request, library: 'pg' }] }), []);
});

test('leaked-connection: of knex, where nothing shows which line waits', () => {
	const waiting = line({
		class: 'other',
		op: 'pool connection',
		file: '/app/node_modules/tarn/dist/Pool.js',
		line: 116,
		pending: 3,
		callers: [{ file: '/app/main.js', line: 14, op: 'setTimeout', count: 3 }],
	});
	const use = { file: '/app/main.js', line: 10, op: 'net.Socket.write', library: 'pg', quietMs: 1000, isUnread: false };
	const leak = { lines: [waiting], ageMs: () => 1000, connectionUses: [use, use] };
	const [found] = findingsOf(foundIn(facts(leak)));
	assert.deepEqual([found?.code, found?.file, found?.line], ['leaked-connection', '/app/main.js', 14]);
	assert.equal(
		found?.message,
		'Pool.js:116 (tarn), behind main.js:14, has been waiting for a free connection for 1 s (waiting: 3), and none was given back meanwhile. Idle connections: 2, last used at main.js:10.',
	);
	assert.deepEqual(codes({ ...leak, connectionUses: [{ ...use, library: 'redis' }] }), [], 'no client of knex');
});

test('too-few-connections: lines that wait for one about as long as for the answer to what they then send over it', () => {
	const connection = (values: Partial<Line>) =>
		line({ class: 'other', op: 'pool connection', count: 8, maxInFlight: 6, wait: split(400), ...values });
	const query = (totalMs: number, at = 3) =>
		line({ class: 'kernel', op: 'net.Socket.write', line: at, count: 10, wait: split(totalMs) });
	assert.deepEqual(messages({ lines: [connection({}), query(399)] }), [
		'main.js:3 waited for a free connection 8 times, 400 ms in total (longest 400 ms), up to 6 at a time. The requests themselves took 399 ms.',
	]);
	assert.deepEqual(codes({ lines: [connection({}), query(599)] }), ['too-few-connections']);
	assert.deepEqual(codes({ lines: [connection({}), query(601)] }), [], 'the database is what takes long');
	assert.deepEqual(messages({ lines: [connection({ count: 1, maxInFlight: 1 }), query(601, 4)] }), [
		'main.js:3 waited for a free connection once, for 400 ms.',
	]);
	assert.deepEqual(codes({ lines: [connection({ wait: split(99) })] }), []);
	assert.deepEqual(codes({ lines: [connection({ wait: { ...split(400), p95Ms: 49 } })] }), []);
	assert.deepEqual(codes({ lines: [connection({ wait: split(400, 'unknown') })] }), []);
	assert.deepEqual(codes({ lines: [connection({ op: 'connection queue' })] }), [], 'no pool has it');
});

test('too-few-connections: who had the connections meanwhile', () => {
	const libraries = (name: string) => [{ file: `/app/node_modules/${name}/index.js`, line: 1 }];
	const waits = line({
		class: 'other',
		op: 'pool connection',
		count: 8,
		maxInFlight: 6,
		wait: split(400),
		libraries: libraries('pg-pool'),
	});
	const query = line({
		class: 'kernel',
		op: 'net.Socket.write',
		line: 9,
		wait: split(900),
		libraries: libraries('pg'),
	});
	const holder = (at: number, usedMs: number, keptMs: number, library = 'pg') => ({
		file: '/app/main.js',
		line: at,
		op: 'net.Socket.write',
		library,
		behind: { file: '/app/main.js', line: 3 },
		usedMs,
		keptMs,
	});
	const found = (poolHolders: ProcessFacts['poolHolders'], lines: Line[] = [waits, query]) =>
		findingsOf(foundIn(facts({ lines, poolHolders })))[0]!;
	const said = (poolHolders: ProcessFacts['poolHolders'], lines?: Line[]) =>
		/ Meanwhile, .*$/.exec(found(poolHolders, lines).message)?.[0].trim() ?? '';
	assert.deepEqual(
		[said([]), found([]).cause, found([]).evidence],
		[
			'',
			null,
			{
				count: 8,
				pending: 0,
				waitMs: 400,
				waitP95Ms: 400,
				maxWaiting: 6,
				askedMs: 0,
				usedShare: null,
				keptShare: null,
			},
		],
	);
	const slow = found([holder(9, 600, 100), holder(12, 100, 200)]);
	assert.deepEqual(slow.cause, { file: '/app/main.js', line: 9, name: 'net.Socket.write', api: null });
	assert.match(slow.message, / Meanwhile, net\.Socket\.write at main\.js:9 took 60 % of the connections’ time\.$/);
	assert.equal(
		said([holder(9, 100, 800), holder(12, 100, 0)]),
		'Meanwhile, connections that net.Socket.write at main.js:9 had used last were kept without a request for 80 % of their time.',
	);
	assert.equal(
		said([holder(3, 900, 100)]),
		'Meanwhile, other requests of this line took 90 % of the connections’ time.',
	);
	assert.equal(found([holder(3, 900, 100)]).cause, null);
	assert.equal(
		said([holder(9, 400, 0), holder(12, 390, 0), holder(14, 210, 0)]),
		'Meanwhile, net.Socket.write at main.js:9 took 40 % of the connections’ time.',
	);
	assert.equal(said([holder(9, 390, 0), holder(12, 390, 0), holder(14, 220, 0)]), '', 'several lines');
	assert.equal(said([holder(9, 900, 0, 'redis')]), '', 'of another library');
	assert.equal(
		said([{ ...holder(9, 900, 0), behind: { file: '/app/main.js', line: 4 } }]),
		'',
		'others waited for these',
	);
	assert.equal(
		said([holder(9, 0, 900)], [waits, { ...query, sampledOf: 8 }]),
		'',
		'what was not recorded may have used them',
	);
});

test('agent-starved: requests that wait for a socket about as long as for their answer', () => {
	const waits = (values: Partial<Line>) =>
		line({ class: 'other', op: 'agent socket', count: 8, maxInFlight: 6, wait: split(400), ...values });
	const asked = (totalMs: number) =>
		line({ class: 'kernel', op: 'http.get', count: 10, maxInFlight: 2, wait: split(totalMs) });
	assert.deepEqual(messages({ lines: [waits({}), asked(399)] }), [
		'main.js:3 waited for a socket of its HTTP agent 8 times, 400 ms in total (longest 400 ms), up to 6 at a time. The requests themselves took 399 ms.',
	]);
	const [finding] = findingsOf(foundIn(facts({ lines: [waits({}), asked(399)] })));
	assert.deepEqual(finding!.evidence, {
		count: 8,
		pending: 0,
		waitMs: 400,
		waitP95Ms: 400,
		maxWaiting: 6,
		askedMs: 399,
		aheadMs: null,
		longestMs: null,
	});
	const ahead = (at: number, ms: number) => ({
		...{ file: '/app/main.js', line: at, op: 'http.get', ms, longestMs: 90 },
		behind: { file: '/app/main.js', line: 3, op: 'agent socket' },
	});
	const [held] = findingsOf(
		foundIn(facts({ lines: [waits({}), asked(399)], commandsAhead: [ahead(3, 150), ahead(7, 240)] })),
	);
	assert.match(
		held!.message,
		/ For 240 ms of that time, http\.get at main\.js:7 had the socket, up to 90 ms at a time\.$/,
	);
	assert.deepEqual(held!.cause, { file: '/app/main.js', line: 7, name: 'http.get', api: null });
	const own = { lines: [waits({}), asked(399)], commandsAhead: [ahead(3, 240)] };
	assert.match(messages(own)[0]!, / For 240 ms of that time, other requests of this line had the socket,/);
	const sampled = { ...own, lines: [waits({ sampledOf: 8 }), asked(399)] };
	assert.doesNotMatch(messages(sampled)[0]!, /had the socket/, 'what was not recorded may have had them');
	assert.deepEqual(codes({ lines: [waits({}), asked(601)] }), [], 'the server is what takes long');
	assert.deepEqual(codes({ lines: [waits({ wait: split(99) })] }), []);
	assert.deepEqual(codes({ lines: [waits({ wait: { ...split(400), p95Ms: 49 } })] }), []);
	assert.deepEqual(codes({ lines: [waits({ wait: split(400, 'unknown') })] }), []);
});

test('earlier-command: what waits for its turn behind what another line asked over the same connection', () => {
	const waits = (values: Partial<Line>) =>
		line({ class: 'other', op: 'earlier command', count: 8, maxInFlight: 6, wait: split(400), ...values });
	const asked = line({ class: 'kernel', op: 'net.Socket.write', count: 8, wait: split(399) });
	const ahead = (at: number, ms: number, op = 'earlier command') => ({
		file: '/app/main.js',
		line: at,
		op: 'net.Socket.write',
		behind: { file: '/app/main.js', line: 3, op },
		ms,
		longestMs: 90,
	});
	const behind = { lines: [waits({}), asked], commandsAhead: [ahead(3, 150), ahead(7, 200)] };
	const [finding] = findingsOf(foundIn(facts(behind)));
	assert.equal(
		finding?.message,
		'main.js:3 waited for its turn on a connection 8 times, 400 ms in total (longest 400 ms), up to 6 at a time. The requests themselves took 399 ms. For 200 ms of that time, net.Socket.write at main.js:7 had the connection, up to 90 ms at a time.',
	);
	assert.deepEqual(finding.cause, { file: '/app/main.js', line: 7, name: 'net.Socket.write', api: null });
	assert.deepEqual(finding.evidence, {
		count: 8,
		pending: 0,
		waitMs: 400,
		waitP95Ms: 400,
		aheadMs: 200,
		longestMs: 90,
		unansweredMs: 0,
	});
	assert.deepEqual(codes({ ...behind, commandsAhead: [ahead(7, 199)] }), [], 'who was ahead is not known');
	assert.deepEqual(codes({ ...behind, commandsAhead: [ahead(7, 200), ahead(3, 201)] }), [], 'many at once');
	assert.deepEqual(codes({ ...behind, commandsAhead: [] }), []);
	assert.deepEqual(codes({ ...behind, lines: [waits({}), { ...asked, wait: split(601) }] }), [], 'the server is slow');
	const queries = { lines: [waits({ op: 'connection queue' })], commandsAhead: [ahead(3, 400, 'connection queue')] };
	const [alone] = findingsOf(foundIn(facts(queries)));
	assert.match(
		alone!.message,
		/\. For 400 ms of that time, other commands of this line had the connection, up to 90 ms at a time\.$/,
	);
	assert.equal(alone!.cause, null);
	assert.deepEqual(codes({ ...queries, commandsAhead: [ahead(3, 400)] }), [], 'of waits of another kind');
});

test('earlier-command: what waits behind a command that has no answer yet, and may never have one', () => {
	const waits = line({ class: 'other', op: 'earlier command', count: 0, pending: 2, wait: null });
	const unanswered = (at: number) => ({
		file: '/app/main.js',
		line: at,
		op: 'net.Socket.write',
		behind: { file: '/app/main.js', line: 3 },
		ms: 3500,
		firstMs: 2000,
		sinceMs: 2500,
	});
	const [finding] = findingsOf(foundIn(facts({ lines: [waits], unanswered: [unanswered(7)] })));
	assert.equal(
		finding?.message,
		'main.js:3 has been waiting for its turn on a connection for 2 s (waiting: 2): net.Socket.write at main.js:7, sent 2.5 s ago, has no answer yet.',
	);
	assert.deepEqual(finding.cause, { file: '/app/main.js', line: 7, name: 'net.Socket.write', api: null });
	assert.deepEqual(finding.evidence, {
		count: 0,
		pending: 2,
		waitMs: 3500,
		waitP95Ms: 2000,
		aheadMs: 3500,
		longestMs: 2500,
		unansweredMs: 2500,
	});
	assert.deepEqual(codes({ lines: [waits], unanswered: [unanswered(3)] }), [], 'a server that answers nothing');
	// The same line waited before, too: one finding.
	const both = { ...waits, count: 8, wait: split(400) };
	const ahead = { ...unanswered(7), behind: { ...unanswered(7).behind, op: 'earlier command' }, longestMs: 90 };
	assert.deepEqual(codes({ lines: [both], unanswered: [unanswered(7)], commandsAhead: [ahead] }), ['earlier-command']);
});

test('slow-reader: writes that wait for the other end', () => {
	const writes = (values: Partial<Line>) =>
		line({ class: 'kernel', op: 'reader', count: 8, wallMs: 1000, wait: split(400), ...values });
	assert.deepEqual(messages({ lines: [writes({})] }), [
		'8 writes of main.js:3 waited 400 ms in total until the other end had read what was sent before (one in twenty took 400 ms or longer). For 10 % of the time, at least one was waiting.',
	]);
	assert.deepEqual(codes({ lines: [writes({ wait: split(99) })] }), []);
	assert.deepEqual(codes({ lines: [writes({ wait: { ...split(400), p95Ms: 49 } })] }), []);
	assert.deepEqual(codes({ lines: [writes({ wait: split(400, 'unknown') })] }), []);
	assert.deepEqual(codes({ lines: [writes({ op: 'net.Socket.write' })] }), []);
	assert.deepEqual(codes({ lines: [writes({ lag: split(200) })] }), ['slow-reader']);
	assert.deepEqual(codes({ lines: [writes({ lag: split(201) })] }), [], 'a busy loop notices late that it was read');
	const lag = { ...split(150), range: { low: split(100), high: split(201) } };
	assert.deepEqual(codes({ lines: [writes({ lag })] }), [], 'and so it may have been');
});

test('requests-blocked: requests that wait for many callbacks too short for a block, of their own line or another one', () => {
	const blocked = (ms: number, values: Partial<RequestPart> = {}): RequestPart => ({
		...step('blocked', ms, { line: 3 }),
		count: 20,
		times: 20,
		...values,
	});
	const server = line({ op: 'http.Server request', class: 'kernel', count: 40, run: { ...split(400), p50Ms: 10 } });
	// Twenty requests of 40 ms.
	const routes = (...parts: RequestPart[]) => [route({ count: 20, duration: split(800), parts })];
	const find = (values: Partial<ProcessFacts>) => findingsOf(foundIn(facts({ lines: [server], ...values })));
	const [finding] = find({ routes: routes(blocked(200)) });
	assert.equal(
		finding?.message,
		'20 requests waited at least 200 ms in total, 25 % of their time, for callbacks of http.Server request at main.js:3 that were each too short to count as a block. Half of these ran for 10 ms or less.',
	);
	assert.deepEqual(finding.evidence, { requests: 20, blockedMs: 200, share: 0.25, runP50Ms: 10 });
	assert.deepEqual([finding.line, finding.lostMs, finding.victim], [3, 200, null]);
	assert.deepEqual(find({ routes: routes(blocked(199)) }), [], 'less than a quarter of their time');
	assert.deepEqual(find({ routes: routes(blocked(200, { leastMs: 199 })) }), [], 'it is not certain');
	assert.deepEqual(find({ routes: routes(blocked(200, { count: 21 })) }), [], 'less than 10 ms each');
	assert.deepEqual(find({ routes: routes(blocked(200, { count: 4 })) }), [], 'four are chance');
	assert.deepEqual(find({ routes: routes(blocked(200, { line: 5 })) }), [], 'how long the callbacks ran is not known');
	assert.deepEqual(find({ routes: routes({ ...blocked(200), kind: 'wait' }) }), []);
	const quick = { ...server, run: { ...server.run!, p50Ms: 1.9 } };
	assert.deepEqual(find({ routes: routes(blocked(200)), lines: [quick] }), [], 'the callbacks hardly compute');
	const [twice] = find({ routes: routes(blocked(100), blocked(100, { op: 'fetch', count: 5 })) });
	assert.deepEqual(twice?.evidence, { requests: 20, blockedMs: 200, share: 0.25, runP50Ms: 10 }, 'the same requests');
	// Another route is blocked by it as well, and more.
	const other = route({ line: 8, count: 20, duration: split(800), parts: [blocked(400)] });
	const [both, ...more] = find({ routes: [...routes(blocked(200)), other] });
	assert.deepEqual(more, []);
	assert.deepEqual([both?.line, both?.lostMs, both?.victim?.line], [3, 600, 8]);
	// What blocks of that line took has a finding of its own.
	const delays = [delay({ op: 'http.Server request', count: 5, totalMs: 100 })];
	const [less] = find({ routes: routes(blocked(300)), blocks: [block({ line: 3, delays })] });
	assert.equal(less?.code === 'requests-blocked' && less.evidence.blockedMs, 200);
	assert.equal(find({ routes: routes(blocked(300)), blocks: [block({ line: 9, delays })] })[0]?.lostMs, 300);
});

const NOTHING_CERTAIN = { loop: null, together: null, isChained: false, ways: 0, asksForOthers: false, atOnce: null };

test('n-plus-one: a line that asks again and again for one request', () => {
	const asks = (times: number, ms: number, values: Partial<RequestPart> = {}): RequestPart => ({
		...step('wait', ms, { class: 'kernel', op: 'fetch' }),
		count: 10,
		times,
		...values,
	});
	// Ten requests of 100 ms.
	const routes = (...parts: RequestPart[]) => [route({ count: 10, duration: split(1000), parts })];
	const [finding] = findingsOf(foundIn(facts({ routes: routes(asks(50, 500)) })));
	assert.equal(
		finding?.message,
		'On average, each of 10 requests of http.Server request at main.js:3 waited 5 times for fetch at main.js:9, one after the other. That took 500 ms in total, 50 % of the requests’ time. One query for all would save up to 400 ms.',
	);
	assert.deepEqual([finding.line, finding.basis, finding.lostMs, finding.savesMs], [9, 'measured', 400, 400]);
	assert.deepEqual(finding.evidence, { requests: 10, times: 50, perRequest: 5, waitMs: 500, share: 0.5 });
	const run = { ...step('run', 50, { op: 'fetch' }), count: 10, times: 50 };
	assert.equal(findingsOf(foundIn(facts({ routes: routes(asks(50, 500), run) })))[0]?.savesMs, 440);
	assert.deepEqual(codes({ routes: routes(asks(49, 500)) }), []);
	assert.deepEqual(codes({ routes: routes(asks(50, 199)) }), [], 'less than a fifth of the time');
	assert.deepEqual(codes({ routes: [route({ duration: split(200), parts: [asks(50, 99)] })] }), []);
	assert.deepEqual(codes({ routes: routes(asks(50, 500, { class: 'timer', op: 'setTimeout' })) }), []);
	assert.deepEqual(codes({ routes: routes(asks(50, 500, { kind: 'run' })) }), []);
	assert.deepEqual(codes({ routes: routes(asks(50, 500, { op: 'reader' })) }), [], 'who reads was asked nothing');
	assert.deepEqual(codes({ routes: routes(asks(50, 500, { file: null, line: null })) }), []);
	const ofLibrary = asks(50, 500, { file: '/app/node_modules/mysql2/lib/base/connection.js' });
	assert.deepEqual(codes({ routes: routes(ofLibrary) }), [], 'how a connection begins, which nobody asked for');
	const wide = asks(50, 500, { leastMs: 480, mostMs: 520 });
	const [within] = findingsOf(foundIn(facts({ routes: routes(wide) })));
	assert.deepEqual([within?.basis, within?.lostMs, within?.savesMs], ['estimated', 400, 416]);
	assert.deepEqual(within?.ranges, [
		{ figure: 'waitMs', lowMs: 480, highMs: 520 },
		{ figure: 'lostMs', lowMs: 384, highMs: 416 },
	]);
	assert.match(within!.message, / One query for all would save up to 416 ms\.$/, 'an upper limit');
	const asking = line({ class: 'kernel', op: 'fetch', line: 9, count: 50 });
	const isChained = (is: boolean) => ({
		routes: routes(asks(50, 500)),
		lines: [asking],
		awaits: () => ({ ...NOTHING_CERTAIN, isChained: is }),
	});
	assert.deepEqual(codes(isChained(false)), ['n-plus-one']);
	assert.deepEqual(codes(isChained(true)), [], 'page after page: no question can ask for all');
	const inWays = (ways: number) => ({
		...isChained(false),
		awaits: () => ({ ...NOTHING_CERTAIN, ways }),
	});
	assert.deepEqual(codes(inWays(4)), ['n-plus-one']);
	assert.deepEqual(codes(inWays(5)), [], 'five lines ask something else each, through one function');
	const forOthers = { ...isChained(false), awaits: () => ({ ...NOTHING_CERTAIN, ways: 1, asksForOthers: true }) };
	const [maybe] = findingsOf(foundIn(facts(forOthers)));
	assert.match(
		maybe!.message,
		/ 500 ms in total, 50 % of the requests’ time\. Where its callers ask the same about several items, one query for all would save up to 400 ms\.$/,
	);
	assert.deepEqual([maybe!.lostMs, maybe!.savesMs], [400, null], 'other scripts may ask for different things');
});

const awaited = (at: number, values: Partial<Line> = {}) =>
	line({ class: 'kernel', op: 'fetch', line: at, count: 4, wait: split(400), ...values });

test('awaits-together: what all but the longest await of a row took', () => {
	const row = [3, 4, 5].map((at) => ({ file: '/app/main.js', line: at }));
	const awaits = ({ line: at }: Line) => ({
		...NOTHING_CERTAIN,
		together: at > 5 ? null : { awaits: row, index: at - 3 },
	});
	const lines = [
		awaited(3),
		awaited(4, { wait: split(900), lag: split(100) }),
		awaited(5, { wait: split(50) }),
		awaited(6),
	];
	const [finding, ...others] = findingsOf(foundIn(facts({ awaits, lines })));
	assert.deepEqual(others, []);
	assert.deepEqual([finding?.code, finding?.line, finding?.savesMs], ['awaits-together', 3, 450]);
	assert.deepEqual(finding?.evidence, { awaits: 3, count: 4, waitMs: 1250, longestMs: 800 });
	assert.equal(
		finding.message,
		'The awaits at main.js:3, main.js:4, main.js:5 ran 4 times one after the other, though none uses another’s result: 1.25 s in total, 800 ms of it for the longest. Together they would save up to 450 ms.',
	);
	const found = (...own: Line[]) => codes({ awaits, lines: own });
	assert.deepEqual(found(awaited(3), awaited(4, { count: 5 })), [], 'one also ran without the other');
	assert.deepEqual(found(awaited(3), awaited(4, { wait: split(99) })), [], 'too little');
	assert.deepEqual(found(awaited(3), awaited(4, { class: 'timer' })), [], 'a pause');
	assert.deepEqual(found(awaited(3), awaited(4, { sampledOf: 2 })), [], 'not all are timed');
	assert.deepEqual(found(awaited(3), awaited(4, { wait: split(400, 'unknown') })), []);
	assert.deepEqual(
		found(awaited(3), awaited(3, { op: 'dns.lookup', wait: split(300) })),
		[],
		'a part of the same await',
	);
	const hash = { class: 'threadpool', op: 'fs.readFile', wait: split(900), execute: split(900) } as const;
	const [pooled] = findingsOf(foundIn(facts({ awaits, poolSize: 1, lines: [awaited(3, hash), awaited(4, hash)] })));
	assert.equal(pooled, undefined, 'one thread does one after the other');
});

test('serial-loop: what all but one item of each loop took', () => {
	const loop = [{ file: '/app/main.js', from: 2, to: 6 }];
	const awaits = ({ line: at }: Line) => (at <= 6 ? { ...NOTHING_CERTAIN, loop } : null);
	const caller = (at: number, count: number, op = 'fetch') => ({ file: '/app/main.js', line: at, op, count });
	const item = (values: Partial<Line> = {}) => {
		const callers = [caller(3, 18), caller(1, 1), caller(3, 1, '')];
		return awaited(3, { count: 20, wait: { ...split(1000), p95Ms: 60 }, callers, ...values });
	};
	const [finding] = findingsOf(foundIn(facts({ awaits, lines: [item(), awaited(9)] })));
	assert.deepEqual([finding?.code, finding?.line, finding?.savesMs], ['serial-loop', 3, 880]);
	assert.deepEqual(finding?.evidence, { items: 20, loops: 2, lines: 1, waitMs: 1000 });
	assert.equal(
		finding.message,
		'A loop waited for 20 calls of fetch at main.js:3 one after the other, 1 s in total, though no item depends on another (2 loops). All at once would save up to 880 ms.',
	);
	const far = [{ file: '/app/main.js', from: 40, to: 42 }, ...loop];
	assert.match(
		messages({ awaits: () => ({ ...NOTHING_CERTAIN, loop: far }), lines: [item()] })[0]!,
		/^A loop at main\.js:40 waited for 20 calls of fetch at main\.js:3 /,
	);
	const second = awaited(5, { count: 20, wait: { ...split(500), p95Ms: 30 }, callers: [caller(3, 20)] });
	const [both, ...others] = findingsOf(foundIn(facts({ awaits, lines: [item(), second] })));
	assert.deepEqual([both?.savesMs, others], [1500 - 120 - 60, []], 'two awaits of one loop are one finding');
	assert.match(
		both!.message,
		/ calls of fetch at main\.js:3, and of other lines, one after the other, 1\.5 s in total, /,
	);
	assert.equal((both!.evidence as { lines?: number }).lines, 2);
	const callers = [caller(3, 14), caller(1, 6)];
	assert.deepEqual(codes({ awaits, lines: [item({ callers })] }), [], 'loops of three items');
	assert.deepEqual(codes({ awaits, lines: [item({ wait: { ...split(219), p95Ms: 60 } })] }), [], 'too little');
	assert.deepEqual(codes({ awaits, lines: [item({ class: 'timer' })] }), []);
	const pooled = item({ class: 'threadpool', execute: split(1000) });
	assert.equal(findingsOf(foundIn(facts({ awaits, lines: [pooled] })))[0]?.savesMs, 750, 'four threads');
});

test('unbounded-concurrency: more at once than what serves them, by class', () => {
	const many = (values: Partial<Line>) => [
		line({ count: 500, maxInFlight: 64, wait: split(900), queue: split(100), execute: split(800), ...values }),
	];
	assert.deepEqual(codes({ lines: many({}) }), ['unbounded-concurrency']);
	const [finding] = findingsOf(foundIn(facts({ lines: many({ queue: split(90_000), wallMs: 280 }) })));
	assert.equal(finding!.lostMs, 280, 'and not what they waited one by one');
	assert.deepEqual(codes({ lines: many({ maxInFlight: 63 }) }), []);
	assert.deepEqual(codes({ poolSize: 8, lines: many({ maxInFlight: 127 }) }), []);
	assert.deepEqual(codes({ lines: many({ queue: split(99) }) }), [], 'nobody waited for long');
	const callers = [{ file: '/app/main.js', line: 1, op: '', count: 500 }];
	const sockets = many({ class: 'kernel', op: 'fetch', maxInFlight: 256, queue: null, callers });
	assert.deepEqual(messages({ lines: sockets }), [
		'fetch at main.js:3 had 256 operations under way at once. One in twenty took 900 ms or longer.',
	]);
	const requests = many({ class: 'kernel', op: 'http.Server request', maxInFlight: 5000, queue: null });
	assert.deepEqual(codes({ lines: requests }), [], 'clients started these');
	assert.deepEqual(codes({ lines: many({ class: 'timer', maxInFlight: 50_000, queue: null }) }), []);
	assert.deepEqual(codes({ lines: many({ class: 'process', maxInFlight: 64, queue: null }) }), [
		'unbounded-concurrency',
	]);
});

test('the most time lost comes first, over all processes', () => {
	const one = facts({ pid: 1, blocks: [block({ line: 5, delayed: 1, delayedMs: 160 })], poolWanted: 8 });
	const other = facts({ pid: 2, pool: pool(5000), lines: [hashes] });
	assert.deepEqual(
		findingsOf([one, other].flatMap(foundIn)).map(({ pid, code }) => `${pid} ${code}`),
		['2 pool-saturated', '1 loop-blocked', '1 pool-size-too-late'],
	);
});
