// Waitline's split of pool waits against what libuv really did, seen by kernel probes in the node binary: the only judge
// that shares neither code nor vantage point with the tracer.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compare, missed } from '../bench/truth/compare.ts';
import { Bench, loads, type Run, titleOf } from '../bench/truth/measure.ts';
import { whyNoProbes } from '../bench/truth/uprobes.ts';
import { nodes } from '../support/nodes.ts';

const why = whyNoProbes();
const skip = why ?? false;

/**
 * Each load runs five times, and the median run is judged: a machine that is busy with something else for a moment
 * spoils one run or two, a wrong rule all of them.
 */
const RUNS = 5;

/** The targets that the middle run of RUNS misses. */
async function missedInTheMiddle(run: () => Promise<Run>, allowedTooWide?: number): Promise<string[]> {
	const verdicts: string[][] = [];
	for (let i = 0; i < RUNS; i++) {
		verdicts.push(missed(compare(await run()), allowedTooWide));
		// Whatever the others miss, the middle one is among these.
		if (verdicts.filter(({ length }) => length === 0).length > RUNS / 2) return [];
	}
	verdicts.sort((one, other) => one.length - other.length);
	return verdicts[Math.floor(RUNS / 2)]!;
}

for (const { major, path } of nodes().filter((node) => node.major === 20 || node.major === 24)) {
	describe(`ground truth on Node ${major}`, { skip }, () => {
		let made: Bench | undefined;
		const bench = () => {
			made ??= new Bench(path);
			return made;
		};

		for (const load of loads) {
			it(`queue, execute and lag are right or honestly bounded: ${titleOf(load)}`, async () => {
				assert.deepEqual(await missedInTheMiddle(() => bench().run(load), load.tooWide), []);
			});
		}

		it('would show a replay that is wrong: a pool of 4 that is taken for one of 2', async () => {
			const sentences = await missedInTheMiddle(() => bench().run({ name: 'five-derivations', poolSize: 4 }, 2));
			assert.ok(
				sentences.some((sentence) => sentence.startsWith('queue:')),
				`missed targets: ${sentences.join('; ')}`,
			);
		});
	});
}
