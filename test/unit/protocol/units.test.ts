// Durations as people read them.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Split } from '../../../src/protocol/report.ts';
import {
	counted,
	formatCount,
	formatFigure,
	formatMs,
	formatRange,
	formatShare,
	formatTotal,
} from '../../../src/protocol/units.ts';

test('three digits and the unit that fits', () => {
	const shown = [
		0, 0.0004, 0.001, 0.0126, 0.5, 0.9996, 1, 3.456, 10, 12.34, 99.96, 100, 999.4, 1000, 3061, 60_000, 119_499, 125_000,
	];
	assert.deepEqual(shown.map(formatMs), [
		'0',
		'0',
		'1 µs',
		'12.6 µs',
		'500 µs',
		'1 ms',
		'1 ms',
		'3.46 ms',
		'10 ms',
		'12.3 ms',
		'100 ms',
		'100 ms',
		'999 ms',
		'1 s',
		'3.06 s',
		'60 s',
		'119 s',
		'2 min 5 s',
	]);
});

test('a figure that is not measured is marked so', () => {
	const split = { totalMs: 5, p50Ms: 5, p95Ms: 5, maxMs: 5, range: null, uncertaintyMs: 2, atLeast: null };
	assert.equal(formatTotal({ ...split, basis: 'measured' }), '5 ms');
	assert.equal(formatTotal({ ...split, basis: 'estimated' }), '≈5 ms');
	assert.equal(formatTotal({ ...split, basis: 'unknown' }), '?');
	const atLeast = { totalMs: 927, p50Ms: 0, p95Ms: 300, maxMs: 400, unknown: 1 };
	const partly: Split = { ...split, basis: 'unknown', atLeast };
	assert.deepEqual(
		(['totalMs', 'maxMs', 'p95Ms', 'p50Ms'] as const).map((figure) => formatFigure(partly, figure)),
		['≥927 ms', '≥400 ms', '≥300 ms', '?'],
	);
	assert.equal(formatTotal({ ...partly, atLeast: { ...atLeast, totalMs: 0 } }), '?');
	assert.equal(formatTotal(null), '');
});

test('what is only known within limits is shown as a range, not as its middle', () => {
	assert.deepEqual(
		[
			[0, 96],
			[12.3, 96],
			[0.8, 1.2],
			[95, 100],
			[100, 100],
			[125_000, 190_000],
			[60_000, 2_528_000],
		].map(([low, high]) => formatRange(low!, high!)),
		['0–96 ms', '12.3–96 ms', '800 µs – 1.2 ms', '≈97.5 ms', '100 ms', '2 min 5 s – 3 min 10 s', '60 s – 42 min 8 s'],
	);
	const at = (totalMs: number) => ({ totalMs, p50Ms: totalMs / 2, p95Ms: totalMs, maxMs: totalMs });
	const split: Split = {
		...at(48),
		range: { low: at(0), high: at(96) },
		basis: 'estimated',
		uncertaintyMs: 48,
		atLeast: null,
	};
	assert.deepEqual([formatTotal(split), formatFigure(split, 'p50Ms')], ['0–96 ms', '0–48 ms']);
	const whole: Split = { ...at(200), range: null, basis: 'measured', uncertaintyMs: 0, atLeast: null };
	assert.equal(formatShare(split, whole), '0–48 %');
});

test('counts are written in groups of three digits', () => {
	assert.deepEqual([0, 7, 693, 1000, 23_792, 1_234_567].map(formatCount), [
		'0',
		'7',
		'693',
		'1,000',
		'23,792',
		'1,234,567',
	]);
});

test('counted things have their plural', () => {
	assert.deepEqual(
		[0, 1, 2, 1000].map((count) => counted(count, 'thread')),
		['0 threads', '1 thread', '2 threads', '1,000 threads'],
	);
});
