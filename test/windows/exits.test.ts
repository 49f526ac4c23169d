// How programs end on Windows: with the exit code that they have without us, and what they did until then is in the report.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { tracerPrograms } from '../support/paths.ts';
import { recordOnWindows, runOnWindows, skip, windowsNodes, windowsPath } from '../support/windows.ts';

describe('exits on Windows', { skip }, () => {
	for (const node of windowsNodes()) {
		for (const [how, program, args, end] of [
			['0', 'exit-at-once.cjs', [], 'exit'],
			['7', 'exit-code-7.cjs', [], 'exit'],
			['an uncaught error', 'ends-somehow.cjs', ['uncaught'], 'exit'],
			['process.exit', 'ends-somehow.cjs', ['exit'], 'exit'],
			['being killed', 'ends-somehow.cjs', ['SIGTERM'], 'killed'],
		] as const) {
			it(`by ${how} on Node ${node.major}`, async () => {
				const command = [windowsPath(join(tracerPrograms, program)), ...args];
				const bare = await runOnWindows([node.path, ...command]);
				const { report, ...outcome } = await recordOnWindows(node, command);
				assert.deepEqual(outcome, bare);
				assert.equal(report.processes[0]?.end, end);
				const { emitted, decoded, dropped, lost, cutShort } = report.accounting;
				assert.equal(emitted, decoded + dropped + lost);
				assert.deepEqual({ dropped, lost, cutShort }, { dropped: 0, lost: 0, cutShort: end === 'killed' ? 1 : 0 });
			});
		}
	}
});
