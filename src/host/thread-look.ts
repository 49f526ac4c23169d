// Watches traced threads from outside: one whose loop is blocked writes nothing, so its journal shows nothing while
// that lasts. Linux only; elsewhere a block shows when it is over. Claims only what is certain: the thread has had or
// wanted a CPU all the time, and no callback of it has ended. A thread that sleeps in the middle of a callback
// (`execSync`, `Atomics.wait`) looks like an idle one or one at a breakpoint, and is not reported.
import { readFile } from 'node:fs/promises';
import { FOLDER_VARIABLE } from './environment.ts';

/** A loop that one callback has blocked for this long, in ms, is reported while that lasts. */
const BLOCKED_MS = 300;
/**
 * A blocked thread runs for at least this share of a stretch; the rest it may have waited, for instance for a helper of
 * the garbage collector.
 */
const RUNNING_SHARE = 0.8;

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

/** What the last look at a thread showed. */
interface Sight {
	/** When it was looked at, and when the stretch began that it has been running for, in ms. */
	at: number;
	from: number;
	/** How long it had had or wanted a CPU by then, in ms. */
	ran: number;
	ranBefore: number;
}

export class ThreadLook {
	private readonly folder: string;
	private readonly sights = new Map<string, Sight>();
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
		return this.sights.has(journal);
	}

	/**
	 * Looks at these threads.
	 * @param threads those whose journals have not grown since the last look; the others are not blocked
	 */
	async look(threads: readonly WatchedThread[]): Promise<void> {
		const silent = new Set(threads.map(({ journal }) => journal));
		for (const journal of this.sights.keys()) if (!silent.has(journal)) this.sights.delete(journal);
		const found = await Promise.all(threads.map((thread) => this.see(thread)));
		this.blocked = found.filter((thread) => thread !== null);
	}

	private async see({ journal, pid, threadId, tid }: WatchedThread): Promise<BlockedThread | null> {
		const ran = (await this.knows(pid)) ? await runningMs(pid, tid) : null;
		if (ran === null) {
			this.sights.delete(journal);
			return null;
		}
		const at = performance.now();
		const last = this.sights.get(journal);
		let { from, ranBefore } = last ?? { from: at, ranBefore: ran };
		if (ran - ranBefore < RUNNING_SHARE * (at - from)) {
			// It slept: at most, what it ran since the last look is the beginning of a new stretch.
			const latest = Math.min(ran - (last?.ran ?? ran), at - (last?.at ?? at));
			from = at - latest;
			ranBefore = ran - latest;
		}
		this.sights.set(journal, { at, from, ran, ranBefore });
		return at - from >= BLOCKED_MS ? { pid, threadId, sinceMs: at - from } : null;
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
 * How long a thread has had or wanted a CPU, in ms (sched-stats.rst: ns on a CPU, ns waiting for one); null where the
 * system has no such statistics.
 */
async function runningMs(pid: number, tid: number): Promise<number | null> {
	const text = await readFile(`/proc/${pid}/task/${tid}/schedstat`, 'latin1').catch(() => '');
	const [ran = 0, waited = 0] = text.split(' ').map(Number);
	return ran > 0 ? (ran + waited) / 1e6 : null;
}
