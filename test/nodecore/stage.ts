// The place in which Node's tests run: their sources unpacked, a copy of the Node and of the preloads. It lies among the
// temporary files and not in the repository: tests need a short path for their sockets, a `package.json` above them must
// not make modules of them, they write beside themselves, and a user without rights must be able to read it all.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../support/scratch.ts';
import { sourceArchive } from './fetch-sources.ts';
import { installTwins, type Suite } from './suites.ts';
import { Unavailable } from './unavailable.ts';

/** Whom the tests run as; `{}` is the user of this process. */
export interface Identity {
	uid?: number;
	gid?: number;
}

export interface Stage {
	/** Absolute path of all that follows. */
	folder: string;
	node: string;
	/** Contains `test/`; the tests' current directory. */
	sources: string;
	/** A preload that does nothing: what fails with it fails with any. */
	empty: string;
	/** The preload under test. */
	tracer: string;
	identity: Identity;
}

/**
 * @param tracer the preload to test; it is copied, so a build meanwhile does not change it
 * @throws Unavailable where Node's tests cannot be had
 */
export function setStage(suite: Suite, tracer: string): Stage {
	if (process.platform !== 'linux' || process.arch !== 'x64')
		throw new Unavailable(
			'Node builds for each version are packaged for Linux x64: run `npm run test:nodecore` there.',
		);
	const archive = sourceArchive(suite);
	installTwins();
	const folder = scratchFolder('nodecore');
	chmodSync(folder, 0o755);
	const stage: Stage = {
		folder,
		node: join(folder, 'node'),
		sources: join(folder, 'sources'),
		empty: join(folder, 'empty.cjs'),
		tracer: join(folder, 'tracer.cjs'),
		identity: process.getuid?.() === 0 ? nobody() : {},
	};
	copyFileSync(suite.node, stage.node);
	copyFileSync(tracer, stage.tracer);
	writeFileSync(stage.empty, '');
	makeFolder(stage, stage.sources);
	// As the one who runs them, so that tests may write where they lie, as in a checkout of Node.
	const unpacking = spawnSync(
		'tar',
		['-xJf', '-', '-C', stage.sources, '--strip-components=1', '--wildcards', '*/test/*'],
		{ ...stage.identity, input: readFileSync(archive), encoding: 'utf8' },
	);
	if (unpacking.status !== 0 || !existsSync(join(stage.sources, 'test', 'parallel')))
		throw new Unavailable(
			`The sources of Node's tests could not be unpacked (${unpacking.error?.message ?? unpacking.stderr.trim()}): install tar and xz-utils.`,
		);
	return stage;
}

/** The stage, or why there is none on this machine. */
export function stageOrReason(suite: Suite, tracer: string): Stage | string {
	try {
		return setStage(suite, tracer);
	} catch (error) {
		if (error instanceof Unavailable) return error.message;
		throw error;
	}
}

/** A folder that belongs to whom the tests run as. */
export function makeFolder({ identity }: Pick<Stage, 'identity'>, folder: string): void {
	mkdirSync(folder, { recursive: true });
	giveTo(identity, folder);
}

/** Hands a file or folder to whom the tests run as. */
export function giveTo({ uid, gid }: Identity, path: string): void {
	if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/** Some of Node's tests want to be refused what root may do. @throws Unavailable */
function nobody(): Identity {
	const entry = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
	if (entry === null)
		throw new Unavailable('Node’s tests must not run as root, and there is no user `nobody`: run as another.');
	return { uid: Number(entry[1]), gid: Number(entry[2]) };
}
