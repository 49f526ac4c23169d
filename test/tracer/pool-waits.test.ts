// How long a line waits for what generic-pool and MongoDB's driver keep in their pools, compared with what the program itself measures. MongoDB's server is
// planted: no package brings the real one.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Line } from '../../src/protocol/report.ts';
import { nodesOfLibraries } from '../support/nodes.ts';
import { installLibraries, libraryProgram } from '../support/origins.ts';
import { assertComplete, entry, lineWith } from '../support/report.ts';
import { assertWithin, spansPrinted } from '../support/truth.ts';
import { type RecordedRun, record } from '../support/waitline.ts';

const program = libraryProgram('waits-for-pools.cjs');
/** Six want one of two at once, and the first two get theirs at once. */
const HOLDERS = 6;
const WAITERS = 4;

describe('waits for a pool', () => {
	before(installLibraries);

	for (const node of nodesOfLibraries()) {
		describe(`on Node ${node.major}`, () => {
			let recording: RecordedRun;
			before(async () => {
				recording = await record(node, [program]);
				assertComplete(recording.report);
			});
			const lineAt = (comment: string, op: string): Line =>
				entry(recording.report, {
					file: program,
					line: lineWith(program, comment) + (comment.endsWith('↓') ? 1 : 0),
					op,
				});
			const seen = (printed: string) => spansPrinted(recording.text, printed);

			for (const [printed, comment] of [
				['generic-pool', "// one of the pool's"],
				['used', '// to use one ↓'],
			] as const) {
				it(`of generic-pool, ${comment.slice('// '.length)}: as long as the program sees`, () => {
					const { wait, count, pending, run } = lineAt(comment, 'pool connection');
					// What is free, or made for it, is no wait for others.
					const [, , ...queued] = seen(printed);
					assert.deepEqual([count, pending, run], [WAITERS, 0, null]);
					assertWithin(wait!.totalMs, queued, 'the wait');
					assert.equal(wait!.basis, 'measured');
				});
			}

			it('until its time is over', () => {
				assert.match(recording.text, /^TimeoutError$/m);
				const { wait, count, pending } = lineAt('// for as long as it may', 'pool connection');
				assert.deepEqual([count, pending], [1, 0]);
				assertWithin(wait!.totalMs, seen('timed out'), 'the wait');
			});

			it("of MongoDB's driver: until the driver says that it is over", () => {
				const { wait, count, pending } = lineAt('// finds', 'pool connection');
				assert.equal(lineAt('// finds', 'net.Socket.write').count, HOLDERS);
				assert.deepEqual([count, pending], [WAITERS, 0]);
				// One was free, and one was made.
				const [, , ...queued] = seen('mongodb');
				assertWithin(wait!.totalMs, queued, 'the wait');
			});

			it('for good: pending', () => {
				const { count, pending } = lineAt('// for good', 'pool connection');
				assert.deepEqual([count, pending], [0, 1]);
			});
		});
	}
});
