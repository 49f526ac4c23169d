// A program that does nothing but start operations costs the tracer more than its budget: it steps down, says so, and still counts each
// of them; and it steps up again when the program calms down.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Report } from '../../src/protocol/report.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { assertComplete, assertNear, entry, lineWith } from '../support/report.ts';
import { record } from '../support/waitline.ts';

const program = join(tracerPrograms, 'runs-hot.cjs');

interface Counted {
	immediates: number;
	timers: number;
	rounds: number;
	/** Of the timers, added up, in ms. */
	waited: number;
}

function lineOf(report: Report, text: string) {
	return entry(report, { file: program, line: lineWith(program, text) });
}

for (const node of nodes()) {
	describe(`the budget on Node ${node.major}`, () => {
		it('a hot program is sampled and counted to the unit, and told in full again when it rests', async () => {
			const { report, text } = await record(node, [program, '5.9', '6.5']);
			const truth = JSON.parse(text) as Counted;
			assertComplete(report);
			const [process] = report.processes;
			const stages = process!.stages.map(({ stage }) => stage);
			assert.deepEqual(stages.slice(0, 2), [1, 2], 'down by steps');
			assert.ok(process!.stages[0]!.startMs >= 2000, 'not for what the start cost');
			assert.ok(process!.stages[0]!.costPercent > 2);
			assert.ok(process!.stage < Math.max(...stages), `and up again: ${stages}`);

			const immediates = lineOf(report, 'setImmediate(() => {');
			const timers = lineOf(report, 'setTimeout(() => {');
			const rounds = lineOf(report, 'setImmediate(round)');
			assert.deepEqual(
				{ immediates: immediates.count, timers: timers.count, rounds: rounds.count + 1 },
				{ immediates: truth.immediates, timers: truth.timers, rounds: truth.rounds },
			);
			for (const line of [immediates, timers]) assert.ok(line.sampledOf >= 4 && line.wait?.basis === 'estimated');
			assertNear(timers.wait!.totalMs, truth.waited, 0.15, 'what the sample comes to');
		});

		it('without a budget all is recorded', async () => {
			const { report, text } = await record(node, [program, '3.5', '0'], { env: { WAITLINE_BUDGET: 'off' } });
			const truth = JSON.parse(text) as Counted;
			assert.deepEqual(report.processes[0]?.stages, []);
			const timers = lineOf(report, 'setTimeout(() => {');
			assert.deepEqual([timers.count, timers.sampledOf, timers.wait?.basis], [truth.timers, 1, 'measured']);
		});
	});
}
