// A session's folder: the journals that its processes write, and the lease that shows them that a host reads them.
import { constants } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { JOURNAL_SUFFIX, LEASE_FILE } from '../../protocol/journal.ts';

/** The most that one read takes, so that a long journal does not block its reader: some 5 ms of decoding. */
const PIECE_BYTES = 128 * 1024;

/** A link in the place of a journal leads to something that no tracer wrote, and opening a pipe would wait. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Why a journal cannot be read any further. */
export type Loss = 'gone' | 'replaced' | 'cut';

/** How far a journal has been read, and which file it was. */
interface Progress {
	at: number;
	/** Ids of NTFS have 64 bits. */
	inode: bigint;
}

export class JournalFolder {
	readonly path: string;
	/**
	 * Journals that cannot be read any further, by name: somebody removed, replaced or shortened them while their
	 * program ran.
	 */
	readonly lost = new Map<string, Loss>();
	/** The file system's error when the folder itself was gone. */
	gone: Error | null = null;
	private readonly read = new Map<string, Progress>();
	private readonly earlier: ReadonlySet<string>;
	/** The only journals that are ours, once another session has the folder. */
	private own: readonly string[] | null = null;

	/**
	 * @param folder absolute path; `open` makes it when it is not there
	 * @param earlier names of the journals in it that belong to an earlier run
	 */
	constructor(folder: string, earlier: readonly string[] = []) {
		this.path = folder;
		this.earlier = new Set(earlier);
	}

	/**
	 * Makes the folder, for this user only, and takes the lease. A program that root starts may give up its rights (`process.setuid`) while it is
	 * recorded. So that it still finds the lease, everybody may open root's, which says only which process reads the journals.
	 */
	async open(): Promise<void> {
		const isRoot = process.getuid?.() === 0;
		await mkdir(this.path, { recursive: true, mode: 0o700 });
		if (isRoot) await chmod(this.path, 0o711);
		await writeFile(path.join(this.path, LEASE_FILE), await leaseText(), { mode: isRoot ? 0o644 : 0o600 });
	}

	/**
	 * Another session takes over the folder and the lease for a later run.
	 * @param own the journals that stay ours
	 * @returns the journals that do not belong to the later run
	 */
	handOver(own: readonly string[]): string[] {
		this.own = own;
		return [...this.earlier, ...own];
	}

	/** Shows the tracers that the journals are still read. */
	async renewLease(): Promise<void> {
		if (this.own !== null) return;
		const now = new Date();
		await utimes(path.join(this.path, LEASE_FILE), now, now).catch(unlessGone);
	}

	/** Gives up the lease: programs that still run stop recording within a second. */
	async endLease(): Promise<void> {
		if (this.own !== null) return;
		await rm(path.join(this.path, LEASE_FILE), { force: true });
	}

	/** Names of the journals, in the order in which they began. */
	async journals(): Promise<readonly string[]> {
		if (this.own !== null) return this.own;
		const all = await readdir(this.path).catch((error: NodeJS.ErrnoException) => {
			unlessGone(error);
			this.gone = error;
			return [...this.read.keys()];
		});
		const names = all.filter((name) => name.endsWith(JOURNAL_SUFFIX) && !this.earlier.has(name));
		return names.sort((a, b) => beganOf(a) - beganOf(b));
	}

	/**
	 * Passes on what has been appended to each journal since the last call; returns the number of bytes. A journal that
	 * cannot be read any further is noted in `lost`; the others continue.
	 * @param isOver whether a journal has its last record: thousands of such journals cost nothing more
	 */
	async readNew(
		take: (journal: string, bytes: Uint8Array) => void,
		isOver: (journal: string) => boolean = () => false,
	): Promise<number> {
		let total = 0;
		const names = await this.journals();
		for (const name of this.read.keys()) if (!names.includes(name) && !isOver(name)) this.lost.set(name, 'gone');
		for (const name of names) {
			if (!isOver(name) && !this.lost.has(name)) total += await this.readOn(name, take);
		}
		return total;
	}

	private async readOn(name: string, take: (journal: string, bytes: Uint8Array) => void): Promise<number> {
		const file = path.join(this.path, name);
		let handle: Awaited<ReturnType<typeof open>>;
		try {
			handle = await open(file, READ_FLAGS);
		} catch (error) {
			this.lost.set(name, (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : 'replaced');
			return 0;
		}
		try {
			const stats = await handle.stat({ bigint: true });
			const size = Number(stats.size);
			const progress = this.read.get(name) ?? { at: 0, inode: stats.ino };
			this.read.set(name, progress);
			if (progress.inode !== stats.ino || !stats.isFile()) this.lost.set(name, 'replaced');
			else if (size < progress.at) this.lost.set(name, 'cut');
			const from = progress.at;
			while (progress.at < size && !this.lost.has(name)) {
				const length = Math.min(PIECE_BYTES, size - progress.at);
				const { bytesRead, buffer } = await handle.read(new Uint8Array(length), 0, length, progress.at);
				if (bytesRead === 0) break;
				progress.at += bytesRead;
				take(name, buffer.subarray(0, bytesRead));
			}
			return progress.at - from;
		} finally {
			await handle.close();
		}
	}

	/**
	 * Bytes of a journal that were read before.
	 * @throws the file system's errors, such as for a journal that somebody has removed
	 */
	async readAgain(name: string, from: number, to: number): Promise<Uint8Array> {
		const handle = await open(path.join(this.path, name), READ_FLAGS);
		try {
			const { bytesRead, buffer } = await handle.read(new Uint8Array(to - from), 0, to - from, from);
			return buffer.subarray(0, bytesRead);
		} finally {
			await handle.close();
		}
	}

	/** Removes the journals and the folder; of a folder that is shared with another run the last one removes it. */
	async remove(): Promise<void> {
		if (this.own === null && this.earlier.size === 0) {
			await removeAll(this.path);
			return;
		}
		for (const name of await this.journals()) await rm(path.join(this.path, name), { force: true });
		if ((await readdir(this.path).catch(unlessGone))?.length === 0) await removeAll(this.path);
	}
}

/**
 * Removes a folder and what is in it. On Windows a folder stays as long as a program has a file in it open: a tracer closes its journal within a second
 * after the lease has gone, at the next callback of its program. One that outlives the session and does nothing keeps the folder, and no error: the
 * journal in it has been deleted.
 */
async function removeAll(folder: string): Promise<void> {
	try {
		await rm(folder, { recursive: true, force: true, maxRetries: REMOVE_TRIES });
	} catch (error) {
		if (process.platform !== 'win32' || !IN_USE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
	}
}

/** `rm` waits 100 ms longer before each try: 1.5 s in all. */
const REMOVE_TRIES = 5;
/** What Windows says of files that a program has open, and of their folder. */
const IN_USE = new Set(['EBUSY', 'ENOTEMPTY', 'EPERM']);

/** Somebody has removed the folder: what that costs is reported for each of its journals. @throws all other errors */
function unlessGone(error: NodeJS.ErrnoException): undefined {
	if (error.code !== 'ENOENT') throw error;
}

/** The lease's text for this process (src/protocol/journal.ts). */
async function leaseText(): Promise<string> {
	// Only on Linux is it known when a process began.
	const stat = await readFile('/proc/self/stat', 'latin1').catch(() => '');
	// proc(5): the name, in brackets, may contain anything; then come the state, field 3, and more. 22 is the start.
	const began = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[22 - 3] ?? '';
	return `${process.pid} ${began}`;
}

/** A journal's name is `PID.THREAD.BEGAN.journal` (tracer/journal/thread.ts). */
export function pidOf(journal: string): number {
	return Number.parseInt(journal, 10);
}

function beganOf(journal: string): number {
	return Number(journal.split('.')[2] ?? 0);
}

/** Whether a process of that id runs (or has ended without its exit code having been read). */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
