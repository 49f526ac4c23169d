// Where an editor keeps the journals of its sessions: one folder for all of a user's windows, and in it one per
// session, named after the process that owns it. So a window that starts can find what a crashed one left behind.
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { LEASE_FILE, LEASE_MS } from '../../protocol/journal.ts';
import { isAlive } from './journal-folder.ts';

/** `PID-` and the characters that mkdtemp adds. */
const SESSION_FOLDER = /^(\d+)-\w{6}$/;
/** Says that a folder is kept for the next window (kept-session.ts). */
export const KEPT_FILE = 'kept.json';
/** For how long, in ms: a reload takes seconds, and who opens the same folder the next day still finds what was shown. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Makes a folder for one session of this process, for this user only and under an unpredictable name.
 * @param storage is made if it does not exist
 */
export async function makeSessionFolder(storage: string): Promise<string> {
	await mkdir(storage, { recursive: true, mode: 0o700 });
	return mkdtemp(path.join(storage, `${process.pid}-`));
}

/** The process that owns a session's folder; undefined for what is no such folder. @param name of the folder */
export function ownerPidOf(name: string): number | undefined {
	const owner = SESSION_FOLDER.exec(name)?.[1];
	return owner === undefined ? undefined : Number(owner);
}

/**
 * Removes the session folders whose owner is gone, that have no valid lease and that no window keeps for the next one; returns
 * how many. A folder whose owner's id was given to another process stays until that one has ended too.
 */
export async function removeLeftovers(storage: string): Promise<number> {
	let removed = 0;
	for (const name of await namesIn(storage)) {
		const owner = ownerPidOf(name);
		if (owner === undefined || isAlive(owner)) continue;
		const folder = path.join(storage, name);
		// A lease that was renewed recently: programs still write there.
		if (await isFresh(path.join(folder, LEASE_FILE), LEASE_MS)) continue;
		if (await isFresh(path.join(folder, KEPT_FILE), KEPT_MS)) continue;
		await rm(folder, { recursive: true, force: true });
		removed++;
	}
	return removed;
}

async function namesIn(folder: string): Promise<string[]> {
	try {
		return await readdir(folder);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
		throw error;
	}
}

/** Whether the file exists and was written within that time, in ms. */
async function isFresh(file: string, withinMs: number): Promise<boolean> {
	try {
		return Date.now() - (await stat(file)).mtimeMs < withinMs;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
		throw error;
	}
}
