// The suite is shown to see: a preload with a fault, in the tracer's place, is caught by Node's own tests, and one without is not.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { chooseFiles } from './choose-files.ts';
import type { Verdict } from './compare.ts';
import { faults } from './judge.ts';
import { runSuite } from './run-suite.ts';
import { sampleOf } from './sample.ts';
import { stageOrReason } from './stage.ts';
import { suites } from './suites.ts';

/** Three hand the global `setTimeout` to `util.promisify`, the others call it. */
const files: Record<string, Verdict> = {
	'async-hooks/test-async-await.js': 'ours',
	'parallel/test-async-hooks-execution-async-resource-await.js': 'ours',
	'parallel/test-inspector-has-idle.js': 'ours',
	'parallel/test-timers-args.js': 'same',
	'parallel/test-timers-this.js': 'same',
};

const suite = suites()[0]!;
const stage = stageOrReason(suite, join(import.meta.dirname, 'faults', 'naive-timeout.cjs'));

describe("Node's own tests", { skip: typeof stage === 'string' && stage }, () => {
	it('see a preload that wraps setTimeout naively', async () => {
		assert.ok(typeof stage !== 'string');
		const chosen = chooseFiles(stage).filter(({ path }) => Object.hasOwn(files, path));
		const results = await runSuite(stage, chosen, () => undefined);
		const verdicts = Object.fromEntries(results.map(({ file, verdict }) => [file.path, verdict]));
		assert.deepEqual(verdicts, files);
		assert.deepEqual(
			faults(suite.major, results, [], false).sort(),
			Object.keys(files)
				.filter((path) => files[path] === 'ours')
				.map((path) => `${path} passes without Waitline and fails with it.`),
		);
		assert.ok(
			sampleOf(chooseFiles(stage), []).some(({ path }) => files[path] === 'ours'),
			'so would the sample',
		);
	});
});
