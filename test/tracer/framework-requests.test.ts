// Requests of express, fastify, koa and HTTP/2 as a whole, compared with what a client in another process measured by its own clock.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loopbackCertificate } from '../support/certificate.ts';
import { nodesOfLibraries } from '../support/nodes.ts';
import { installLibraries, libraryProgram } from '../support/origins.ts';
import { assertComplete, assertNear, lineWith, sum } from '../support/report.ts';
import { assertBetween } from '../support/truth.ts';
import { record } from '../support/waitline.ts';

const program = libraryProgram('serves-frameworks.cjs');

/** What the program does in each request: it waits for a timer and computes. */
const WAIT_MS = 30;
const SPIN_MS = 10;

/** Its servers. */
const NAMES = [
	'express',
	'expressFromMemory',
	'fastify',
	'fastifyFromMemory',
	'koa',
	'http2',
	'http2Stream',
	'http2Secure',
];

/** By server, in ms: how long each answer took, and for how long one of both processes was ready meanwhile and had no CPU. */
interface Seen {
	latencies: Record<string, number[]>;
	withoutCpu: Record<string, number>;
}

describe('requests of frameworks', () => {
	before(installLibraries);

	const env = { CERTIFICATE: JSON.stringify(loopbackCertificate()) };
	for (const node of nodesOfLibraries()) {
		it(`on Node ${node.major}: on the handler's line, and their parts add up to what their client measured`, async () => {
			const { report, text } = await record(node, [program], { env });
			assertComplete(report);
			// By such a resource, koa keeps the context for what it calls at the end of a response.
			const names = report.lines.map(({ file, op }) => (file === program ? op : ''));
			assert.ok(!names.includes('onerror'), 'what a library binds is nothing that the program waits for');
			const { latencies, withoutCpu } = JSON.parse(text) as Seen;
			// What the client and the kernel take for a request that takes nothing, as often as it was asked.
			const overhead = sum(latencies.nothing!);
			for (const name of NAMES) {
				const line = lineWith(program, `// ${name} ↓`) + 1;
				const route = report.requests.find((each) => each.file === program && each.line === line);
				assert.ok(route, `${name}: line ${line} is a route`);
				const own = latencies[name]!;
				assert.deepEqual([route.count, route.pending], [own.length, 0], name);
				const { duration } = route;
				const parts = [route.run, route.wait, route.blocked, route.unknown];
				assertNear(sum(parts.map(({ totalMs }) => totalMs)), duration.totalMs, 0, `${name}: parts`, 0.01);
				const { low, high } = duration.range ?? { low: duration, high: duration };
				// The limits hold the truth; where they are far apart, nobody knows it better. The server may learn that its answer is on its way after the
				// client has it. And a timer may fire 1 ms early.
				const most = 1.05 * sum(own) + overhead + withoutCpu[name]!;
				assertBetween(low.totalMs, 0, most, `${name}: at least, and what the client measured`);
				const least = 0.95 * sum(own) - overhead - withoutCpu[name]!;
				assertBetween(high.totalMs, least, Infinity, `${name}: at most, and what the client measured`);
				const planted = own.length * (WAIT_MS - 1 + SPIN_MS);
				assertBetween(high.totalMs, planted, Infinity, `${name}: at most, and what the program plants`);
				const waited = route.parts.find(
					(part) => part.kind === 'wait' && part.line === lineWith(program, '// the wait'),
				);
				assert.equal(waited?.count, own.length, `${name}: each waited for the timer`);
				// At least what the program plants in each request; a slow machine makes both longer. A timer may fire 1 ms early.
				assert.ok(route.run.totalMs >= own.length * SPIN_MS * 0.98, `${name}: its own code, ${route.run.totalMs} ms`);
				assert.ok(route.wait.totalMs >= own.length * (WAIT_MS - 1), `${name}: its wait, ${route.wait.totalMs} ms`);
			}
		});
	}
});
