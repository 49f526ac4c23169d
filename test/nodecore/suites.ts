// Which of Node's test suites are run: for each, the build from npm and the Debian release whose source package is of the very same version.
import { join } from 'node:path';
import { hasPackages, installPackages, wantedPackages } from '../support/packages.ts';

export interface Suite {
	major: number;
	/** The exact version of both the build and the sources: `18.20.4`. */
	version: string;
	/** The Debian release that carries these sources. */
	release: string;
	/** The Node of that version, once `installTwins` has run. */
	node: string;
}

const folder = join(import.meta.dirname, 'nodes');

/** A release of Debian keeps one version of Node for its whole life, so this table changes only when a suite is added. */
const releases: Record<number, string> = { 18: 'bookworm', 20: 'trixie' };

/** All suites, oldest first. */
export function suites(): Suite[] {
	return wantedPackages(folder).map(([alias, version]) => {
		const major = Number(version.split('.')[0]);
		const release = releases[major];
		if (release === undefined) throw new Error(`Name the Debian release that has the sources of Node ${version}.`);
		return { major, version, release, node: join(folder, 'node_modules', alias, 'bin', 'node') };
	});
}

/** Installs the builds when one is missing; says so, because it takes a while. */
export function installTwins(): void {
	if (hasPackages(folder)) return;
	console.log('Installing the Node builds that the test sources belong to (test/nodecore/nodes)…');
	installPackages(folder);
}
