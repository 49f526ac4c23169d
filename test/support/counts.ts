// The result of a step of `npm test`: how many tests passed, which failed, and which took long.

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
	/** Names of what failed: of tests, and of hooks and files outside any test. */
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
