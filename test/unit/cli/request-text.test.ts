// What the time of a request went to, in words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotatedReport } from '../../../src/cli/annotated-report.ts';
import type { RequestPart } from '../../../src/protocol/report.ts';
import { stepTexts, typicalDuration, unansweredTexts } from '../../../src/protocol/request-text.ts';
import { line, process, report, route, split, step } from '../../support/report-values.ts';

const WORDS = {
	stepWait: '{0} {1} at {2}',
	stepArrival: '{0} for the rest',
	stepBlocked: '{0} blocked by {1}',
	stepBlockedElsewhere: '{0} blocked by others',
	stepRun: '{0} own code',
	stepUnknown: '{0} unknown',
};

function textsOf(steps: ReturnType<typeof step>[]): string[] {
	const durationMs = steps.reduce((sum, { ms }) => sum + ms, 0);
	const typical = { pid: 1, threadId: 0, startMs: 0, durationMs, leastMs: durationMs, mostMs: durationMs, steps };
	return stepTexts({ typical, op: 'http.Server request' }, WORDS, (file, at) => `${file.slice(5)}:${at}`);
}

test('steps of one kind and line are one, all of its own code is one, and the longest comes first', () => {
	const steps = [
		step('run', 1),
		step('wait', 4),
		step('run', 3, { line: 12 }),
		step('blocked', 9, { line: 55 }),
		step('wait', 8),
		step('unknown', 2, { file: null, line: null }),
	];
	assert.deepEqual(textsOf(steps), [
		'12 ms fetch at main.js:9',
		'9 ms blocked by main.js:55',
		'4 ms own code',
		'2 ms unknown',
	]);
});

test('the wait for the body of the request itself was one for another request on its line', () => {
	const steps = [step('wait', 30, { op: 'http.Server request', line: 6 }), step('run', 4)];
	assert.deepEqual(textsOf(steps), ['30 ms for the rest', '4 ms own code']);
});

test('a request that may have arrived earlier took a range, so that no part of it exceeds the whole', () => {
	const steps = [step('blocked', 6, { leastMs: 2, mostMs: 16 }), step('run', 1)];
	const typical = { pid: 1, threadId: 0, startMs: 0, durationMs: 7, leastMs: 3, mostMs: 17, steps };
	assert.equal(typicalDuration({ typical }), '3–17 ms');
});

test('what is known within limits is a range, and what takes hardly any time is left out', () => {
	const steps = [
		step('wait', 50, { leastMs: 20, mostMs: 80 }),
		step('run', 0.2),
		step('blocked', 50, { file: null, line: null }),
	];
	assert.deepEqual(textsOf(steps), ['20–80 ms fetch at main.js:9', '50 ms blocked by others']);
});

test('requests without an answer are counted, with the age of the oldest as far as its thread was recorded', () => {
	const words = { unanswered: '{0} unanswered', oldest: 'oldest {0}', closedEarly: '{0} closed' };
	const threads = [process({ pid: 1, durationMs: 20_000 }), process({ pid: 2, durationMs: 99_000 })];
	const textsOf = (pending: number, pid: number | null, closedEarly = 0) => {
		const oldestPending = pid === null ? null : { pid, threadId: 0, startMs: 8000 };
		return unansweredTexts({ pending, oldestPending, closedEarly }, threads, words).join(' · ');
	};
	assert.equal(textsOf(3, 1), '3 unanswered · oldest 12 s');
	assert.equal(textsOf(1, 3, 2), '1 unanswered · 2 closed', 'of a thread that is not in the report');
	assert.equal(textsOf(0, null), '');
});

test('the report in a terminal has a paragraph per route', () => {
	const steps = [step('wait', 12, { op: 'PostgreSQL' }), step('blocked', 9, { line: 55 }), step('run', 10)];
	const routes = [
		route({
			count: 200,
			pending: 2,
			oldestPending: { pid: 1, threadId: 0, startMs: 500 },
			closedEarly: 3,
			perSecond: 20,
			duration: { ...split(6200), p50Ms: 31, p95Ms: 80, maxMs: 120 },
			typical: { pid: 1, threadId: 0, startMs: 0, durationMs: 31, leastMs: 31, mostMs: 31, steps },
		}),
	];
	const text = annotatedReport(
		report({ processes: [process({})], requests: routes, lines: [line({ wait: split(1) })] }),
		{
			columns: 200,
			hasColours: false,
			isWhole: true,
		},
	);
	assert.match(
		text,
		/^ {2}\/app\/main\.js:3 {2}http\.Server request ×200 \(\+2 not answered, the oldest for 500 ms, \+3 closed early\) {2}p50 31 ms {2}p95 80 ms {2}max 120 ms {2}20\/s$/m,
	);
	assert.match(
		text,
		/^ {2}one near the median took 31 ms: 12 ms PostgreSQL at \/app\/main\.js:9, 10 ms own code, 9 ms blocked by \/app\/main\.js:55$/m,
	);
});

test('what blocked most requests of a route is shown even if one near the median was spared', () => {
	const part = (kind: RequestPart['kind'], ms: number, leastMs: number, mostMs: number): RequestPart => ({
		...step(kind, ms, { leastMs, mostMs }),
		count: 80,
		times: 80,
	});
	const textOf = (count: number, ...parts: RequestPart[]) => {
		const routes = [route({ count, duration: split(4800), parts })];
		return annotatedReport(report({ requests: routes }), { columns: 200, hasColours: false, isWhole: true });
	};
	const own = part('run', 1000, 1000, 1000);
	assert.match(
		textOf(80, own, part('blocked', 3200, 3000, 6000)),
		/^ {2}all together took 4\.8 s, 3–4\.8 s of it blocked by \/app\/main\.js:9$/m,
	);
	for (const [count, blocked] of [
		[1, part('blocked', 3200, 3000, 3600)],
		[80, part('blocked', 3200, 1100, 3600)],
		[80, part('blocked', 900, 900, 900)],
		[80, { ...part('blocked', 3200, 3000, 3600), file: null, line: null }],
	] as const) {
		assert.doesNotMatch(textOf(count, own, blocked), /all together/);
	}
});
