// Children and Workers on Windows: each is traced under its parent, with a shell between them, too.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertUnderParent } from '../support/parentage.ts';
import { tracerPrograms } from '../support/paths.ts';
import { assertComplete } from '../support/report.ts';
import { recordGoodOnWindows, skip, type WindowsNode, windowsNodes, windowsPath } from '../support/windows.ts';

/** The report, and the numbers that the program printed: its own process id first. */
async function start(node: WindowsNode, way: string) {
	const { report, stdout } = await recordGoodOnWindows(node, [windowsPath(join(tracerPrograms, 'children.cjs')), way]);
	assertComplete(report);
	return { report, printed: stdout.trim().split('\n').map(Number) };
}

describe('children on Windows', { skip }, () => {
	for (const node of windowsNodes()) {
		for (const way of ['fork', 'exec']) {
			it(`by ${way} on Node ${node.major} are traced under their parent`, async () => {
				const { report, printed } = await start(node, way);
				assertUnderParent(report, printed);
			});
		}

		it(`without their parent’s environment on Node ${node.major} are shown as not traced`, async () => {
			const { report, printed } = await start(node, 'no environment');
			assert.equal(report.processes.length, 1);
			assert.deepEqual(
				report.untraced.map(({ kind, threadId, parentPid }) => ({ kind, threadId, parentPid })),
				[{ kind: 'process', threadId: 0, parentPid: printed[0] }],
			);
		});

		it(`Workers on Node ${node.major} are traced under their process, however they end`, async () => {
			const { report, stdout } = await recordGoodOnWindows(node, [windowsPath(join(tracerPrograms, 'workers.cjs'))]);
			assert.match(stdout, /exits ended with 7\n/);
			const [{ pid } = { pid: -1 }] = report.processes;
			assert.deepEqual(
				report.processes.map((thread) => [thread.pid, thread.threadId]).sort(),
				[0, 1, 2, 3, 4].map((threadId) => [pid, threadId]),
			);
			assert.deepEqual(report.untraced, []);
		});
	}
});
