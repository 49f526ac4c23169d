// Seed 7: `dns.lookup`, `fs` and `crypto` share one pool. A lookup behind hashes queues for as long as they run, on its own
// line; and of n threads at most (n + 1) / 2 look up names at once, although all of them are free.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { nodes } from '../support/nodes.ts';
import { labPrograms } from '../support/paths.ts';
import { assertComplete, assertNear, entry, known, lineWith } from '../support/report.ts';
import { scratchFolder } from '../support/scratch.ts';
import { queuesOf, recordTimed, spansPrinted, waitsOf } from '../support/truth.ts';
import { record } from '../support/waitline.ts';

const behindHashes = join(labPrograms, 'seed7-dns.cjs');
const slowCap = join(labPrograms, 'seed7-slow-cap.cjs');

/** What the program needs to occupy the pool; only where FIFOs exist. */
function makeFifo(): string {
	const fifo = join(scratchFolder(), 'fifo');
	const { status, stderr } = spawnSync('mkfifo', [fifo], { encoding: 'utf8' });
	assert.equal(status, 0, stderr);
	return fifo;
}

for (const node of nodes()) {
	describe(`seed 7 on Node ${node.major}`, () => {
		for (const threads of [1, 4]) {
			it(`a lookup and a stat queue behind hashes, ${threads} ${threads === 1 ? 'thread' : 'threads'}`, async () => {
				const env = { UV_THREADPOOL_SIZE: String(threads) };
				const { report, text, noCpuMs } = await recordTimed(node, [behindHashes], { env });
				const at = (source: string, op: string) =>
					entry(report, { file: behindHashes, line: lineWith(behindHashes, source), op, class: 'threadpool' });
				const hashes = at('crypto.pbkdf2(', 'crypto.pbkdf2');
				assert.equal(hashes.count, 2 * threads);
				const spans = ['hash', 'lookup', 'stat'].flatMap((printed) => spansPrinted(text, printed));
				const queues = queuesOf(spans, threads).slice(2 * threads);
				for (const [k, [source, op, printed]] of (
					[
						['dns.lookup(', 'dns.lookup', 'lookup'],
						['fs.stat(', 'fs.stat', 'stat'],
					] as const
				).entries()) {
					const line = at(source, op);
					assert.equal(line.count, 1);
					const [wait, queue, execute] = [known(line, 'wait'), known(line, 'queue'), known(line, 'execute')];
					// The program's own time begins before the call and ends inside the callback, and with more busy threads than
					// cores the main thread may have to stand aside in between.
					const own = waitsOf(spansPrinted(text, printed))[0]!;
					assertNear(wait.totalMs, own, 0.05, `wait of ${op}`, noCpuMs);
					assertNear(queue.totalMs, queues[k]!, 0.05, `queue of ${op}`, noCpuMs);
					// That it is quick itself is so unless its thread has no core.
					assertNear(execute.totalMs, own - queues[k]!, 0.05, `execution of ${op}`, 0.05 * own + noCpuMs);
					// It starts after the last hash; its own queueing began a little later than that one's.
					assert.ok(queue.totalMs > 0.8 * known(hashes, 'queue').maxMs, `${op} came after the hashes`);
				}
				assert.equal(report.pools[0]?.maxQueued, threads + 2, 'the second round of hashes, the lookup and the stat');
				assertComplete(report);
			});
		}

		it('no more than (n + 1) / 2 lookups run at once', { skip: process.platform === 'win32' }, async () => {
			const { report, text } = await record(node, [slowCap, makeFifo()], { env: { UV_THREADPOOL_SIZE: '4' } });
			const line = lineWith(slowCap, 'dns.lookup(');
			const lookups = entry(report, { file: slowCap, line, op: 'dns.lookup', class: 'threadpool' });
			assert.equal(lookups.count, 400);
			const window = waitsOf(spansPrinted(text, 'all lookups'))[0]!;
			const [wait, queue, execute, lag] = (['wait', 'queue', 'execute', 'lag'] as const).map((name) =>
				known(lookups, name),
			);
			const atOnce = execute!.totalMs / window;
			assert.ok(atOnce <= 2.2, `${atOnce.toFixed(2)} lookups at once; two are allowed, four threads were free`);
			const parts = queue!.totalMs + execute!.totalMs + lag!.totalMs;
			assertNear(parts, wait!.totalMs, 0.01, 'queue, execution and lag are the whole wait');
			assertComplete(report);
		});
	});
}
