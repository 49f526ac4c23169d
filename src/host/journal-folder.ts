// A session's folder: the journals that its processes write, and the lease by which they know that somebody reads them.
import { mkdir, open, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { JOURNAL_SUFFIX, LEASE_FILE } from '../protocol/journal.ts';

/** One read takes at most so much, so that a long journal does not hold its reader: some 5 ms of decoding. */
const PIECE_BYTES = 128 * 1024;

export class JournalFolder {
	readonly path: string;
	private readonly read = new Map<string, number>();
	private readonly earlier: ReadonlySet<string>;
	/** The only journals that are ours, once another session has the folder. */
	private own: readonly string[] | null = null;

	/**
	 * @param folder absolute path; `open` makes it when it is not there
	 * @param earlier journals in it that belong to an earlier run
	 */
	constructor(folder: string, earlier: readonly string[] = []) {
		this.path = folder;
		this.earlier = new Set(earlier);
	}

	/** Makes the folder, for this user only, and takes the lease. */
	async open(): Promise<void> {
		await mkdir(this.path, { recursive: true, mode: 0o700 });
		await writeFile(path.join(this.path, LEASE_FILE), '', { mode: 0o600 });
	}

	/**
	 * Another session takes the folder and the lease over for a later run.
	 * @param own the journals that stay ours
	 * @returns the journals that are of no later run
	 */
	handOver(own: readonly string[]): string[] {
		this.own = own;
		return [...this.earlier, ...own];
	}

	/** Tells the tracers that somebody still reads. */
	async renewLease(): Promise<void> {
		if (this.own !== null) return;
		const now = new Date();
		await utimes(path.join(this.path, LEASE_FILE), now, now);
	}

	/** Lets the lease go: programs that still run stop recording within a second. */
	async endLease(): Promise<void> {
		if (this.own !== null) return;
		await rm(path.join(this.path, LEASE_FILE), { force: true });
	}

	/** Names of the journals, in the order in which they began. */
	async journals(): Promise<readonly string[]> {
		if (this.own !== null) return this.own;
		const names = (await readdir(this.path)).filter((name) => name.endsWith(JOURNAL_SUFFIX) && !this.earlier.has(name));
		return names.sort((a, b) => beganOf(a) - beganOf(b));
	}

	/**
	 * Hands over what has been appended to each journal since the last call; returns the number of bytes.
	 * @param isOver whether a journal has told its last: thousands of such cost nothing more
	 */
	async readNew(
		take: (journal: string, bytes: Uint8Array) => void,
		isOver: (journal: string) => boolean = () => false,
	): Promise<number> {
		let total = 0;
		for (const name of await this.journals()) {
			if (isOver(name)) continue;
			const file = path.join(this.path, name);
			let at = this.read.get(name) ?? 0;
			const { size } = await stat(file);
			if (size <= at) continue;
			const handle = await open(file, 'r');
			try {
				while (at < size) {
					const length = Math.min(PIECE_BYTES, size - at);
					const { bytesRead, buffer } = await handle.read(new Uint8Array(length), 0, length, at);
					if (bytesRead === 0) break;
					at += bytesRead;
					total += bytesRead;
					take(name, buffer.subarray(0, bytesRead));
				}
			} finally {
				await handle.close();
				this.read.set(name, at);
			}
		}
		return total;
	}

	/** Removes the journals and the folder; of a folder that is shared with another run the last one removes it. */
	async remove(): Promise<void> {
		if (this.own === null && this.earlier.size === 0) {
			await rm(this.path, { recursive: true, force: true });
			return;
		}
		for (const name of await this.journals()) await rm(path.join(this.path, name), { force: true });
		if ((await readdir(this.path)).length === 0) await rm(this.path, { recursive: true, force: true });
	}
}

/** A journal's name is `PID.THREAD.BEGAN.journal` (tracer/thread.ts). */
export function pidOf(journal: string): number {
	return Number.parseInt(journal, 10);
}

function beganOf(journal: string): number {
	return Number(journal.split('.')[2] ?? 0);
}

/** Whether a process of that id runs (or has ended and nobody has asked for its exit code yet). */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
