// The environment that a program brings along: the user's own NODE_OPTIONS, and paths with spaces and other letters, both
// of the program and of Waitline itself. Each run must be traced and must do what it does without Waitline.
import assert from 'node:assert/strict';
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { nodes } from '../support/nodes.ts';
import { cli, tracerPrograms } from '../support/paths.ts';
import { execute } from '../support/process.ts';
import { assertComplete, entry, lineWith } from '../support/report.ts';
import { scratchFolder } from '../support/scratch.ts';
import { SIDE_BY_SIDE } from '../support/side-by-side.ts';
import { bare, readReport, record } from '../support/waitline.ts';

const awkward = "it's a folder, “ünïcode” & $HOME";

describe('environment', SIDE_BY_SIDE, () => {
	for (const node of nodes()) {
		describe(`on Node ${node.major}`, () => {
			it("the user's own NODE_OPTIONS survive, including a quoted path", async () => {
				const folder = join(scratchFolder(), awkward);
				mkdirSync(folder);
				const preload = join(folder, 'user preload.cjs');
				copyFileSync(join(tracerPrograms, 'user-preload.cjs'), preload);
				const env = { NODE_OPTIONS: `--stack-trace-limit=3 --require ${JSON.stringify(preload)}` };
				const program = join(tracerPrograms, 'with-options.cjs');
				const without = await bare(node, [program], { env });
				assert.match(without.stdout.toString(), /^the user's preload ran\n3\n/);
				const { text, report } = await record(node, [program], { env });
				assert.equal(text, without.stdout.toString());
				assert.equal(report.processes.length, 1, 'traced');
				assertComplete(report);
			});

			it('a program at an awkward path is traced under its own name', async () => {
				const folder = join(scratchFolder(), awkward);
				mkdirSync(folder);
				const program = join(folder, 'my program.cjs');
				copyFileSync(join(tracerPrograms, 'makes-key-pairs.cjs'), program);
				const { report } = await record(node, [basename(program)], { cwd: folder });
				assert.equal(entry(report, { file: program, line: lineWith(program, 'generateKeyPair(') }).count, 3);
				assertComplete(report);
			});

			it('Waitline at an awkward path traces', async () => {
				const folder = join(scratchFolder(), awkward);
				cpSync(dirname(cli), join(folder, 'dist'), { recursive: true });
				const program = join(tracerPrograms, 'makes-key-pairs.cjs');
				const json = join(folder, 'my report.json');
				const args = [join(folder, 'dist', 'cli.js'), 'run', '--json', json, '--no-report', '--', node.path, program];
				const { code, stderr } = await execute(process.execPath, args);
				assert.deepEqual([code, stderr.toString()], [0, '']);
				const report = readReport(json);
				assert.equal(entry(report, { file: program, line: lineWith(program, 'generateKeyPair(') }).count, 3);
				assertComplete(report);
			});
		});
	}
});
