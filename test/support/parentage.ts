// What a report says of a program and the child that it started.
import assert from 'node:assert/strict';
import type { Report } from '../../src/protocol/report.ts';

/** Both are traced, the child under its parent, and nothing between them is missing. @param pids the parent's and the child's, as they printed them */
export function assertUnderParent(report: Report, [parent, child]: readonly number[]): void {
	assert.deepEqual(
		report.processes.map(({ pid, parentPid }) => ({ pid, parentPid })),
		[
			{ pid: parent, parentPid: 0 },
			{ pid: child, parentPid: parent },
		],
	);
	assert.deepEqual(report.untraced, [], 'a shell between two traced processes is no loss');
}
