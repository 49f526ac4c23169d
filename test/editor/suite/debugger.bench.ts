// What a request costs a server's main thread: bare, in a plain debug session of the real js-debug, in one with Waitline, and in one with
// Waitline and the debugger's asynchronous stacks from the start. For test/bench/debugger.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import { PROFILE_MARK } from '../../../src/vscode/api.ts';
import { pidOfSession } from '../../../src/vscode/debugging/debugger-pauses.ts';
import type { NodeBuild } from '../../support/nodes.ts';
import { BENCH_FOLDER_VARIABLE, BENCH_ROUNDS_VARIABLE, OUT_VARIABLE } from '../environment.ts';
import { testedNodes, until, waitline } from './editor.ts';
import { debug, stopAll } from './session.ts';

/** What a server is run under, in the order of the table's columns. `null`: no debugger. */
const ARMS: { name: string; parts: Partial<vscode.DebugConfiguration> | null }[] = [
	{ name: 'bare', parts: null },
	{ name: 'plain F5', parts: {} },
	{ name: 'F5 with Waitline', parts: { [PROFILE_MARK]: true } },
	// As deep as js-debug's default.
	{ name: 'F5 with Waitline, eager stacks', parts: { [PROFILE_MARK]: true, showAsyncStacks: { onAttach: 32 } } },
];

interface Load {
	title: string;
	program: string;
	paths: string[];
	/** Requests a second for each server, all servers side by side; without it as many as one serves, one server after the other. */
	rate?: number;
	seconds: number;
}

const LOADS: Load[] = [
	{
		title: 'express, 7 routes, 200 requests/s',
		program: 'express-server.cjs',
		paths: ['/read', '/timer', '/stat', '/derive', '/hello', '/await', '/stream'],
		rate: 200,
		seconds: 6,
	},
	{ title: 'hello over HTTP, saturated', program: 'hello-server.cjs', paths: ['/'], seconds: 2 },
];

/** µs of the main thread's CPU time a request. */
export interface DebuggerCost {
	load: string;
	node: number;
	arm: string;
	usPerRequest: number;
}

interface Server {
	pid: number;
	port: number;
	end(): Promise<void>;
}

const folder = process.env[BENCH_FOLDER_VARIABLE] ?? '';
const rounds = Number(process.env[BENCH_ROUNDS_VARIABLE] ?? 1);

describe('a debugged server', function () {
	this.timeout(0);
	before(() => waitline());
	after(stopAll);

	it('measures what a request takes', async () => {
		const costs: DebuggerCost[] = [];
		for (let round = 0; round < rounds; round++) {
			for (const node of testedNodes()) {
				if (node.major < 20) continue;
				for (const load of LOADS) costs.push(...(await measure(load, node)));
				console.log(`round ${round + 1} of ${rounds}, Node ${node.major}`);
				writeFileSync(path.join(process.env[OUT_VARIABLE]!, 'costs.json'), JSON.stringify(costs));
			}
		}
	});
});

async function measure(load: Load, node: NodeBuild): Promise<DebuggerCost[]> {
	if (load.rate !== undefined) return measureTogether(load, node);
	const costs: DebuggerCost[] = [];
	for (const arm of ARMS) {
		const server = await start(load, node, arm.parts);
		const [usPerRequest] = await ask(load, node, [server]);
		await server.end();
		costs.push({ load: load.title, node: node.major, arm: arm.name, usPerRequest: usPerRequest! });
	}
	return costs;
}

/** Servers with little to do, all at the same time: whatever else the machine does hits them alike. */
async function measureTogether(load: Load, node: NodeBuild): Promise<DebuggerCost[]> {
	const servers: Server[] = [];
	for (const { parts } of ARMS) servers.push(await start(load, node, parts));
	const costs = await ask(load, node, servers);
	for (const server of servers) await server.end();
	return ARMS.map(({ name }, at) => ({ load: load.title, node: node.major, arm: name, usPerRequest: costs[at]! }));
}

/**
 * Warms the servers up, sends them requests, and returns what each request took of each server's main thread, in µs.
 */
async function ask({ paths, rate, seconds }: Load, node: NodeBuild, servers: Server[]): Promise<number[]> {
	const client = path.join(folder, 'debugger/client.ts');
	const how = rate === undefined ? 'full' : 'even';
	const ports = servers.map(({ port }) => `${port}`);
	const newest = testedNodes().find(({ major }) => major === 24) ?? node;
	const child = spawn(newest.path, [client, how, `${seconds}`, `${rate ?? 0}`, paths.join(), ...ports], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const lines = linesOf(child);
	await lines.next();
	const before = servers.map(({ pid }) => cpuUs(pid));
	child.stdin!.write('go\n');
	const asked = await lines.next();
	if (asked.done === true) throw new Error('The client of the servers has failed; what it said is in editor.log.');
	const { total } = JSON.parse(asked.value) as { total: number };
	return servers.map(({ pid }, at) => (cpuUs(pid) - before[at]!) / total);
}

function linesOf(child: ChildProcess): AsyncIterator<string> {
	return createInterface(child.stdout!)[Symbol.asyncIterator]();
}

async function start(
	{ program, title }: Load,
	node: NodeBuild,
	parts: Partial<vscode.DebugConfiguration> | null,
): Promise<Server> {
	const file = path.join(folder, 'cost/programs', program);
	if (parts === null) {
		const child = spawn(node.path, [file], { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env.PATH } });
		const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
		const { value } = await linesOf(child).next();
		const end = async () => {
			child.kill();
			await exit;
		};
		return { pid: child.pid!, port: Number(value), end };
	}
	const launch = await debug(title, { program: file, runtimeExecutable: node.path, ...parts });
	const port = await until('its port', () =>
		launch
			.events('output')
			.flatMap(({ body }) => /^(\d+)\s*$/.exec(String(body?.output))?.[1] ?? [])
			.at(0),
	);
	const end = async () => {
		await vscode.debug.stopDebugging(launch.root);
		await launch.end();
	};
	return { pid: pidOfSession(launch.children[0]!.name)!, port: Number(port), end };
}

/** Of the main thread: proc(5), schedstat, ns on the CPU. */
function cpuUs(pid: number): number {
	return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1000;
}
