// Fetches the sources of Node's tests: Debian's source package of nodejs, through the machine's own apt client and from
// the archive that the machine itself is configured to use. apt gets a configuration of its own below the cache folder,
// so nothing of the machine's changes and root is not needed. apt checks the archive's signature and the file's hash.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Suite } from './suites.ts';
import { Unavailable } from './unavailable.ts';

/** What was downloaded stays here; not in git. */
const cache = join(import.meta.dirname, '.cache');
/** Debian installs its public keys here; they sign its releases, also those newer than the machine's. */
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * The archive with a suite's sources, downloaded when it is not there yet.
 * @returns path of a `.tar.xz` whose one top folder contains `test/`
 * @throws Unavailable where there is no such archive for this machine
 */
export function sourceArchive(suite: Suite): string {
	const archive = join(cache, `nodejs_${suite.version}+dfsg.orig.tar.xz`);
	if (!existsSync(archive)) download(suite, archive);
	return archive;
}

function download(suite: Suite, archive: string): void {
	const home = join(cache, `apt-${suite.release}`);
	const options = privateApt(home, suite.release, machinesArchive());
	console.log(`Fetching the sources of Node ${suite.version}'s tests with apt, 20 to 30 MB and an index of 10 MB…`);
	apt([...options, 'update', '--quiet=2']);
	// Each release has a version of its own; `--tar-only` leaves Debian's patches and the need for dpkg-dev out.
	apt([...options, 'source', '--quiet=2', '--download-only', '--tar-only', `nodejs/${suite.release}`], home);
	const fetched = join(home, basename(archive));
	if (!existsSync(fetched))
		throw new Unavailable(
			`Debian's ${suite.release} has no sources of Node ${suite.version} any more: put the version that it has into test/nodecore/nodes/package.json.`,
		);
	// Only a whole one gets its place: apt was not interrupted.
	renameSync(fetched, archive);
}

/** Options by which apt uses the folder `home` in place of the machine's own, and takes source packages of `release` from `uri`. */
function privateApt(home: string, release: string, uri: string): string[] {
	for (const folder of ['lists/partial', 'archives/partial']) mkdirSync(join(home, folder), { recursive: true });
	const sources = join(home, 'debian.sources');
	const signature = existsSync(keyring) ? `Signed-By: ${keyring}\n` : '';
	writeFileSync(sources, `Types: deb-src\nURIs: ${uri}\nSuites: ${release}\nComponents: main\n${signature}`);
	// An empty status file: nothing is installed, and what the machine has does not matter.
	writeFileSync(join(home, 'status'), '');
	const settings = {
		'Dir::Etc::sourcelist': sources,
		'Dir::Etc::sourceparts': '/dev/null',
		'Dir::State': home,
		'Dir::State::status': join(home, 'status'),
		'Dir::Cache': home,
		// Root's apt would download as a user who may not write below this folder.
		'APT::Sandbox::User': 'root',
	};
	return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

/** The address of the Debian archive that this machine installs from. @throws Unavailable when it is no Debian */
function machinesArchive(): string {
	const codename = debianCodename();
	const format = '$(REPO_URI) $(RELEASE) $(COMPONENT)';
	const targets = codename === undefined ? '' : apt(['indextargets', '--format', format]);
	const main = targets.split('\n').find((line) => line.endsWith(` ${codename} main`));
	if (main !== undefined) return main.split(' ')[0]!;
	throw new Unavailable(
		"The sources of Node's tests come from Debian's package archive, and this machine's apt has none: run `npm run test:nodecore` on Debian, in a container for example.",
	);
}

function debianCodename(): string | undefined {
	const file = '/etc/os-release';
	const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
	return /^ID=debian$/m.test(text) ? /^VERSION_CODENAME=(\w+)$/m.exec(text)?.[1] : undefined;
}

/** Runs apt-get. @param cwd where it puts what it downloads @throws Unavailable with what it said */
function apt(args: string[], cwd?: string): string {
	const result = spawnSync('apt-get', args, { cwd, encoding: 'utf8' });
	if (result.status === 0) return result.stdout;
	const said = result.error?.message ?? result.stderr.trim().split('\n').at(-1);
	throw new Unavailable(
		`The sources of Node's tests could not be fetched, for apt says "${said}": see that \`apt-get update\` works, then run \`npm run test:nodecore\` again.`,
	);
}
