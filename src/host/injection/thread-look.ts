// Watches traced threads from outside: one whose loop is blocked writes nothing, so its journal shows nothing while
// that lasts. Linux only; elsewhere a block shows when it is over. Claims only what is certain (silent-thread.ts): the
// thread has had or wanted a CPU all the time, and no callback of it has ended. A thread that sleeps in the middle of a
// callback (`execSync`, `Atomics.wait`) looks like an idle one or one at a breakpoint, and is not reported.
import { readFile } from 'node:fs/promises';
import { FOLDER_VARIABLE } from './environment.ts';
import { type Look, SilentThread } from './silent-thread.ts';

/** A thread that may be watched. */
export interface WatchedThread {
	/** Its journal's name. */
	journal: string;
	pid: number;
	/** 0 for the main thread. */
	threadId: number;
	/** The system's id for it. */
	tid: number;
}

/** A loop that one callback blocks right now. */
export interface BlockedThread {
	pid: number;
	/** 0 for the main thread. */
	threadId: number;
	/** For how long at least, in ms. */
	sinceMs: number;
}

export class ThreadLook {
	private readonly folder: string;
	/** By journal. */
	private readonly silent = new Map<string, SilentThread>();
	private blocked: BlockedThread[] = [];
	/**
	 * Whether a process of that id is one of ours: ids are reused, and those inside a container mean other processes
	 * outside.
	 */
	private readonly isOurs = new Map<number, boolean>();

	/** @param folder the session's journal folder, by which a process of it is known */
	constructor(folder: string) {
		this.folder = folder;
	}

	/** The loops that were blocked at the last look. */
	get blockedNow(): readonly BlockedThread[] {
		return this.blocked;
	}

	/** Whether a silent thread was visible from outside. */
	sees(journal: string): boolean {
		return this.silent.has(journal);
	}

	/**
	 * Looks at these threads.
	 * @param threads those whose journals have not grown since the last look; the others are not blocked
	 */
	async look(threads: readonly WatchedThread[]): Promise<void> {
		const journals = new Set(threads.map(({ journal }) => journal));
		for (const journal of this.silent.keys()) if (!journals.has(journal)) this.silent.delete(journal);
		const found = await Promise.all(threads.map((thread) => this.see(thread)));
		this.blocked = found.filter((thread) => thread !== null);
	}

	private async see({ journal, pid, threadId, tid }: WatchedThread): Promise<BlockedThread | null> {
		const look = (await this.knows(pid)) ? await lookAt(pid, tid) : null;
		if (look === null) {
			this.silent.delete(journal);
			return null;
		}
		const thread = this.silent.get(journal);
		if (thread === undefined) this.silent.set(journal, new SilentThread(look));
		const sinceMs = thread?.lookAgain(look) ?? null;
		return sinceMs === null ? null : { pid, threadId, sinceMs };
	}

	private async knows(pid: number): Promise<boolean> {
		let known = this.isOurs.get(pid);
		if (known === undefined) {
			const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
			known = environment.split('\0').includes(`${FOLDER_VARIABLE}=${this.folder}`);
			this.isOurs.set(pid, known);
		}
		return known;
	}
}

/**
 * Reads how long a thread has been on a CPU and waiting for one (sched-stats.rst); null where the system has no such
 * statistics.
 */
async function lookAt(pid: number, tid: number): Promise<Look | null> {
	const before = performance.now();
	const text = await readFile(`/proc/${pid}/task/${tid}/schedstat`, 'latin1').catch(() => '');
	const after = performance.now();
	const [ran = 0, waited = 0] = text.split(' ').map((ns) => Number(ns) / 1e6);
	return ran > 0 ? { before, after, onCpu: ran, wanted: ran + waited } : null;
}
