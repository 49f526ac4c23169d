// npm packages that only tests use, each set in a folder of its own with its lockfile, installed when it is missing.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs the packages of a folder's lockfile.
 * @param isForeign whether the packages are for another system than this one, which npm would refuse
 * @throws when npm fails
 */
export function installPackages(folder: string, isForeign = false): void {
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

/** Whether all of them are there, in that version. */
export function hasPackages(folder: string): boolean {
	return wantedPackages(folder).every(([name, version]) => installedVersion(folder, name) === version);
}

function installedVersion(folder: string, name: string): string | undefined {
	const file = join(folder, 'node_modules', name, 'package.json');
	if (!existsSync(file)) return undefined;
	// The packages of Node 18 and older write their version with a leading v.
	return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version.replace(/^v/, '');
}
