// A timer that was refreshed waits from then, and is not late by what it had waited before: compared with what the program itself measures.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { assertComplete, entry, known, lineWith } from '../support/report.ts';
import { record } from '../support/waitline.ts';

const program = join(tracerPrograms, 'refreshes-timers.cjs');
const DELAY_MS = 40;
/** Node's timers count whole milliseconds. */
const ROUNDED_MS = 2;

describe('timers that are refreshed', () => {
	for (const node of nodes()) {
		it(`on Node ${node.major}`, async () => {
			const { report, text } = await record(node, [program]);
			assertComplete(report);
			const { sinceRefresh, sinceSet } = JSON.parse(text) as { sinceRefresh: number; sinceSet: number };
			const refreshed = entry(report, { file: program, line: lineWith(program, 'const idle ='), op: 'setTimeout' });
			const { totalMs } = known(refreshed, 'wait');
			const seen = JSON.stringify({ totalMs, sinceRefresh, sinceSet });
			assert.ok(sinceSet >= sinceRefresh + 3 * 30, seen);
			// The program reads its clock before it refreshes, and within the callback.
			assert.ok(totalMs >= DELAY_MS - ROUNDED_MS && totalMs <= sinceRefresh + ROUNDED_MS, seen);
			assert.ok(known(refreshed, 'lag').totalMs <= sinceRefresh - DELAY_MS + ROUNDED_MS, seen);
			const other = entry(report, { file: program, line: lineWith(program, '// not refreshed'), op: 'setTimeout' });
			assert.ok(known(other, 'wait').totalMs >= 5 * 9, 'nothing is taken from the others');
		});
	}
});
