// What the pool of a running program does now: how many of its threads have work, and how many operations wait for one.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { follow } from '../support/live.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { SIDE_BY_SIDE } from '../support/side-by-side.ts';

describe('the pool now', SIDE_BY_SIDE, () => {
	for (const node of nodes()) {
		describe(`on Node ${node.major}`, () => {
			it('is busy, with a queue that gets shorter, and at rest in the end', async () => {
				const seen: string[] = [];
				const { session, code } = await follow(node, [join(tracerPrograms, 'hashes-on-one-thread.cjs')], (live) => {
					live.onUpdate(() => {
						for (const { poolBusy, poolQueued } of live.now()) seen.push(`${poolBusy} ${poolQueued}`);
					});
				});
				await session.stop();
				assert.equal(code, 0);
				const states = seen.filter((each, index) => each !== seen[index - 1] && each !== '0 0');
				const inOrder = ['1 4', '1 3', '1 2', '1 1', '1 0'].filter((each) => states.includes(each));
				assert.deepEqual(states, inOrder, 'each once at most, and nothing else');
				assert.ok(
					states.some((each) => each !== '1 0'),
					'a queue is seen',
				);
			});
		});
	}
});
