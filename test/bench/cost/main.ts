// What profiling costs: main-thread CPU time per unit of work, against the bare program, for Waitline and for Node's own CPU profiler. All
// variants run in turn, round by round, so that a machine whose speed drifts treats them alike; the second bare run is the
// control that tells how much of a difference is noise. `npm run bench` prints the table and writes RESULTS.md.
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { LEASE_FILE } from '../../../src/protocol/journal.ts';
import { installNodes, nodes } from '../../support/nodes.ts';
import { cli } from '../../support/paths.ts';
import { execute } from '../../support/process.ts';
import { scratchFolder } from '../../support/scratch.ts';

/** Medians of so many rounds. */
const ROUNDS = 5;
const PROGRAMS = ['hello-server', 'read-files', 'timers', 'await-loop'];

interface Variant {
	name: string;
	/** Flags of Node, given a folder for what it writes. */
	flags(folder: string): string[];
	isTraced?: boolean;
}

const VARIANTS: Variant[] = [
	{ name: 'bare', flags: () => [] },
	{ name: 'bare again', flags: () => [] },
	{ name: 'Waitline', flags: () => [], isTraced: true },
	{ name: '--cpu-prof', flags: (folder) => ['--cpu-prof', `--cpu-prof-dir=${folder}`] },
];

async function costOf(node: string, program: string, variant: Variant): Promise<number> {
	const folder = join(scratchFolder(), 'run');
	mkdirSync(folder);
	const env: Record<string, string> = {};
	const lease = join(folder, LEASE_FILE);
	if (variant.isTraced) {
		writeFileSync(lease, '');
		Object.assign(env, {
			NODE_OPTIONS: `--require ${JSON.stringify(join(cli, '..', 'tracer.cjs'))}`,
			WAITLINE_FOLDER: folder,
		});
	}
	const renewal = setInterval(() => variant.isTraced && utimesSync(lease, new Date(), new Date()), 2000);
	try {
		const file = join(import.meta.dirname, 'programs', `${program}.cjs`);
		const { stdout, stderr, code } = await execute(node, [...variant.flags(folder), file], { env });
		if (code !== 0) throw new Error(`${program} under ${variant.name} ended with ${code}: ${stderr}`);
		return (JSON.parse(stdout.toString()) as { usPerUnit: number }).usPerUnit;
	} finally {
		clearInterval(renewal);
		rmSync(folder, { recursive: true });
	}
}

function median(values: number[]): number {
	return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

installNodes();
const lines = [
	'# What profiling costs',
	'',
	`CPU time of the main thread per unit of work, as a ratio to the bare program: medians of ${ROUNDS} interleaved rounds. "bare again" is the`,
	`control. ${os.cpus().length} cores (${os.cpus()[0]?.model.trim()}), ${os.type()} ${os.release()}. Written by \`npm run bench\`.`,
];
for (const { major, path } of nodes().filter((node) => [20, 22, 24].includes(node.major))) {
	lines.push(
		'',
		`## Node ${major}`,
		'',
		`| | bare, µs per unit | ${VARIANTS.slice(1)
			.map(({ name }) => name)
			.join(' | ')} |`,
		`|---|---|${'---|'.repeat(VARIANTS.length - 1)}`,
	);
	for (const program of PROGRAMS) {
		const bare: number[] = [];
		const ratios = new Map<string, number[]>();
		for (let round = 0; round < ROUNDS; round++) {
			let base = 0;
			for (const variant of VARIANTS) {
				const cost = await costOf(path, program, variant);
				if (variant === VARIANTS[0]) {
					base = cost;
					bare.push(cost);
				} else {
					ratios.set(variant.name, [...(ratios.get(variant.name) ?? []), cost / base]);
				}
			}
		}
		const cells = [...ratios.values()].map((values) => `×${median(values).toFixed(2)}`);
		lines.push(`| ${program} | ${median(bare).toFixed(1)} | ${cells.join(' | ')} |`);
		console.log(`Node ${major} ${lines.at(-1)}`);
	}
}
writeFileSync(join(import.meta.dirname, 'RESULTS.md'), `${lines.join('\n')}\n`);
console.log(lines.join('\n'));
