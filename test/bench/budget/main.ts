// Whether the default budget is kept: a saturated server, bare and under Waitline, from its eleventh second on, when Waitline has found out
// how often it must rest. Prints Markdown; progress goes to stderr.
//   node test/bench/budget/main.ts [--node MAJOR]… [--rounds N]
import { parseArgs } from 'node:util';
import { installNodes, nodes } from '../../support/nodes.ts';
import { bare, control, waitline } from '../cost/arms.ts';
import { type Load, runLoad } from '../cost/loads.ts';
import { median } from '../cost/median.ts';
import { installPrograms } from '../cost/packages.ts';

const { values } = parseArgs({
	options: {
		node: { type: 'string', multiple: true, default: ['24'] },
		rounds: { type: 'string', default: '5' },
	},
});

/** The most CPU time that a request may take, as a ratio to bare. */
const TARGET = 1.1;

/** Long enough for the tracer to rest and to record several times. */
const load: Load = {
	title: 'hello over HTTP, saturated over 50 connections',
	program: 'hello-server',
	paths: ['/'],
	connections: 50,
	warmUpS: 10,
	measuredS: 10,
};
const arms = [bare, control, waitline];

if (process.platform !== 'linux') {
	console.error('The budget benchmark reads the CPU time of one thread from /proc: it needs Linux.');
	process.exit(2);
}
installNodes();
installPrograms();
console.log(`${load.title}; CPU time of the main thread per request from the ${load.warmUpS}th to the ${
	load.warmUpS! + load.measuredS!
}th second; medians of ${values.rounds} interleaved rounds, as ratios to the bare run of the same round, with the least and the most.

| Node | bare, µs | bare again | Waitline, default budget | target |
|---|---|---|---|---|`);
for (const { major, path } of nodes().filter((node) => values.node.includes(String(node.major)))) {
	const rounds: number[][] = [];
	for (let round = 0; round < Number(values.rounds); round++) {
		const costs = await runLoad(path, load, arms);
		rounds.push(costs.map(({ usPerUnit }) => usPerUnit));
		console.error(
			`Node ${major}: ${rounds
				.at(-1)!
				.map((us) => us.toFixed(1))
				.join(' ')} µs`,
		);
	}
	const ratios = (arm: number) => rounds.map((us) => us[arm]! / us[0]!).sort((a, b) => a - b);
	const text = (arm: number) => {
		const sorted = ratios(arm);
		return `×${median(sorted).toFixed(2)} (${sorted[0]!.toFixed(2)}–${sorted.at(-1)!.toFixed(2)})`;
	};
	const verdict = median(ratios(2)) <= TARGET ? 'met' : '**missed**';
	const usBare = median(rounds.map(([us]) => us!)).toFixed(1);
	console.log(`| ${major} | ${usBare} | ${text(1)} | **${text(2)}** | ≤ ×${TARGET.toFixed(2)} (${verdict}) |`);
}
