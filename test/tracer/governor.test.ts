// A program that does nothing but start operations costs the tracer more than its budget: it steps down, reports that,
// and still counts each of them; and it steps up again when the program calms down. How soon depends on the machine, so
// the program does each until the report shows what it is for.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { LiveSession } from '../../src/host/sessions/live-session.ts';
import type { Report } from '../../src/protocol/report.ts';
import { follow } from '../support/live.ts';
import { type NodeBuild, nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { assertComplete, assertNear, entry, lineWith } from '../support/report.ts';
import { scratchFolder } from '../support/scratch.ts';

const program = join(tracerPrograms, 'runs-hot.cjs');
const resting = join(tracerPrograms, 'rests.cjs');

/** The higher the budget, the shorter the rests. These programs cost three times as much. */
const ENV = { WAITLINE_BUDGET: '8' };

/** Timers that are to be sampled before the program rests: enough for the sum of their waits to be near the truth. */
const SAMPLED = 4000;

interface Counted {
	immediates: number;
	timers: number;
	rounds: number;
	/** Of the timers, added up, in ms. */
	waited: number;
}

/** What test/tracer/programs/rests.cjs prints. */
interface Rested {
	counts: { immediates: number; stats: number; intervals: number };
	/** Of their waits, ms. */
	longest: { immediates: number; stats: number; intervals: number };
	wrong: number;
}

function lineOf(report: Report, text: string) {
	return entry(report, { file: program, line: lineWith(program, text) });
}

/** The timers' line while it may not be there yet. */
function timersOf(report: Report) {
	const line = lineWith(program, 'setTimeout(() => {');
	return report.lines.find((each) => each.file === program && each.line === line);
}

/** Runs the program hot until the first condition holds, and at rest until the second does. */
async function run(
	node: NodeBuild,
	isHotEnough: (report: Report) => boolean,
	isCalm: (report: Report) => boolean,
	env: Record<string, string> = {},
): Promise<{ report: Report; truth: Counted }> {
	const folder = scratchFolder();
	const [hotUntil, restUntil] = [join(folder, 'rest'), join(folder, 'end')];
	let isHot = true;
	const look = (live: LiveSession) => {
		const report = live.report();
		if (isHot && isHotEnough(report)) {
			isHot = false;
			writeFileSync(hotUntil, '');
		}
		if (!isHot && isCalm(report)) writeFileSync(restUntil, '');
	};
	const args = [program, hotUntil, restUntil];
	const { session, stdout, code } = await follow(node, args, (live) => live.onUpdate(() => look(live)), { env });
	const report = await session.stop();
	assert.equal(code, 0);
	return { report, truth: JSON.parse(stdout) as Counted };
}

// A program at rest leaves its core to the next one, which is hot. The governor asks nothing of Node but the time: the oldest version and the newest are enough.
describe('the budget', { concurrency: 2 }, () => {
	for (const node of [nodes().at(0)!, nodes().at(-1)!]) {
		describe(`on Node ${node.major}`, () => {
			it('a hot program is sampled and counted to the unit, and recorded in full again when it rests', async () => {
				let unsampled = 0;
				const { report, truth } = await run(
					node,
					(so) => {
						const [process] = so.processes;
						const { count = 0, sampledOf = 1 } = timersOf(so) ?? {};
						if (sampledOf === 1) unsampled = count;
						return count - unsampled >= SAMPLED || process!.stage === 4;
					},
					({ processes: [process] }) => process!.stage < Math.max(...process!.stages.map(({ stage }) => stage)),
					ENV,
				);
				assertComplete(report);
				const [process] = report.processes;
				const stages = process!.stages.map(({ stage }) => stage);
				const deepest = Math.max(...stages);
				const down = stages.map((stage, index) => stage - (stages[index - 1] ?? 0));
				assert.ok(Math.max(...down) === 1, `down by steps: ${stages}`);
				assert.ok(process!.stages[0]!.startMs >= 2000, 'not for what the start cost');
				assert.ok(process!.stages[0]!.costPercent >= 8, `${process!.stages[0]!.costPercent} %`);
				assert.ok(process!.stage < deepest, `and up again: ${stages}`);

				// On a slow machine the sample may not be large enough before the tracer has to rest.
				if (process!.recordedMs < process!.durationMs) return;
				const immediates = lineOf(report, 'setImmediate(() => {');
				const timers = lineOf(report, 'setTimeout(() => {');
				const rounds = lineOf(report, 'setImmediate(round)');
				assert.deepEqual(
					{ immediates: immediates.count, timers: timers.count, rounds: rounds.count + 1 },
					{ immediates: truth.immediates, timers: truth.timers, rounds: truth.rounds },
				);
				for (const line of [immediates, timers]) assert.ok(line.sampledOf >= 4 && line.wait?.basis === 'estimated');
				// A blocked loop makes many timers wait together, so a sample has fewer waits of their own than operations.
				assertNear(timers.wait!.totalMs, truth.waited, 0.25, 'what the sample comes to');
			});

			it('a program that is too hot for that is recorded for some of the time, and neither notices nor shows what was not seen', async () => {
				const end = join(scratchFolder(), 'end');
				const look = (live: LiveSession) => {
					const [process] = live.report().processes;
					if (process !== undefined && process.recordedMs < process.durationMs) writeFileSync(end, '');
				};
				const { session, stdout, code } = await follow(
					node,
					[resting, end],
					(live) => live.onUpdate(() => look(live)),
					{ env: ENV },
				);
				const report = await session.stop();
				const { counts, longest, wrong } = JSON.parse(stdout) as Rested;
				assert.deepEqual([code, wrong], [0, 0], 'every callback has its context');
				assertComplete(report);
				const [process] = report.processes;
				// It may calm down at its end, when others take the processor from it.
				assert.ok(process!.stages.some(({ stage }) => stage === 4));
				const of = (text: string) => entry(report, { file: resting, line: lineWith(resting, text) });
				const lines = {
					immediates: of("setImmediate(() => called('immediates'"),
					stats: of('stat(__filename'),
					intervals: of('setInterval(() => {'),
				};
				assertNear(lines.immediates.count, counts.immediates, 0.25, 'as many as there were async ids');
				assertNear(lines.intervals.count, counts.intervals, 0.25, 'as many as there was time');
				// A wait that spans a rest is longer than any that there was, by about that rest.
				const unseen = (process!.durationMs - process!.recordedMs) / 4;
				for (const [name, line] of Object.entries(lines)) {
					assert.deepEqual([line.isCountEstimated, line.pending, line.wait?.basis], [true, 0, 'estimated'], name);
					const most = longest[name as keyof typeof lines] + unseen;
					assert.ok(line.wait!.maxMs <= most, `${name}: ${line.wait!.maxMs} of ${most} ms`);
				}
			});

			it('without a budget all is recorded', async () => {
				// Twice as long as it would take to be sampled with one: judged once a second, from the second second
				// on.
				const { report, truth } = await run(
					node,
					({ processes: [process] }) => (process?.durationMs ?? 0) > 4500,
					() => true,
					{ WAITLINE_BUDGET: 'off' },
				);
				assert.deepEqual(report.processes[0]?.stages, []);
				const timers = lineOf(report, 'setTimeout(() => {');
				assert.deepEqual([timers.count, timers.sampledOf, timers.wait?.basis], [truth.timers, 1, 'measured']);
			});
		});
	}
});
