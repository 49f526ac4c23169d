// Where an editor keeps the journals of its sessions: one folder for all of a user's windows, and in it one per
// session, named after the process that owns it. So a window that starts can find what a crashed one left behind.
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { LEASE_FILE, LEASE_MS } from '../protocol/journal.ts';
import { isAlive } from './journal-folder.ts';

/** `PID-` and the characters that mkdtemp adds. */
const SESSION_FOLDER = /^(\d+)-\w{6}$/;

/**
 * Makes a folder for one session of this process, for this user only and under an unpredictable name.
 * @param storage is made if it does not exist
 */
export async function makeSessionFolder(storage: string): Promise<string> {
	await mkdir(storage, { recursive: true, mode: 0o700 });
	return mkdtemp(path.join(storage, `${process.pid}-`));
}

/**
 * Removes the session folders whose owner is gone and that have no valid lease; returns how many. A folder whose
 * owner's id was given to another process stays until that one has ended too.
 */
export async function removeLeftovers(storage: string): Promise<number> {
	let removed = 0;
	for (const name of await namesIn(storage)) {
		const owner = SESSION_FOLDER.exec(name)?.[1];
		if (owner === undefined || isAlive(Number(owner))) continue;
		const folder = path.join(storage, name);
		if (await isLeased(folder)) continue;
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

/** Whether the lease was renewed so recently that programs still write there. */
async function isLeased(folder: string): Promise<boolean> {
	try {
		return Date.now() - (await stat(path.join(folder, LEASE_FILE))).mtimeMs < LEASE_MS;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
		throw error;
	}
}
