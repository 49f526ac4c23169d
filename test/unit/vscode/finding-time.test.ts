// When a finding can be seen on the timeline.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding, TypicalOperation } from '../../../src/protocol/report.ts';
import { findingTime } from '../../../src/vscode/findings/finding-time.ts';
import { block, culprit, line, loop, report } from '../../support/report-values.ts';

const FINDING = { pid: 1, file: '/app/main.js', line: 3, op: 'fs.stat' } as Finding;

function typical(values: Partial<TypicalOperation>): TypicalOperation {
	const parts = { queueMs: null, executeMs: null, lagMs: null, basis: 'measured', uncertaintyMs: 0 } as const;
	return { pid: 1, threadId: 0, startMs: 10, waitMs: 5, runMs: 1, ...parts, ...values };
}

test('the longest block that the line is blamed for', () => {
	const blocks = [
		block({ startMs: 100, durationMs: 60 }),
		block({ startMs: 300, durationMs: 90, line: 8, culprits: [culprit({ line: 3 })] }),
		block({ startMs: 500, durationMs: 200, culprits: [culprit({ line: 77 })] }),
	];
	const shown = report({
		loops: [loop({ threadId: 2, blocks }), loop({ pid: 9, blocks: [block({ durationMs: 999 })] })],
	});
	assert.deepEqual(findingTime(FINDING, shown), { pid: 1, threadId: 2, fromMs: 300, toMs: 390 });
});

test('else a typical operation, of the same name where there is one', () => {
	const lines = [
		line({ op: 'fs.open', typical: typical({ startMs: 1 }) }),
		line({ op: 'fs.stat', typical: typical({}) }),
	];
	assert.deepEqual(findingTime(FINDING, report({ lines })), { pid: 1, threadId: 0, fromMs: 10, toMs: 16 });
	const another = { ...FINDING, op: 'crypto.pbkdf2' } as Finding;
	assert.equal(findingTime(another, report({ lines }))?.fromMs, 1);
});

test('none where nothing of it was recorded', () => {
	assert.equal(findingTime(FINDING, report({})), null);
	assert.equal(findingTime(FINDING, report({ lines: [line({ typical: typical({ pid: 2 }) })] })), null);
});
