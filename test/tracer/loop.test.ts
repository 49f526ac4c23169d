// What the report shows of the loop itself, against V8's and Node's own figures of the same run: collections against
// --trace-gc, its delay against Node's event loop monitor.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Block, Loop, LoopDelay } from '../../src/protocol/report.ts';
import { nodes } from '../support/nodes.ts';
import { tracerPrograms } from '../support/paths.ts';
import { assertNear, lineWith, sum } from '../support/report.ts';
import { recordTimed } from '../support/truth.ts';
import { record } from '../support/waitline.ts';

const collector = join(tracerPrograms, 'makes-garbage.cjs');
const ticker = join(tracerPrograms, 'blocks-in-ticks.cjs');
const starver = join(tracerPrograms, 'starves-in-ticks.cjs');
const delayer = join(tracerPrograms, 'delays-its-loop.cjs');

/** How long each place of the ticker blocks the loop. */
const BLOCKED_MS = 100;
/** The journal has whole µs. */
const ROUNDED_MS = 0.002;

/** Where V8 starts to mark in steps, that is a pause of its own, of which its trace has no line. */
const TRACED = ['--expose-gc', '--trace-gc', '--no-incremental-marking'];

/** The longest block of each line: the thread may lose its CPU before or after what blocks the loop, for another block. */
function longestByLine(blocks: readonly Block[]): Map<number, Block> {
	const longest = new Map<number, Block>();
	for (const block of blocks) {
		if (block.durationMs > (longest.get(block.line)?.durationMs ?? 0)) longest.set(block.line, block);
	}
	return longest;
}

/** The causes of the blocks that stand on a line: where the thread had no CPU, there may be another one. */
function causesAt(loop: Loop, text: string): string[] {
	const line = lineWith(collector, text);
	return loop.blocks.filter((block) => block.line === line).map(({ cause }) => cause);
}

/** The pauses that V8 printed, in ms: `[1:0x…] 97 ms: Mark-Compact (reduce) 40.1 (64.5) -> 40.1 (64.5) MB, 39.9 / 0.0 ms …`. */
function traced(text: string): number[] {
	return [...text.matchAll(/ ms: (?:Scavenge|Mark-|Minor).* MB, (?:pooled: \S+ MB, )?([\d.]+) \/ [\d.]+ ms/g)].map(
		(match) => Number(match[1]),
	);
}

/** The shape: within half of it, a few ms, and what either of the two may have seen alone while the thread had no CPU. */
function assertAlike(reported: number, truth: number, what: string, noCpuMs: number): void {
	const difference = Math.abs(reported - truth);
	assert.ok(
		difference <= 5 + 0.5 * truth + noCpuMs,
		`${what}: ${reported} beside ${truth}, ${noCpuMs} ms without a CPU`,
	);
}

for (const node of nodes()) {
	describe(`the loop on Node ${node.major}`, () => {
		it('collections are V8’s own, and the cause of the block that they made', async () => {
			const { report, text, noCpuMs } = await recordTimed(node, [...TRACED, collector]);
			const [loop] = report.loops;
			const printed = traced(text);
			const seen = JSON.parse(/^\{.*\}$/m.exec(text)![0]) as { total: number; longest: number };
			assert.ok(printed.length > 2 && loop?.gc, text);
			// One may come while the tracer itself is loaded: nothing is recorded yet.
			const isEarly = loop.gc.count === printed.length - 1;
			const truth = isEarly ? printed.slice(1) : printed;
			assert.equal(loop.gc.count, truth.length);
			// Node's clock runs a little longer than V8's: the machine may stop between the two, which the program sees around its own collections.
			const [total, longest] = [sum(truth), Math.max(...truth)];
			assertNear(loop.gc.totalMs, total, 0.15, 'all collections', noCpuMs + Math.max(0, seen.total - total));
			assertNear(loop.gc.maxMs, longest, 0.15, 'the longest', noCpuMs + Math.max(0, seen.longest - longest));
			assert.ok(causesAt(loop, 'setTimeout(collect').includes('gc'), JSON.stringify(loop.blocks));
			assert.ok(causesAt(loop, 'setTimeout(work').includes('code'), JSON.stringify(loop.blocks));
		});

		it('a tick or microtask that blocks it is a block of the line that scheduled it', async () => {
			const { report } = await record(node, [ticker]);
			const blocks = report.loops[0]!.blocks.toSorted((a, b) => a.startMs - b.startMs);
			const places = ['in the main script', 'queueMicrotask', 'setTimeout(itself', 'after a callback', 'in a tick'];
			const lines = places.map((text) => lineWith(ticker, text));
			const longest = longestByLine(blocks);
			const blocking = blocks.filter((block) => lines.includes(block.line) && longest.get(block.line) === block);
			assert.deepEqual(
				blocking.map(({ line }) => line),
				lines,
			);
			// Each is as long as the program blocked the loop, by the same clock. Any other block is one because the machine stopped, and is none of that time.
			const seen = JSON.stringify(blocks.map(({ line, startMs, durationMs }) => [line, startMs, durationMs]));
			for (const { durationMs } of blocking) assert.ok(durationMs >= BLOCKED_MS, seen);
			for (const [i, { startMs, durationMs }] of blocks.entries()) {
				assert.ok(startMs + durationMs <= (blocks[i + 1]?.startMs ?? Infinity) + ROUNDED_MS, seen);
			}
		});

		it('ticks that schedule each other are one block of the line that schedules them', async () => {
			const { report, text } = await recordTimed(node, [starver]);
			const { blocks } = report.loops[0]!;
			const truth = JSON.parse(/^\{.*\}$/m.exec(text)![0]) as Record<string, number>;
			for (const [name, ms] of Object.entries(truth)) {
				const line = lineWith(starver, `process.nextTick(${name}`);
				const durations = blocks.filter((block) => block.line === line).map(({ durationMs }) => durationMs);
				assert.equal(durations.length, 1, `${name}: ${durations.join(', ')} ms of ${ms}`);
				assert.ok(durations[0]! >= ms, `${name}: ${durations[0]} ms of ${ms}`);
			}
		});

		for (const mode of ['blocks', 'pieces', 'rests']) {
			it(`its delay has the shape that Node’s monitor sees: ${mode}`, async () => {
				const { report, text, noCpuMs } = await recordTimed(node, [delayer, mode]);
				const truth = JSON.parse(/^\{.*\}$/m.exec(text)![0]) as LoopDelay;
				const delay = report.loops[0]?.delay;
				assert.ok(delay, 'the delay is known');
				// In a loop that is blocked for half of the time, it is chance which of the two kinds of samples has
				// the median.
				if (mode === 'blocks') assertAlike(delay.maxMs, truth.maxMs, 'the longest', noCpuMs);
				else assertAlike(delay.p50Ms, truth.p50Ms, 'the middle', noCpuMs);
			});
		}
	});
}
