// Seed 5: a server, ten simultaneous clients. `/t1` computes on the event loop: its line is a block on every request, and
// the other requests wait for it. `/t2` waits on a timer: all ten are served side by side and nothing blocks.
// The clients are this test's own process, which is not traced; each request has a connection of its own.
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Block } from '../../src/protocol/report.ts';
import { type NodeBuild, nodes } from '../support/nodes.ts';
import { labPrograms } from '../support/paths.ts';
import { assertComplete, assertNear, entries, known, linesOfFunction, lineWith, sum } from '../support/report.ts';
import { assertBetween, ownNoCpuMs, recordTimed } from '../support/truth.ts';

const program = join(labPrograms, 'seed5-server.cjs');
const clients = 10;
/** The least time that `/t1` computes, by its own clock. Answering takes less. */
const COMPUTES_MS = 150;
/** The delay of the timers of `/t2`, less what Node's timers, which count whole milliseconds, may come too early. */
const DELAY_MS = 500 - 1;

/** One request on a fresh connection: the time until its answer is complete, in ms. */
function request(port: number, path: string): Promise<number> {
	const started = performance.now();
	return new Promise((resolve, reject) => {
		const sent = get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
			response.resume();
			response.on('end', () => resolve(performance.now() - started));
			response.on('error', reject);
		});
		sent.on('error', reject);
	});
}

/** Runs the server under Waitline and sends it a request from all clients at once; their times, shortest first. */
async function serve(node: NodeBuild, path: string) {
	let answers: Promise<number[]> | undefined;
	const before = ownNoCpuMs();
	const { report, noCpuMs } = await recordTimed(node, [program, String(clients)], {
		onFirstOutput: (_child, text) => {
			const port = Number(/^listening on (\d+)$/m.exec(text)?.[1]);
			answers = Promise.all(Array.from({ length: clients }, () => request(port, path)));
		},
	});
	assert.ok(answers, 'the server said where it listens');
	assertComplete(report);
	assert.equal(report.loops.length, 1);
	const loop = report.loops[0]!;
	const t1 = linesOfFunction(program, 'function t1(');
	const isOfT1 = ({ file, line, durationMs }: Block) =>
		file === program && line >= t1.first && line <= t1.last && durationMs >= COMPUTES_MS;
	const blocks = loop.blocks.filter(isOfT1);
	// Wherever the machine stops, up to `listen` too, a callback may be a block of its own. That is true, not the experiment, and rare: what came with
	// each request would come as often.
	const others = loop.blocks.filter((block) => !isOfT1(block));
	const places = JSON.stringify(loop.blocks, null, 1);
	assert.ok(others.length < clients / 2, places);
	for (const other of others) {
		for (const block of blocks) assert.ok(endOf(other) <= block.startMs || endOf(block) <= other.startMs, places);
	}
	const latencies = (await answers).sort((a, b) => a - b);
	// Each latency may be longer by the time that server and clients had no CPU.
	const slackMs = noCpuMs + ownNoCpuMs() - before;
	return { report, blocks, utilization: loop.utilization, latencies, noCpuMs, slackMs };
}

function endOf({ startMs, durationMs }: Block): number {
	return startMs + durationMs;
}

function median(values: number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

for (const node of nodes()) {
	describe(`seed 5 on Node ${node.major}`, () => {
		it('/t1 blocks the loop on its line once per request, and the others wait for it', async () => {
			const { report, blocks, utilization, latencies, slackMs } = await serve(node, '/t1');
			const places = JSON.stringify(blocks, null, 1);
			assert.equal(blocks.length, clients, `one block per request, on the handler's lines: ${places}`);
			const duration = median(blocks.map((block) => block.durationMs));
			// What the clients saw proves that the experiment took place: one after the other, in even steps.
			const all = sum(blocks.map((block) => block.durationMs));
			assertNear(latencies.at(-1)!, all, 0.15, 'the last client waited for all blocks', slackMs);
			const [earlier, last] = [blocks.slice(0, -1), blocks.at(-1)!];
			const delaying = earlier.filter((block) => block.delayed > 0);
			assert.ok(delaying.length >= clients - 2, `blocks but the last delay the requests after them: ${places}`);
			assert.ok(last.delayed <= Math.max(...earlier.map((block) => block.delayed)), places);
			assert.ok(utilization > 0.5, 'the loop was busy most of the time');
			// All but the first request waited for the loop: their waits are lag, or may be as far as a program can
			// know.
			const requests = report.lines.filter(({ file, op }) => file === program && op.startsWith('http'));
			assert.equal(requests.length, 1, `one entry for the requests: ${JSON.stringify(report.lines, null, 1)}`);
			const [wait, lag] = [known(requests[0]!, 'wait'), known(requests[0]!, 'lag')];
			assert.equal(requests[0]!.count, clients);
			assert.ok(wait.totalMs > (clients - 2) * duration, 'each but the first waited for a block at least');
			assert.ok(lag.totalMs > 0.4 * wait.totalMs, `most of the wait is lag: ${JSON.stringify(requests[0])}`);
			assert.ok(lag.totalMs + clients * lag.uncertaintyMs > 0.95 * wait.totalMs, 'and all of it may be');
		});

		it('/t2 waits on its timers, side by side, and nothing blocks', async () => {
			const { report, blocks, utilization, latencies, noCpuMs } = await serve(node, '/t2');
			assert.deepEqual(blocks, []);
			const { durationMs } = report.processes[0]!;
			assert.ok(utilization * durationMs - noCpuMs < 0.5 * durationMs, 'the loop was idle most of the time');
			assert.ok(latencies.at(-1)! < (clients / 2) * DELAY_MS, `not one after the other: ${latencies}`);
			const line = lineWith(program, 'setInterval(');
			const timers = entries(report, { file: program, line });
			assert.deepEqual(
				timers.map(({ op, class: c, count, pending }) => ({ op, class: c, count, pending })),
				[{ op: 'setInterval', class: 'timer', count: clients, pending: 0 }],
			);
			const wait = known(timers[0]!, 'wait');
			// A client sees its timer's wait from outside, wherever the machine stops.
			const late = sum(latencies) - clients * DELAY_MS;
			assertBetween(wait.totalMs, clients * DELAY_MS, sum(latencies), 'what the timers waited');
			assertBetween(known(timers[0]!, 'lag').totalMs, 0, late, 'how late they were');
			assert.equal(timers[0]!.queue, null, 'a timer does not queue for the pool');
		});
	});
}
