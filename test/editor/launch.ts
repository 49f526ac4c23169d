// Opens one window of the editor: VS Code through @vscode/test-electron's runTests, on a workspace, settings and folders of its own, with
// the window's test files in it. Nothing of it is shared with another window that is open at the same time.
import { execFile } from 'node:child_process';
import { cpSync, createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { nodes } from '../support/nodes.ts';
import { makeVsix } from '../support/vsix.ts';
import {
	FILES_VARIABLE,
	GREP_VARIABLE,
	NODES_VARIABLE,
	OUT_VARIABLE,
	OUTPUT_FILE,
	PACKAGE_VARIABLE,
	PICTURES_VARIABLE,
	RECORDING_VARIABLE,
	SCREENSHOTS_VARIABLE,
	STATS_FILE,
	type Stats,
	TRUST_VARIABLE,
	USER_DATA_VARIABLE,
} from './environment.ts';
import { showLines } from './show-lines.ts';
import type { Window } from './suites.ts';
import type { Editor } from './vscode.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Copied into the workspace, beside the suite's own programs. */
const LAB_PROGRAMS = ['seed3-five-hashes.cjs', ...faultyPrograms()];

const ASKING_EXTENSION = path.join(import.meta.dirname, 'asking-extension');

/** The same for every launch: a quiet editor that asks nothing and fetches nothing. */
const SETTINGS = {
	// Tests look at single operations, which may be short; the one of the threshold sets another.
	'waitline.annotations.thresholdMs': 0,
	'telemetry.telemetryLevel': 'off',
	'update.mode': 'none',
	'extensions.autoUpdate': false,
	'extensions.autoCheckUpdates': false,
	'extensions.ignoreRecommendations': true,
	'workbench.startupEditor': 'none',
	// What fades or slides is drawn some twelve times by the processor, which takes it from the tests.
	'workbench.reduceMotion': 'on',
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
	// CodeLens asks the language for its functions, which a parser alone knows; no test wants types.
	'typescript.tsserver.useSyntaxServer': 'always',
	'javascript.validate.enable': false,
	'typescript.validate.enable': false,
	'debug.openDebug': 'neverOpen',
	'debug.internalConsoleOptions': 'neverOpen',
	'files.hotExit': 'off',
	// VS Code in a browser saves by itself, and an edit of a test would outlast it.
	'files.autoSave': 'off',
	// Every two seconds the extension host would list the files that each process of the system has open, unless ports are looked for in outputs alone.
	'remote.autoForwardPorts': false,
	'remote.autoForwardPortsSource': 'output',
	'editor.cursorBlinking': 'solid',
	'editor.occurrencesHighlight': 'off',
	'editor.semanticHighlighting.enabled': false,
	'editor.stickyScroll.enabled': false,
	'workbench.editor.languageDetection': false,
	'window.confirmBeforeClose': 'never',
	'security.workspace.trust.startupPrompt': 'never',
};

/** What all windows of a run have in common. */
export interface Run {
	editor: Editor;
	/** Folder of the results, one folder below it for each window; the bundled suite is there too. */
	out: string;
	/** The extension under test. */
	extension: string;
	/** Only tests whose full title contains this text. */
	grep: string | undefined;
	/** Whether every state is drawn in each theme and width, which takes minutes. */
	pictures: boolean;
	/** Receives what a window prints, a line at a time. */
	say(window: string, line: string): void;
}

/** Opens the window, runs its tests and returns its counts; its files are below `scratch`, which the caller removes. */
export async function launch(
	window: Window,
	scratch: string,
	{ editor, out, extension, grep, pictures, say }: Run,
): Promise<Stats> {
	const { name } = window;
	if (window.restricted && !editor.launcher) {
		say(name, 'skipped, runTests starts a desktop VS Code with workspace trust switched off');
		return { passed: 0, failed: 0, skipped: 1, failures: [], tests: [] };
	}
	const results = path.join(out, name);
	mkdirSync(results, { recursive: true });
	// A space in every path of the workspace, not only in one of its folders.
	const workspace = path.join(scratch, 'work space');
	cpSync(path.join(import.meta.dirname, 'workspace'), workspace, { recursive: true });
	for (const program of LAB_PROGRAMS)
		cpSync(path.join(ROOT, 'test/lab/programs', program), path.join(workspace, program));
	const recording = path.join(scratch, 'hashes.waitline');
	await run(process.execPath, [
		...[path.join(ROOT, 'dist/cli.js'), 'run', '--no-report', '--out', recording, '--'],
		...[process.execPath, path.join(workspace, LAB_PROGRAMS[0]!)],
	]);
	const packaged = window.packaged ? packageExtension(scratch) : undefined;
	const userData = path.join(scratch, 'user');
	mkdirSync(path.join(userData, 'User'), { recursive: true });
	const settings = { ...SETTINGS, 'security.workspace.trust.enabled': window.restricted };
	writeFileSync(path.join(userData, 'User/settings.json'), JSON.stringify(settings, null, 2));

	const extensions = path.join(scratch, 'extensions');
	if (window.asking)
		cpSync(ASKING_EXTENSION, path.join(extensions, 'waitline-tests.asking-0.0.0'), { recursive: true });

	knowLanguages(userData);
	// Whatever the editor and the extension put there goes with the run, and other runs do not see it.
	const temporary = path.join(scratch, 'tmp');
	mkdirSync(temporary);

	const start = Date.now();
	say(name, `starting ${editor.launcher ? 'code-server and Chromium' : editor.executable} …`);
	const log = createWriteStream(path.join(results, 'editor.log'));
	const stopShowing = showLines(path.join(results, OUTPUT_FILE), (line) => say(name, line));
	let problem: unknown;
	try {
		await runTests({
			vscodeExecutablePath: editor.executable,
			extensionDevelopmentPath: packaged?.driver ?? extension,
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
				[FILES_VARIABLE]: window.files.join(','),
				[NODES_VARIABLE]: JSON.stringify(window.everyNode ? nodes() : []),
				[GREP_VARIABLE]: grep,
				[PICTURES_VARIABLE]: pictures ? '1' : undefined,
				[TRUST_VARIABLE]: window.restricted ? '1' : undefined,
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
	if (problem !== undefined && stats.failures.length === 0) {
		// The tests passed and the editor did not end well, or there were none: that is no green run.
		stats.failed = 1;
		stats.failures.push(`the window ${name}`);
		say(name, `${problem}`);
		for (const line of readFileSync(path.join(results, 'editor.log'), 'utf8').split('\n').slice(-40)) say(name, line);
	}
	say(name, `${stats.passed} passed, ${stats.failed} failed in ${Math.round((Date.now() - start) / 1000)} s`);
	return stats;
}

/** The lab's programs of which each has a finding. */
function faultyPrograms(): string[] {
	const names = readdirSync(path.join(ROOT, 'test/lab/programs/findings'));
	return names.filter((name) => !name.includes('-fine.')).map((name) => path.join('findings', name));
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

/** Makes the `.vsix`, and an extension that does nothing, since an editor must have one under development to run tests. */
function packageExtension(scratch: string): { file: string; driver: string } {
	const file = makeVsix(scratch);
	const driver = path.join(scratch, 'driver');
	mkdirSync(driver);
	const manifest = { name: 'driver', publisher: 'waitline-tests', version: '0.0.0', engines: { vscode: '*' } };
	writeFileSync(path.join(driver, 'package.json'), JSON.stringify(manifest));
	return { file, driver };
}

/** The suite's counts; one failure when it did not come to write them. */
function readStats(file: string): Stats {
	if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0, failures: [], tests: [] };
	return JSON.parse(readFileSync(file, 'utf8')) as Stats;
}
