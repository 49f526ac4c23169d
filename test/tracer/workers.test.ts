// Worker threads: each has a journal of its own beside the main thread's, and ends as it does without Waitline.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { assertComplete, entry, lineWith } from '../support/report.ts';
import { SIDE_BY_SIDE } from '../support/side-by-side.ts';
import { bare, record } from '../support/waitline.ts';

describe('Workers', SIDE_BY_SIDE, () => {
	for (const node of nodes()) {
		describe(`on Node ${node.major}`, () => {
			it('are traced beside the main thread, whichever way they end', async () => {
				const program = join(tracerPrograms, 'workers.cjs');
				const without = await bare(node, [program]);
				assert.match(
					without.stdout.toString(),
					/^exits ended with 7\nmain derived\nreturns ended with 0\nstays ended with 1\n/,
				);
				const { text, report } = await record(node, [program]);
				assert.equal(text, without.stdout.toString());
				const threads = report.processes.toSorted((a, b) => a.threadId - b.threadId);
				assert.deepEqual(
					threads.map(({ threadId, promiseHooks, end }) => `${threadId} ${promiseHooks} ${end}`),
					['0 off exit', '1 off exit', '2 off exit', '3 off exit', '4 off terminated'],
				);
				assert.equal(new Set(threads.map(({ pid }) => pid)).size, 1, 'one process');
				assert.deepEqual([...new Set(threads.map((thread) => thread.entry))], [program], 'however short they live');
				const derivations = entry(report, { file: program, line: lineWith(program, 'crypto.pbkdf2(') });
				// The one that is terminated may lose its last milliseconds, the others nothing.
				assert.ok([24, 25].includes(derivations.count), `${derivations.count} derivations`);
				const loops = report.loops.filter(({ utilization }) => utilization > 0 && utilization < 1);
				assert.equal(loops.length, 5, 'each loop’s own idle time is known');
				assertComplete(report);
			});

			it('of Node itself are not children of the program', async () => {
				const { report, stderr } = await record(node, [
					'--no-deprecation',
					join(tracerPrograms, 'registers-hooks.mjs'),
				]);
				assert.equal(stderr.toString(), '');
				assert.deepEqual(report.untraced, []);
				// Node 18 and 20 do not show the tracer that the thread is their own.
				assert.equal(report.processes.length, node.major >= 22 ? 1 : 2);
			});

			it('leave no descriptor open', { skip: process.platform !== 'linux' && 'counts in /proc' }, async () => {
				const { text } = await record(node, [join(tracerPrograms, 'worker-descriptors.cjs')]);
				assert.equal(text, '0 more descriptors\n');
			});
		});
	}
});
