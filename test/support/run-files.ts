// Runs test files under node:test, each in a process of its own, prints them as they go and counts. The counts are
// node:test's own except in two cases that it takes for a success: a file without a test, and no file at all.
import { basename } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { type Counts, type Duration, failure, noCounts } from './counts.ts';
import { compileCache } from './paths.ts';

type TestsStream = ReturnType<typeof run>;
type RunOptions = NonNullable<Parameters<typeof run>[0]>;

/** A test that takes longer than this hangs: the slowest takes less than two minutes on two idle cores, and a slow and busy machine several times as long. */
const LONGEST_TEST_MS = 20 * 60_000;

/**
 * @param concurrency how many files run at the same time
 * @param write is called with what a person reads
 */
export async function runFiles(files: string[], concurrency: number, write: (text: string) => void): Promise<Counts> {
	const counts = noCounts();
	if (files.length === 0) {
		write('There is no test file.\n');
		return { ...counts, failed: 1 };
	}
	// The types of Node 20 do not know `execArgv`.
	const options: RunOptions & { execArgv: string[] } = {
		files,
		concurrency,
		timeout: LONGEST_TEST_MS,
		execArgv: ['--require', compileCache, '--import', new URL('end-of-file.ts', import.meta.url).href],
	};
	const tests = run(options);
	const empty: string[] = [];
	// A file without a test is reported as one passed test that has the file's name.
	tests.on('test:pass', ({ name, file }) => {
		if (name === file) empty.push(file);
	});
	noteTests(tests, counts);
	tests.on('test:summary', ({ counts: all, file }) => {
		// There is one summary for each file and one, without a file, for all of them.
		if (file !== undefined) return;
		counts.passed = all.passed - empty.length;
		counts.failed = all.failed + all.cancelled + empty.length;
		// A test marked `todo` was not done, whatever came out of it.
		counts.skipped = all.skipped + all.todo;
	});
	for await (const text of tests.compose(new spec())) write(text as string);
	for (const file of empty) {
		counts.failures.push(basename(file));
		write(`${file} has no test in it.\n`);
	}
	return counts;
}

/** Adds each test's time to the counts, and the names of those that failed: a test is named by its file and the suites that it is in. */
function noteTests(tests: TestsStream, { tests: durations, failures }: Counts): void {
	/** Tests whose suite has not ended yet: a suite is reported after what is in it. */
	let open: { duration: Duration; nesting: number; error: unknown }[] = [];
	for (const event of ['test:pass', 'test:fail'] as const) {
		tests.on(event, ({ name, file = '', nesting, details }) => {
			if (details.type === 'suite') {
				for (const test of open.filter((each) => each.nesting > nesting)) {
					test.duration.name = `${name} › ${test.duration.name}`;
					test.nesting = nesting;
				}
			} else {
				// What was thrown is the cause of node:test's own error.
				const failed = event === 'test:fail' && 'error' in details ? details.error : undefined;
				open.push({ duration: { name, ms: details.duration_ms }, nesting, error: failed?.cause ?? failed });
			}
			if (nesting > 0) return;
			for (const { duration, error } of open) {
				// A file that fails outside its tests is reported as a test with the file's name.
				const isFile = duration.name === file;
				const full = isFile ? basename(file) : `${basename(file)}: ${duration.name}`;
				if (error !== undefined) failures.push(failure(full, error));
				if (!isFile) durations.push({ ...duration, name: full });
			}
			open = [];
		});
	}
}
