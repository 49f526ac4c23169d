// Programs on Windows: on this machine where it runs Windows, else in Wine. Both run the node.exe of each version that they can; programs have
// files for their outputs, since Wine gives Node no pipe and no console that it takes.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../src/protocol/report.ts';
import { hasPackages, installPackages, wantedPackages } from './packages.ts';
import { cli, root } from './paths.ts';
import { plainEnvironment } from './process.ts';
import { scratchFolder } from './scratch.ts';
import { readReport } from './waitline.ts';
import { hasWine, WINE_PACKAGES, wineEnvironment } from './wine.ts';

const isWindows = process.platform === 'win32';

/** One that hangs must not hang the suite; nothing else is judged by this. */
const LONGEST_RUN_MS = 600_000;
/** How often a program's output is looked at while it runs. */
const LOOK_MS = 25;

const folder = join(root, 'test', 'windows', 'nodes');

/** Options for node.exe so that a program can use `fetch`: Wine 8 refuses what undici asks of each socket. */
export const forFetch = isWindows ? [] : ['--require', windowsPath(join(root, 'test', 'windows', 'no-keep-alive.cjs'))];

export interface WindowsNode {
	major: number;
	/** Its node.exe, as Windows names it. */
	path: string;
}

/** Why nothing can be run on Windows here, in a sentence with what helps; null where it can. */
export function missingWindows(): string | null {
	if (isWindows || (process.platform === 'linux' && process.arch === 'x64' && hasWine())) return null;
	if (process.platform !== 'linux') return 'these tests need Windows, or Wine on Linux x64.';
	return `these tests need Wine. Install it on Debian or Ubuntu with: sudo apt-get install --yes --no-install-recommends ${WINE_PACKAGES.join(' ')}`;
}

/** For `describe`: the sentence where the tests cannot run. */
export const skip = missingWindows() ?? false;

/** The versions of node.exe to test on, oldest first: those of the packages, and on Windows also the one that runs the tests. */
export function windowsNodes(): WindowsNode[] {
	if (skip !== false) return [];
	installWindowsNodes();
	const packaged = wantedPackages(folder).map(([alias, version]) => ({
		major: Number(version.split('.')[0]),
		path: windowsPath(join(folder, 'node_modules', alias, 'bin', 'node.exe')),
	}));
	return isWindows
		? [...packaged, { major: Number.parseInt(process.versions.node, 10), path: process.execPath }]
		: packaged;
}

/** For what is the same on all of them but for their libuv: the oldest and the newest. What Node itself does on Windows is tested on each. */
export function oldestAndNewest(): WindowsNode[] {
	const all = windowsNodes();
	return all.filter((node) => node === all[0] || node === all.at(-1));
}

/** Installs node.exe in each version when one is missing, and says so, because it takes a while. */
export function installWindowsNodes(): void {
	if (hasPackages(folder)) return;
	console.log('Installing node.exe in the versions to test on (test/windows/nodes)…');
	installPackages(folder, true);
}

/** A file of this machine's as Windows names it: Wine shows the whole machine as drive Z. */
export function windowsPath(file: string): string {
	return isWindows ? file : `Z:${file.replaceAll('/', '\\')}`;
}

/** A file that a program on Windows has named, as this machine names it. */
export function hostPath(file: string): string {
	if (isWindows) return file;
	if (/^z:/i.test(file)) return file.slice(2).replaceAll('\\', '/');
	const drive = join(wineEnvironment().WINEPREFIX!, 'dosdevices', file.slice(0, 2).toLowerCase());
	return join(drive, file.slice(2).replaceAll('\\', '/'));
}

export interface WindowsOutcome {
	code: number | null;
	/** With the line ends of Unix. */
	stdout: string;
	stderr: string;
}

export interface WindowsOptions {
	env?: Record<string, string> | undefined;
	/** As this machine names it. */
	cwd?: string | undefined;
	/** Called once with the first whole line that the program wrote. */
	onFirstLine?: ((line: string, child: ChildProcess) => void) | undefined;
}

/** Runs a program of Windows to its end. @param command its .exe and its arguments, as Windows names them */
export async function runOnWindows(command: readonly string[], options: WindowsOptions = {}): Promise<WindowsOutcome> {
	const outputs = scratchFolder('outputs');
	const [stdout, stderr] = [join(outputs, 'stdout'), join(outputs, 'stderr')];
	const descriptors = [stdout, stderr].map((file) => openSync(file, 'w'));
	const [file = '', ...args] = isWindows ? command : ['wine', ...command];
	const child = spawn(file, args, {
		cwd: options.cwd ?? root,
		env: { ...plainEnvironment(), ...(isWindows ? {} : wineEnvironment()), ...options.env },
		stdio: ['ignore', ...descriptors],
	});
	for (const descriptor of descriptors) closeSync(descriptor);
	let { onFirstLine } = options;
	const look = setInterval(() => {
		const line = /^(.*)\r?\n/.exec(readFileSync(stdout, 'utf8'))?.[1];
		if (line === undefined) return;
		clearInterval(look);
		onFirstLine?.(line, child);
		onFirstLine = undefined;
	}, LOOK_MS);
	let isLate = false;
	const limit = setTimeout(() => {
		isLate = true;
		child.kill('SIGKILL');
	}, LONGEST_RUN_MS);
	const code = await new Promise<number | null>((resolve, reject) => {
		child.on('error', reject);
		child.on('exit', resolve);
	}).finally(() => {
		clearTimeout(limit);
		clearInterval(look);
	});
	const [out = '', err = ''] = [stdout, stderr].map((each) => readFileSync(each, 'utf8').replaceAll('\r\n', '\n'));
	assert.ok(!isLate, `${command.join(' ')} did not end in ${LONGEST_RUN_MS / 1000} s. It wrote:\n${out}${err}`);
	return { code, stdout: out, stderr: err };
}

/** `waitline ARGS…` on Windows. */
export function waitlineOnWindows(
	node: WindowsNode,
	args: string[],
	options?: WindowsOptions,
): Promise<WindowsOutcome> {
	return runOnWindows([node.path, windowsPath(cli), ...args], options);
}

export interface WindowsRecording extends WindowsOutcome {
	report: Report;
}

/**
 * `waitline run` of a program on Windows, and its report, whatever the program ends with. All of it is recorded, as by `record` (test/support/waitline.ts).
 * @param own options of `waitline run`
 */
export async function recordOnWindows(
	node: WindowsNode,
	args: readonly string[],
	options?: WindowsOptions,
	own: readonly string[] = [],
): Promise<WindowsRecording> {
	const file = join(scratchFolder(), 'report.json');
	const run = ['run', '--budget', 'off', ...own, '--json', windowsPath(file), '--no-report', '--', node.path, ...args];
	const outcome = await waitlineOnWindows(node, run, options);
	assert.ok(existsSync(file), `Waitline wrote no report: ${JSON.stringify(outcome)}`);
	return { ...outcome, report: readReport(file) };
}

/** The same of a program that must end well, with nothing on stderr. */
export async function recordGoodOnWindows(
	node: WindowsNode,
	args: readonly string[],
	options?: WindowsOptions,
	own?: readonly string[],
): Promise<WindowsRecording> {
	const recording = await recordOnWindows(node, args, options, own);
	assert.deepEqual({ code: recording.code, stderr: recording.stderr }, { code: 0, stderr: '' });
	return recording;
}
