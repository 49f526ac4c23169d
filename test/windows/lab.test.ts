// The lab's seeds on Windows: the same lines, classes and counts as on Linux, and what waited for what. How long each took is not compared with a
// clock: in Wine, a busy machine makes threads take turns.
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Block, Report } from '../../src/protocol/report.ts';
import { labPrograms } from '../support/paths.ts';
import { assertComplete, entries, entry, known, linesOfFunction, lineWith } from '../support/report.ts';
import { type SlowServer, slowHttpsServer } from '../support/slow-https-server.ts';
import {
	forFetch,
	oldestAndNewest,
	recordGoodOnWindows,
	skip,
	type WindowsNode,
	windowsPath,
} from '../support/windows.ts';

/** How long the HTTPS server takes to answer, in ms. */
const DELAY_MS = 300;
const CLIENTS = 10;
/** What `/t1` of seed 5 computes at least, in ms by its own clock. */
const COMPUTES_MS = 150;

/** A program of the lab's: as this machine names it, and as Windows does. */
function programOf(name: string): { host: string; file: string } {
	const host = join(labPrograms, name);
	return { host, file: windowsPath(host) };
}

function pool(size: number): { env: Record<string, string> } {
	return { env: { UV_THREADPOOL_SIZE: String(size) } };
}

/** Before version 1.52 libuv reads the pool's size, on Windows, as it was in the environment when the process started. */
function isSizeFixed({ processes }: Report): boolean {
	return Number(processes[0]!.libuv.split('.')[1]) < 52;
}

function request(port: number, path: string): void {
	get({ host: '127.0.0.1', port, path, agent: false }, (response) => response.resume());
}

describe('the lab on Windows', { skip }, () => {
	let server: SlowServer;
	before(async () => {
		server = await slowHttpsServer(DELAY_MS);
	});
	after(() => server.close());

	/** Seed 5: all clients ask at once. */
	async function serve(node: WindowsNode, path: string) {
		const { file } = programOf('seed5-server.cjs');
		const { report } = await recordGoodOnWindows(node, [file, String(CLIENTS)], {
			onFirstLine: (line) => {
				const port = Number(/^listening on (\d+)$/.exec(line)?.[1]);
				for (let client = 0; client < CLIENTS; client++) request(port, path);
			},
		});
		assertComplete(report);
		return report;
	}

	for (const node of oldestAndNewest()) {
		it(`seed 1 on Node ${node.major}: the second hash queues with one thread, and not with two`, async () => {
			const { host, file } = programOf('seed1-two-hashes.cjs');
			for (const size of [1, 2]) {
				const { report } = await recordGoodOnWindows(node, [file], pool(size));
				assertComplete(report);
				const [first, second] = ["'first password'", "'second password'"].map((text) =>
					entry(report, { file, line: lineWith(host, text), op: 'crypto.pbkdf2', class: 'threadpool' }),
				);
				assert.deepEqual([first!.count, first!.pending, second!.count, second!.pending], [1, 0, 1, 0]);
				const { platform, poolSize } = report.processes[0]!;
				assert.deepEqual([platform, poolSize, report.pools[0]?.maxQueued], ['win32', size, size === 1 ? 1 : 0]);
				const queue = known(second!, 'queue');
				const share = queue.totalMs / known(second!, 'wait').totalMs;
				if (size === 1) assert.ok(share > 0.1, `${share} of its wait was queue`);
				// Where the machine stops, that is known within limits only.
				else assert.ok(queue.totalMs - queue.uncertaintyMs <= 0, `it queued for at least some of ${queue.totalMs} ms`);
			}
		});

		it(`seed 2 on Node ${node.major}: fetches wait in the kernel, and look-ups on the pool`, async () => {
			const { host, file } = programOf('seed2-two-fetches.mjs');
			const line = lineWith(host, 'await fetch(');
			for (const name of ['127.0.0.1', 'localhost']) {
				const env = { NODE_EXTRA_CA_CERTS: windowsPath(server.authority) };
				const url = `https://${name}:${server.port}/`;
				const { report } = await recordGoodOnWindows(node, [...forFetch, file, url], { env });
				assert.equal(server.takeConnections(), 2);
				assertComplete(report);
				const fetches = entry(report, { file, line, op: 'fetch', class: 'kernel' });
				assert.deepEqual([fetches.count, fetches.pending, fetches.queue, fetches.execute], [2, 0, null, null]);
				assert.ok(known(fetches, 'wait').p50Ms >= DELAY_MS * 0.98, 'no answer before the server gave it');
				const lookups = entries(report, { file, line, op: 'dns.lookup', class: 'threadpool' });
				assert.equal(lookups[0]?.count ?? 0, name === 'localhost' ? 2 : 0);
			}
		});

		it(`seed 3 on Node ${node.major}: of five hashes those queue that find no thread`, async () => {
			const { host, file } = programOf('seed3-five-hashes.cjs');
			const line = lineWith(host, 'crypto.pbkdf2(');
			for (const [size, queued] of [
				[1, 4],
				[4, 1],
			] as const) {
				const { report } = await recordGoodOnWindows(node, [file], pool(size));
				assertComplete(report);
				const hashes = entry(report, { file, line, op: 'crypto.pbkdf2', class: 'threadpool' });
				assert.deepEqual([hashes.count, hashes.pending], [5, 0]);
				assert.deepEqual([report.pools.length, report.pools[0]?.size, report.pools[0]?.maxQueued], [1, size, queued]);
				const { node: version, promiseHooks, ioUring, end } = report.processes[0]!;
				assert.deepEqual(
					{ major: Number.parseInt(version, 10), promiseHooks, ioUring, end },
					{ major: node.major, promiseHooks: 'off', ioUring: false, end: 'exit' },
				);
				assert.deepEqual(report.warnings, []);
			}
		});

		for (const extension of ['cjs', 'mjs']) {
			it(`seed 4 on Node ${node.major}, a .${extension} entry: a size that the program sets too late for libuv is said to be`, async () => {
				const { host, file } = programOf(`seed4-pool-size.${extension}`);
				const { report } = await recordGoodOnWindows(node, [file]);
				assertComplete(report);
				const isLate = isSizeFixed(report);
				const size = isLate ? 4 : 2;
				assert.deepEqual([report.processes[0]?.poolSize, report.pools[0]?.size], [size, size]);
				assert.equal(report.pools[0]?.maxQueued, isLate ? 0 : 1, 'hashes in the queue');
				const line = lineWith(host, 'process.env.UV_THREADPOOL_SIZE = ');
				assert.deepEqual(
					report.warnings.map((warning) => [warning.code, warning.file, warning.line]),
					isLate ? [['pool-size-too-late', file, line]] : [],
				);
			});
		}

		it(`seed 4 on Node ${node.major}: the size in the environment at the start is not guessed from a later one`, async () => {
			const { file } = programOf('seed4-pool-size.cjs');
			const { report } = await recordGoodOnWindows(node, [file], pool(3));
			assert.equal(report.processes[0]?.poolSize, isSizeFixed(report) ? 3 : 2);
		});

		it(`seed 5 on Node ${node.major}: what computes blocks the loop, and timers do not`, async () => {
			const { host, file } = programOf('seed5-server.cjs');
			const handler = linesOfFunction(host, 'function t1(');
			const isHandlers = (block: Block) =>
				block.file === file &&
				block.line >= handler.first &&
				block.line <= handler.last &&
				block.durationMs >= COMPUTES_MS;
			const computing = await serve(node, '/t1');
			const blocks = computing.loops[0]!.blocks.filter(isHandlers);
			// On a busy machine what answers a request can hold the loop for as long.
			assert.ok(blocks.length >= CLIENTS, 'a block per request');
			assert.ok(blocks.some(({ delayed }) => delayed > 0));
			const requests = computing.lines.filter(({ file: each, op }) => each === file && op.startsWith('http'));
			assert.deepEqual(
				requests.map(({ class: name, count }) => [name, count]),
				[['kernel', CLIENTS]],
			);
			const waiting = await serve(node, '/t2');
			assert.deepEqual(waiting.loops[0]!.blocks.filter(isHandlers), []);
			const timers = entries(waiting, { file, line: lineWith(host, 'setInterval(') });
			assert.deepEqual(
				timers.map(({ op, class: name, count, pending }) => ({ op, name, count, pending })),
				[{ op: 'setInterval', name: 'timer', count: CLIENTS, pending: 0 }],
			);
		});

		it(`seed 7 on Node ${node.major}: a look-up and a stat queue behind hashes`, async () => {
			const { host, file } = programOf('seed7-dns.cjs');
			for (const size of [1, 4]) {
				const { report } = await recordGoodOnWindows(node, [file], pool(size));
				assertComplete(report);
				const at = (source: string, op: string) =>
					entry(report, { file, line: lineWith(host, source), op, class: 'threadpool' });
				assert.equal(at('crypto.pbkdf2(', 'crypto.pbkdf2').count, 2 * size);
				for (const line of [at('dns.lookup(', 'dns.lookup'), at('fs.stat(', 'fs.stat')]) {
					assert.equal(line.count, 1);
					assert.ok(known(line, 'queue').totalMs > 0.5 * known(line, 'wait').totalMs, JSON.stringify(line));
				}
				assert.equal(report.pools[0]?.maxQueued, size + 2, 'the second round of hashes, the look-up and the stat');
			}
		});
	}
});
