// `npm test`: every check of the project in order, a heading for each, to the end even when one fails. The last line is
// `N passed, N failed` alone (with `, N skipped` when there are any) and the exit code says whether anything failed.
//   npm test                      everything
//   npm test -- unit lab          these steps only (lab, tracer, nodecore and editor test what `build` made)
//   npm test -- a.test.ts …       these files only
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { installNodes } from './support/nodes.ts';
import { root } from './support/paths.ts';
import { type Counts, runFiles } from './support/run-files.ts';

interface Step {
	title: string;
	run(): Counts | Promise<Counts>;
}

const steps: Record<string, Step> = {
	types: { title: 'Type check', run: () => command([binary('typescript', 'tsc'), '--noEmit']) },
	lint: { title: 'Lint', run: () => command([binary('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', '.']) },
	build: { title: 'Build', run: () => command(['esbuild.mjs']) },
	unit: { title: 'Unit tests', run: () => runFiles(testsIn('unit'), 2) },
	// The times of a program under test mean little while another one runs: one file at a time.
	tracer: { title: 'The tracer in real programs', run: () => withNodes(() => runFiles(testsIn('tracer'), 1)) },
	lab: { title: 'Lab: programs with known answers', run: () => withNodes(() => runFiles(testsIn('lab'), 1)) },
	mutations: { title: 'Mutated recordings', run: mutations },
	nodecore: { title: "A sample of Node's own tests", run: () => runFiles(testsIn('nodecore'), 1) },
	editor: { title: 'Real editor', run: () => withNodes(editor) },
};

/** Runs Node with these arguments; the whole command counts as one test. */
function command(args: string[]): Counts {
	const result = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
	if (result.error) console.log(result.error.message);
	const passed = result.status === 0;
	return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
}

/** The script behind a package's command. */
function binary(name: string, bin: string): string {
	const folder = join(root, 'node_modules', name);
	const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
		bin: string | Record<string, string>;
	};
	return join(folder, typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[bin]!);
}

function testsIn(folder: string): string[] {
	const inside = join(root, 'test', folder);
	return readdirSync(inside, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.test.ts'))
		.map((file) => join(inside, file))
		.sort();
}

function withNodes(run: () => Counts | Promise<Counts>): Counts | Promise<Counts> {
	installNodes();
	return run();
}

/** The editor suite counts for itself, in a file; the tests of its own harness, and of the package, are node:test's. */
async function editor(): Promise<Counts> {
	const results = join(root, 'test', 'out', 'editor', 'results.json');
	// What an earlier run left must not pass for this one's.
	rmSync(results, { force: true });
	const run = command([join('test', 'editor', 'run.ts')]);
	const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
	if (existsSync(results)) Object.assign(counts, JSON.parse(readFileSync(results, 'utf8')) as Counts);
	else console.log(`The editor suite left no ${relative(root, results)}.`);
	// It may also have failed in a way that it could not count, or counted nothing.
	if (counts.failed === 0 && (run.failed > 0 || counts.passed === 0)) counts.failed = 1;
	const others = ['harness.test.ts', 'vsix.test.ts'].map((name) => join(root, 'test', 'editor', name));
	return add(counts, await runFiles(others, 1));
}

/** So many mutations take less than half a minute; `npm run test:mutations` tries ten times as many. */
const MUTATIONS = 20_000;

/** The runner's own tests, then the day's mutations, which count as one test. */
async function mutations(): Promise<Counts> {
	const own = await runFiles(testsIn('mutations'), 1);
	return add(own, command([join('test', 'mutations', 'main.ts'), '--count', String(MUTATIONS)]));
}

function add(a: Counts, b: Counts): Counts {
	return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

function sentence({ passed, failed, skipped }: Counts): string {
	return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** The steps that the command line asks for. */
function selected(args: string[]): Step[] {
	if (args.length === 0) return Object.values(steps);
	const files = args.filter((arg) => arg.endsWith('.test.ts')).map((file) => resolve(file));
	const names = args.filter((arg) => !arg.endsWith('.test.ts'));
	const unknown = names.find((name) => !Object.hasOwn(steps, name));
	if (unknown !== undefined) {
		console.error(`There is no step "${unknown}". Steps: ${Object.keys(steps).join(', ')}; or name .test.ts files.`);
		process.exit(2);
	}
	const chosen = names.map((name) => steps[name]!);
	return files.length > 0 ? [...chosen, { title: 'Chosen files', run: () => runFiles(files, 1) }] : chosen;
}

/** One step's counts; a step that throws is a failure like any other, and the next one still runs. */
async function runStep(step: Step): Promise<Counts> {
	console.log(`\n━━ ${step.title} ━━`);
	try {
		return await step.run();
	} catch (error) {
		console.log(error);
		return { passed: 0, failed: 1, skipped: 0 };
	}
}

let total: Counts = { passed: 0, failed: 0, skipped: 0 };
const table: string[] = [];
for (const step of selected(process.argv.slice(2))) {
	const started = performance.now();
	const counts = await runStep(step);
	const seconds = ((performance.now() - started) / 1000).toFixed(0);
	table.push(`${step.title.padEnd(34)}${`${seconds} s`.padStart(7)}   ${sentence(counts)}`);
	total = add(total, counts);
}
console.log(`\n${table.join('\n')}\n\n${sentence(total)}`);
process.exitCode = total.failed > 0 ? 1 : 0;
