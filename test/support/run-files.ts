// Runs test files under node:test, each in a process of its own, prints them as they go and counts. The counts are
// node:test's own but for two cases that it takes for a success: a file without a test, and no file at all.
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

export interface Counts {
	passed: number;
	failed: number;
	skipped: number;
}

/** A file that takes longer than this hangs; the slowest takes about two minutes on two cores. */
const longestFileMs = 10 * 60_000;

export async function runFiles(files: string[], concurrency: number): Promise<Counts> {
	const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
	if (files.length === 0) {
		console.log('There is no test file.');
		return { ...counts, failed: 1 };
	}
	const tests = run({ files, concurrency, timeout: longestFileMs });
	const empty: string[] = [];
	// A file without a test is reported as one passed test that has the file's name.
	tests.on('test:pass', ({ name, file }) => {
		if (name === file) empty.push(file);
	});
	tests.on('test:summary', ({ counts: all, file }) => {
		// There is one summary for each file and one, without a file, for all of them.
		if (file !== undefined) return;
		counts.passed = all.passed - empty.length;
		counts.failed = all.failed + all.cancelled + empty.length;
		// A test marked `todo` was not done, whatever came out of it.
		counts.skipped = all.skipped + all.todo;
	});
	for await (const text of tests.compose(new spec())) process.stdout.write(text as string);
	for (const file of empty) console.log(`${file} has no test in it.`);
	return counts;
}
