// Signals sent to `waitline run` reach the program, which answers them in its own way; Waitline ends as the program does.
// A terminal sends Ctrl+C to both, a process manager's SIGTERM goes to Waitline alone: both must work.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import type { RunOptions } from '../support/process.ts';
import { SIDE_BY_SIDE } from '../support/side-by-side.ts';
import { bare, traced } from '../support/waitline.ts';

const handling = join(tracerPrograms, 'handles-signals.cjs');

describe('signals', SIDE_BY_SIDE, () => {
	for (const node of nodes()) {
		describe(`on Node ${node.major}`, { skip: process.platform === 'win32' }, () => {
			for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
				it(`${signal} to Waitline alone reaches the program`, async () => {
					const options: RunOptions = { onFirstOutput: (child) => child.kill(signal) };
					const without = await bare(node, [handling], options);
					assert.equal(without.stdout.toString(), `ready\ngot ${signal}\n`);
					assert.deepEqual(await traced(node, [handling], options), without);
				});
			}

			it('SIGINT to both, as a terminal sends it, reaches the program once or twice and ends it in its own way', async () => {
				const { code, signal, stdout } = await traced(node, [handling], {
					onFirstOutput: (child) => process.kill(-child.pid!, 'SIGINT'),
				});
				assert.deepEqual({ code, signal }, { code: 5, signal: null });
				assert.match(stdout.toString(), /^ready\n(got SIGINT\n){1,2}$/);
			});
		});
	}
});
