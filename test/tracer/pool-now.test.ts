// What the pool of a running program does now: how many of its threads have work, and how many operations wait for one.
import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { follow } from '../support/live.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { execute } from '../support/process.ts';
import { scratchFolder } from '../support/scratch.ts';
import { SIDE_BY_SIDE } from '../support/side-by-side.ts';

const skip = process.platform === 'win32' && 'its files have no pipes among them';

describe('the pool now', { ...SIDE_BY_SIDE, skip }, () => {
	for (const node of nodes()) {
		describe(`on Node ${node.major}`, () => {
			it('is busy, with a queue that gets shorter', async () => {
				const pipe = join(scratchFolder('pool-now'), 'pipe');
				assert.equal((await execute('mkfifo', [pipe])).code, 0);
				const seen: string[] = [];
				let release: Promise<void> | undefined;
				// Its first job ends only when the others have been seen behind it, on a machine of any speed.
				const endFirst = async () => (await open(pipe, 'w')).close();
				const program = join(tracerPrograms, 'queues-behind-a-pipe.cjs');
				const { session, code } = await follow(node, [program, pipe], (live) => {
					live.onUpdate(() => {
						for (const { poolBusy, poolQueued } of live.now()) seen.push(`${poolBusy} ${poolQueued}`);
						if (seen.at(-1) === '1 4') release ??= endFirst();
					});
				});
				await release;
				await session.stop();
				assert.equal(code, 0);
				const states = seen.filter((each, index) => each !== seen[index - 1] && each !== '0 0');
				const inOrder = ['1 4', '1 3', '1 2', '1 1', '1 0'].filter((each) => states.includes(each));
				assert.deepEqual(states, inOrder, 'each once at most, and nothing else');
				assert.ok(states.includes('1 4'), 'the queue is seen');
			});
		});
	}
});
