// npm packages that only tests use, each set in a folder of its own with its lockfile, installed when it is missing.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../../src/host/sessions/journal-folder.ts';

/** Names the process that installs the packages of its folder. */
const LOCK = '.installing';
/** How often one that waits for another looks, in ms. */
const LOOK_MS = 200;

/**
 * Installs the packages of a folder's lockfile; where another process does so, waits until it is done.
 * @param isForeign whether the packages are for another system than this one, which npm would refuse
 * @throws when npm fails
 */
export function installPackages(folder: string, isForeign = false): void {
	const lock = join(folder, LOCK);
	let hasWaited = false;
	while (!takeLock(lock)) {
		const owner = ownerOf(lock);
		hasWaited = owner === undefined || isAlive(owner);
		if (hasWaited) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
		// It was ended in the midst of it.
		else rmSync(lock, { force: true });
	}
	try {
		if (!hasWaited || !areThere(folder)) install(folder, isForeign);
	} finally {
		rmSync(lock, { force: true });
	}
}

/** @returns whether nobody had it */
function takeLock(lock: string): boolean {
	try {
		writeFileSync(lock, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
		throw error;
	}
}

/** Undefined where nobody has it any more. */
function ownerOf(lock: string): number | undefined {
	try {
		return Number(readFileSync(lock, 'utf8'));
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw error;
	}
}

function install(folder: string, isForeign: boolean): void {
	const npm = process.env.npm_execpath;
	const [command, args]: [string, string[]] = npm ? [process.execPath, [npm]] : ['npm', []];
	const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
	if (isForeign) options.push('--force');
	// A benchmark's standard output is its table.
	const result = spawnSync(command, [...args, ...options], { cwd: folder, stdio: ['ignore', 2, 2] });
	if (result.status !== 0) throw new Error(`Could not install the packages of ${folder}.`);
}

/** Names and pinned versions of a folder's packages, as its package.json has them. */
export function wantedPackages(folder: string): [name: string, version: string][] {
	const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
		dependencies: Record<string, string>;
	};
	return Object.entries(dependencies).map(([name, spec]) => [name, spec.slice(spec.lastIndexOf('@') + 1)]);
}

/** Whether all of them are there, in that version, and nobody is still installing them. */
export function hasPackages(folder: string): boolean {
	return !existsSync(join(folder, LOCK)) && areThere(folder);
}

function areThere(folder: string): boolean {
	return wantedPackages(folder).every(([name, version]) => installedVersion(folder, name) === version);
}

function installedVersion(folder: string, name: string): string | undefined {
	const file = join(folder, 'node_modules', name, 'package.json');
	if (!existsSync(file)) return undefined;
	// The packages of Node 18 and older write their version with a leading v.
	return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version.replace(/^v/, '');
}
