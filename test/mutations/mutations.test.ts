// The runner of the mutations sees what it is there for: readers with planted faults must turn it red, and each failure be found again.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { execute } from '../support/process.ts';
import { scratchFolder } from '../support/scratch.ts';
import { KINDS, mutation, type Original } from './mutate.ts';
import { keptOriginals } from './originals.ts';
import { faultsOf } from './plausible.ts';
import { read } from './reader.ts';

const SEED = 7;
const kept = scratchFolder('mutations');

async function run(args: string[]): Promise<{ code: number | null; said: string }> {
	const all = [join(import.meta.dirname, 'main.ts'), '--seed', String(SEED), '--kept', kept, ...args];
	const { code, stdout, stderr } = await execute(process.execPath, all);
	return { code, said: `${stdout}${stderr}` };
}

function planted(name: string): string[] {
	return ['--reader', join(import.meta.dirname, 'planted', `${name}.ts`)];
}

/** The figures of the last line of the table. */
function totals(said: string): { read: number; refused: number; failed: number } {
	const [, ...counts] = /^all +(\d+) +(\d+) +(\d+)$/m.exec(said) ?? assert.fail(said);
	const [readOnes, refused, failed] = counts.map(Number) as [number, number, number];
	return { read: readOnes, refused, failed };
}

/** The index of the first failure that was printed. */
function firstFailure(said: string): string {
	return /^✖ seed 7, index (\d+) /m.exec(said)?.[1] ?? assert.fail(said);
}

describe('the runner of the mutations', () => {
	it('sees a reader that throws, and shows how to see it again', async () => {
		const { code, said } = await run(['--count', '100', ...planted('throws')]);
		assert.equal(code, 1, said);
		assert.match(said, /TypeError: planted/);
		const { failed, refused, read: readOnes } = totals(said);
		assert.ok(failed > 0 && refused === 0 && readOnes > 0, said);
		assert.equal(failed + readOnes, 100);
		const again = await run(['--only', firstFailure(said), ...planted('throws')]);
		assert.equal(again.code, 1, again.said);
		assert.match(again.said, /: failed, .*\n +TypeError: planted/);
		const mended = await run(['--only', firstFailure(said)]);
		assert.equal(mended.code, 0, mended.said);
		assert.match(mended.said, /: refused, /);
	});

	it('sees a report that says NaN, in figures and text', async () => {
		const { code, said } = await run(['--count', '100', ...planted('says-nan')]);
		assert.equal(code, 1, said);
		assert.match(said, /report\.processes\.0\.durationMs is NaN/);
		assert.match(said, /the text says: process \d+ · NaN ms/);
	});

	for (const [name, fault] of [
		['hangs', /it hangs: not done after 1000 ms/],
		['takes-memory', /ERR_WORKER_OUT_OF_MEMORY|reached heap limit|too much memory/],
	] as const) {
		it(`sees a reader that ${name.replace('-', ' ')}, and tries the others all the same`, async () => {
			const patience = name === 'hangs' ? ['--patience', '1000'] : [];
			const { code, said } = await run(['--count', '6', ...patience, ...planted(name)]);
			assert.equal(code, 1, said);
			assert.match(said, fault);
			const { failed, refused, read: readOnes } = totals(said);
			assert.ok(failed > 0, said);
			assert.equal(failed + refused + readOnes, 6, said);
		});
	}

	it('takes nothing but whole numbers', async () => {
		const { code, said } = await run(['--count', 'many']);
		assert.deepEqual([code, said], [2, "--count takes a whole number, not 'many'.\n"]);
	});
});

describe('a mutation', () => {
	it('is the same for the same seed and index, and there are some of each kind', () => {
		const originals = keptOriginals(kept);
		const kinds = new Set<string>();
		const count = KINDS.length * originals.length;
		for (let index = 0; index < count; index++) {
			const once = mutation(originals, SEED, index);
			assert.ok(once.bytes.equals(mutation(originals, SEED, index).bytes));
			kinds.add(once.kinds.at(-1)!);
		}
		assert.deepEqual(kinds, new Set(KINDS));
	});
});

describe('what a report must be', () => {
	/** What is found in a report of the first recording in which something was changed. */
	async function faults(change: (reading: Awaited<ReturnType<typeof readFirst>>) => void): Promise<string[]> {
		const reading = await readFirst();
		change(reading);
		return faultsOf(reading);
	}

	async function readFirst() {
		const [first] = keptOriginals(kept) as [Original, ...Original[]];
		const reading = await read(first.bytes);
		return reading.kind === 'report' ? reading : assert.fail(reading.sentence);
	}

	it('holds for a recording as it was made', async () => {
		assert.deepEqual(await faults(() => undefined), []);
	});

	it('is missed by Infinity, numbers below zero, null and books that do not balance', async () => {
		const [infinite] = await faults(({ report }) => (report.lines[0]!.wait!.totalMs = Infinity));
		assert.equal(infinite, 'report.lines[0].wait.totalMs is not finite');
		const [negative] = await faults(({ timeline }) => (timeline.detail!.operations.runMs[0] = -1));
		assert.equal(negative, 'timeline.detail.operations.runMs.0 is -1');
		const [none] = await faults(({ report }) => (report.lines[0]!.count = null as unknown as number));
		assert.equal(none, 'report.lines[0].count is of the type null, not number');
		const [unbalanced] = await faults(({ report }) => report.accounting.lost++);
		assert.match(unbalanced ?? '', /^the books do not balance/);
		for (const said of ['from -6 µs on', '! Infinity records', 'wait NaN ms', 'wait ≈-3 ms']) {
			assert.equal((await faults((reading) => (reading.text += `\n ${said}\n`))).length, 1, said);
		}
	});
});
