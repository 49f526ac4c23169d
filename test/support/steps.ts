// The steps of `npm test`: what each runs, and which run side by side.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { installServer } from '../editor/install.ts';
import { desktopEditor } from '../editor/vscode.ts';
import { binary, command } from './command.ts';
import { add, type Counts, noCounts } from './counts.ts';
import { installNodes } from './nodes.ts';
import { installLibraries } from './origins.ts';
import { root } from './paths.ts';
import { runFiles } from './run-files.ts';
import { installWholePrograms } from './whole-programs.ts';
import { installWindowsNodes, missingWindows } from './windows.ts';
import { makeWinePrefix } from './wine.ts';

/** Receives the output of a step for the person. */
export type Write = (text: string) => void;

export interface Step {
	title: string;
	run(write: Write): Promise<Counts>;
}

/**
 * Tests that compare the tracer's times with a clock of their own or the system's: the times of a program mean little
 * while many others run, so these run by themselves. Those that take longest come first.
 */
const TIMED = [
	'tracer/ground-truth',
	'lab/seed3',
	'lab/requests',
	'lab/seed5',
	'lab/savings',
	'tracer/loop',
	'lab/seed1',
	'lab/seed7',
	'lab/what-if',
	'tracer/await-run',
].map((name) => join(root, 'test', `${name}.test.ts`));

/**
 * The budget is a share of wall-clock time: a program that gets too little of a processor stays within it, whatever the tracer does. So its tests run
 * by themselves, not even beside those of `TIMED`.
 */
const BUDGET = join(root, 'test', 'tracer', 'governor.test.ts');

/** Files whose programs mostly wait, or start up: two at a time keep one core busy and leave the other to the editor. */
const FILES_AT_ONCE = 2;

export const STEPS: Record<string, Step> = {
	types: { title: 'Type check', run: (write) => command('tsc', [binary('typescript', 'tsc'), '--noEmit'], write) },
	lint: {
		title: 'Lint',
		run: (write) => command('biome', [binary('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', '.'], write),
	},
	build: { title: 'Build', run: (write) => command('esbuild', ['esbuild.mjs'], write) },
	unit: { title: 'Unit tests', run: (write) => runFiles(testsIn('unit'), 2, write) },
	tracer: {
		title: 'The tracer in real programs',
		run: (write) => runFiles(untimedTests('tracer'), FILES_AT_ONCE, write),
	},
	nodecore: { title: "A sample of Node's own tests", run: (write) => runFiles(testsIn('nodecore'), 1, write) },
	mutations: { title: 'Mutated recordings', run: mutations },
	editor: { title: 'Real editor', run: editor },
	harness: {
		title: "The editor's harness, the package",
		run: (write) =>
			runFiles(
				['harness', 'vsix'].map((name) => join(root, 'test', 'editor', `${name}.test.ts`)),
				1,
				write,
			),
	},
	timed: {
		title: 'Against clocks: tracer and lab',
		run: (write) => runFiles(timedTests(), 2, write),
	},
	budget: { title: 'The budget', run: (write) => runFiles([BUDGET], 1, write) },
	windows: { title: 'Windows: node.exe', run: windows },
	lab: {
		title: 'Lab: programs with known answers',
		run: (write) => runFiles(untimedTests('lab'), FILES_AT_ONCE, write),
	},
};

/** Several steps at a time: each list of names is done in its order, beside the others of its group. A group begins when the one before is done. */
export type Plan = readonly (readonly (readonly string[])[])[];

/** Everything. Steps without measurements run side by side; those that measure time run at the end. */
export const EVERYTHING: Plan = [
	[
		['types', 'lint'],
		['build', 'unit'],
	],
	[
		['editor', 'windows'],
		['harness', 'tracer', 'lab', 'nodecore', 'mutations'],
	],
	[['timed', 'budget']],
];

/** The steps to run while working: under a minute. */
export const QUICK: Plan = [
	[
		['types', 'lint'],
		['build', 'unit'],
	],
];

/** The steps that run programs: on each Node version, and with the libraries of test/libraries. */
const WITH_PROGRAMS = ['tracer', 'timed', 'budget', 'lab', 'mutations', 'editor'];

/** The steps that open an editor. */
const WITH_EDITOR = ['editor', 'harness'];

/**
 * Installs from npm the packages that the steps need and that are missing, and prints that: before the steps run,
 * because two of them side by side would both do it.
 */
export async function providePackages(names: readonly string[]): Promise<void> {
	if (names.some((name) => WITH_PROGRAMS.includes(name))) {
		installNodes();
		installLibraries();
	}
	if (names.includes('lab')) installWholePrograms();
	if (names.includes('windows') && missingWindows() === null) installWindowsNodes();
	if (names.some((name) => WITH_EDITOR.includes(name)) && desktopEditor() === undefined) await installServer();
}

/**
 * Two files at a time, in one prefix of Wine. Where there is neither Wine nor Windows nothing runs, which is printed.
 */
async function windows(write: Write): Promise<Counts> {
	const missing = missingWindows();
	if (missing !== null) {
		write(`Not run: ${missing}\n`);
		return { ...noCounts(), skipped: 1 };
	}
	const removePrefix = process.platform === 'win32' ? () => undefined : makeWinePrefix();
	try {
		return await runFiles(testsIn('windows'), 2, write);
	} finally {
		removePrefix();
	}
}

function testsIn(folder: string): string[] {
	const inside = join(root, 'test', folder);
	return readdirSync(inside, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.test.ts'))
		.map((file) => join(inside, file))
		.sort();
}

function untimedTests(folder: string): string[] {
	return testsIn(folder).filter((file) => !TIMED.includes(file) && file !== BUDGET);
}

function timedTests(): string[] {
	const gone = TIMED.find((file) => !existsSync(file));
	if (gone !== undefined) throw new Error(`test/support/steps.ts names ${relative(root, gone)}, which is not there.`);
	return TIMED;
}

/** The editor suite writes its own counts into a file. */
async function editor(write: Write): Promise<Counts> {
	const out = join(root, 'test', 'out', 'editor');
	const results = join(out, 'results.json');
	// Results of an earlier run must not pass for those of this one.
	rmSync(results, { force: true });
	const run = await command('the editor', [join('test', 'editor', 'run.ts'), '--no-build'], write);
	const counts = noCounts();
	if (existsSync(results)) {
		Object.assign(counts, JSON.parse(readFileSync(results, 'utf8')) as Pick<Counts, 'passed' | 'failed' | 'skipped'>);
		Object.assign(
			counts,
			JSON.parse(readFileSync(join(out, 'tests.json'), 'utf8')) as Pick<Counts, 'failures' | 'tests'>,
		);
	} else write(`The editor suite left no ${relative(root, results)}.\n`);
	// The run may also have failed in a way that it could not count, or counted nothing.
	if (counts.failed === 0 && (run.failed > 0 || counts.passed === 0)) {
		counts.failed = 1;
		counts.failures.push(...(run.failed > 0 ? run.failures : ['the editor: no test ran']));
	}
	return counts;
}

/** This many mutations take two cores less than two minutes; `npm run test:mutations` tries ten times as many. */
const MUTATIONS = 20_000;

/** The runner's own tests, then the day's mutations, which count as one test. */
async function mutations(write: Write): Promise<Counts> {
	const own = await runFiles(testsIn('mutations'), 1, write);
	const main = [join('test', 'mutations', 'main.ts'), '--count', String(MUTATIONS)];
	return add(own, await command('mutations', main, write));
}
