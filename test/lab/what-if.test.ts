// What a program would do on a pool of another size: recorded on one size, predicted for another, and run on that one. Seeds 1, 3 and 7 use the pool; those that wait in the kernel
// or for the event loop have nothing to replay. Seed 4 makes its own size, so it runs on no other. A server of files is no test, since its prediction is not close enough.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { WhatIfReport } from '../../src/protocol/what-if.ts';
import { nodes } from '../support/nodes.ts';
import { labPrograms } from '../support/paths.ts';
import { assertNear, sum } from '../support/report.ts';
import { scratchFolder } from '../support/scratch.ts';
import {
	executionsOf,
	onAnEvenMachine,
	queuesOf,
	recordTimed,
	type Span,
	spansPrinted,
	unevenMachine,
	waitsOf,
} from '../support/truth.ts';
import { record, waitline } from '../support/waitline.ts';

const node = nodes().find(({ major }) => major === 24) ?? nodes().at(-1)!;

interface Pair {
	/** What the program printed: of its hashes, and of all that it did on the pool. */
	hashes: Span[];
	jobs: Span[];
	noCpuMs: number;
	threads: number;
	/** Its recording. */
	file: string;
}

async function run([program, ...args]: readonly [string, ...string[]], threads: number): Promise<Pair> {
	const file = join(scratchFolder(), 'recording.waitline');
	const env = { UV_THREADPOOL_SIZE: String(threads) };
	const { text, noCpuMs } = await recordTimed(node, [join(labPrograms, program), ...args], { env }, ['--out', file]);
	const hash = '(?:first |second )?hash';
	return {
		hashes: spansPrinted(text, hash),
		jobs: spansPrinted(text, `(?:${hash}|lookup|stat)`),
		noCpuMs,
		threads,
		file,
	};
}

/** How long each hash was on its thread, by what the program printed. */
function executions({ hashes, threads }: Pair): number[] {
	if (threads === 1) return executionsOf(hashes);
	const queues = queuesOf(hashes, threads);
	return waitsOf(hashes.toSorted((a, b) => a.from - b.from)).map((wait, k) => wait - queues[k]!);
}

/** How long a hash took in a run: what else the machine did was not the same in both. */
function pace(run: Pair): number {
	const all = executions(run);
	return sum(all) / all.length;
}

async function predicted({ file }: Pair, threads: number): Promise<WhatIfReport['predictions'][number]> {
	const json = join(scratchFolder(), 'what-if.json');
	const { code, stderr } = await waitline(['what-if', file, '--threads', String(threads), '--json', json]);
	assert.equal(code, 0, stderr.toString());
	const { predictions } = JSON.parse(readFileSync(json, 'utf8')) as WhatIfReport;
	assert.equal(predictions.length, 1);
	return predictions[0]!;
}

describe(`what if, on Node ${node.major}`, {
	skip: availableParallelism() < 2 && 'two threads need two processors',
}, () => {
	for (const [what, jobs, ...program] of [
		['2 hashes', 2, 'seed1-two-hashes.cjs'],
		['5 hashes', 5, 'seed3-five-hashes.cjs'],
		['4 hashes, a look-up and a stat behind them', 6, 'seed7-dns.cjs', '4'],
	] as const)
		it(`${what} wait on one thread and on two as predicted from the other`, async (t) => {
			const runs = await onAnEvenMachine(
				async () => [await run(program, 1), await run(program, 2)] as const,
				// Where each took within 10 % of its run's mean, all waits are within 8 % of what equal ones would give.
				(pair) => pair.flatMap((run) => executions(run).map((time) => time / pace(run))),
			);
			if (!runs) return t.skip(unevenMachine);
			for (const [from, to] of [runs, [runs[1], runs[0]]] as const) {
				const { total, recorded } = await predicted(from, to.threads);
				const sizes = `from ${from.threads} to ${to.threads}`;
				assert.deepEqual([recorded.threads, total.count], [from.threads, jobs], sizes);
				const waits = waitsOf(to.jobs).sort((a, b) => a - b);
				const offBy = waits.length * (from.noCpuMs + to.noCpuMs);
				const scale = pace(to) / pace(from);
				assertNear(scale * total.predicted.totalMs, sum(waits), 0.1, `all waits, ${sizes}`, offBy);
				assertNear(scale * total.predicted.maxMs, waits.at(-1)!, 0.1, `the longest, ${sizes}`, offBy);
			}
		});

	it('a program that waits in the kernel and for the event loop has nothing to replay', async () => {
		const file = join(scratchFolder(), 'recording.waitline');
		await record(
			node,
			[join(labPrograms, 'seed5-server.cjs'), '1'],
			{
				onFirstOutput: (_child, text) => {
					get({ host: '127.0.0.1', port: Number(/^listening on (\d+)$/m.exec(text)?.[1]), path: '/t1' }, (response) =>
						response.resume(),
					);
				},
			},
			['--out', file],
		);
		const json = join(scratchFolder(), 'what-if.json');
		const { code, stdout } = await waitline(['what-if', file, '--json', json]);
		assert.equal(code, 0);
		assert.match(stdout.toString(), /No line of the program used the thread pool, so there is nothing to replay\./);
		assert.deepEqual((JSON.parse(readFileSync(json, 'utf8')) as WhatIfReport).predictions, []);
	});
});
