// What a debug session costs the program, in the real editor with the real js-debug: main-thread CPU per request, bare, under a plain session,
// under one with Waitline, and under one with Waitline and eager asynchronous stacks. Prints Markdown. WAITLINE_BENCH_ROUNDS: 5.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH_FOLDER_VARIABLE, BENCH_ROUNDS_VARIABLE } from '../../editor/environment.ts';
import type { DebuggerCost } from '../../editor/suite/debugger.bench.ts';
import { root } from '../../support/paths.ts';
import { median } from '../cost/median.ts';
import { installPrograms } from '../cost/packages.ts';

const SUITE = 'debugger-bench';
const out = join(root, 'test', 'out', SUITE);
const rounds = process.env[BENCH_ROUNDS_VARIABLE] ?? '5';

installPrograms();
const { status } = spawnSync(
	process.execPath,
	[join(root, 'test/editor/run.ts'), '--no-build', '--out', out, '--suite', SUITE],
	{
		stdio: ['ignore', 2, 2],
		env: { ...process.env, [BENCH_FOLDER_VARIABLE]: join(root, 'test/bench'), [BENCH_ROUNDS_VARIABLE]: rounds },
	},
);
if (status !== 0) process.exit(status ?? 1);
const costs = JSON.parse(readFileSync(join(out, SUITE, 'costs.json'), 'utf8')) as DebuggerCost[];

const unique = <T>(values: T[]) => [...new Set(values)];
const arms = unique(costs.map(({ arm }) => arm));
const [bare, plain, profiled] = arms as [string, string, string];

/** The median of each arm, with the least and the most, and the ratios that the goals are about. */
function row(load: string, node: number): string {
	const of = (arm: string) =>
		costs
			.filter((cost) => cost.load === load && cost.node === node && cost.arm === arm)
			.map((cost) => cost.usPerRequest);
	const figures = arms.map((arm) => {
		const values = of(arm);
		return `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)})`;
	});
	const ratio = (a: string, b: string) => `×${(median(of(a)) / median(of(b))).toFixed(2)}`;
	return `| ${[load, node, ...figures, ratio(profiled, plain), ratio(profiled, bare)].join(' | ')} |`;
}

console.log(
	[
		`CPU time of the server's main thread per request in µs: median of ${rounds} rounds, with the least and the most. The client is another`,
		'process. At 200 requests/s all four servers run side by side; saturated ones run in turn.',
		`Goals: “${profiled}” at most ×0.35 of “${plain}”, and at most ×1.35 of bare where it is saturated.`,
		'',
		`| load | Node | ${arms.join(' | ')} | Waitline : plain F5 | Waitline : bare |`,
		`| --- | --- | ${arms.map(() => '--- | ').join('')}--- | --- |`,
		...unique(costs.map(({ load }) => load)).flatMap((load) =>
			unique(costs.map(({ node }) => node)).map((node) => row(load, node)),
		),
	].join('\n'),
);
