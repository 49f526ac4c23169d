// How close what if comes for whole servers, which are recorded on one size of the pool, predicted for another and run on that one: seed 6 and npm's `serve`. Where a prediction is
// not within 10 %, either its limits contain what happened, or the answer must say why they may not. Prints Markdown.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { formatMs, formatRange } from '../../../src/protocol/units.ts';
import type { WhatIfReport } from '../../../src/protocol/what-if.ts';
import { nodes } from '../../support/nodes.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { waitline } from '../../support/waitline.ts';
import { installWholePrograms, wholeProgram } from '../../support/whole-programs.ts';

const SIZES = [1, 4] as const;
const NEAR = 0.1;
const CONNECTIONS = 100;
const REQUESTS = 4000;
/** What the answer says of servers whose waits its limits do not contain. */
const REASON = /A server may lie outside the limits where its clients wait for one another or run on the same machine/;

/** Its arguments, and whether it has to be asked to end. */
const PROGRAMS: Record<string, { args: string[]; path: string; ends: boolean }> = {
	'seed 6, a small file for each request': {
		args: [join(import.meta.dirname, 'file-server.cjs'), String(REQUESTS)],
		path: '/',
		ends: true,
	},
	'`serve`, a small file, compressed': {
		args: [
			wholeProgram('serve/build/main.js'),
			...['--no-request-logging', '--listen', 'tcp://127.0.0.1:0', import.meta.dirname],
		],
		path: '/main.ts',
		ends: false,
	},
};

const node = nodes().find(({ major }) => major === 24) ?? nodes().at(-1)!;
installWholePrograms();
console.log(
	`${REQUESTS.toLocaleString('en')} requests over ${CONNECTIONS} connections from this process, each as soon as the last one is answered; the sum of all waits for the pool, on Node ${node.major}.`,
);
console.log('\n| program | threads | recorded | predicted | limits | was | |\n|---|---|---|---|---|---|---|');
let isHeld = true;
for (const [name, program] of Object.entries(PROGRAMS)) {
	const files = new Map<number, string>();
	for (const threads of SIZES) files.set(threads, await record(program, threads));
	for (const [from, to] of [SIZES, SIZES.toReversed()] as [number, number][]) {
		const { total, says } = await predicted(files.get(from)!, to);
		const was = (await predicted(files.get(to)!, to)).total.recorded.totalMs;
		const { totalMs, range } = total.predicted;
		const isNear = Math.abs(totalMs / was - 1) <= NEAR;
		const isWithin = was >= range.low.totalMs && was <= range.high.totalMs;
		const verdict = isNear
			? 'within 10 %'
			: isWithin
				? 'within the limits'
				: says
					? 'outside, and the answer says why'
					: '**outside**';
		isHeld &&= isNear || isWithin || says;
		const cells = [
			name,
			`${from} → ${to}`,
			formatMs(total.recorded.totalMs),
			formatMs(totalMs),
			formatRange(range.low.totalMs, range.high.totalMs),
			formatMs(was),
			verdict,
		];
		console.log(`| ${cells.join(' | ')} |`);
	}
}
process.exitCode = isHeld ? 0 : 1;

/** @returns the recording of all requests */
async function record({ args, path, ends }: (typeof PROGRAMS)[string], threads: number): Promise<string> {
	const file = join(scratchFolder('what-if'), 'recording.waitline');
	let asked: Promise<void> | undefined;
	const { code, signal, stderr } = await waitline(
		['run', '--budget', 'off', '--no-report', '--out', file, '--', node.path, ...args],
		{
			env: { UV_THREADPOOL_SIZE: String(threads) },
			onFirstOutput: (child, text) => {
				const [, port] = /:(\d+)/.exec(text) ?? [];
				asked = askAll(Number(port), path).then(() => {
					if (!ends) child.kill('SIGTERM');
				});
			},
		},
	);
	await asked;
	assert.ok(code === 0 || signal === 'SIGTERM' || code === 143, `${code} ${signal} ${stderr}`);
	return file;
}

async function askAll(port: number, path: string): Promise<void> {
	const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
	let left = REQUESTS;
	const client = async () => {
		while (left-- > 0) await ask(port, path, agent);
	};
	await Promise.all(Array.from({ length: CONNECTIONS }, client));
	agent.destroy();
}

function ask(port: number, path: string, agent: Agent): Promise<void> {
	const headers = { 'accept-encoding': 'gzip' };
	return new Promise((resolve, reject) => {
		get({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
			if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
			response.resume().on('end', resolve).on('error', reject);
		}).on('error', reject);
	});
}

async function predicted(file: string, threads: number) {
	const json = join(scratchFolder('what-if'), 'what-if.json');
	const { code, stdout, stderr } = await waitline(['what-if', file, '--threads', String(threads), '--json', json]);
	assert.equal(code, 0, stderr.toString());
	const { predictions } = JSON.parse(readFileSync(json, 'utf8')) as WhatIfReport;
	assert.equal(predictions.length, 1);
	return { total: predictions[0]!.total, says: REASON.test(stdout.toString().replaceAll(/\s+/g, ' ')) };
}
