// What Waitline costs the editor: its activation, latency of typing and scrolling with annotations against without, and the extension
// host's event loop and memory while a million operations a minute come in. Runs suites of the editor's tests, which measure in the
// real window and the real extension host, and prints Markdown. WAITLINE_BENCH_SECONDS: how long operations come in (300).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH_SECONDS_VARIABLE, COLD_VARIABLE } from '../../editor/environment.ts';
import type { Activation } from '../../editor/suite/activation.bench.ts';
import type { Ingest } from '../../editor/suite/ingest.bench.ts';
import type { TypingFigures } from '../../editor/suite/typing.bench.ts';
import { root } from '../../support/paths.ts';

const out = join(root, 'test', 'out', 'bench-editor');
/** Each in an editor of its own, for the median. */
const ACTIVATIONS = 5;
const seconds = process.env[BENCH_SECONDS_VARIABLE] ?? '300';

function figuresOf<T>(suite: string, file: string): T {
	return JSON.parse(readFileSync(join(out, suite, suite, file), 'utf8')) as T;
}

function typingRows(what: string, variants: TypingFigures): string[] {
	return (['typing', 'scrolling'] as const).map((kind) => {
		const figures = [variants.without[kind], variants.again[kind], variants.with[kind]];
		const latencies = figures.map(({ medianMs, p95Ms }) => `${ms(medianMs)} / ${ms(p95Ms)}`);
		const cpu = figures.map(({ cpuMs }) => ms(cpuMs)).join(' / ');
		const ratios = [
			ratio(variants, kind, 'with', 'medianMs'),
			ratio(variants, kind, 'again', 'medianMs'),
			cpu,
			ratio(variants, kind, 'with', 'cpuMs'),
			ratio(variants, kind, 'again', 'cpuMs'),
		];
		return `| ${[`${what}, ${kind}`, ...latencies, ...ratios, variants.with[kind].count].join(' | ')} |`;
	});
}

/** Of a figure with annotations, or without them again, to that without. */
function ratio(
	variants: TypingFigures,
	kind: 'typing' | 'scrolling',
	variant: 'with' | 'again',
	figure: 'medianMs' | 'cpuMs',
): string {
	return `×${(variants[variant][kind][figure] / variants.without[kind][figure]).toFixed(2)}`;
}

function ingestRow(
	what: string,
	{ seconds, operations, p50Ms, p99Ms, maxMs, sampleSeconds, rssMib, usedMib }: Ingest,
): string {
	const delays = [p50Ms, p99Ms, maxMs].map(ms).join(' / ');
	const least = leastPerMinute(rssMib, sampleSeconds).map((mib) => mib.toFixed(0));
	const used = usedMib.map((mib) => mib.toFixed(1));
	const memory = [least.join(', '), `${Math.max(...rssMib).toFixed(0)}`, used.join(' → ')].map((mib) => `${mib} MiB`);
	return `| ${[what, `${seconds} s`, operations.toLocaleString('en'), delays, ...memory].join(' | ')} |`;
}

/** What a process takes from the system swings with its garbage; what it needs is the least of some time. */
function leastPerMinute(rssMib: readonly number[], sampleSeconds: number): number[] {
	const perMinute = 60 / sampleSeconds;
	const minutes = Math.ceil(rssMib.length / perMinute);
	return Array.from({ length: minutes }, (_, minute) =>
		Math.min(...rssMib.slice(minute * perMinute, (minute + 1) * perMinute)),
	);
}

/**
 * Each part's median, with the least and the most.
 * @param isAtRest whether what the thread computed was for the activation
 */
function activationRow(when: string, activations: readonly Activation[], isAtRest: boolean): string {
	const spread = (of: (activation: Activation) => number) => {
		const sorted = activations.map(of).sort((a, b) => a - b);
		const [median, least, most] = [sorted[Math.floor(sorted.length / 2)]!, sorted[0]!, sorted.at(-1)!];
		return `${median.toFixed(0)} (${least.toFixed(0)}–${most.toFixed(0)}) ms`;
	};
	const parts = [
		spread(({ loadMs }) => loadMs),
		spread(({ callMs }) => callMs),
		spread(({ resolveMs }) => resolveMs),
		spread(({ loadMs, callMs, resolveMs }) => loadMs + callMs + resolveMs),
		isAtRest ? spread(({ cpuMs }) => cpuMs) : '',
		isAtRest ? spread(({ stolenMs }) => stolenMs) : '',
	];
	return `| ${[when, ...parts].join(' | ')} |`;
}

function ms(value: number): string {
	return `${value.toFixed(1)} ms`;
}

/** Runs one suite; what it measured is in its folder below `out` until it runs again. */
function measure(suite: string, env: NodeJS.ProcessEnv = {}): void {
	const { status } = spawnSync(
		process.execPath,
		[join(root, 'test/editor/run.ts'), '--no-build', '--out', join(out, suite), '--suite', suite],
		{ stdio: ['ignore', 2, 2], env: { ...process.env, [BENCH_SECONDS_VARIABLE]: seconds, ...env } },
	);
	if (status !== 0) process.exit(status ?? 1);
}

const activated = (env: NodeJS.ProcessEnv = {}) => {
	measure('activation-bench', env);
	return figuresOf<Activation>('activation-bench', 'activation.json');
};
const activations = Array.from({ length: ACTIVATIONS }, () => ({
	starting: activated(),
	cold: activated({ [COLD_VARIABLE]: '1' }),
}));
measure('typing-bench');
measure('ingest-bench');

const ingest = figuresOf<{ control: Ingest; profiled: Ingest }>('ingest-bench', 'ingest.json');
console.log(
	[
		`Activation, as VS Code itself measures it (“Developer: Startup Performance”): median of ${ACTIVATIONS} editors, with the least and the most.`,
		'Target: at most 50 ms. “At rest”: the editor has finished its start, and our files come from the disk again. “Starting”: at its first',
		'moment, while all its processes want the processors. From the system: what the extension host’s main thread computed meanwhile',
		'(at its start that is the editor’s work too), and what it waited for a processor.',
		'',
		'| | loading the code | calling `activate` | waiting for it | in all | CPU | waited for a CPU |',
		'| --- | --- | --- | --- | --- | --- | --- |',
		activationRow(
			'at rest',
			activations.map(({ cold }) => cold),
			true,
		),
		activationRow(
			'starting',
			activations.map(({ starting }) => starting),
			false,
		),
		'',
		'From a key to the frame after it (median / p95), in turn without annotations, with them, and without again as a control.',
		'“10,000 lines”: a file whose every line is annotated. “10,000 op/s”: a debugged program that starts 10,000 operations a second, profiled or not.',
		'',
		'CPU: what the window’s main thread takes per key (without / again / with), which other work of the machine does not change much.',
		'',
		'| | without | without, again | with | with : without | control | CPU | with : without | control | keys |',
		'| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
		...typingRows('10,000 lines', figuresOf<TypingFigures>('typing-bench', 'lines.json')),
		...typingRows('10,000 op/s', figuresOf<TypingFigures>('typing-bench', 'rate.json')),
		'',
		'The extension host while a million operations a minute come in. Targets: p99 of its event loop’s delay at most 20 ms, memory flat',
		'after the second minute. Memory: the least RSS of each minute, the most of all, and what heap and buffers use after a full',
		'collection (after each minute but the first, and at the end).',
		'',
		'| | for | operations | delay p50 / p99 / max | least RSS per minute | most RSS | in use |',
		'| --- | --- | --- | --- | --- | --- | --- |',
		ingestRow('debugged only', ingest.control),
		ingestRow('profiled', ingest.profiled),
	].join('\n'),
);
