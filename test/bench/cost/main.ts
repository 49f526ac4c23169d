// What profiling costs: main-thread CPU time per unit of work against the bare program, for Waitline and for the other
// profilers, and what Waitline takes besides. All arms run in turn, round by round, so that a machine whose speed
// drifts treats them alike; the second bare run is the control that shows how much of a difference is noise. Prints
// Markdown; progress goes to stderr. node test/bench/cost/main.ts [--node MAJOR]… [--load WORD]… [--rounds N]
// [--no-peers]
import { parseArgs } from 'node:util';
import { installNodes, nodes } from '../../support/nodes.ts';
import { type Arm, bare, control, peers, waitline } from './arms.ts';
import { footprint } from './footprint.ts';
import { type Cost, type Load, loads, runLoad, usedMemory } from './loads.ts';
import { median } from './median.ts';
import { installPrograms } from './packages.ts';

const { values } = parseArgs({
	options: {
		node: { type: 'string', multiple: true, default: ['24'] },
		load: { type: 'string', multiple: true },
		rounds: { type: 'string', default: '5' },
		'no-peers': { type: 'boolean' },
	},
});
const rounds = Number(values.rounds);
/** The others cost enough for fewer rounds to show it. */
const PEER_ROUNDS = Math.min(3, rounds);

/** Costs by arm, each as long as there were rounds for it. */
type Measured = Map<Arm, Cost[]>;

async function measure(node: string, load: Load): Promise<Measured> {
	const measured: Measured = new Map();
	for (let round = 0; round < rounds; round++) {
		const arms = [bare, control, waitline, ...(round < PEER_ROUNDS && !values['no-peers'] ? peers : [])];
		const costs = await runLoad(node, load, arms);
		for (const [at, arm] of arms.entries()) measured.set(arm, [...(measured.get(arm) ?? []), costs[at]!]);
	}
	return measured;
}

/** An arm's figure as ratios to the bare run of the same round. */
function ratios(measured: Measured, arm: Arm, figure: (cost: Cost) => number): number[] {
	const base = measured.get(bare)!;
	return (measured.get(arm) ?? []).map((cost, round) => figure(cost) / figure(base[round]!));
}

const times = (ratio: number) => `×${ratio.toFixed(2)}`;

function cpuRow(load: Load, measured: Measured): string {
	const cpu = (arm: Arm) => ratios(measured, arm, ({ usPerUnit }) => usPerUnit);
	const spread = cpu(control).sort((a, b) => a - b);
	const ours = median(cpu(waitline));
	return row([
		load.title,
		median(measured.get(bare)!.map(({ usPerUnit }) => usPerUnit)).toFixed(1),
		`${times(median(spread))} (${spread[0]!.toFixed(2)}–${spread.at(-1)!.toFixed(2)})`,
		`**${times(ours)}**`,
		cpuTarget(load, ours, measured),
		...(values['no-peers'] ? [] : peers.map((arm) => times(median(cpu(arm))))),
	]);
}

function cpuTarget({ target }: Load, ours: number, measured: Measured): string {
	if (target === undefined) return '';
	const peer = peers.find(({ name }) => name === target);
	if (peer === undefined) return `≤ ${times(Number(target))} ${verdict(ours <= Number(target))}`;
	const costs = ratios(measured, peer, ({ usPerUnit }) => usPerUnit);
	// Without the other profilers it is only named.
	return costs.length === 0 ? `≤ ${peer.name}` : `≤ ${peer.name} ${verdict(ours <= median(costs))}`;
}

function throughputRow(load: Load, measured: Measured): string {
	const perSecond = ({ perSecond = 0 }: Cost) => perSecond;
	const arms = [control, waitline, ...(values['no-peers'] ? [] : peers)];
	return row([
		load.title,
		median(measured.get(bare)!.map(perSecond)).toFixed(0),
		...arms.map((arm) => times(median(ratios(measured, arm, perSecond)))),
		load.leastServed === undefined
			? ''
			: `≥ ${times(load.leastServed)} ${verdict(median(ratios(measured, waitline, perSecond)) >= load.leastServed)}`,
	]);
}

function verdict(isMet: boolean): string {
	return isMet ? '(met)' : '(**missed**)';
}

function row(cells: string[]): string {
	return `| ${cells.join(' | ')} |`;
}

function table(head: string[], rows: string[]): string[] {
	return ['', row(head), `|${'---|'.repeat(head.length)}`, ...rows];
}

async function section({ major, path }: { major: number; path: string }): Promise<string[]> {
	const cpu: string[] = [];
	const throughput: string[] = [];
	const besides: string[] = [];
	for (const load of loads.filter(({ title }) => values.load?.some((word) => title.includes(word)) ?? true)) {
		const measured = await measure(path, load);
		cpu.push(cpuRow(load, measured));
		console.error(`Node ${major} ${cpu.at(-1)}`);
		if (load.paths !== undefined) throughput.push(throughputRow(load, measured));
		if (load.rate !== undefined) besides.push(journalRow(load, measured), await memoryRow(path, load));
	}
	if (values.load === undefined) besides.push(...(await resourceFigures(path)), ...(await footprintFigures(path)));
	const others = values['no-peers'] ? [] : peers.map(({ name }) => name);
	return [
		'',
		`### Node ${major}: CPU time of the main thread per unit of work`,
		...table(['', 'bare, µs', 'bare again', 'Waitline', 'target', ...others], cpu),
		...(throughput.length === 0
			? []
			: [
					'',
					'Requests answered per second:',
					...table(['', 'bare', 'bare again', 'Waitline', ...others, 'target'], throughput),
				]),
		...(besides.length === 0 ? [] : ['', 'Besides:', ...table(['', 'bare again', 'Waitline', 'target'], besides)]),
	];
}

function journalRow({ title }: Load, measured: Measured): string {
	const bytes = median(measured.get(waitline)!.map(({ journalBytesPerUnit = 0 }) => journalBytesPerUnit));
	return row([`journal, bytes a request (${title})`, '', bytes.toFixed(0), `≤ 200 ${verdict(bytes <= 200)}`]);
}

async function memoryRow(node: string, load: Load): Promise<string> {
	const added = new Map<Arm, number[]>([control, waitline].map((arm) => [arm, []]));
	for (let round = 0; round < rounds; round++) {
		const base = await usedMemory(node, load, bare);
		for (const [arm, bytes] of added) bytes.push((await usedMemory(node, load, arm)) - base);
	}
	const mib = (arm: Arm) => median(added.get(arm)!) / 2 ** 20;
	const isMet = mib(waitline) <= 3;
	return row([
		'memory added after 10,000 requests, MiB',
		mib(control).toFixed(1),
		mib(waitline).toFixed(1),
		`≤ 3 ${verdict(isMet)}`,
	]);
}

/** Chains of one kind of resource each, long past their last capture but for the verifications. */
async function resourceFigures(node: string): Promise<string[]> {
	const rows: string[] = [];
	for (const program of ['ticks', 'immediates']) {
		const measured = await measureChain(node, program);
		const nsAdded = (arm: Arm) =>
			median(measured.get(arm)!.map(({ usPerUnit }, round) => usPerUnit - measured.get(bare)![round]!.usPerUnit)) *
			1000;
		const target = `≤ 150 ${verdict(nsAdded(waitline) <= 150)}`;
		rows.push(
			row([`ns added to each of the ${program}`, nsAdded(control).toFixed(0), nsAdded(waitline).toFixed(0), target]),
		);
	}
	return rows;
}

async function measureChain(node: string, program: string): Promise<Measured> {
	const measured: Measured = new Map([bare, control, waitline].map((arm) => [arm, []]));
	for (let round = 0; round < rounds; round++) {
		const costs = await runLoad(node, { title: program, program }, [...measured.keys()]);
		for (const [at, kept] of [...measured.values()].entries()) kept.push(costs[at]!);
	}
	return measured;
}

async function footprintFigures(node: string): Promise<string[]> {
	const added = await footprint(node);
	const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
	return [
		row([
			'start-up added, ms',
			added.control.startMs.toFixed(1),
			added.waitline.startMs.toFixed(1),
			`≤ 15 ${verdict(added.waitline.startMs <= 15)}`,
		]),
		row([
			'memory added at start, MiB',
			mib(added.control.rss),
			mib(added.waitline.rss),
			`≤ 3 ${verdict(added.waitline.rss <= 3 * 2 ** 20)}`,
		]),
	];
}

if (process.platform !== 'linux') {
	console.error('The cost benchmark reads the CPU time of one thread from /proc: it needs Linux.');
	process.exit(2);
}
installNodes();
installPrograms();
console.log(
	`Medians of ${rounds} interleaved rounds (${PEER_ROUNDS} for the other profilers), as ratios to the bare run of the same round; behind the control its least and its most. Servers at a given rate run side by side, all others one after the other.`,
);
for (const node of nodes().filter(({ major }) => values.node.includes(String(major)))) {
	console.log((await section(node)).join('\n'));
}
