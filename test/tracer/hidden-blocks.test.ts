// What blocks a loop although no hook announces it: a command that the thread waits for in its sleep, and the messages of
// the process that forked this one.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { record } from '../support/waitline.ts';

const waits = join(tracerPrograms, 'waits-for-commands.cjs');
const computes = join(tracerPrograms, 'computes-for-parent.cjs');

for (const node of nodes()) {
	describe(`on Node ${node.major}`, () => {
		it('commands that an idle program waits for are blocks, also while stacks are sampled', {
			skip: process.platform === 'win32' && 'runs sleep',
		}, async () => {
			for (const options of [[], ['--sample']]) {
				const { report } = await record(node, [waits], {}, options);
				// How long the start takes is up to the machine.
				const blocks = report.loops[0]!.blocks.filter(({ durationMs, isStartUp }) => durationMs >= 300 && !isStartUp);
				// Of the 500 ms at least those after the tracer's wait was due.
				assert.equal(blocks.length, 2, `${options}: ${JSON.stringify(report.loops[0]!.blocks)}`);
			}
		});

		it('each message for which a forked process computes is a block of its own', async () => {
			const { report } = await record(node, [computes]);
			const { pid } = report.processes.find(({ parentPid }) =>
				report.processes.some((each) => each.pid === parentPid),
			)!;
			const { blocks } = report.loops.find((loop) => loop.pid === pid)!;
			const long = blocks.filter(({ durationMs }) => durationMs >= 80);
			// The first message may have come while the main script ran; and on a slow machine, what Node does before it may be a block of that length, too.
			const [first] = long;
			assert.ok(long.length >= 4 || (long.length === 3 && !first!.isStartUp), JSON.stringify(blocks));
		});
	});
}
