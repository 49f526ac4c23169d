// The result of a step of `npm test`: how many tests passed, which failed, and which took long.
import { stripVTControlCharacters } from 'node:util';

/** How long one test took, in ms. */
export interface Duration {
	/** Its full title. */
	name: string;
	ms: number;
}

export interface Counts {
	passed: number;
	failed: number;
	skipped: number;
	/** What failed, tests and also hooks and files outside any test: each its name and, on lines of their own, the reason (see `failure`). */
	failures: string[];
	/** One entry for each test that is known by name. */
	tests: Duration[];
}

export function noCounts(): Counts {
	return { passed: 0, failed: 0, skipped: 0, failures: [], tests: [] };
}

export function add(a: Counts, b: Counts): Counts {
	return {
		passed: a.passed + b.passed,
		failed: a.failed + b.failed,
		skipped: a.skipped + b.skipped,
		failures: [...a.failures, ...b.failures],
		tests: [...a.tests, ...b.tests],
	};
}

/** Of an assertion that compares two reports, this much is enough to recognize it. */
const REASON_LINES = 8;
const LINE_LENGTH = 200;

/** One of `Counts.failures`: a CI may show no more than the end of a run. */
export function failure(name: string, error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	const lines = stripVTControlCharacters(message)
		.split('\n')
		.filter((line) => line.trim() !== '')
		.slice(0, REASON_LINES);
	return [name, ...lines.map((line) => `    ${line.slice(0, LINE_LENGTH)}`)].join('\n');
}

/** `3 passed, 0 failed`, with `, 1 skipped` where there are any. */
export function sentence({ passed, failed, skipped }: Counts): string {
	return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** The tests that took longest, the slowest first, a line each. */
export function slowest({ tests }: Counts, most: number): string[] {
	return tests
		.toSorted((a, b) => b.ms - a.ms)
		.slice(0, most)
		.map(({ name, ms }) => `${`${(ms / 1000).toFixed(1)} s`.padStart(9)}  ${name}`);
}
