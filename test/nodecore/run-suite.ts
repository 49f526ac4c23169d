// Runs many files of Node's tests, two at a time, and those that need the machine for themselves one by one.
import type { TestFile } from './choose-files.ts';
import { again, type Endings, endings, type Result, verdictOf } from './compare.ts';
import { runFile } from './run-file.ts';
import type { Stage } from './stage.ts';

/** A run beside another finds what only shows under load; more than the cores of a small machine find the load itself. */
const SLOTS = 2;

/** @param onResult called after each file, with its result and how many were done */
export async function runSuite(
	stage: Stage,
	files: TestFile[],
	onResult: (result: Result, done: number) => void,
): Promise<Result[]> {
	const results: Result[] = [];
	const suspects: [TestFile, Endings][] = [];
	const run = (file: TestFile, slot: number) => endings((arm) => runFile(stage, file, arm, slot));
	const take = (file: TestFile, first: Endings) => {
		const verdict = verdictOf(first);
		if (verdict === 'ours') suspects.push([file, first]);
		else keep({ file, verdict, first, again: [] });
	};
	const keep = (result: Result) => {
		results.push(result);
		onResult(result, results.length);
	};
	await inSlots(
		files.filter(({ alone }) => !alone),
		async (file, slot) => take(file, await run(file, slot)),
	);
	for (const file of files.filter(({ alone }) => alone)) take(file, await run(file, 0));
	for (const [file, first] of suspects) keep(await again(file, first, (arm) => runFile(stage, file, arm, 0)));
	return results;
}

/** Does something with each item, as many at once as there are slots. */
async function inSlots<T>(items: T[], work: (item: T, slot: number) => Promise<void>): Promise<void> {
	const queue = items[Symbol.iterator]();
	await Promise.all(
		Array.from({ length: SLOTS }, async (_, slot) => {
			for (const item of queue) await work(item, slot);
		}),
	);
}
