// Operations that end in another way than by their callback: each is finished or dropped in the report, none is pending for ever.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Report } from '../../src/protocol/report.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { assertComplete, entries, lineWith } from '../support/report.ts';
import { record } from '../support/waitline.ts';

const program = join(tracerPrograms, 'ends-operations.cjs');

/** By the comment on the line: its operation, and how many of it finish; the others are dropped. */
const ENDS: Record<string, { op: string; count: number }> = {
	'// a spawn that fails': { op: 'child_process.spawn', count: 1 },
	'// spawns that fail later': { op: 'child_process.spawn', count: 2 },
	'// an execFile that fails': { op: 'child_process.execFile', count: 1 },
	'// a spawn that succeeds': { op: 'child_process.spawn', count: 1 },
	'// an upgrade': { op: 'http.get', count: 1 },
	'// a tunnel': { op: 'http.request', count: 1 },
	'// an aborted fetch': { op: 'fetch', count: 1 },
	'// a destroyed request': { op: 'http.get', count: 1 },
	'// a destroyed socket': { op: 'net.Socket.write', count: 1 },
	'// a cleared immediate': { op: 'setImmediate', count: 0 },
	'// a cleared timer': { op: 'setTimeout', count: 0 },
	'// a timer without a reference': { op: 'setTimeout', count: 0 },
};

// Node announces requests differently from 22.12 on.
for (const node of nodes().filter(({ major }) => major === 20 || major === 24)) {
	describe(`on Node ${node.major}`, () => {
		let report: Report;
		before(async () => {
			({ report } = await record(node, [program]));
			assertComplete(report);
		});

		for (const [comment, { op, count }] of Object.entries(ENDS)) {
			it(comment.slice('// '.length), () => {
				const found = entries(report, { file: program, line: lineWith(program, comment), op });
				assert.deepEqual(
					found.map((line) => [line.count, line.pending]),
					count === 0 ? [] : [[count, 0]],
				);
			});
		}

		it('nothing else is pending', () => {
			assert.deepEqual(
				report.lines.filter(({ pending }) => pending > 0).map(({ line, op }) => `${line} ${op}`),
				[],
			);
		});
	});
}
