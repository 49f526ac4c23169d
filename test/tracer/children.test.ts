// Children of a traced program: each that runs Node has a journal under its parent, whatever stands between, and the ones that
// cannot be traced are shown as not traced.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Report } from '../../src/protocol/report.ts';
import { type NodeBuild, nodes } from '../support/nodes.ts';
import { assertUnderParent } from '../support/parentage.ts';
import { tracerPrograms } from '../support/paths.ts';
import { assertComplete } from '../support/report.ts';
import { scratchFolder } from '../support/scratch.ts';
import { SIDE_BY_SIDE } from '../support/side-by-side.ts';
import { bare, readReport, record, waitline } from '../support/waitline.ts';

const program = join(tracerPrograms, 'children.cjs');

/** The report, and the numbers that the program printed: its own process id first. */
async function start(node: NodeBuild, way: string): Promise<{ report: Report; printed: number[] }> {
	const { report, text } = await record(node, [program, way]);
	assertComplete(report);
	return { report, printed: text.trim().split('\n').map(Number) };
}

describe('children', SIDE_BY_SIDE, () => {
	for (const node of nodes()) {
		describe(`on Node ${node.major}`, () => {
			for (const way of ['fork', 'spawn', 'execFile', 'exec']) {
				it(`by ${way} are traced under their parent`, async () => {
					const { report, printed } = await start(node, way);
					assertUnderParent(report, printed);
				});
			}

			for (const way of ['no environment', 'another runtime']) {
				it(`with ${way} are shown as not traced`, async () => {
					const { report, printed } = await start(node, way);
					const [parentPid, pid] = printed;
					assert.equal(report.processes.length, 1);
					assert.deepEqual(report.untraced, [{ kind: 'process', pid, threadId: 0, parentPid }]);
				});
			}

			it('that never started are no children', async () => {
				const { report } = await start(node, 'nothing');
				assert.deepEqual(report.untraced, []);
			});

			it('a Worker without environment is shown as not traced', async () => {
				const { report, printed } = await start(node, 'a Worker without environment');
				const [pid] = printed;
				assert.equal(report.processes.length, 1);
				assert.deepEqual(report.untraced, [{ kind: 'worker', pid, threadId: 1, parentPid: pid }]);
			});

			for (const way of [
				'a Worker with no arguments for Node',
				'a Worker that shares the environment',
				'a Worker with a copy of the environment',
			]) {
				it(`${way} is traced`, async () => {
					const { report, printed } = await start(node, way);
					const [pid] = printed;
					assert.deepEqual(
						report.processes.map((thread) => [thread.pid, thread.threadId]),
						[
							[pid, 0],
							[pid, 1],
						],
					);
					assert.deepEqual(report.untraced, []);
				});
			}

			it('of a cluster share their port and end as they do without Waitline', async () => {
				const command = [join(tracerPrograms, 'cluster.cjs')];
				const without = await bare(node, command);
				assert.match(without.stdout.toString(), /^ended with 0 null\nended with null SIGTERM\n$/);
				const { report, text } = await record(node, command);
				assert.equal(text, without.stdout.toString());
				const [parent, ...workers] = report.processes;
				assert.deepEqual(
					workers.map(({ parentPid }) => parentPid),
					[parent?.pid, parent?.pid],
				);
				assert.deepEqual(workers.map(({ end, signal }) => `${end} ${signal}`).sort(), ['exit null', 'killed SIGTERM']);
				const [forks] = report.lines.filter((line) => line.class === 'process');
				assert.deepEqual([forks?.op, forks?.count], ['cluster.fork', 2]);
			});
		});
	}
});

it('of any number are all reported, each under its parent', async () => {
	const node = nodes().at(-1)!;
	const { report, text } = await record(node, [join(tracerPrograms, 'many-children.cjs')]);
	assertComplete(report);
	const [parent, ...children] = report.processes;
	assert.equal(text, `${children.length} children ended with 0\n`);
	assert.ok(children.every(({ parentPid, end }) => parentPid === parent?.pid && end === 'exit'));
	assert.deepEqual(report.untraced, []);
});

it('a script that npm runs is traced under npm, through the shell between', async () => {
	const folder = scratchFolder();
	writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { say: `node "${program}" say; exit 0` } }));
	const json = join(folder, 'report.json');
	const npm = process.env.npm_execpath;
	const command = npm === undefined ? ['npm'] : [process.execPath, npm];
	const args = ['run', '--json', json, '--no-report', '--', ...command, '--silent', 'run', 'say'];
	const { code, stdout } = await waitline(args, { cwd: folder });
	assert.equal(code, 0);
	const { processes, untraced } = readReport(json);
	const [first, last] = [processes[0], processes.at(-1)];
	assert.equal(last?.pid, Number(stdout.toString()));
	assert.equal(last?.parentPid, first?.pid);
	assert.equal(first?.parentPid, 0);
	assert.deepEqual(untraced, []);
});
