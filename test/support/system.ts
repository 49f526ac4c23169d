// What the tests need of the system besides Node and npm: checked before they run, so that a missing piece is one
// sentence at the start and not a failure in the middle.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { desktopEditor } from '../editor/vscode.ts';

interface Piece {
	/** Its name as Debian and Ubuntu package it. */
	package: string;
	/** What it is for, as in `to drive the editor`. */
	purpose: string;
	isThere(): boolean;
}

const CHROMIUM: Piece = {
	package: 'chromium',
	purpose: 'drives the editor',
	isThere: () =>
		desktopEditor() !== undefined ||
		Boolean(process.env.WAITLINE_CHROMIUM) ||
		['chromium', 'chromium-browser', 'google-chrome', 'microsoft-edge'].some(isCommand),
};

/** Without fonts the editor's text is boxes, in its layout and in every picture. */
const FONTS: Piece[] = [
	{
		package: 'fonts-dejavu-core',
		purpose: "draws the editor's text",
		isThere: () => existsSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'),
	},
	{
		package: 'fonts-wqy-microhei',
		purpose: "draws the editor's Chinese text",
		isThere: () => existsSync('/usr/share/fonts/truetype/wqy/wqy-microhei.ttc'),
	},
];

export const DATABASES: Piece[] = [
	{ package: 'postgresql', purpose: 'is profiled', isThere: () => existsSync('/usr/lib/postgresql') },
	{ package: 'mariadb-server-core', purpose: 'is profiled', isThere: () => existsSync('/usr/sbin/mariadbd') },
	{ package: 'redis-server', purpose: 'is profiled', isThere: () => existsSync('/usr/bin/redis-server') },
];

const XZ: Piece = { package: 'xz-utils', purpose: "unpacks Node's own tests", isThere: () => isCommand('xz') };

/** What each step of `npm test` needs. */
const NEEDS: Record<string, Piece[]> = {
	editor: [CHROMIUM, ...FONTS],
	tracer: DATABASES,
	timed: DATABASES,
	nodecore: [XZ],
};

/**
 * What these steps miss on this system; nothing where it is not Linux: other systems have their own browsers, and no
 * packages.
 */
export function missingPieces(steps: readonly string[]): Piece[] {
	if (process.platform !== 'linux') return [];
	const needed = new Set(steps.flatMap((step) => NEEDS[step] ?? []));
	return [...needed].filter((piece) => !piece.isThere());
}

/** Whether this process may install packages: as root, on Debian or Ubuntu, as in a container of a CI. */
function mayInstall(): boolean {
	return process.getuid?.() === 0 && isCommand('apt-get');
}

/** The command that installs the pieces. */
export function installCommand(pieces: Piece[]): string {
	return `apt-get install --yes --no-install-recommends ${pieces.map((piece) => piece.package).join(' ')}`;
}

/**
 * Prints what is missing and, where this process may, installs it; elsewhere the tests that need it are skipped, or
 * fail, with their reason.
 * @param say is called with a sentence before anything is done
 */
export function provide(steps: readonly string[], say: (sentence: string) => void): void {
	const missing = missingPieces(steps);
	if (missing.length === 0) return;
	const list = missing.map((piece) => `${piece.package} (${piece.purpose})`).join(', ');
	if (!mayInstall()) {
		say(`Missing on this system: ${list}. Install on Debian or Ubuntu with: sudo ${installCommand(missing)}`);
		return;
	}
	say(`Missing on this system: ${list}. Installing with: ${installCommand(missing)}`);
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	const options = { env, stdio: 'inherit' } as const;
	try {
		execFileSync('apt-get', ['update', '--quiet=2'], options);
		const names = missing.map((piece) => piece.package);
		execFileSync('apt-get', ['install', '--quiet=2', '--yes', '--no-install-recommends', ...names], options);
	} catch {
		// apt-get has printed the reason; so will the tests that need what is missing.
		say('That failed: the tests that need it will be skipped or fail.');
	}
}

function isCommand(name: string): boolean {
	return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}
