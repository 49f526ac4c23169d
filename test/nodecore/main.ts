// `npm run test:nodecore`: Node's own tests under the tracer. Writes test/nodecore/RESULTS.md and fails when a file differs that is not listed in
// known.ts, or a listed one does not differ any more.
//   npm run test:nodecore                       everything, about half an hour for each Node on two cores
//   npm run test:nodecore -- 18                 one Node
//   npm run test:nodecore -- 18 fs-stat repl-   the files whose path contains one of these; leaves RESULTS.md alone
//   npm run test:nodecore -- --tracer FILE …    another preload in place of dist/tracer.cjs
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../support/paths.ts';
import { chooseFiles } from './choose-files.ts';
import type { Result } from './compare.ts';
import { faults } from './judge.ts';
import { known } from './known.ts';
import { writeResults } from './results.ts';
import { runSuite } from './run-suite.ts';
import { setStage } from './stage.ts';
import { type Suite, suites } from './suites.ts';
import { Unavailable } from './unavailable.ts';

/** How much of a failing file's output is shown, in characters: the assertion, or the end of the stack trace. */
const SHOWN = 2000;
/** After this many files a line shows the progress. */
const PROGRESS_EVERY = 100;

/** A command line that cannot be followed, and what to do instead. */
class Misuse extends Error {}

/** @returns whether all is as it should be */
async function run(suite: Suite, tracer: string, parts: string[]): Promise<boolean> {
	console.log(`\nNode ${suite.version}`);
	const stage = setStage(suite, tracer);
	const files = chooseFiles(stage).filter(
		({ path }) => parts.length === 0 || parts.some((part) => path.includes(part)),
	);
	if (files.length === 0)
		throw new Misuse(`Node ${suite.version} has no such test: give a part of a path below test/.`);
	const results = await runSuite(stage, files, (result, done) => {
		if (result.verdict !== 'same' && (result.verdict !== 'bare' || parts.length > 0)) print(result);
		if (done % PROGRESS_EVERY === 0) console.log(`${done} of ${files.length}`);
	});
	const count = (verdict: string) => results.filter((result) => result.verdict === verdict).length;
	console.log(
		`${files.length} files: ${count('same')} the same, ${count('ours')} differ by us, ${count('preload')} by any preload, ${count('flaky')} flaky, ${count('bare')} fail bare`,
	);
	const isFull = parts.length === 0;
	if (isFull) writeResults(suite, results, known, new Date().toISOString().slice(0, 10));
	const wrong = faults(suite.major, results, known, isFull);
	for (const sentence of wrong) console.log(sentence);
	return wrong.length === 0;
}

function print({ file, verdict, first, again }: Result): void {
	const failed = [...again, first]
		.flatMap(({ bare, empty, tracer }) => [bare, empty, tracer])
		.find((ending) => ending?.passed === false);
	console.log(`\n${verdict}: ${file.path}, ${failed?.how}\n${failed?.said.trim().slice(-SHOWN)}\n`);
}

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({ options: { tracer: { type: 'string' } }, allowPositionals: true });
	const tracer = resolve(values.tracer ?? join(root, 'dist', 'tracer.cjs'));
	if (!existsSync(tracer)) throw new Misuse(`There is no ${tracer}: \`npm run build\` makes the tracer.`);
	const majors = positionals.filter((word) => /^\d+$/.test(word)).map(Number);
	const parts = positionals.filter((word) => !/^\d+$/.test(word));
	const missing = majors.find((major) => !suites().some((suite) => suite.major === major));
	if (missing !== undefined)
		throw new Misuse(
			`There are tests for Node ${suites()
				.map(({ major }) => major)
				.join(' and ')}, not for ${missing}.`,
		);
	let isGood = true;
	for (const suite of suites()) {
		if (majors.length > 0 && !majors.includes(suite.major)) continue;
		isGood = (await run(suite, tracer, parts)) && isGood;
	}
	process.exitCode = isGood ? 0 : 1;
}

// What was started ends with this process, and its folders go, only when it leaves by `exit`.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
try {
	await main();
} catch (error) {
	if (!(error instanceof Misuse || error instanceof Unavailable || (error instanceof TypeError && 'code' in error)))
		throw error;
	console.error(error.message);
	process.exitCode = 2;
}
