// `node test/bench/truth/main.ts [--node PATH]… [--load NAME]… [--jobs]` prints how far Waitline's split of pool waits is from
// what libuv really did, load by load, for these Node programs (by default 20 and 24). Each load runs twice, for what the machine does to
// the figures, and last comes a replay that is wrong on purpose, for what an error looks like.
// `--jobs` adds every job that is off, for who looks for the reason. Needs root.
import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { nodes } from '../../support/nodes.ts';
import { type Comparison, compare, missed, type Part, percentile } from './compare.ts';
import { explain } from './explain.ts';
import { Bench, loads, type Run, titleOf } from './measure.ts';
import { whyNoProbes } from './uprobes.ts';

const LEGEND = `meas.: figures reported as measured, and by how much they are off; raw: the same where the time that a thread waited for a CPU, which may
be counted in either part, is taken for an error. est.: figures reported as intervals, how many of these contain the truth (hits), and
their median width. ?: reported as unknown.`;

const HEAD = [
	'load',
	'jobs',
	'part',
	'meas.',
	'median',
	'p95',
	'max',
	'raw p50',
	'raw p95',
	'est.',
	'hits',
	'width',
	'?',
];

function rowsOf(title: string, { jobs, queue, execute, lag }: Comparison): string[][] {
	return [
		[title, String(jobs), 'queue', ...cells(queue)],
		['', '', 'execute', ...cells(execute)],
		['', '', 'lag', ...cells(lag)],
	];
}

/** Times in µs. */
function cells({ errors, raw, widths, hits, unknown }: Part): string[] {
	const us = (value: number) => value.toFixed(0);
	return [
		String(errors.length),
		...(errors.length === 0
			? ['', '', '', '', '']
			: [
					us(percentile(errors, 0.5)),
					us(percentile(errors, 0.95)),
					us(errors.at(-1)!),
					us(percentile(raw, 0.5)),
					us(percentile(raw, 0.95)),
				]),
		String(widths.length),
		...(widths.length === 0
			? ['', '']
			: [`${((100 * hits) / widths.length).toFixed(1)}%`, us(percentile(widths, 0.5))]),
		String(unknown),
	];
}

function printTable(rows: string[][]): void {
	const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
	for (const row of rows) {
		const padded = row.map((cell, i) => (i === 0 || i === 2 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)));
		console.log(padded.join('  ').trimEnd());
	}
}

const { values } = parseArgs({
	options: {
		node: { type: 'string', multiple: true },
		load: { type: 'string', multiple: true },
		jobs: { type: 'boolean' },
	},
});
const why = whyNoProbes();
if (why !== undefined) {
	console.error(`${why}.`);
	process.exit(2);
}
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

/** A pool of 4 that the replay takes for one of 2. */
const WRONG = { load: { name: 'five-derivations', poolSize: 4 }, plantedPoolSize: 2 };

const builds =
	values.node?.map((path) => resolve(path)) ??
	nodes()
		.filter(({ major }) => major === 20 || major === 24)
		.map(({ path }) => path);
console.log(LEGEND);
for (const node of builds) {
	const bench = new Bench(node);
	const rows = [HEAD];
	const misses: string[] = [];
	const jobs: string[] = [];
	const add = (title: string, run: Run, tooWide?: number) => {
		const comparison = compare(run);
		rows.push(...rowsOf(title, comparison));
		misses.push(...missed(comparison, tooWide).map((sentence) => `${title}: ${sentence}`));
		if (values.jobs) jobs.push(`${title}:`, ...explain(run));
	};
	for (const load of loads.filter(({ name }) => values.load?.includes(name) ?? true)) {
		add(titleOf(load), await bench.run(load), load.tooWide);
		add(`${titleOf(load)}, again`, await bench.run(load), load.tooWide);
	}
	const [load] = os.loadavg();
	const areMet = misses.length === 0;
	add('wrong on purpose', await bench.run(WRONG.load, WRONG.plantedPoolSize));
	console.log(
		`\nNode ${execFileSync(node, ['--version']).toString().trim()}, load average ${load!.toFixed(1)}, times in µs`,
	);
	printTable(rows);
	if (areMet) console.log('All targets are met, except by the replay that is wrong on purpose:');
	console.log([...misses, ...jobs].join('\n'));
}
