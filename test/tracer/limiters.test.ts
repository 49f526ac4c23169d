// Limiters of promises queue in JavaScript, where nothing shows who waits: what is said of the work behind them is still true.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import * as waits from '../../src/protocol/connection-wait.ts';
import { nodesOfLibraries } from '../support/nodes.ts';
import { compareOrigins, installLibraries, libraryProgram } from '../support/origins.ts';
import { assertComplete, sum } from '../support/report.ts';
import { assertBetween, spansPrinted, waitsOf } from '../support/truth.ts';
import { record } from '../support/waitline.ts';

const program = libraryProgram('limits-itself.cjs');
const PIECES = 5;
/** How long each of them waits for its timer, at least: Node's timers count whole milliseconds. */
const LEAST_MS = 19;

describe('work behind limiters', () => {
	before(installLibraries);

	for (const node of nodesOfLibraries()) {
		it(`on Node ${node.major}: each piece on its line, waiting for itself alone`, async () => {
			const { report, text } = await record(node, [program]);
			assertComplete(report);
			const { right, expected, wrong } = compareOrigins(report, program, {});
			assert.deepEqual({ right, wrong }, { right: expected, wrong: [] });
			assert.deepEqual(
				report.lines.filter(({ op, pending }) => pending > 0 || Object.values<string>(waits).includes(op)),
				[],
			);
			const timers = report.lines.filter(
				({ file, op, count }) => file === program && op === 'setTimeout' && count === PIECES,
			);
			const seen = ['p-limit', 'p-queue', 'bottleneck'].map((name) => spansPrinted(text, name));
			assert.equal(timers.length, seen.length);
			const total = sum(timers.map(({ wait }) => wait!.totalMs));
			const least = seen.flat().length * LEAST_MS;
			assertBetween(total, least, sum(seen.flatMap(waitsOf)), 'the waits of the work');
			for (const { wait } of timers) assert.equal(wait!.basis, 'measured');
		});
	}
});
