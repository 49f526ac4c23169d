// How long a line waits for what generic-pool and MongoDB's driver keep in their pools, compared with what the program itself measures. MongoDB's server is
// planted: no package brings the real one.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Line } from '../../src/protocol/report.ts';
import { nodes } from '../support/nodes.ts';
import { installLibraries, libraryProgram } from '../support/origins.ts';
import { assertComplete, assertNear, entry, lineWith, sum } from '../support/report.ts';
import { recordTimed, spansPrinted, type TimedRun, waitsOf } from '../support/truth.ts';

const program = libraryProgram('waits-for-pools.cjs');
/** Six want one of two at once, and the first two get theirs at once. */
const HOLDERS = 6;
const WAITERS = 4;
/** What the program and the library do between reading the clock and the queue, mostly for the first time, per wait. */
const OWN_MS = 5;

describe('waits for a pool', () => {
	before(installLibraries);

	for (const node of nodes()) {
		describe(`on Node ${node.major}`, () => {
			let recording: TimedRun;
			before(async () => {
				recording = await recordTimed(node, [program]);
				assertComplete(recording.report);
			});
			const lineAt = (comment: string, op: string): Line =>
				entry(recording.report, {
					file: program,
					line: lineWith(program, comment) + (comment.endsWith('↓') ? 1 : 0),
					op,
				});
			const seen = (printed: string) => waitsOf(spansPrinted(recording.text, printed));
			const off = (waits: number) => recording.noCpuMs + waits * OWN_MS;

			for (const [printed, comment] of [
				['generic-pool', "// one of the pool's"],
				['used', '// to use one ↓'],
			] as const) {
				it(`of generic-pool, ${comment.slice('// '.length)}: as long as the program sees`, () => {
					const { wait, count, pending, run } = lineAt(comment, 'pool connection');
					// What is free, or made for it, is no wait for others.
					const [, , ...queued] = seen(printed);
					assert.deepEqual([count, pending, run], [WAITERS, 0, null]);
					assertNear(wait!.totalMs, sum(queued), 0.1, 'the wait', off(WAITERS));
					assert.equal(wait!.basis, 'measured');
				});
			}

			it('until its time is over', () => {
				assert.match(recording.text, /^TimeoutError$/m);
				const { wait, count, pending } = lineAt('// for as long as it may', 'pool connection');
				assert.deepEqual([count, pending], [1, 0]);
				assertNear(wait!.totalMs, sum(seen('timed out')), 0.1, 'the wait', off(1));
			});

			it("of MongoDB's driver: as long as the driver says", () => {
				const { wait, count, pending } = lineAt('// finds', 'pool connection');
				assert.equal(lineAt('// finds', 'net.Socket.write').count, HOLDERS);
				assert.deepEqual([count, pending], [WAITERS, 0]);
				// One was free, and one was made.
				const queued = seen('mongodb')
					.sort((a, b) => b - a)
					.slice(0, WAITERS);
				assertNear(wait!.totalMs, sum(queued), 0.1, 'the wait', off(WAITERS));
			});

			it('for good: pending', () => {
				const { count, pending } = lineAt('// for good', 'pool connection');
				assert.deepEqual([count, pending], [0, 1]);
			});
		});
	}
});
