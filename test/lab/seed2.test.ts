// Seed 2: two requests to an HTTPS server that answers slowly. They wait in the kernel, so the pool's size makes no
// difference. When the server is given by name, the name look-ups show beside them as waits on the pool.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Line } from '../../src/protocol/report.ts';
import { type NodeBuild, nodes } from '../support/nodes.ts';
import { labPrograms } from '../support/paths.ts';
import { assertComplete, assertNear, entries, entry, known, lineWith, sum } from '../support/report.ts';
import { type SlowServer, slowHttpsServer } from '../support/slow-https-server.ts';
import { recordTimed, spansPrinted, type TimedRun, waitsOf } from '../support/truth.ts';

const program = join(labPrograms, 'seed2-two-fetches.mjs');
const fetchLine = lineWith(program, 'await fetch(');
const delayMs = 300;

let server: SlowServer;
before(async () => {
	server = await slowHttpsServer(delayMs);
});
after(() => server.close());

async function visit(node: NodeBuild, host: string, poolSize: number) {
	const url = `https://${host}:${server.port}/`;
	const env = { UV_THREADPOOL_SIZE: String(poolSize), NODE_EXTRA_CA_CERTS: server.authority };
	const recording = await recordTimed(node, [program, url], { env });
	assert.equal(server.takeConnections(), 2, 'the program made two connections');
	assertComplete(recording.report);
	return recording;
}

/** What the two fetches took, as the program itself saw it: ms. */
function ownWaits(text: string): number {
	return sum(waitsOf([...spansPrinted(text, 'first'), ...spansPrinted(text, 'second')]));
}

/** The fetches were two, waited in the kernel for as long as the program itself saw, and no less than the server took. */
function assertFetches(fetches: Line, { text, noCpuMs }: TimedRun): void {
	assert.deepEqual([fetches.count, fetches.pending], [2, 0]);
	// Each of the two times may be behind the truth by that much.
	assertNear(known(fetches, 'wait').totalMs, ownWaits(text), 0.15, 'wait of the two fetches', 2 * noCpuMs);
	assert.ok(known(fetches, 'wait').p50Ms >= delayMs * 0.98, 'no answer before the server gave it');
	assert.equal(fetches.queue, null, 'a fetch does not queue for the pool');
	assert.equal(fetches.execute, null, 'a fetch does not run on the pool');
}

for (const node of nodes()) {
	describe(`seed 2 on Node ${node.major}`, () => {
		it('by address the fetches wait in the kernel, and the size of the pool makes no difference', async () => {
			const waits: number[] = [];
			const own: number[] = [];
			let off = 0;
			for (const poolSize of [1, 2]) {
				const recording = await visit(node, '127.0.0.1', poolSize);
				const { report, text } = recording;
				const fetches = entry(report, { file: program, line: fetchLine, op: 'fetch', class: 'kernel' });
				assertFetches(fetches, recording);
				off += 2 * recording.noCpuMs;
				assert.deepEqual(
					entries(report, { file: program, line: fetchLine, class: 'threadpool' }),
					[],
					'no use of the pool',
				);
				assert.equal(
					report.pools.find((pool) => pool.maxQueued > 0),
					undefined,
					'nothing queued',
				);
				waits.push(known(fetches, 'wait').totalMs);
				own.push(ownWaits(text));
			}
			// A busy machine can make one of the runs slower than the other.
			const offBy = Math.abs(own[0]! - own[1]!) + off;
			assertNear(waits[0]!, waits[1]!, 0.25, 'waits with one thread and with two', offBy);
		});

		it('by name the lookups show as waits on the pool', async () => {
			const recording = await visit(node, 'localhost', 1);
			const { report } = recording;
			const fetches = entry(report, { file: program, line: fetchLine, op: 'fetch', class: 'kernel' });
			assertFetches(fetches, recording);
			const lookups = entry(report, { file: program, line: fetchLine, op: 'dns.lookup', class: 'threadpool' });
			assert.deepEqual([lookups.count, lookups.pending], [2, 0]);
			known(lookups, 'queue');
			known(lookups, 'execute');
			const [lookup, fetch] = [known(lookups, 'wait').maxMs, known(fetches, 'wait').maxMs];
			assert.ok(lookup < fetch - delayMs * 0.98, `a lookup ends before the server is asked: ${lookup} of ${fetch} ms`);
		});
	});
}
