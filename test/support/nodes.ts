// The Node versions that traced programs run on. They are npm packages of their own (test/nodes), installed once when
// missing, so a test never depends on what the machine happens to have. Such packages exist for Linux x64 as one
// family; on other platforms the tests run on the Node that runs them, and print that.
import { join } from 'node:path';
import { hasPackages, installPackages, wantedPackages } from './packages.ts';
import { root } from './paths.ts';

export interface NodeBuild {
	major: number;
	path: string;
}

const folder = join(root, 'test', 'nodes');
const available = process.platform === 'linux' && process.arch === 'x64';

/** The versions that Waitline supports, oldest first. */
export function nodes(): NodeBuild[] {
	if (!available) return [{ major: Number(process.versions.node.split('.')[0]), path: process.execPath }];
	return builds().filter((build) => build.major >= 18);
}

/**
 * For what a library does: the oldest version, the one that most programs run on, and the newest. The library is the same on all of them, and what it uses
 * of Node is tested on each by tests of its own.
 */
export function nodesOfLibraries(): NodeBuild[] {
	const all = nodes();
	return all.filter((build) => build === all[0] || build.major === 24 || build === all.at(-1));
}

/** A version that Waitline refuses; none where only one Node is available. */
export function unsupportedNode(): NodeBuild | undefined {
	return available ? builds().find((build) => build.major < 18) : undefined;
}

/** Installs test/nodes when a version is missing; prints what it does, because it takes a while. */
export function installNodes(): void {
	if (!available) {
		console.log(`The Node versions to test on are packaged for Linux x64 only: testing on ${process.version} alone.`);
		return;
	}
	if (hasPackages(folder)) return;
	console.log('Installing the Node versions to test on (test/nodes)…');
	installPackages(folder);
}

function builds(): NodeBuild[] {
	installNodes();
	return wantedPackages(folder).map(([alias, version]) => ({
		major: Number(version.split('.')[0]),
		path: join(folder, 'node_modules', alias, 'bin', 'node'),
	}));
}
