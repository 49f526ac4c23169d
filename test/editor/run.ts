// Runs the editor tests: `node test/editor/run.ts [--suite NAME]… [--grep TEXT] [--no-build] [--pictures] [--at-once N] [--out FOLDER]`.
// A suite is one or more windows (suites.ts), each a launch of VS Code through @vscode/test-electron's runTests: an installed or downloaded
// desktop VS Code (WAITLINE_VSCODE names one), else our launcher over VS Code's server and headless Chromium. Windows mostly wait, so some
// are open side by side. Counts go to results.json, the names of what failed and how long each test took to tests.json, screenshots of failures and logs to a folder per window
// beside them; the exit code is 1 when a test failed or an editor did not run.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { installLibraries } from '../support/origins.ts';
import type { Stats } from './environment.ts';
import { launch, type Run } from './launch.ts';
import { DEFAULT_SUITES, suiteFiles, type Window, windowsOf } from './suites.ts';
import { findEditor } from './vscode.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** A window keeps half a core busy and takes 2 GB: one more than there are cores, and no more than a usual machine has the memory for. */
const AT_ONCE = Math.min(availableParallelism() + 1, 4);

const { values: options } = parseArgs({
	options: {
		suite: { type: 'string', multiple: true, default: DEFAULT_SUITES },
		grep: { type: 'string' },
		'no-build': { type: 'boolean', default: false },
		/** Draws every state in each theme and width. */
		pictures: { type: 'boolean', default: false },
		/** How many windows are open at the same time. */
		'at-once': { type: 'string', default: String(AT_ONCE) },
		out: { type: 'string', default: path.join(ROOT, 'test/out/editor') },
		/** The extension under test; another one to try the harness itself. */
		extension: { type: 'string', default: ROOT },
	},
});
const out = path.resolve(options.out);
process.exitCode = await main();

/** @throws when a file of tests belongs to no suite, and so would never run */
function refuseForgotten(): void {
	const known = suiteFiles();
	const there = readdirSync(path.join(import.meta.dirname, 'suite')).map((name) => path.basename(name, '.ts'));
	const forgotten = there.filter((name) => /\.(test|bench)$/.test(name) && !known.includes(name));
	if (forgotten.length > 0) throw new Error(`in no suite of test/editor/suites.ts: ${forgotten.join(', ')}`);
}

async function main(): Promise<number> {
	forgetOuterEditor();
	refuseForgotten();
	const windows = windowsOf(options.suite, options.grep !== undefined);
	rmSync(out, { recursive: true, force: true });
	mkdirSync(out, { recursive: true });
	if (!options['no-build']) execFileSync(process.execPath, ['esbuild.mjs'], { cwd: ROOT, stdio: 'inherit' });
	await bundleSuite();

	const scratch = mkdtempSync(path.join(tmpdir(), 'waitline-editor-'));
	const total: Stats = { passed: 0, failed: 0, skipped: 0, failures: [], tests: [] };
	try {
		const editor = await findEditor(scratch);
		installLibraries();
		const run: Run = {
			editor,
			out,
			extension: path.resolve(options.extension),
			grep: options.grep,
			pictures: options.pictures,
			say: (name, line) => console.log(windows.length > 1 ? `${name.padEnd(longest(windows))} │ ${line}` : line),
		};
		for (const stats of await launchAll(windows, scratch, run)) {
			total.passed += stats.passed;
			total.failed += stats.failed;
			total.skipped += stats.skipped;
			total.failures.push(...stats.failures);
			total.tests.push(...stats.tests);
		}
	} finally {
		rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
	}
	const { failures, tests, ...counts } = total;
	writeFileSync(path.join(out, 'results.json'), `${JSON.stringify(counts)}\n`);
	writeFileSync(path.join(out, 'tests.json'), `${JSON.stringify({ failures, tests })}\n`);
	console.log(`editor tests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
	return total.failed === 0 ? 0 : 1;
}

/** Opens the windows in their order, some at the same time; an error of one is thrown when the others have ended. */
async function launchAll(windows: Window[], scratch: string, run: Run): Promise<Stats[]> {
	const queue = windows.values();
	const results: Stats[] = [];
	const lane = async () => {
		for (const window of queue) results.push(await launch(window, path.join(scratch, window.name), run));
	};
	const lanes = await Promise.allSettled(Array.from({ length: Math.max(1, Number(options['at-once'])) }, lane));
	for (const each of lanes) if (each.status === 'rejected') throw each.reason;
	return results;
}

function longest(windows: Window[]): number {
	return Math.max(...windows.map(({ name }) => name.length));
}

/** When started from an editor's own terminal, its variables would send us back to that editor. */
function forgetOuterEditor(): void {
	for (const name of Object.keys(process.env)) {
		if (/^(VSCODE_|ELECTRON_)/.test(name) || name === 'NODE_OPTIONS') delete process.env[name];
	}
}

/** The extension host loads CommonJS files; mocha comes from the project's own modules. */
async function bundleSuite(): Promise<void> {
	const names = ['host', ...new Set(suiteFiles())];
	await build({
		entryPoints: names.map((name) => path.join(import.meta.dirname, `suite/${name}.ts`)),
		outdir: path.join(out, 'suite'),
		outExtension: { '.js': '.cjs' },
		bundle: true,
		platform: 'node',
		format: 'cjs',
		target: 'node20',
		external: ['vscode', 'mocha'],
		sourcemap: 'inline',
		logLevel: 'warning',
	});
}
