// What the report shows of the loop itself, against V8's and Node's own figures of the same run: collections against
// --trace-gc, its delay against Node's event loop monitor.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Loop, LoopDelay } from '../../src/protocol/report.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { assertNear, lineWith, sum } from '../support/report.ts';
import { recordTimed } from '../support/truth.ts';
import { record } from '../support/waitline.ts';

const collector = join(tracerPrograms, 'makes-garbage.cjs');
const ticker = join(tracerPrograms, 'holds-in-ticks.cjs');
const delayer = join(tracerPrograms, 'delays-its-loop.cjs');

/** Where V8 starts to mark in steps, that is a pause of its own, of which its trace has no line. */
const TRACED = ['--expose-gc', '--trace-gc', '--no-incremental-marking'];

function causeAt(loop: Loop, text: string): string | undefined {
	const line = lineWith(collector, text);
	return loop.blocks.find((block) => block.line === line)?.cause;
}

/** The pauses that V8 printed, in ms: `[1:0x…] 97 ms: Mark-Compact (reduce) 40.1 (64.5) -> 40.1 (64.5) MB, 39.9 / 0.0 ms …`. */
function traced(text: string): number[] {
	return [...text.matchAll(/ ms: (?:Scavenge|Mark-|Minor).* MB, (?:pooled: \S+ MB, )?([\d.]+) \/ [\d.]+ ms/g)].map(
		(match) => Number(match[1]),
	);
}

/** The shape: within half of it, and a few ms for what either missed on a busy machine. */
function assertAlike(reported: number, truth: number, what: string): void {
	assert.ok(Math.abs(reported - truth) <= 5 + 0.5 * truth, `${what}: ${reported} beside ${truth}`);
}

for (const node of nodes()) {
	describe(`the loop on Node ${node.major}`, () => {
		it('collections are V8’s own, and the cause of the block that they made', async () => {
			const { report, text, noCpuMs } = await recordTimed(node, [...TRACED, collector]);
			const [loop] = report.loops;
			const printed = traced(text);
			assert.ok(printed.length > 2 && loop?.gc, text);
			// One may come while the tracer itself is loaded: nothing is recorded yet.
			const isEarly = loop.gc.count === printed.length - 1;
			const truth = isEarly ? printed.slice(1) : printed;
			assert.equal(loop.gc.count, truth.length);
			// Node's clock runs a little longer than V8's: the thread may lose its CPU between the two.
			assertNear(loop.gc.totalMs, sum(truth), 0.15, 'all collections', noCpuMs);
			assertNear(loop.gc.maxMs, Math.max(...truth), 0.15, 'the longest', noCpuMs);
			assert.equal(causeAt(loop, 'setTimeout(collect'), 'gc');
			assert.equal(causeAt(loop, 'setTimeout(work'), 'code');
		});

		it('a tick or microtask that blocks it is a block of the line that scheduled it', async () => {
			const { report } = await record(node, [ticker]);
			const [loop] = report.loops;
			const lineOf = (text: string) => lineWith(ticker, text);
			assert.deepEqual(
				loop?.blocks.map(({ line }) => line),
				[
					lineOf('in the main script'),
					lineOf('queueMicrotask'),
					lineOf('setTimeout(itself'),
					lineOf('after a callback'),
					lineOf('in a tick'),
				],
			);
			for (const { durationMs } of loop.blocks) assert.ok(durationMs >= 90, `${durationMs} ms`);
		});

		for (const mode of ['blocks', 'pieces', 'rests']) {
			it(`its delay has the shape that Node’s monitor sees: ${mode}`, async () => {
				const { report, text } = await record(node, [delayer, mode]);
				const truth = JSON.parse(text) as LoopDelay;
				const delay = report.loops[0]?.delay;
				assert.ok(delay, 'the delay is known');
				// In a loop that is blocked for half of the time, it is chance which of the two kinds of samples has
				// the median.
				if (mode === 'blocks') assertAlike(delay.maxMs, truth.maxMs, 'the longest');
				else assertAlike(delay.p50Ms, truth.p50Ms, 'the middle');
			});
		}
	});
}
