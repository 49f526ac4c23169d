// The programs of the benchmark and one run of each: main-thread CPU per unit of work.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL_SUFFIX } from '../../../src/protocol/journal.ts';
import { plainEnvironment } from '../../support/process.ts';
import { type Arm, inFolder } from './arms.ts';
import { autocannon } from './packages.ts';

export interface Load {
	title: string;
	program: string;
	/** Servers only: the paths that are asked for in turn. */
	paths?: string[];
	/** Servers only: requests a second; without it as many as it serves. */
	rate?: number;
	/** Most that Waitline may cost, as a ratio to bare, and who says so. */
	target?: number;
}

const ROUTES = ['/read', '/timer', '/stat', '/derive', '/hello', '/await', '/stream'];

/** Targets of the issue "A tracer that tells the truth and costs almost nothing"; loads without one are there to be looked at. */
export const loads: Load[] = [
	{ title: 'hello over HTTP, saturated', program: 'hello-server', paths: ['/'], target: 1.15 },
	{ title: 'fastify, saturated', program: 'fastify-server', paths: ['/'] },
	{ title: 'express, 7 routes, saturated', program: 'express-server', paths: ROUTES, target: 1.1 },
	{ title: 'express, 7 routes, 200 requests/s', program: 'express-server', paths: ROUTES, rate: 200, target: 1.05 },
	{ title: '`fs.promises.readFile` × 32', program: 'read-files' },
	{ title: 'loop of 3 awaits', program: 'await-loop', target: 1.05 },
	{ title: '20,000 timers from one loop', program: 'timers' },
];

export interface Cost {
	usPerUnit: number;
	/** Servers only. */
	perSecond?: number;
	/** Waitline only. */
	journalBytesPerUnit?: number;
	/** Servers only: the process's memory at the end, bytes. */
	rss?: number;
}

/** Long enough for V8 to have optimised what it will, and for the predictor to trust what it may. */
const WARM_UP_S = 2;
const SATURATED_S = 1;
const STEADY_S = 4;
const CONNECTIONS = 10;

export function runLoad(node: string, load: Load, arm: Arm): Promise<Cost> {
	return inFolder(async (folder) => {
		const file = join(import.meta.dirname, 'programs', `${load.program}.cjs`);
		const child = spawn(node, [...arm.flags(folder), file], {
			cwd: folder,
			env: plainEnvironment(arm.env(folder)),
			// On the fourth bubbleprof tells its parent whether the program was compiled.
			stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
		});
		const errors: Buffer[] = [];
		child.stderr!.on('data', (chunk: Buffer) => errors.push(chunk));
		try {
			const said = await firstOutput(child);
			return load.paths === undefined ? (JSON.parse(said) as Cost) : await drive(child, Number(said), load, folder);
		} catch (error) {
			const stderr = Buffer.concat(errors).toString();
			throw new Error(`${load.title} under ${arm.name} failed: ${error}\n${stderr}`, { cause: error });
		} finally {
			child.kill('SIGKILL');
			if (child.exitCode === null && child.signalCode === null) await new Promise((done) => child.once('exit', done));
		}
	});
}

function firstOutput(child: ChildProcess): Promise<string> {
	return new Promise((resolve, reject) => {
		child.stdout!.once('data', (chunk: Buffer) => resolve(chunk.toString()));
		child.once('error', reject);
		child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
	});
}

async function drive(child: ChildProcess, port: number, { paths, rate }: Load, folder: string): Promise<Cost> {
	const send = async (duration: number, overallRate?: number) => {
		const result = await autocannon()({
			url: `http://127.0.0.1:${port}`,
			connections: CONNECTIONS,
			duration,
			requests: paths!.map((path) => ({ path })),
			...(overallRate === undefined ? {} : { overallRate }),
		});
		if (result.errors + result.non2xx > 0) throw new Error(`${result.errors} errors, ${result.non2xx} bad answers`);
		return result.requests;
	};
	await send(WARM_UP_S);
	const cpu = cpuUs(child);
	const bytes = journalBytes(folder);
	const { total, average } = await send(rate === undefined ? SATURATED_S : STEADY_S, rate);
	return {
		usPerUnit: (cpuUs(child) - cpu) / total,
		perSecond: average,
		journalBytesPerUnit: (journalBytes(folder) - bytes) / total,
		rss: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'latin1'))?.[1]) * 1024,
	};
}

/** Of the main thread: proc(5), schedstat, ns on the CPU. */
function cpuUs({ pid }: ChildProcess): number {
	return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1000;
}

function journalBytes(folder: string): number {
	const journals = readdirSync(folder).filter((name) => name.endsWith(JOURNAL_SUFFIX));
	return journals.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
