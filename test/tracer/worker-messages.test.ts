// How long messages to a Worker and back wait for a thread that is busy, compared with what the program itself measures.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Line } from '../../src/protocol/report.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { assertComplete, entry, lineWith, sum } from '../support/report.ts';
import { assertBetween, assertWithin, spansPrinted, waitsOf } from '../support/truth.ts';
import { type RecordedRun, record } from '../support/waitline.ts';

const program = join(tracerPrograms, 'asks-workers.cjs');
const TOGETHER = 4;

for (const node of nodes()) {
	describe(`messages between threads on Node ${node.major}`, () => {
		let recording: RecordedRun;
		before(async () => {
			recording = await record(node, [program]);
			assertComplete(recording.report);
		});
		const lineAt = (comment: string): Line =>
			entry(recording.report, { file: program, line: lineWith(program, comment), op: 'posted message' });
		const seen = (printed: string) => spansPrinted(recording.text, printed);

		it('to a Worker that is busy: on the line that posted', () => {
			const { class: name, count, pending, wait, maxInFlight } = lineAt('// to the Worker');
			assert.deepEqual([name, count, pending, maxInFlight], ['worker', TOGETHER, 0, TOGETHER]);
			assertWithin(wait!.totalMs, seen('there').slice(0, TOGETHER), 'the waits');
		});

		it('and back to a thread that is busy', () => {
			const { count, pending, wait } = lineAt('// the way back');
			const truth = seen('back');
			assert.deepEqual([count, pending], [truth.length, 0]);
			assertWithin(wait!.totalMs, truth, 'the waits');
		});

		it('one that could not be posted takes no other’s place for long', () => {
			assert.match(recording.text, /^DataCloneError$/m);
			const { count, pending, wait } = lineAt('// after that');
			// One of them may be taken for the one that failed; it does not count then.
			assert.deepEqual([count, pending], [3, 0]);
			assertBetween(wait!.totalMs, 0, sum(waitsOf(seen('there').slice(TOGETHER))), 'the waits');
		});
	});
}
