// What it costs to sample stacks: an express server at 200 requests a second, bare and under Waitline without and with samples, side by side, so that
// whatever else the machine does hits them alike. Prints Markdown; progress goes to stderr.
//   node test/bench/sampling/main.ts [--node MAJOR]… [--rounds N]
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { installNodes, nodes } from '../../support/nodes.ts';
import { cli } from '../../support/paths.ts';
import { type Arm, bare, control, waitline } from '../cost/arms.ts';
import { loads, runLoad } from '../cost/loads.ts';
import { median } from '../cost/median.ts';
import { installPrograms } from '../cost/packages.ts';

const { values } = parseArgs({
	options: {
		node: { type: 'string', multiple: true, default: ['20', '24', '26'] },
		rounds: { type: 'string', default: '8' },
	},
});

/** The most that sampling may add, as a share of the bare program's CPU time. */
const TARGET = 0.03;

const sampled: Arm = {
	...waitline,
	name: 'Waitline with samples',
	env: (folder) => ({ ...waitline.env(folder), WAITLINE_SAMPLER: join(dirname(cli), 'sampler.cjs') }),
};
const arms = [bare, control, waitline, sampled];
const load = loads.find(({ rate }) => rate !== undefined)!;

/** CPU time per request of each arm, in µs, round by round. */
async function measure(node: string): Promise<number[][]> {
	const rounds: number[][] = [];
	for (let round = 0; round < Number(values.rounds); round++) {
		// Of servers side by side, one that is started and asked later takes less, up to a fifth: each has each place in turn.
		const order = arms.map((_, at) => arms[(at + round) % arms.length]!);
		const costs = await runLoad(node, load, order);
		rounds.push(arms.map((arm) => costs[order.indexOf(arm)]!.usPerUnit));
		console.error(
			rounds
				.at(-1)!
				.map((us) => us.toFixed(1))
				.join(' '),
		);
	}
	return rounds;
}

if (process.platform !== 'linux') {
	console.error('The cost benchmark reads the CPU time of one thread from /proc: it needs Linux.');
	process.exit(2);
}
installNodes();
installPrograms();
console.log(
	`${load.title}; CPU time of the main thread, medians of ${values.rounds} rounds side by side, in each order.\n`,
);
console.log(
	'| Node | bare, µs | bare again | Waitline | with samples | samples alone, of bare | and of the thread’s time |',
);
console.log('|---|---|---|---|---|---|---|');
for (const { major, path } of nodes().filter(({ major }) => values.node.includes(String(major)))) {
	const rounds = await measure(path);
	const ratio = (arm: number) => `×${median(rounds.map((us) => us[arm]! / us[0]!)).toFixed(2)}`;
	const added = rounds.map(([us, , without, withSamples]) => (withSamples! - without!) / us!).sort((a, b) => a - b);
	const share = median(added);
	const perSecond = median(rounds.map(([, , without, withSamples]) => (withSamples! - without!) * load.rate!)) / 1e6;
	const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
	const verdict = share <= TARGET ? 'met' : '**missed**';
	console.log(
		`| ${major} | ${median(rounds.map(([us]) => us!)).toFixed(0)} | ${ratio(1)} | ${ratio(2)} | ${ratio(3)} | ${percent(share)} (${percent(added[0]!)} to ${percent(added.at(-1)!)}; ≤ 3 % ${verdict}) | ${percent(perSecond)} |`,
	);
}
