// Limiters of promises queue in JavaScript, where nothing shows who waits: what is said of the work behind them is still true.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import * as waits from '../../src/protocol/connection-wait.ts';
import { nodes } from '../support/nodes.ts';
import { compareOrigins, installLibraries, libraryProgram } from '../support/origins.ts';
import { assertComplete, assertNear, sum } from '../support/report.ts';
import { recordTimed, spansPrinted, waitsOf } from '../support/truth.ts';

const program = libraryProgram('limits-itself.cjs');
/** How long the program's own code takes around each timer, until the clock is read. */
const OWN_MS = 5;
const PIECES = 5;

describe('work behind limiters', () => {
	before(installLibraries);

	for (const node of nodes()) {
		it(`on Node ${node.major}: each piece on its line, waiting for itself alone`, async () => {
			const { report, text, noCpuMs } = await recordTimed(node, [program]);
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
			const off = noCpuMs + seen.flat().length * OWN_MS;
			assertNear(total, sum(seen.flatMap(waitsOf)), 0.1, 'the waits of the work', off);
			for (const { wait } of timers) assert.equal(wait!.basis, 'measured');
		});
	}
});
