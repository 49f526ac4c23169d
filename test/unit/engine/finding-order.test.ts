// Which finding comes first, how much it matters, what belongs together, and what stays while a program runs.
import assert from 'node:assert/strict';
import test from 'node:test';
import { findingsOf } from '../../../src/engine/findings/findings.ts';
import type { Found } from '../../../src/engine/findings/ranking.ts';
import { severityOf } from '../../../src/engine/findings/severity.ts';
import { SteadyFindings } from '../../../src/engine/findings/steady-findings.ts';
import type { Finding } from '../../../src/protocol/report.ts';

/** Of a process of 10 s. */
function found(line: number, lostMs: number, values: Partial<Found['found']> = {}): Found {
	const evidence = { callbacks: 1, runMs: 1, longestRunMs: 1 };
	const about = { file: '/app/a.js', line, op: null, basis: 'measured', victim: null, cause: null, message: '' };
	const made = { code: 'sync-in-callback', evidence, ...about, lostMs, ...values } as Found['found'];
	return { pid: 1, durationMs: 10_000, found: made };
}

const lines = (findings: readonly Finding[]) => findings.map(({ line }) => line);

test('severity is by the share of the time, and leaves a level only below half of it', () => {
	assert.deepEqual(
		[0.0499, 0.05, 0.1999, 0.2, 30].map((share) => severityOf(share)),
		['low', 'medium', 'medium', 'high', 'high'],
	);
	assert.equal(severityOf(0.1, 'high'), 'high');
	assert.equal(severityOf(0.0999, 'high'), 'medium');
	assert.equal(severityOf(0.0249, 'high'), 'low');
	assert.equal(severityOf(0.025, 'medium'), 'medium');
	assert.equal(severityOf(0.1, 'low'), 'medium');
});

test('the gravest comes first, then what cost most; a process of no time has only low ones', () => {
	const short = { ...found(4, 600), durationMs: 1000 };
	const findings = findingsOf([found(1, 100), found(2, 900), found(3, 1900), short]);
	assert.deepEqual(lines(findings), [4, 3, 2, 1]);
	assert.deepEqual(
		findings.map(({ severity, lostMs, isPast }) => [severity, lostMs, isPast]),
		[
			['high', 600, false],
			['medium', 1900, false],
			['medium', 900, false],
			['low', 100, false],
		],
	);
	assert.equal(findingsOf([{ ...found(1, 5), durationMs: 0 }])[0]?.severity, 'low');
});

test('the same finding by two ways is one, that which cost most', () => {
	assert.deepEqual(
		findingsOf([found(1, 5), found(1, 9), found(1, 7)]).map(({ lostMs }) => lostMs),
		[9],
	);
});

test('findings with one cause are one entry', () => {
	const cause = { file: '/app/a.js', line: 1, name: 'build', api: null };
	const findings = findingsOf([
		found(1, 5),
		found(2, 50, { code: 'timers-late', cause }),
		found(3, 20, { code: 'loop-blocked', cause }),
		found(9, 1, { code: 'pool-size-too-late', file: null, line: null }),
		found(9, 2, { code: 'dns-starved', file: null, line: null }),
	]);
	assert.deepEqual(
		findings.map(({ code, effects }) => [code, effects.map((effect) => effect.code)]),
		[
			// Its cause may be a library's line: its own line is the user's.
			['loop-blocked', []],
			['sync-in-callback', ['timers-late']],
			['dns-starved', []],
			['pool-size-too-late', []],
		],
	);
	assert.ok(findings.every(({ effects }) => effects.every((effect) => effect.effects.length === 0)));
});

test('late timers are an effect of the code that blocked the loop, also where stack samples do not show it', () => {
	const victim = { file: '/app/a.js', line: 14, op: 'setInterval' };
	const late = (byBlocksMs: number) => {
		const evidence = {
			count: 9,
			lateMs: 900,
			meanLateMs: 100,
			p95LateMs: 200,
			maxLateMs: 200,
			byBlocksMs,
			ownRunMs: null,
			utilization: 1,
		};
		return found(14, 900, { code: 'timers-late', evidence });
	};
	const codesOf = (...all: Found[]) =>
		findingsOf(all).map(({ code, effects }) => [code, ...effects.map((effect) => effect.code)]);
	const blocked = found(11, 450, { code: 'loop-blocked', victim });
	assert.deepEqual(codesOf(late(450), blocked), [['loop-blocked', 'timers-late']]);
	assert.deepEqual(codesOf(late(449), blocked), [['timers-late'], ['loop-blocked']], 'something else fills the loop');
	const asGrave = found(11, 2100, { code: 'loop-blocked' });
	assert.deepEqual(codesOf({ ...late(449), durationMs: 1000 }, asGrave), [['loop-blocked'], ['timers-late']]);
	assert.deepEqual(codesOf(late(450), found(11, 450, { code: 'loop-blocked' })), [['timers-late'], ['loop-blocked']]);
});

test('while a program runs, a finding moves up only for a reason', () => {
	const steady = new SteadyFindings();
	const next = (...all: Found[]) => lines(findingsOf(all, steady));
	assert.deepEqual(next(found(1, 100), found(2, 90)), [1, 2]);
	assert.deepEqual(next(found(1, 100), found(2, 124)), [1, 2], 'less than a quarter more');
	assert.deepEqual(next(found(1, 100), found(2, 125)), [2, 1]);
	assert.deepEqual(next(found(1, 150), found(2, 125)), [2, 1]);
	assert.deepEqual(next(found(1, 100), found(2, 125), found(3, 110)), [2, 1, 3], 'a new one comes after its equals');
	assert.deepEqual(next(found(1, 100), found(2, 125), found(3, 499)), [3, 2, 1]);
	assert.deepEqual(next(found(1, 500), found(2, 125), found(3, 499)), [1, 3, 2], 'a graver one');
});

test('while a program runs, a finding that no longer holds stays with its last figures', () => {
	const steady = new SteadyFindings();
	findingsOf([found(1, 900), found(2, 600)], steady);
	const [first, second] = findingsOf([found(2, 700)], steady);
	assert.deepEqual([first!.line, first!.lostMs, first!.isPast], [1, 900, true]);
	assert.deepEqual([second!.line, second!.lostMs, second!.isPast], [2, 700, false]);
	const [again] = findingsOf([found(1, 950), found(2, 700)], steady);
	assert.deepEqual([again!.line, again!.lostMs, again!.isPast], [1, 950, false]);
	assert.deepEqual(lines(findingsOf([found(2, 700)])), [2], 'a recording has what its figures show');
});
