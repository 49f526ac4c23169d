// The programs of the benchmark and one run of each: main-thread CPU per unit of work.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL_SUFFIX } from '../../../src/protocol/journal.ts';
import { plainEnvironment } from '../../support/process.ts';
import { type Arm, inFolder } from './arms.ts';
import { type Asked, askEvenly } from './even-requests.ts';
import { autocannon } from './packages.ts';

export interface Load {
	title: string;
	program: string;
	/** Servers only: the paths that are asked for in turn. */
	paths?: string[];
	/** Servers only: requests a second; without it as many as it serves. */
	rate?: number;
	/** Servers only: connections of the client while it asks for all that it can get. */
	connections?: number;
	/** Servers that are asked for all that they can give: for how long before it counts, and while it does, in s. */
	warmUpS?: number;
	measuredS?: number;
	/** The most that Waitline may cost, as a ratio to bare, or not more than another profiler. Loads without one are only shown. */
	target?: number | 'trace events';
	/** The least share of bare's requests a second that is to be answered. */
	leastServed?: number;
}

const FILES = ['/ticks.cjs', '/timers.cjs', '/nothing.cjs'];
const ROUTES = ['/read', '/timer', '/stat', '/derive', '/hello', '/await', '/stream'];

/** Targets stand on measured floors: hooks, three clocks and records, nothing else (docs/cost-experiments.md). */
export const loads: Load[] = [
	{ title: 'hello over HTTP, saturated', program: 'hello-server', paths: ['/'], target: 1.22 },
	{ title: 'fastify, saturated', program: 'fastify-server', paths: ['/'], target: 1.35 },
	{ title: 'express, 7 routes, saturated', program: 'express-server', paths: ROUTES, target: 1.18 },
	{ title: '`serve`, small files, 50 connections', program: 'serve', paths: FILES, connections: 50, leastServed: 0.8 },
	{ title: 'express, 7 routes, 200 requests/s', program: 'express-server', paths: ROUTES, rate: 200, target: 1.08 },
	{ title: '`fs.promises.readFile` × 32', program: 'read-files', target: 1.35 },
	{ title: 'loop of 3 awaits', program: 'await-loop', target: 1.05 },
	{ title: '20,000 timers from one loop', program: 'timers', target: 'trace events' },
];

export interface Cost {
	usPerUnit: number;
	/** Servers only. */
	perSecond?: number;
	/** Waitline only. */
	journalBytesPerUnit?: number;
}

/** Long enough for V8 to have optimised what it will, and for the predictor to trust what it may. */
const WARM_UP_S = 2;
const SATURATED_S = 1;
const STEADY_S = 10;
const CONNECTIONS = 10;

/** One run of a load under each of the arms: one after the other, or, at a given rate, side by side. */
export async function runLoad(node: string, load: Load, arms: Arm[]): Promise<Cost[]> {
	if (load.rate !== undefined) return runTogether(node, load, arms, []);
	const costs: Cost[] = [];
	for (const arm of arms) {
		costs.push(
			await withProgram(node, load, arm, (program) =>
				load.paths === undefined ? (JSON.parse(program.said) as Cost) : driveFully(program, load.paths, load),
			),
		);
	}
	return costs;
}

/**
 * Servers with little to do, all at the same time: then whatever else the machine does hits them alike, and their ratio is known to
 * a twentieth where runs one after the other differ by a fifth.
 */
function runTogether(node: string, load: Load, arms: Arm[], started: Program[]): Promise<Cost[]> {
	const [arm, ...others] = arms;
	if (arm === undefined) return driveTogether(started, load.paths!, load.rate!);
	return withProgram(node, load, arm, (program) => runTogether(node, load, others, [...started, program]));
}

/** A program that runs. */
interface Program {
	child: ChildProcess;
	folder: string;
	/** What it has written first: a server its port, others what their work cost. */
	said: string;
}

function withProgram<T>(node: string, load: Load, arm: Arm, use: (program: Program) => T | Promise<T>): Promise<T> {
	return inFolder(async (folder) => {
		const file = join(import.meta.dirname, 'programs', `${load.program}.cjs`);
		const child = spawn(node, [...arm.flags(folder), file], {
			cwd: folder,
			env: plainEnvironment(arm.env(folder)),
			// On the fourth, bubbleprof notifies its parent whether the program was compiled.
			stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
		});
		const errors: Buffer[] = [];
		child.stderr!.on('data', (chunk: Buffer) => errors.push(chunk));
		try {
			return await use({ child, folder, said: await firstOutput(child) });
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

async function driveFully(
	program: Program,
	paths: string[],
	{ connections, warmUpS = WARM_UP_S, measuredS = SATURATED_S }: Load,
): Promise<Cost> {
	await saturate(program, paths, warmUpS, connections);
	return costOf(program, () => saturate(program, paths, measuredS, connections));
}

async function driveTogether(programs: Program[], paths: string[], rate: number): Promise<Cost[]> {
	for (const program of programs) await saturate(program, paths, WARM_UP_S);
	const ports = programs.map(portOf);
	const asked = askEvenly(ports, paths, rate, STEADY_S);
	return Promise.all(programs.map((program) => costOf(program, () => asked)));
}

/**
 * The memory (RSS, bytes) that a server keeps after some 10,000 requests, when all garbage is gone. The halves of its young generation have
 * 1 MiB: without that limit V8 gives them 1 to 16 as the last collections had it, and of one program 65 MiB and 110 were seen.
 */
export function usedMemory(node: string, load: Load, arm: Arm): Promise<number> {
	const limited: Arm = { ...arm, flags: (folder) => ['--max-semi-space-size=1', ...arm.flags(folder)] };
	return withProgram(node, load, limited, async (program) => {
		await saturate(program, load.paths!, WARM_UP_S);
		program.child.kill('SIGUSR2');
		return Number(await firstOutput(program.child));
	});
}

/** A server prints it, or an address that ends with it. */
function portOf({ said }: Program): number {
	return Number(/\d+\s*$/.exec(said)?.[0]);
}

async function saturate(
	program: Program,
	paths: string[],
	duration: number,
	connections = CONNECTIONS,
): Promise<Asked> {
	const result = await autocannon()({
		url: `http://127.0.0.1:${portOf(program)}`,
		connections,
		duration,
		requests: paths.map((path) => ({ path })),
	});
	if (result.errors + result.non2xx > 0) throw new Error(`${result.errors} errors, ${result.non2xx} bad answers`);
	return result.requests;
}

async function costOf({ child, folder }: Program, work: () => Promise<Asked>): Promise<Cost> {
	const cpu = cpuUs(child);
	const bytes = journalBytes(folder);
	const { total, average } = await work();
	return {
		usPerUnit: (cpuUs(child) - cpu) / total,
		perSecond: average,
		journalBytesPerUnit: (journalBytes(folder) - bytes) / total,
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
