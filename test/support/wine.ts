// Wine, which runs node.exe on Linux: with a prefix (what Wine takes for the Windows machine) of the tests' own, removed when they have ended.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Names the prefix to the files of a step, which share one: to make it takes some seconds. */
const PREFIX_VARIABLE = 'WAITLINE_TEST_WINEPREFIX';

/** As Debian and Ubuntu package it. */
export const WINE_PACKAGES = ['wine', 'wine64'];

export function hasWine(): boolean {
	return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'wine')));
}

/** A prefix that later calls of `wineEnvironment` use, in this process and in those that it starts. Returns what removes it. */
export function makeWinePrefix(): () => void {
	const prefix = mkdtempSync(join(tmpdir(), 'waitline-wine-'));
	process.env[PREFIX_VARIABLE] = prefix;
	// A new prefix of Wine 8 says that it is Windows 7, on which Node does not start.
	for (const command of ['wineboot --init', 'wine winecfg -v win10']) {
		const [file = '', ...args] = command.split(' ');
		const { status } = spawnSync(file, args, { env: environment(), stdio: 'ignore' });
		if (status !== 0) throw new Error(`Wine could not set up a prefix: ${command} ended with ${status}.`);
	}
	return () => {
		// Ends what still runs in this prefix, and nothing else.
		spawnSync('wineserver', ['-k', '-w'], { env: environment() });
		rmSync(prefix, { recursive: true, force: true });
		delete process.env[PREFIX_VARIABLE];
	};
}

function environment(): NodeJS.ProcessEnv {
	return { ...process.env, ...wineEnvironment() };
}

/** What Wine needs of the environment. A test file that runs by itself makes a prefix of its own, which goes with its process. */
export function wineEnvironment(): Record<string, string> {
	if (process.env[PREFIX_VARIABLE] === undefined) process.on('exit', makeWinePrefix());
	return {
		WINEPREFIX: process.env[PREFIX_VARIABLE]!,
		// Wine says on stderr what it lacks.
		WINEDEBUG: '-all',
		// Neither .NET nor a browser is needed, and both would be offered in a window; nor entries in the desktop's menu.
		WINEDLLOVERRIDES: 'mscoree,mshtml=;winemenubuilder.exe=d',
	};
}
