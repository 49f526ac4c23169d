// What a program would do on a pool of another size: recorded on one size, predicted for another, and run on that one.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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
import { waitline } from '../support/waitline.ts';

const node = nodes().find(({ major }) => major === 24) ?? nodes().at(-1)!;

interface Pair {
	/** What the program printed. */
	hashes: Span[];
	noCpuMs: number;
	threads: number;
	/** Its recording. */
	file: string;
}

async function run(program: string, threads: number): Promise<Pair> {
	const file = join(scratchFolder(), 'recording.waitline');
	const env = { UV_THREADPOOL_SIZE: String(threads) };
	const { text, noCpuMs } = await recordTimed(node, [join(labPrograms, program)], { env }, ['--out', file]);
	return { hashes: spansPrinted(text, '(?:first |second )?hash'), noCpuMs, threads, file };
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
	for (const [hashes, program] of Object.entries({ 2: 'seed1-two-hashes.cjs', 5: 'seed3-five-hashes.cjs' }))
		it(`${hashes} hashes wait on one thread and on two as predicted from the other`, async (t) => {
			const runs = await onAnEvenMachine(
				async () => [await run(program, 1), await run(program, 2)] as const,
				// Where each took within 10 % of its run's mean, all waits are within 8 % of what equal ones would give.
				(pair) => pair.flatMap((run) => executions(run).map((time) => time / pace(run))),
			);
			if (!runs) return t.skip(unevenMachine);
			for (const [from, to] of [runs, [runs[1], runs[0]]] as const) {
				const { total, recorded } = await predicted(from, to.threads);
				const what = `from ${from.threads} to ${to.threads}`;
				assert.deepEqual([recorded.threads, total.count], [from.threads, Number(hashes)], what);
				const waits = waitsOf(to.hashes).sort((a, b) => a - b);
				const offBy = waits.length * (from.noCpuMs + to.noCpuMs);
				const scale = pace(to) / pace(from);
				assertNear(scale * total.predicted.totalMs, sum(waits), 0.1, `all waits, ${what}`, offBy);
				assertNear(scale * total.predicted.maxMs, waits.at(-1)!, 0.1, `the longest, ${what}`, offBy);
			}
		});
});
