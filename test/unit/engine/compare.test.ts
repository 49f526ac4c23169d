// Comparing two sessions: which line is which after edits, and when a line counts as slower. The truth is what the test made: the edits, and the
// distributions that it drew from.
import assert from 'node:assert/strict';
import test from 'node:test';
import { comparisonText } from '../../../src/cli/comparison-text.ts';
import type { PlacedLatency } from '../../../src/engine/compare/bands.ts';
import { type ComparedRun, compareRuns } from '../../../src/engine/compare/comparison.ts';
import { mapLines } from '../../../src/engine/compare/line-map.ts';
import { SessionModel } from '../../../src/engine/session-model.ts';
import { random } from '../../support/random.ts';
import { Story } from '../../support/story.ts';

const FILE = '/app/main.js';
const READ = { api: ['readFile', 'node:fs'] as [string, string] };

test('lines are found again after lines were inserted, removed and indented', () => {
	for (let seed = 1; seed <= 30; seed++) {
		const next = random(seed);
		// A third of the lines is the same text again and again, as braces are.
		const before = Array.from({ length: 200 }, (_, i) => (next() < 0.3 ? '}' : `line ${i}`));
		const after: string[] = [];
		const truth = new Map<number, number>();
		before.forEach((line, i) => {
			for (let more = next(); more < 0.1; more *= 2) after.push(`new ${i} ${more}`);
			if (next() < 0.1) return;
			after.push(`${next() < 0.2 ? '\t' : ''}${line}`);
			truth.set(i + 1, after.length);
		});
		const map = mapLines(before, after);
		for (const [old, now] of truth) {
			if (before[old - 1] !== '}') assert.equal(map[old], now, `seed ${seed}, line ${old}`);
		}
		const found = [...map].filter((now) => now > 0);
		assert.deepEqual(
			found,
			found.toSorted((a, b) => a - b),
			`seed ${seed}: the order stays`,
		);
		// One that was removed is none, or took the place of one that was inserted, or of a brace.
		const own = new Map([...truth].map(([old, now]) => [now, old]));
		for (const [old, now] of map.entries()) {
			const other = own.get(now);
			const isTaken = other !== undefined && other !== old && before[other - 1] !== '}';
			assert.ok(!isTaken, `seed ${seed}: line ${old} is not line ${now}`);
		}
	}
});

test('a line that was changed in its place is the same line, and a swap keeps one of both', () => {
	assert.deepEqual([...mapLines(['a', 'b(1)', 'c'], ['a', 'b(2)', 'c'])], [0, 1, 2, 3]);
	assert.deepEqual([...mapLines(['a', 'b', 'c'], ['c', 'x', 'y', 'z'])], [0, 0, 0, 1]);
	const swapped = [...mapLines(['top', 'a', 'b', 'end'], ['top', 'b', 'a', 'end'])];
	assert.equal(swapped.filter((now) => now > 0).length, 3);
	assert.deepEqual([...mapLines([], ['a'])], [0]);
});

/** A run with each line's waits in ms, by line number. */
function run(waits: Record<number, number[]>, text?: string): ComparedRun {
	const story = new Story();
	let op = 2;
	let now = 0;
	for (const [line, all] of Object.entries(waits)) {
		for (const wait of all) {
			story.start(op, 'FSREQCALLBACK', Number(line), now, READ).callback(op, now + wait, { idle: wait });
			now += wait + 1;
			op++;
		}
	}
	const session = new SessionModel();
	session.add('7.0.0.journal', story.model);
	const latencies = session.latencies(({ script, line }) => ({ file: script, line }));
	return { latencies, texts: new Map(text === undefined ? [] : [[FILE, text]]) };
}

/** Waits around `middle` ms, most within a fifth of it, some far above. */
function drawn(next: () => number, count: number, middle: number): number[] {
	return Array.from({ length: count }, () => middle * (0.8 + 0.4 * next() + (next() < 0.03 ? 3 * next() : 0)));
}

const verdicts = (...[before, after]: [ComparedRun[], ComparedRun[]]) =>
	Object.fromEntries(
		compareRuns(before, after).lines.map(({ verdict, after: now, before: old }) => [(now ?? old)!.line, verdict]),
	);

test('a line counts as slower when it is, and hardly ever when it is not', () => {
	let wrong = 0;
	for (let seed = 1; seed <= 40; seed++) {
		const next = random(seed);
		const draw = (middle: number) => drawn(next, 120, middle);
		const found = verdicts(
			[run({ 1: draw(10), 2: draw(10), 3: draw(10) })],
			[run({ 1: draw(10), 2: draw(14), 3: draw(7) })],
		);
		assert.deepEqual([found[2], found[3]], ['slower', 'faster'], `seed ${seed}`);
		if (found[1] !== 'same') wrong++;
	}
	assert.ok(wrong <= 2, `${wrong} of 40 lines that did not change count as changed`);
});

test('a few operations of one run show nothing; of several runs they do', () => {
	const few = (...waits: number[]) => run({ 1: waits });
	assert.deepEqual(verdicts([few(10, 11, 12)], [few(30, 31, 32)]), { 1: 'unclear' });
	assert.deepEqual(verdicts([few(10, 11), few(12, 12)], [few(30, 31), few(28, 29)]), { 1: 'slower' });
	// They differ by more from one another than from those before.
	assert.deepEqual(verdicts([few(10, 11), few(30, 31)], [few(29, 30), few(35, 35)]), { 1: 'same' });
});

test('lines are compared where they have moved to; what only one session has is new or gone', () => {
	const old = ['const a = 1;', 'read(a);', 'other();', 'gone();'].join('\n');
	const now = ['// A comment.', 'const a = 1;', '', 'read(a);', 'other(2);', 'more();', 'end();'].join('\n');
	const many = (wait: number) => Array<number>(20).fill(wait);
	const before = run({ 2: many(10), 3: many(5), 4: many(1) }, old);
	const { lines, runs } = compareRuns([before], [run({ 4: many(20), 5: many(5), 7: many(2) }, now)]);
	const texts = lines.map(({ verdict, before: a, after: b }) => `${a?.line ?? '-'} → ${b?.line ?? '-'} ${verdict}`);
	assert.deepEqual(texts, ['2 → 4 slower', '- → 7 new', '4 → - gone', '3 → 5 same']);
	assert.deepEqual(runs, { before: 1, after: 1 });
	assert.equal(lines[0]?.costMs, 200);

	const terminal = { columns: 70, hasColours: false };
	const shown = comparisonText(compareRuns([before], [run({ 4: many(20) }, now)]), terminal, false);
	assert.deepEqual(
		shown.split('\n').filter((line) => line.length > 70),
		[],
	);
	assert.match(shown, /Slower: 1 line\n {2}\S*main\.js:4 \(was line 2\) {2}fs\.readFile/);
	assert.match(shown, /p50 10 ms \(10 ms\) → 20 ms \(20 ms\), \+100 %/);
	assert.match(
		comparisonText(compareRuns([before], [before]), terminal, false),
		/no line got slower.*Not changed: 3 lines/s,
	);
});

test('files of another machine are found by their names, where these are unique', () => {
	const at = ({ latencies, texts }: ComparedRun, folder: string): ComparedRun => ({
		latencies: latencies.map((each): PlacedLatency => ({ ...each, file: each.file.replace('/app', folder) })),
		texts,
	});
	const one = run({ 1: Array<number>(20).fill(10) });
	assert.deepEqual(verdicts([at(one, 'C:\\work')], [one]), { 1: 'same' });
	const two = { latencies: [...one.latencies, ...at(one, '/app/sub').latencies], texts: one.texts };
	const lines = compareRuns([at(two, '/work')], [two]).lines.map(({ verdict }) => verdict);
	assert.deepEqual(lines, ['new', 'new', 'gone', 'gone']);
});
