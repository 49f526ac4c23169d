// How the texts behind a report are read from disk: regular files, up to a size. A session's journals come from
// programs that the person runs, and so do the paths in them: those files are read wherever they are. A recording may
// come from anyone and name any file of the reader's machine. So files that it does not contain itself are read only
// below folders that the person has opened: the current directory, or the workspace.
import { readFile, realpath, stat } from 'node:fs/promises';
import { isBelow } from './file-paths.ts';

/** Reads the text of a file by its path. @throws the file system's error, or that the file may not be read */
export type ReadText = (file: string) => Promise<string>;

/** Resolves links in a path, and all else by which one file has several. @throws what the file system says */
export type RealPath = (file: string) => Promise<string>;

/**
 * A larger file, in bytes, is neither a source that somebody wrote nor the map of one. A bundle's map has some ten MiB.
 */
const LARGEST_BYTES = 128 * 1024 * 1024;

/** A file that a recording names and does not contain lies outside the folders that may be read for it. */
export class OutsideFolders extends Error {
	constructor() {
		super('it is not in the recording, and lies in no folder that you have opened');
	}
}

/** For what the person's own programs name: regular files anywhere. */
export const readAny: ReadText = async (file) => {
	const about = await stat(file);
	// Opening a pipe would wait, and a device may never end.
	if (!about.isFile()) throw new Error('it is no file with a text');
	if (about.size > LARGEST_BYTES) throw new Error('it is too large');
	return readFile(file, 'utf8');
};

/**
 * For what a recording names: regular files below one of the folders, with links resolved.
 * @param folders absolute paths
 */
export function readBelow(folders: readonly string[]): ReadText {
	return async (file) => readAny(await realBelow(file, folders));
}

/**
 * Where a file that a recording names really is, links resolved.
 * @param folders as for `readBelow`
 * @throws OutsideFolders, and the file system's errors
 */
export async function realBelow(file: string, folders: readonly string[]): Promise<string> {
	// Accessing a share on Windows signs in there: only shares that the person has opened themselves are accessed.
	if (isShare(file) && !folders.some((folder) => isBelow(file, folder))) throw new OutsideFolders();
	const [real, ...roots] = await Promise.all([realpath(file), ...folders.map(realOf)]);
	if (!roots.some((root) => root !== null && isBelow(real, root))) throw new OutsideFolders();
	return real;
}

/** The folder with its links resolved; null when it does not exist. */
async function realOf(folder: string): Promise<string | null> {
	try {
		return await realpath(folder);
	} catch {
		return null;
	}
}

/** On Windows `//server/share` is one, too. */
function isShare(file: string): boolean {
	return process.platform === 'win32' && /^[\\/]{2}/.test(file);
}
