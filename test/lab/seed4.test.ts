// Seed 4: a program sets its own pool size. The report shows the size that took effect, and where the assignment came
// too late (an ES module on Node 18 and 20) a warning on its line. The program counts its threads itself, so the test
// knows what really happened, and that Waitline did not change it by using the pool first.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { nodes } from '../support/nodes.ts';
import { labPrograms } from '../support/paths.ts';
import { assertComplete, entry, known, lineWith } from '../support/report.ts';
import { bare, record } from '../support/waitline.ts';

const assigned = 2;
const preset = 4;

for (const node of nodes()) {
	describe(`seed 4 on Node ${node.major}`, () => {
		for (const extension of ['cjs', 'mjs']) {
			const program = join(labPrograms, `seed4-pool-size.${extension}`);
			const tooLate = extension === 'mjs' && node.major <= 20;

			it(`a .${extension} entry: ${tooLate ? 'too late, with a warning' : 'in time'}`, async () => {
				const { report, text } = await record(node, [program]);
				const untraced = await bare(node, [program]);
				assert.equal(text, untraced.stdout.toString(), 'the same threads as without Waitline');
				if (process.platform === 'linux') {
					assert.match(text, new RegExp(`first hash: ${tooLate ? 0 : assigned}$`, 'm'), 'what the kernel counted');
				}
				const size = tooLate ? preset : assigned;
				assert.equal(report.processes[0]?.poolSize, size, 'effective size of the process');
				assert.equal(report.pools[0]?.size, size, 'effective size of the pool');
				assert.equal(report.pools[0]?.maxQueued, tooLate ? 0 : 1, 'hashes in the queue');
				const hashes = entry(report, { file: program, line: lineWith(program, 'crypto.pbkdf2('), class: 'threadpool' });
				assert.equal(hashes.count, 3);
				known(hashes, 'queue');
				const assignment = lineWith(program, 'process.env.UV_THREADPOOL_SIZE = ');
				assert.deepEqual(
					report.warnings.map(({ code, file, line }) => ({ code, file, line })),
					tooLate ? [{ code: 'pool-size-too-late', file: program, line: assignment }] : [],
				);
				assertComplete(report);
			});
		}
	});
}
