// What runs after an `await` is the run time of the line that awaited: compared with what the program has timed itself.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { lineWith } from '../support/report.ts';
import { record } from '../support/waitline.ts';

/**
 * A machine that is busy with something else for a moment spoils one run or two, so the median run is judged, for each
 * line.
 */
const RUNS = 5;
/** How far a run time may be from what the program measured itself: 1 ms, or 5 % where that is more. */
const TOLERANCE_MS = 1;
const TOLERANCE_SHARE = 0.05;

/** What the program prints about the code behind an await. */
interface Stretch {
	ms: number;
	/**
	 * How long the thread was ready to run and had no CPU, around it: the loop may have been blocked for that much
	 * longer.
	 */
	noCpuMs: number;
	/** How long the longest was, with such a time, of those before it too, in which the program does not spin. */
	longestMs: number;
}

const program = join(tracerPrograms, 'spins-after-awaits.cjs');

for (const node of nodes()) {
	describe(`await run time on Node ${node.major}`, () => {
		it('every line that awaits has the time of the spin behind it', async () => {
			const excesses = new Map<string, number[]>();
			for (let run = 0; run < RUNS; run++) {
				const { report, text } = await record(node, [program]);
				const seen = Object.entries(JSON.parse(text) as Record<string, Stretch>);
				for (const [awaited, { ms, noCpuMs, longestMs }] of seen) {
					const line = lineWith(program, `; // ${awaited}`);
					const reportedMs = Math.max(
						...report.lines.filter((entry) => entry.line === line).map((entry) => entry.run?.maxMs ?? 0),
					);
					const list = excesses.get(awaited) ?? [];
					const most = Math.max(ms + noCpuMs, longestMs);
					list.push(
						Math.max(ms - noCpuMs - reportedMs, reportedMs - most) - Math.max(TOLERANCE_MS, TOLERANCE_SHARE * ms),
					);
					excesses.set(awaited, list);
				}
			}
			assert.equal(excesses.size, 9);
			const tooFar = [...excesses].filter(([, list]) => list.sort((a, b) => a - b)[Math.floor(RUNS / 2)]! > 0);
			assert.deepEqual(Object.fromEntries(tooFar), {});
		});
	});
}
