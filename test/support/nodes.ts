// The Node versions that traced programs run on. They are npm packages of their own (test/nodes), installed once when
// missing, so a test never depends on what the machine happens to have. Such packages exist for Linux x64 as one
// family; on other platforms the tests run on the Node that runs them, and say so.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** A version that Waitline turns away; none where only one Node is to be had. */
export function unsupportedNode(): NodeBuild | undefined {
	return available ? builds().find((build) => build.major < 18) : undefined;
}

/** Installs test/nodes when a version is missing; says what it does, because it takes a while. */
export function installNodes(): void {
	if (!available) {
		console.log(`The Node versions to test on are packaged for Linux x64 only: testing on ${process.version} alone.`);
		return;
	}
	if (wanted().every(([name, version]) => installedVersion(name) === version)) return;
	console.log('Installing the Node versions to test on (test/nodes)…');
	const npm = process.env.npm_execpath;
	const [command, args]: [string, string[]] = npm ? [process.execPath, [npm]] : ['npm', []];
	const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
	const result = spawnSync(command, [...args, ...options], { cwd: folder, stdio: 'inherit' });
	if (result.status !== 0) throw new Error(`Could not install the Node versions in ${folder}.`);
}

/** Alias and pinned version of each Node, as test/nodes/package.json has them. */
function wanted(): [alias: string, version: string][] {
	const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
		dependencies: Record<string, string>;
	};
	return Object.entries(dependencies).map(([name, spec]) => [name, spec.slice(spec.lastIndexOf('@') + 1)]);
}

function installedVersion(alias: string): string | undefined {
	const file = join(folder, 'node_modules', alias, 'package.json');
	if (!existsSync(file)) return undefined;
	// The packages of Node 18 and older write their version with a leading v.
	return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version.replace(/^v/, '');
}

function builds(): NodeBuild[] {
	installNodes();
	return wanted().map(([alias, version]) => ({
		major: Number(version.split('.')[0]),
		path: join(folder, 'node_modules', alias, 'bin', 'node'),
	}));
}
