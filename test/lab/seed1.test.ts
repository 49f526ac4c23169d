// Seed 1: two equal hashes, with one pool thread and with two. One thread: the second waits its turn, half of its wait
// is queue and half execution. Two threads: neither queues.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type NodeBuild, nodes } from '../support/nodes.ts';
import { labPrograms } from '../support/paths.ts';
import { assertComplete, assertNear, entry, known, lineWith } from '../support/report.ts';
import { executionsOf, onAnEvenMachine, recordTimed, spansPrinted, unevenMachine, waitsOf } from '../support/truth.ts';

const program = join(labPrograms, 'seed1-two-hashes.cjs');
const firstLine = lineWith(program, "'first password'");
const secondLine = lineWith(program, "'second password'");

/** Runs the program and checks what is true for every size of the pool. */
async function twoHashes(node: NodeBuild, poolSize: number, maxQueued: number) {
	const env = { UV_THREADPOOL_SIZE: String(poolSize) };
	const { report, text, noCpuMs } = await recordTimed(node, [program], { env });
	const [first, second] = [firstLine, secondLine].map((line) =>
		entry(report, { file: program, line, op: 'crypto.pbkdf2', class: 'threadpool' }),
	);
	assert.deepEqual([first!.count, first!.pending, second!.count, second!.pending], [1, 0, 1, 0]);
	const spans = [...spansPrinted(text, 'first'), ...spansPrinted(text, 'second')];
	const waits = waitsOf(spans);
	assertNear(known(first!, 'wait').totalMs, waits[0]!, 0.05, 'wait of the first', noCpuMs);
	assertNear(known(second!, 'wait').totalMs, waits[1]!, 0.05, 'wait of the second', noCpuMs);
	assert.equal(report.processes[0]?.poolSize, poolSize);
	assert.deepEqual([report.pools[0]?.size, report.pools[0]?.maxQueued], [poolSize, maxQueued]);
	assertComplete(report);
	return { first: first!, second: second!, spans, noCpuMs, saturatedMs: report.pools[0]!.saturatedMs };
}

for (const node of nodes()) {
	describe(`seed 1 on Node ${node.major}`, () => {
		it('with one thread the second hash queues while the first runs', async (t) => {
			const experiment = async () => {
				const result = await twoHashes(node, 1, 1);
				const { first, second, spans, saturatedMs, noCpuMs } = result;
				const [execution, following] = executionsOf(spans);
				assert.ok(known(first, 'queue').totalMs < 0.05 * execution! + noCpuMs, 'the first did not queue');
				assertNear(known(first, 'execute').totalMs, execution!, 0.05, 'execution of the first', noCpuMs);
				assertNear(known(second, 'queue').totalMs, execution!, 0.05, 'queue of the second', noCpuMs);
				assertNear(known(second, 'execute').totalMs, following!, 0.05, 'execution of the second', noCpuMs);
				assertNear(saturatedMs, execution!, 0.1, 'the pool was saturated while the first ran', noCpuMs);
				return result;
			};
			const result = await onAnEvenMachine(experiment, ({ spans }) => executionsOf(spans));
			if (!result) return t.skip(unevenMachine);
			const wait = known(result.second, 'wait').totalMs;
			assertNear(known(result.second, 'queue').totalMs, wait / 2, 0.15, 'half of its wait', result.noCpuMs);
			assertNear(known(result.second, 'execute').totalMs, wait / 2, 0.15, 'the other half', result.noCpuMs);
		});

		it('with two threads neither queues', async () => {
			const { first, second, noCpuMs } = await twoHashes(node, 2, 0);
			for (const hash of [first, second]) {
				assert.ok(
					known(hash, 'queue').totalMs < 0.05 * known(hash, 'execute').totalMs + noCpuMs,
					`line ${hash.line} did not queue`,
				);
				const wait = known(hash, 'wait').totalMs;
				assertNear(known(hash, 'execute').totalMs, wait, 0.05, 'all of its wait', noCpuMs);
			}
		});
	});
}
