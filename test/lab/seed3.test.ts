// Seed 3: five equal hashes from one line on a pool of n threads. The k-th queues for floor((k - 1) / n) executions,
// and the totals of the line show that.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type NodeBuild, nodes } from '../support/nodes.ts';
import { labPrograms } from '../support/paths.ts';
import { assertComplete, assertNear, entry, known, lineWith, sum } from '../support/report.ts';
import {
	executionsOf,
	onAnEvenMachine,
	queuesOf,
	recordTimed,
	spansPrinted,
	unevenMachine,
	waitsOf,
} from '../support/truth.ts';

const program = join(labPrograms, 'seed3-five-hashes.cjs');
const line = lineWith(program, 'crypto.pbkdf2(');

/** Runs the program and checks what is true of it for every size of the pool and on the busiest machine. */
async function fiveHashes(node: NodeBuild, poolSize: number, maxQueued: number) {
	const env = { UV_THREADPOOL_SIZE: String(poolSize) };
	const { report, text, noCpuMs } = await recordTimed(node, [program], { env });
	const hashes = entry(report, { file: program, line, op: 'crypto.pbkdf2', class: 'threadpool' });
	assert.deepEqual([hashes.count, hashes.pending], [5, 0]);
	const wait = known(hashes, 'wait');
	const queue = known(hashes, 'queue');
	const execute = known(hashes, 'execute');
	const lag = known(hashes, 'lag');
	assertNear(queue.totalMs + execute.totalMs + lag.totalMs, wait.totalMs, 0.01, 'the parts are the whole wait');
	const spans = spansPrinted(text, 'hash');
	// Each of the five times may be behind the truth by this much.
	const offBy = 5 * noCpuMs;
	const waits = waitsOf(spans);
	const queues = queuesOf(spans, poolSize);
	assertNear(wait.totalMs, sum(waits), 0.05, 'all waits', offBy);
	assertNear(wait.maxMs, Math.max(...waits), 0.05, 'longest wait', noCpuMs);
	assertNear(queue.totalMs, sum(queues), 0.05, 'all queueing', offBy);
	assertNear(queue.maxMs, queues[4]!, 0.05, 'queue of the fifth', noCpuMs);
	assertNear(execute.totalMs, sum(waits) - sum(queues), 0.05, 'all executions', offBy);
	// The loop was idle all along, so every hash woke it up: none was done and not delivered, except for lack of a CPU.
	assert.ok(lag.totalMs < 0.02 * wait.totalMs + offBy, `no lag: ${lag.totalMs} of ${wait.totalMs}`);
	assert.equal(report.pools.length, 1);
	assert.equal(report.pools[0]?.size, poolSize);
	assert.equal(report.pools[0]?.maxQueued, maxQueued, 'most hashes in the queue at one moment');
	assert.equal(report.processes.length, 1);
	const { poolSize: effective, node: version, promiseHooks, threadId, end } = report.processes[0]!;
	assert.deepEqual(
		{ effective, major: Number(version.split('.')[0]), promiseHooks, threadId, end },
		{ effective: poolSize, major: node.major, promiseHooks: 'off', threadId: 0, end: 'exit' },
	);
	assert.deepEqual(report.warnings, []);
	assertComplete(report);
	return { queue, execution: execute.p50Ms, spans, noCpuMs, offBy };
}

for (const node of nodes()) {
	describe(`seed 3 on Node ${node.major}`, () => {
		it('with one thread the k-th hash queues for k - 1 executions', async (t) => {
			const result = await onAnEvenMachine(
				() => fiveHashes(node, 1, 4),
				({ spans }) => executionsOf(spans),
			);
			if (!result) return t.skip(unevenMachine);
			const { queue, execution, noCpuMs, offBy } = result;
			assertNear(queue.totalMs, (0 + 1 + 2 + 3 + 4) * execution, 0.15, 'all queueing', offBy);
			assertNear(queue.p50Ms, 2 * execution, 0.15, 'queue of the third', noCpuMs);
			assertNear(queue.maxMs, 4 * execution, 0.15, 'queue of the fifth', noCpuMs);
		});

		it('with two threads it queues for none, none, one, one and two', async (t) => {
			const result = await onAnEvenMachine(
				() => fiveHashes(node, 2, 3),
				// Two at a time, so the steps between every second end are the executions that others waited for.
				({ spans }) => [spans[0]!.to - spans[0]!.from, spans[2]!.to - spans[0]!.to, spans[3]!.to - spans[1]!.to],
			);
			if (!result) return t.skip(unevenMachine);
			const { queue, execution, noCpuMs, offBy } = result;
			// The fifth hash has a core for itself and is quicker, so executions are counted in what the third one
			// queued for. `fiveHashes` has compared every figure with the program's own times.
			const step = queue.p50Ms;
			assertNear(execution, step, 0.5, 'queue of the third', noCpuMs);
			assertNear(queue.totalMs, (0 + 0 + 1 + 1 + 2) * step, 0.2, 'all queueing', offBy);
			assertNear(queue.maxMs, 2 * step, 0.2, 'queue of the fifth', noCpuMs);
		});

		it('with four threads only the fifth queues', async () => {
			// Four share the cores and need not end together, so the fifth waits for the quickest of them: see `queuesOf`.
			const { queue, noCpuMs, offBy } = await fiveHashes(node, 4, 1);
			assert.ok(queue.p50Ms < 0.05 * queue.maxMs + noCpuMs, 'the third did not queue');
			assertNear(queue.totalMs, queue.maxMs, 0.1, 'one hash did all the queueing', offBy);
		});
	});
}
