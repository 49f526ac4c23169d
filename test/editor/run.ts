// Runs the editor tests: `node test/editor/run.ts [--suite NAME]… [--grep TEXT] [--no-build] [--out FOLDER]`.
// Each suite is one launch of VS Code through @vscode/test-electron's runTests: an installed or downloaded desktop VS Code
// (WAITLINE_VSCODE names one), else our launcher over VS Code's server and headless Chromium. Counts go to results.json,
// screenshots and logs to a folder per suite beside it; the exit code is 1 when a test failed or an editor did not run.
import { execFileSync } from 'node:child_process';
import {
	cpSync,
	createWriteStream,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { build } from 'esbuild';
import { nodes } from '../support/nodes.ts';
import { installLibraries } from '../support/origins.ts';
import {
	FILES_VARIABLE,
	GREP_VARIABLE,
	NODES_VARIABLE,
	OUT_VARIABLE,
	OUTPUT_FILE,
	PACKAGE_VARIABLE,
	RECORDING_VARIABLE,
	SCREENSHOTS_VARIABLE,
	STATS_FILE,
	type Stats,
	TRUST_VARIABLE,
	USER_DATA_VARIABLE,
} from './environment.ts';
import { type Editor, findEditor } from './vscode.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** One launch: the test files it loads and whether the workspace starts untrusted. */
interface Suite {
	files: string[];
	restricted: boolean;
	/** The suite installs the packaged extension itself, and the editor starts without it. */
	packaged?: boolean;
	/** Whether programs are debugged on every supported Node. */
	everyNode?: boolean;
	/** Whether an extension that asks the tools for language models is there too. */
	asking?: boolean;
}

const SUITES: Record<string, Suite> = {
	main: {
		files: [
			'activation.test',
			'empty-states.test',
			'debug.test',
			'panel.test',
			'panel-themes.test',
			'live.test',
			'annotations.test',
			'settings.test',
			'walkthrough.test',
			'waits.test',
			'hostile-names.test',
			'sessions.test',
			'status-bar.test',
			'call-stack.test',
			'stepping.test',
			'recording.test',
			'findings.test',
			'finding-texts.test',
			'attach.test',
			'async-stacks.test',
			'pauses.test',
			'ends.test',
			'closing.test',
			'workspaces.test',
			'languages.test',
			'tool-confirmation.test',
			'budget.test',
			'untraced.test',
			'failures.test',
			'palette.test',
			'terminal.test',
			'keyboard.test',
			'themes.test',
		],
		restricted: false,
		everyNode: true,
		asking: true,
	},
	restricted: { files: ['restricted.test', 'recording.test'], restricted: true },
	installed: { files: ['installed.test'], restricted: false, packaged: true },
	/** For test/bench/editor. */
	'activation-bench': { files: ['activation.bench'], restricted: false },
	'typing-bench': { files: ['typing.bench'], restricted: false },
	'debugger-bench': { files: ['debugger.bench'], restricted: false, everyNode: true },
	'ingest-bench': { files: ['ingest.bench'], restricted: false },
	/** A test that fails on purpose, for harness.test.ts. */
	planted: { files: ['planted.test'], restricted: false },
};

/** Copied into the workspace, beside the suite's own programs. */
const LAB_PROGRAMS = ['seed3-five-hashes.cjs', ...faultyPrograms()];

const ASKING_EXTENSION = path.join(import.meta.dirname, 'asking-extension');

/** The same for every launch: a quiet editor that asks nothing and fetches nothing. */
const SETTINGS = {
	'telemetry.telemetryLevel': 'off',
	'update.mode': 'none',
	'extensions.autoUpdate': false,
	'extensions.autoCheckUpdates': false,
	'extensions.ignoreRecommendations': true,
	'workbench.startupEditor': 'none',
	'workbench.enableExperiments': false,
	'workbench.welcomePage.walkthroughs.openOnInstall': false,
	'workbench.tips.enabled': false,
	'workbench.secondarySideBar.defaultVisibility': 'hidden',
	'chat.disableAIFeatures': true,
	'chat.commandCenter.enabled': false,
	'editor.minimap.enabled': false,
	'git.enabled': false,
	'npm.autoDetect': 'off',
	'typescript.disableAutomaticTypeAcquisition': true,
	'typescript.surveys.enabled': false,
	'debug.openDebug': 'neverOpen',
	'debug.internalConsoleOptions': 'neverOpen',
	'files.hotExit': 'off',
	// VS Code in a browser saves by itself, and an edit of a test would outlast it.
	'files.autoSave': 'off',
	'window.confirmBeforeClose': 'never',
	'security.workspace.trust.startupPrompt': 'never',
};

const { values: options } = parseArgs({
	options: {
		suite: { type: 'string', multiple: true, default: ['main', 'restricted', 'installed'] },
		grep: { type: 'string' },
		'no-build': { type: 'boolean', default: false },
		out: { type: 'string', default: path.join(ROOT, 'test/out/editor') },
		/** The extension under test; another one to try the harness itself. */
		extension: { type: 'string', default: ROOT },
	},
});
const out = path.resolve(options.out);
process.exitCode = await main();

/** @throws when a file of tests belongs to no suite, and so would never run */
function refuseForgotten(): void {
	const known = Object.values(SUITES).flatMap(({ files }) => files);
	const there = readdirSync(path.join(import.meta.dirname, 'suite')).map((name) => path.basename(name, '.ts'));
	const forgotten = there.filter((name) => /\.(test|bench)$/.test(name) && !known.includes(name));
	if (forgotten.length > 0) throw new Error(`in no suite of test/editor/run.ts: ${forgotten.join(', ')}`);
}

async function main(): Promise<number> {
	forgetOuterEditor();
	refuseForgotten();
	rmSync(out, { recursive: true, force: true });
	mkdirSync(out, { recursive: true });
	if (!options['no-build']) execFileSync(process.execPath, ['esbuild.mjs'], { cwd: ROOT, stdio: 'inherit' });
	await bundleSuite();

	const scratch = mkdtempSync(path.join(tmpdir(), 'waitline-editor-'));
	const total: Stats = { passed: 0, failed: 0, skipped: 0 };
	try {
		const editor = await findEditor(scratch);
		installLibraries();
		for (const name of options.suite) {
			const stats = await launch(name, editor, path.join(scratch, name));
			total.passed += stats.passed;
			total.failed += stats.failed;
			total.skipped += stats.skipped;
		}
	} finally {
		rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
	}
	writeFileSync(path.join(out, 'results.json'), `${JSON.stringify(total)}\n`);
	console.log(`editor tests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
	return total.failed === 0 ? 0 : 1;
}

/** When started from an editor's own terminal, its variables would send us back to that editor. */
function forgetOuterEditor(): void {
	for (const name of Object.keys(process.env)) {
		if (/^(VSCODE_|ELECTRON_)/.test(name) || name === 'NODE_OPTIONS') delete process.env[name];
	}
}

/** The extension host loads CommonJS files; mocha comes from the project's own modules. */
async function bundleSuite(): Promise<void> {
	const names = ['host', ...new Set(Object.values(SUITES).flatMap((suite) => suite.files))];
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

/** The lab's programs of which each has a finding. */
function faultyPrograms(): string[] {
	const names = readdirSync(path.join(ROOT, 'test/lab/programs/findings'));
	return names.filter((name) => !name.includes('-fine.')).map((name) => path.join('findings', name));
}

/** Opens the editor on a fresh copy of the workspace, runs one suite in it and returns its counts. */
async function launch(name: string, editor: Editor, scratch: string): Promise<Stats> {
	const suite = SUITES[name];
	if (suite === undefined) throw new Error(`no suite "${name}": ${Object.keys(SUITES).join(', ')}`);
	if (suite.restricted && !editor.launcher) {
		console.log(`editor tests: ${name}: skipped, runTests starts a desktop VS Code with workspace trust switched off`);
		return { passed: 0, failed: 0, skipped: 1 };
	}
	const results = path.join(out, name);
	mkdirSync(results, { recursive: true });
	// A space in every path of the workspace, not only in one of its folders.
	const workspace = path.join(scratch, 'work space');
	cpSync(path.join(import.meta.dirname, 'workspace'), workspace, { recursive: true });
	for (const program of LAB_PROGRAMS)
		cpSync(path.join(ROOT, 'test/lab/programs', program), path.join(workspace, program));
	const recording = path.join(scratch, 'hashes.waitline');
	execFileSync(process.execPath, [
		...[path.join(ROOT, 'dist/cli.js'), 'run', '--no-report', '--out', recording, '--'],
		...[process.execPath, path.join(workspace, LAB_PROGRAMS[0]!)],
	]);
	const packaged = suite.packaged ? packageExtension(scratch) : undefined;
	const userData = path.join(scratch, 'user');
	mkdirSync(path.join(userData, 'User'), { recursive: true });
	const settings = { ...SETTINGS, 'security.workspace.trust.enabled': suite.restricted };
	writeFileSync(path.join(userData, 'User/settings.json'), JSON.stringify(settings, null, 2));

	const extensions = path.join(scratch, 'extensions');
	if (suite.asking) cpSync(ASKING_EXTENSION, path.join(extensions, 'waitline-tests.asking-0.0.0'), { recursive: true });

	knowLanguages(userData);
	// Whatever the editor and the extension put there goes with the run, and other runs do not meet it.
	const temporary = path.join(scratch, 'tmp');
	mkdirSync(temporary);

	const start = Date.now();
	console.log(`editor tests: ${name}: starting ${editor.launcher ? 'code-server and Chromium' : editor.executable} …`);
	const log = createWriteStream(path.join(results, 'editor.log'));
	const stopShowing = show(path.join(results, OUTPUT_FILE));
	let problem: unknown;
	try {
		await runTests({
			vscodeExecutablePath: editor.executable,
			extensionDevelopmentPath: packaged?.driver ?? path.resolve(options.extension),
			extensionTestsPath: path.join(out, 'suite/host.cjs'),
			launchArgs: [workspace, `--user-data-dir=${userData}`, `--extensions-dir=${extensions}`],
			extensionTestsEnv: {
				// The debugged programs run on this Node as well: js-debug takes the PATH's, if the editor believes that a
				// shell started it; otherwise it takes over what a login shell has.
				VSCODE_CLI: '1',
				PATH: path.dirname(process.execPath) + path.delimiter + process.env.PATH,
				TMPDIR: temporary,
				TEMP: temporary,
				TMP: temporary,
				[OUT_VARIABLE]: results,
				[SCREENSHOTS_VARIABLE]: path.join(results, 'screenshots'),
				[FILES_VARIABLE]: suite.files.join(','),
				[NODES_VARIABLE]: JSON.stringify(suite.everyNode ? nodes() : []),
				[GREP_VARIABLE]: options.grep,
				[TRUST_VARIABLE]: suite.restricted ? '1' : undefined,
				[USER_DATA_VARIABLE]: userData,
				[RECORDING_VARIABLE]: recording,
				[PACKAGE_VARIABLE]: packaged?.file,
			},
			stdout: log,
			stderr: log,
		});
	} catch (error) {
		problem = error;
	}
	stopShowing();
	await new Promise<void>((resolve) => log.end(resolve));
	const stats = readStats(path.join(results, STATS_FILE));
	if (problem !== undefined && stats.failed === 0) {
		// The tests passed and the editor did not end well, or there were none: that is no green run.
		stats.failed = 1;
		console.log(`editor tests: ${name}: ${problem}`);
		console.log(readFileSync(path.join(results, 'editor.log'), 'utf8').split('\n').slice(-40).join('\n'));
	}
	console.log(`editor tests: ${name}: ${Math.round((Date.now() - start) / 1000)} s`);
	return stats;
}

/**
 * Lets the editor speak the languages that the extension does, as their language packs would; these here translate nothing of the
 * editor's own. A window speaks one when its browser asks for it.
 */
function knowLanguages(userData: string): void {
	const translations = path.join(userData, 'no-translations.json');
	writeFileSync(translations, JSON.stringify({ contents: {} }));
	const packs = ['pt-br', 'zh-cn'].map((language) => {
		const extensionIdentifier = { id: `waitline-tests.language-${language}` };
		const extensions = [{ extensionIdentifier, version: '0.0.0' }];
		return [language, { hash: language, extensions, translations: { vscode: translations }, label: language }];
	});
	// Without this file the server takes English for the person's choice.
	writeFileSync(path.join(userData, 'User/argv.json'), '{}');
	writeFileSync(path.join(userData, 'languagepacks.json'), JSON.stringify(Object.fromEntries(packs)));
}

/** Makes the `.vsix`, and an extension that does nothing, for an editor must have one under development to run tests. */
function packageExtension(scratch: string): { file: string; driver: string } {
	const file = path.join(scratch, 'waitline.vsix');
	const vsce = path.join(ROOT, 'node_modules/@vscode/vsce/vsce');
	const args = ['package', '--no-dependencies', '--out', file];
	execFileSync(process.execPath, [vsce, ...args], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
	const driver = path.join(scratch, 'driver');
	mkdirSync(driver);
	const manifest = { name: 'driver', publisher: 'waitline-tests', version: '0.0.0', engines: { vscode: '*' } };
	writeFileSync(path.join(driver, 'package.json'), JSON.stringify(manifest));
	return { file, driver };
}

/** The suite's counts; one failure when it did not come to write them. */
function readStats(file: string): Stats {
	if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
	return JSON.parse(readFileSync(file, 'utf8')) as Stats;
}

/** Prints a file as it grows, until the returned function is called. */
function show(file: string): () => void {
	let shown = 0;
	const next = () => {
		if (!existsSync(file)) return;
		const content = readFileSync(file);
		process.stdout.write(content.subarray(shown));
		shown = content.length;
	};
	const timer = setInterval(next, 250);
	return () => {
		clearInterval(timer);
		next();
	};
}
