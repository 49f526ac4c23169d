// Judges what each file's endings in the three arms mean. A file that fails with the tracer alone is run again by
// itself, in all arms, before anything is blamed on the tracer: beside another test, and on a busy machine, many of
// Node's tests fail now and then.
import type { TestFile } from './choose-files.ts';
import type { Arm, Ending } from './run-file.ts';

/** How one file ended in each arm; those after the first that failed were not run, since nothing could be learned from them. */
export type Endings = Partial<Record<Arm, Ending>>;

/**
 * `same`: passes in all arms. `bare`: fails without us. `preload`: fails with any preload. `ours`: passes with an empty preload, fails with
 * the tracer. `flaky`: it failed with the tracer, but by itself it fails in the other arms as often, or hardly ever.
 */
export type Verdict = 'same' | 'bare' | 'preload' | 'ours' | 'flaky';

export interface Result {
	file: TestFile;
	verdict: Verdict;
	/** The run in company of another. */
	first: Endings;
	/** The runs by itself, when the first one put the blame on the tracer. */
	again: Endings[];
}

/** Runs one file in one arm. */
export type Run = (arm: Arm) => Promise<Ending>;

const arms: Arm[] = ['bare', 'empty', 'tracer'];
/** A file that failed with the tracer alone is run again at most this often: ending a Worker, for one, may hit a hook of ours one time in three. */
const MOST_ROUNDS = 10;
/** Once may be chance; a file that fails with the tracer so often, with nothing beside it, and less often without it, differs by us. */
const BLAMED_AFTER = 2;
/** A file that fails so often without the tracer says nothing about it. One failure is not enough: ours may hide behind it. */
const CLEARED_AFTER = 2;

/** Runs a file in all arms, up to the first in which it fails. */
export async function endings(run: Run): Promise<Endings> {
	const result: Endings = {};
	for (const arm of arms) {
		const ending = await run(arm);
		result[arm] = ending;
		if (!ending.passed) break;
	}
	return result;
}

/** What one round says. */
export function verdictOf({ bare, empty, tracer }: Endings): Exclude<Verdict, 'flaky'> {
	if (!bare?.passed) return 'bare';
	if (!empty?.passed) return 'preload';
	return tracer?.passed ? 'same' : 'ours';
}

/** Runs a file that seemed to differ by us again, with nothing beside it, until it is clear whether it does. */
export async function again(file: TestFile, first: Endings, run: Run): Promise<Result> {
	const rounds: Endings[] = [];
	let withTracer = 0;
	let without = 0;
	const isBlamed = () => withTracer >= BLAMED_AFTER && withTracer > without;
	while (!isBlamed() && without < CLEARED_AFTER && rounds.length < MOST_ROUNDS) {
		const round = await endings(run);
		rounds.push(round);
		const verdict = verdictOf(round);
		if (verdict === 'ours') withTracer++;
		else if (verdict !== 'same') without++;
	}
	return { file, verdict: isBlamed() ? 'ours' : 'flaky', first, again: rounds };
}
