// The density of lines over all of a recording, beside one that is worked out from the operations in the plainest way.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { LineStats } from '../../../src/engine/lines/line-stats.ts';
import { DensitySums, type SummedLine } from '../../../src/engine/timeline/timeline-density.ts';
import { random } from '../../support/random.ts';

/** Of a line, only which one it is matters. */
function lineNumber(number: number): LineStats {
	return { number, lane: null } as unknown as LineStats;
}

interface Operation {
	stats: LineStats;
	start: number;
	end: number;
}

/** For how long operations of that line were under way between these times, in µs. */
function busyBetween(operations: readonly Operation[], line: SummedLine, from: number, to: number): number {
	const own = operations.filter(({ stats }) => stats === line);
	return own.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)), 0);
}

function densityOf(operations: readonly Operation[]): DensitySums<string> {
	const density = new DensitySums<string>();
	for (const { stats, start, end } of operations) density.add('main', stats, start, end);
	return density;
}

function assertRight(operations: readonly Operation[]): void {
	const density = densityOf(operations);
	const { binUs, first, length } = density.bins;
	const all = density.bins.range(-Infinity, Infinity, Infinity);
	assert.ok(Math.min(...operations.map(({ start }) => start)) >= first * binUs);
	assert.ok(Math.max(...operations.map(({ end }) => end)) < (first + length) * binUs);
	for (const { stats, count, bins } of density.lanes) {
		const own = operations.filter((each) => each.stats === stats);
		assert.equal(count, own.length);
		// As they are kept, and put together as for a chart of another width.
		for (const range of [all, density.bins.range(-Infinity, Infinity, 7)]) {
			const busyUs = density.bins.sums(bins, range);
			const ends = density.bins.ends(bins, range);
			for (let bin = 0; bin < range.length; bin++) {
				const from = range.beganUs + bin * range.binUs;
				const to = from + range.binUs;
				const expected = busyBetween(operations, stats, from, to);
				assert.ok(
					Math.abs(busyUs[bin]! - expected) <= 1e-3 * range.binUs,
					`bin ${bin}: ${busyUs[bin]}, not ${expected}`,
				);
				const ended = own.filter(({ end }) => end >= from && end < to);
				assert.equal(ends.count[bin], ended.length);
				const longest = Math.max(0, ...ended.map(({ start, end }) => end - start));
				assert.ok(Math.abs(ends.longest[bin]! - longest) <= 1e-6 * longest);
			}
		}
	}
}

test('a day of operations has a bin for each part of it, its first second included', () => {
	const [a, b] = [lineNumber(1), lineNumber(2)];
	const day = 86_400e6;
	const operations = [
		{ stats: a, start: 5e9, end: 5e9 + 400 },
		{ stats: b, start: 5e9 + 1000, end: 5e9 + day / 2 },
		{ stats: a, start: 5e9 + day - 5000, end: 5e9 + day },
	];
	assertRight(operations);
	assert.ok(densityOf(operations).bins.length > 8192, 'no coarser than needed');
});

test('the order in which operations come does not matter, nor do times before all others', () => {
	for (let seed = 1; seed <= 20; seed++) {
		const next = random(seed);
		const lines = [1, 2, 3].map(lineNumber);
		const span = 10 ** (3 + 6 * next());
		const operations = Array.from({ length: 60 }, () => {
			const start = 1e9 + Math.floor(next() * span);
			return { stats: lines[Math.floor(next() * 3)]!, start, end: start + Math.floor(next() ** 4 * span) };
		});
		assertRight(operations);
	}
});

test('many lines have coarser bins, so that all of them take no more than 40 MB', () => {
	const density = new DensitySums<string>();
	const hour = 3_600e6;
	for (let number = 0; number < 1000; number++) {
		const start = number * 3e6;
		density.add('main', lineNumber(number), start, number === 999 ? hour : start + 1e6);
	}
	const cells = [...density.lanes].map(({ bins }) => bins.part.length);
	assert.ok(cells.reduce((sum, length) => sum + length, 0) * 28 <= 40 * 2 ** 20, `${cells.length} × ${cells[0]}`);
	const range = density.bins.range(-Infinity, Infinity, 60);
	const busyUs = [...density.lanes].map(({ bins }) => density.bins.sums(bins, range).reduce((sum, us) => sum + us, 0));
	assert.ok(busyUs.slice(0, 999).every((us) => Math.abs(us - 1e6) < 1));
});

test('a thousand and one lines take the memory of a thousand', () => {
	const operations = Array.from({ length: 1001 }, (_, number) => ({ stats: lineNumber(number), start: 0, end: 10 }));
	assert.equal([...densityOf(operations).lanes].length, 1000);
});
