// What the suite concludes from the endings of Node's tests: each way in which it could blame the tracer wrongly, or spare it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TestFile } from './choose-files.ts';
import { again, type Endings, endings, type Result, type Verdict, verdictOf } from './compare.ts';
import { directivesOf } from './directives.ts';
import { faults } from './judge.ts';
import { MOST_KNOWN } from './known.ts';
import type { Arm, Ending } from './run-file.ts';
import { SAMPLE_SIZE, sampleOf } from './sample.ts';

const file: TestFile = { path: 'parallel/test-fs-stat.js', family: 'fs', alone: false };

function ending(passed: boolean): Ending {
	return { passed, how: passed ? 'exit 0' : 'exit 1', said: '', seconds: 0, traced: true };
}

/** A file that fails in the runs for which `fails` says so; `turn` counts the arm's runs from 0. */
function runOf(fails: (arm: Arm, turn: number) => boolean) {
	const turns: Record<Arm, number> = { bare: 0, empty: 0, tracer: 0 };
	return (arm: Arm) => Promise.resolve(ending(!fails(arm, turns[arm]++)));
}

function result(path: string, verdict: Verdict, traced = true): Result {
	const first: Endings = { bare: ending(true), empty: ending(true), tracer: { ...ending(verdict === 'same'), traced } };
	return { file: { ...file, path }, verdict, first, again: [] };
}

describe('one round of the three arms', () => {
	const cases: [what: string, failing: Arm[], verdict: Verdict, ran: Arm[]][] = [
		['nothing fails', [], 'same', ['bare', 'empty', 'tracer']],
		['the bare run fails', ['bare', 'empty', 'tracer'], 'bare', ['bare']],
		['an empty preload fails', ['empty', 'tracer'], 'preload', ['bare', 'empty']],
		['the tracer fails', ['tracer'], 'ours', ['bare', 'empty', 'tracer']],
	];
	for (const [what, failing, verdict, ran] of cases) {
		it(`says "${verdict}" when ${what}`, async () => {
			const round = await endings(runOf((arm) => failing.includes(arm)));
			assert.deepEqual([verdictOf(round), Object.keys(round)], [verdict, ran]);
		});
	}
});

describe('a file that failed with the tracer', () => {
	const first: Endings = { bare: ending(true), empty: ending(true), tracer: ending(false) };
	const cases: [what: string, fails: (arm: Arm, turn: number) => boolean, verdict: Verdict][] = [
		['fails with it each time', (arm) => arm === 'tracer', 'ours'],
		['fails with it one time in three', (arm, turn) => arm === 'tracer' && turn % 3 === 2, 'ours'],
		['passes by itself', () => false, 'flaky'],
		['fails once more in ten times', (arm, turn) => arm === 'tracer' && turn === 4, 'flaky'],
		[
			'fails with it one time in three, and once bare',
			(arm, turn) => (arm === 'tracer' ? turn % 3 === 2 : arm === 'bare' && turn === 2),
			'ours',
		],
		['fails bare as often', (arm, turn) => arm !== 'empty' && turn % 2 === 0, 'flaky'],
		['fails bare each time', (arm) => arm === 'bare', 'flaky'],
		['fails with an empty preload too', (arm, turn) => arm !== 'bare' && turn === 0, 'flaky'],
	];
	for (const [what, fails, verdict] of cases) {
		it(`is "${verdict}" when it ${what}`, async () => {
			assert.equal((await again(file, first, runOf(fails))).verdict, verdict);
		});
	}
});

describe('the list of known differences', () => {
	const known = [{ file: 'parallel/test-a.js', nodes: [18], reason: 'because' }];

	it('allows what is on it', () => {
		assert.deepEqual(faults(18, [result('parallel/test-a.js', 'ours')], known, false), []);
	});
	it('forbids what is not', () => {
		assert.match(faults(18, [result('parallel/test-b.js', 'ours')], known, false).join(), /test-b.*fails with it/);
		assert.match(faults(20, [result('parallel/test-a.js', 'ours')], known, false).join(), /test-a.*fails with it/);
	});
	it('is to lose what does not differ any more', () => {
		assert.match(faults(18, [result('parallel/test-a.js', 'same')], known, false).join(), /take it off the list/);
	});
	it('may keep what differs now and then', () => {
		const sometimes = known.map((entry) => ({ ...entry, sometimes: true as const }));
		for (const verdict of ['same', 'ours', 'flaky'] as const) {
			assert.deepEqual(faults(18, [result('parallel/test-a.js', verdict)], sometimes, false), []);
		}
	});
	it('is no longer than it may be', () => {
		const tooMany = MOST_KNOWN + 1;
		assert.match(
			faults(18, [], Array(tooMany).fill(known[0]), false).join(),
			new RegExp(`${tooMany} files are listed`),
		);
	});
	it('does not count what differs with any hook', () => {
		const byHook = { ...known[0]!, byAnyHook: true as const };
		assert.deepEqual(faults(18, [], Array(MOST_KNOWN + 1).fill(byHook), false), []);
	});
});

describe('a full run', () => {
	const many = (traced: boolean) =>
		Array.from({ length: 2600 }, (_, at) => result(`parallel/test-${at}.js`, 'same', traced));

	it('is good when enough files were compared', () => {
		assert.deepEqual(faults(18, many(true), [], true), []);
	});
	it('is none with fewer files', () => {
		assert.match(faults(18, many(true).slice(1), [], true).join(), /Only 2599 files/);
	});
	it('is none without the tracer', () => {
		assert.match(faults(18, many(false), [], true).join(), /2600 of 2600 files wrote no journal/);
	});
});

describe('the sample', () => {
	const files = Array.from({ length: 3000 }, (_, at): TestFile => {
		const family = at % 100 === 0 ? 'rare' : 'common';
		return { path: `parallel/test-${family}-${at}.js`, family, alone: false };
	});

	it('has its size, some of each family, and is the same each time', () => {
		const sample = sampleOf(files, []);
		assert.ok(Math.abs(sample.length - SAMPLE_SIZE) <= 2, `${sample.length} files`);
		assert.equal(sample.filter(({ family }) => family === 'rare').length, 2);
		assert.deepEqual(sampleOf(files, []), sample);
	});
	it('leaves known differences out', () => {
		const [left] = sampleOf(files, []);
		assert.ok(!sampleOf(files, [left!.path]).includes(left!));
	});
});

describe("what a file asks of Node's runner", () => {
	it('is read from its comments', () => {
		const source =
			"'use strict';\n// Flags: --expose-gc  --no-warnings\n// Env: TZ=Etc/UTC LANG=\nlet a;\n// Flags: --late\n";
		assert.deepEqual(directivesOf(source), {
			flags: ['--expose-gc', '--no-warnings'],
			env: { TZ: 'Etc/UTC', LANG: '' },
		});
	});
	it('is nothing without such', () => {
		assert.deepEqual(directivesOf('// Flags\n'), { flags: [], env: {} });
	});
});
