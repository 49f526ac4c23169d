// Seed 5: a server, ten simultaneous clients. `/t1` computes on the event loop: its line is a block on every request, and
// the other requests wait for it. `/t2` waits on a timer: all ten are served side by side and nothing blocks.
// The clients are this test's own process, which is not traced; each request has a connection of its own.
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type NodeBuild, nodes } from '../support/nodes.ts';
import { labPrograms } from '../support/paths.ts';
import { assertComplete, assertNear, entries, known, linesOfFunction, lineWith, sum } from '../support/report.ts';
import { ownNoCpuMs, recordTimed } from '../support/truth.ts';

const program = join(labPrograms, 'seed5-server.cjs');
const clients = 10;
/** The least time that `/t1` computes, by its own clock. Answering takes less. */
const COMPUTES_MS = 150;
/** The most that a callback of the server takes that does not compute. */
const QUICK_MS = 10;

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
	// On a busy machine the start-up itself, up to `listen`, can take long enough to be a block, and so can any callback whose thread
	// loses its CPU. That is true, and not the experiment.
	const t1 = linesOfFunction(program, 'function t1(');
	const blocks = loop.blocks.filter(({ file, line, durationMs }) => {
		if (file === program && line >= t1.first && line <= t1.last && durationMs >= COMPUTES_MS) return true;
		if (file === program && line === lineWith(program, 'server.listen(')) return false;
		return durationMs > noCpuMs + QUICK_MS;
	});
	const latencies = (await answers).sort((a, b) => a - b);
	// Each latency may be longer by the time that server and clients had no CPU.
	const slackMs = noCpuMs + ownNoCpuMs() - before;
	return { report, blocks, utilization: loop.utilization, latencies, noCpuMs, slackMs };
}

function median(values: number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

for (const node of nodes()) {
	describe(`seed 5 on Node ${node.major}`, () => {
		it('/t1 blocks the loop on its line once per request, and the others wait for it', async () => {
			const { report, blocks, utilization, latencies, slackMs } = await serve(node, '/t1');
			const handler = linesOfFunction(program, 'function t1(');
			const places = JSON.stringify(blocks, null, 1);
			assert.equal(blocks.length, clients, `one block per request, and nothing else: ${places}`);
			for (const { file, line } of blocks) {
				assert.ok(
					file === program && line >= handler.first && line <= handler.last,
					`on the handler's lines: ${places}`,
				);
			}
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
			const { report, blocks, utilization, latencies, noCpuMs, slackMs } = await serve(node, '/t2');
			assert.deepEqual(blocks, []);
			const { durationMs } = report.processes[0]!;
			assert.ok(utilization * durationMs - noCpuMs < 0.5 * durationMs, 'the loop was idle most of the time');
			assertNear(latencies.at(-1)!, latencies[0]!, 0.25, 'the last client and the first', slackMs);
			const line = lineWith(program, 'setInterval(');
			const timers = entries(report, { file: program, line });
			assert.deepEqual(
				timers.map(({ op, class: c, count, pending }) => ({ op, class: c, count, pending })),
				[{ op: 'setInterval', class: 'timer', count: clients, pending: 0 }],
			);
			const wait = known(timers[0]!, 'wait');
			assertNear(wait.p50Ms, median(latencies), 0.15, 'wait of a timer and of a client', slackMs);
			const lag = known(timers[0]!, 'lag').totalMs;
			assert.ok(lag < 0.1 * wait.totalMs + clients * noCpuMs, `no lag but for want of a CPU: ${lag} ms`);
			assert.equal(timers[0]!.queue, null, 'a timer does not queue for the pool');
		});
	});
}
