// Mutated recordings, as many as asked for: each must give a report or one plain sentence, in bounded time and memory.
//   --count N     how many (200,000)
//   --seed N      which ones; without it the day's, as 20251224, UTC
//   --only N      the one of that index, of the recordings of the last run, and what was wrong with it
//   --kept F      the folder for the recordings, and for what has failed (test/out/mutations)
//   --reader F    a module that reads in the place of the product's reader (the tests of this runner)
//   --patience N  a mutation that takes longer hangs, in ms (30,000)
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { KINDS, mutation, type Original } from './mutate.ts';
import { keptFolder, keptOriginals, makeOriginals } from './originals.ts';
import type { Reader } from './reader.ts';
import { runShares } from './shares.ts';
import { Tally } from './tally.ts';
import { Trial } from './try.ts';

const { values } = parseArgs({
	options: {
		count: { type: 'string', default: '200000' },
		seed: { type: 'string', default: new Date().toISOString().slice(0, 10).replaceAll('-', '') },
		only: { type: 'string' },
		kept: { type: 'string', default: keptFolder },
		reader: { type: 'string', default: join(import.meta.dirname, 'reader.ts') },
		patience: { type: 'string', default: '30000' },
	},
});
const seed = wholeNumber('seed', values.seed);
const reader = resolve(values.reader);

if (values.only === undefined) await runAll(wholeNumber('count', values.count));
else await runOne(wholeNumber('only', values.only));

async function runAll(count: number): Promise<void> {
	const originals = await makeOriginals(values.kept);
	console.log(`${count.toLocaleString('en')} mutations of ${originals.map(describe).join(', ')}.`);
	console.log(`Seed ${seed}; again with: npm run test:mutations -- --count ${count} --seed ${seed}`);
	const tally = new Tally(KINDS);
	const patience = wholeNumber('patience', values.patience);
	const began = performance.now();
	const peakBytes = await runShares({ originals, seed, count, reader, patience }, (tried) => {
		tally.add(tried);
		if (tried.outcome !== 'failed' || tally.hasPrintedEnough) return;
		const file = join(values.kept, `failed-${seed}-${tried.index}.waitline`);
		writeFileSync(file, mutation(originals, seed, tried.index).bytes);
		console.log(`✖ seed ${seed}, index ${tried.index} (${tried.original}: ${tried.kinds.join(', ')}), kept as ${file}`);
		for (const fault of tried.faults) console.log(`    ${fault.replaceAll('\n', '\n    ')}`);
		console.log(`  again with: npm run test:mutations -- --seed ${seed} --only ${tried.index}`);
	});
	console.log(tally.text(performance.now() - began, peakBytes));
	process.exitCode = tally.failed > 0 || tally.count !== count ? 1 : 0;
}

async function runOne(index: number): Promise<void> {
	const originals = keptOriginals(values.kept);
	const { read } = (await import(reader)) as { read: Reader };
	const trial = new Trial(originals, seed, read);
	await trial.warmUp();
	const { original, kinds, outcome, ms, faults } = await trial.attempt(index);
	console.log(`seed ${seed}, index ${index} (${original}: ${kinds.join(', ')}): ${outcome}, ${ms.toFixed(1)} ms`);
	for (const fault of faults) console.log(`    ${fault}`);
	process.exitCode = outcome === 'failed' ? 1 : 0;
}

function describe({ name, bytes }: Original): string {
	return `${name} (${(bytes.length / 1024).toFixed(0)} KiB)`;
}

function wholeNumber(name: string, value: string): number {
	if (/^\d{1,9}$/.test(value)) return Number(value);
	console.error(`--${name} takes a whole number, not '${value}'.`);
	process.exit(2);
}
