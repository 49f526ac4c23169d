// What known.ts says of a file that differs by async_hooks and not by us: it fails with a hook that does nothing, and passes with an empty preload.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { chooseFiles } from './choose-files.ts';
import { known } from './known.ts';
import { runSuite } from './run-suite.ts';
import { stageOrReason } from './stage.ts';
import { suites } from './suites.ts';

const suite = suites()[0]!;
const stage = stageOrReason(suite, join(import.meta.dirname, 'faults', 'empty-hook.cjs'));

describe('a hook that does nothing', { skip: typeof stage === 'string' && stage }, () => {
	it('is enough for the files of which the list says so', async () => {
		assert.ok(typeof stage !== 'string');
		const listed = known.filter(
			({ byAnyHook, nodes, sometimes }) => byAnyHook && !sometimes && nodes.includes(suite.major),
		);
		assert.ok(listed.length > 0);
		const chosen = chooseFiles(stage).filter(({ path }) => listed.some(({ file }) => file === path));
		const results = await runSuite(stage, chosen, () => undefined);
		assert.deepEqual(
			results.map(({ file, verdict }) => [file.path, verdict]),
			listed.map(({ file }) => [file, 'ours']),
		);
	});
});
