// Whether the loop has polled since a long callback, as the journal has it: each callback of that turn says that it has not, and the first of the
// next that it has.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { scratchFolder } from '../support/scratch.ts';
import { waitline } from '../support/waitline.ts';

describe('polls of the loop', () => {
	// Node 20 and older, and the first of 22, do not give the number of the loop's turn.
	for (const node of nodes().filter(({ major }) => major >= 24)) {
		it(`are known behind several callbacks of one turn on Node ${node.major}`, async () => {
			const recording = join(scratchFolder(), 'r.waitline');
			const program = [node.path, join(tracerPrograms, 'polls.cjs')];
			const { code, stderr } = await waitline([
				'run',
				'--budget',
				'off',
				'--no-report',
				'--out',
				recording,
				'--',
				...program,
			]);
			assert.equal(code, 0, stderr.toString());
			const records = (await waitline(['records', recording])).stdout.toString();
			const flags = [...records.matchAll(/ begin .*$/gm)].map(([line]) => /samePoll|newPoll/.exec(line)?.[0] ?? '-');
			// The main script, the long timer, the two behind it, an immediate; the next immediate may not be recorded.
			assert.deepEqual(flags.slice(2, 5), ['samePoll', 'samePoll', 'newPoll'], records);
		});
	}
});
