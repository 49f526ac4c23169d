// A session under way: tails the journals in one folder and keeps the report of all that they say.
import type { Report } from '../protocol/report.ts';
import type { Timeline } from '../protocol/timeline.ts';
import { isAlive, JournalFolder, pidOf } from './journal-folder.ts';
import { Recorded } from './recorded.ts';
import { writeRecording } from './recording-file.ts';
import { type BlockedThread, ThreadLook } from './thread-look.ts';

/** What one traced process is doing. */
export interface ProcessNow {
	pid: number;
	/** How long one callback has held a loop of it, in ms; null when none does. */
	blockedMs: number | null;
	/** Threads of its pool that had work, and operations that waited for one, when the journals last told. */
	poolBusy: number;
	poolQueued: number;
}

export interface LiveSessionOptions {
	/** The journal folder; made with mode 0700 if it is not there. */
	folder: string;
}

/** How often the journals are looked at, in ms: a live view follows within the tracer's 50 ms and this. */
const POLL_MS = 100;
/** How often a report is made at most, in ms: as often as a person reads changing numbers. */
const REPORT_MS = 250;
/** That of thousands of lines takes longer than a poll: at most one part in so many of the time goes into reports. */
const REPORT_SHARE = 10;
/** How often the lease is renewed, in ms; it lasts 10 s. */
const RENEW_MS = 2000;

export class LiveSession {
	/** Absolute path of the journal folder. */
	readonly folder: string;
	private readonly journals: JournalFolder;
	private readonly threads: ThreadLook;
	private readonly recorded = new Recorded();
	private readonly listeners = new Set<() => void>();
	private timer: NodeJS.Timeout | undefined;
	/** The poll under way, so that no two read the same bytes. */
	private polling: Promise<void> = Promise.resolve();
	private renewed = Date.now();
	private current: Report;
	/** Whether something was read that the report does not know. */
	private isBehind = false;
	/** When the next report may be made, in ms of `performance.now()`. */
	private nextReport = 0;
	/** Why the journals cannot be read any more. */
	private failure: Error | null = null;

	private constructor(folder: JournalFolder, report: Report) {
		this.folder = folder.path;
		this.journals = folder;
		this.threads = new ThreadLook(folder.path);
		this.current = report;
	}

	/** Makes the folder, takes the lease and starts to tail. */
	static async start({ folder: path }: LiveSessionOptions): Promise<LiveSession> {
		const folder = new JournalFolder(path);
		await folder.open();
		return LiveSession.follow(folder);
	}

	private static async follow(folder: JournalFolder): Promise<LiveSession> {
		const session = new LiveSession(folder, await new Recorded().report());
		session.schedule();
		return session;
	}

	/** What the journals say so far; the same object until something new arrived. */
	report(): Report {
		return this.current;
	}

	/** The last operations one by one, as of the report. */
	timeline(): Timeline {
		return this.recorded.timeline();
	}

	/**
	 * Calls `listener` after new records were read, while a loop is blocked, and once when that is over (about 10 times a second at
	 * most). Returns its removal.
	 */
	onUpdate(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	/** Loops that one callback holds right now (Linux; elsewhere none is known before it is over). */
	blockedNow(): readonly BlockedThread[] {
		return this.threads.blockedNow;
	}

	/** What traced processes are doing, as of the last update. */
	now(): ProcessNow[] {
		return this.recorded.model.running().map(({ pid, poolBusy, poolQueued }) => {
			const blocked = this.blockedNow().filter((thread) => thread.pid === pid);
			const blockedMs = blocked.length === 0 ? null : Math.max(...blocked.map(({ sinceMs }) => sinceMs));
			return { pid, blockedMs, poolBusy, poolQueued };
		});
	}

	/** A debugger has stopped this process: from now on its time stands still. */
	pause(pid: number): void {
		this.recorded.model.pause(pid, nowUs());
	}

	/** The debugger is about to let it go on. */
	resume(pid: number): void {
		this.recorded.model.resume(pid, nowUs());
	}

	/**
	 * The program is started again in the same folder: returns the session of the new run, which follows only processes that
	 * start from now on. This one keeps the journals of the run before and is still to be stopped.
	 */
	async again(): Promise<LiveSession> {
		await this.polling;
		await this.journals.handOver();
		const next = new JournalFolder(this.folder);
		await next.open();
		await next.ignorePresent();
		return LiveSession.follow(next);
	}

	/**
	 * Reads what is left, lets the lease go and ends the tailing. Programs that still run go on untraced.
	 * @throws when the journals could not be read, then or while it tailed
	 */
	async stop(): Promise<Report> {
		clearTimeout(this.timer);
		this.timer = undefined;
		await this.polling;
		if (this.failure !== null) throw this.failure;
		await this.poll();
		for (const name of await this.journals.journals()) this.recorded.model.finish(name, !isAlive(pidOf(name)));
		await this.journals.endLease();
		this.current = await this.recorded.report();
		this.tell();
		return this.current;
	}

	/** Writes the recording (`.waitline`) of all journals so far. */
	async save(file: string): Promise<void> {
		const journals = await this.journals.journals();
		await writeRecording(file, this.folder, journals, this.recorded.model.allPauses());
	}

	/** Removes the folder with its journals; only after `stop`. */
	async remove(): Promise<void> {
		await this.journals.remove();
	}

	private schedule(): void {
		this.timer = setTimeout(() => {
			this.polling = this.poll().then(
				() => {
					if (this.timer !== undefined) this.schedule();
				},
				(error: Error) => {
					this.failure = error;
				},
			);
		}, POLL_MS);
	}

	private async poll(): Promise<void> {
		if (Date.now() - this.renewed > RENEW_MS) {
			await this.journals.renewLease();
			this.renewed = Date.now();
		}
		const began = nowUs();
		const grown = new Set<string>();
		await this.journals.readNew(
			(name, piece) => {
				this.recorded.model.push(name, piece);
				grown.add(name);
			},
			(name) => this.recorded.model.isOver(name),
		);
		const hasRead = this.recorded.model.lookAt(began) || grown.size > 0;
		const wasBlocked = this.blockedNow().length > 0;
		await this.threads.look(this.recorded.model.turning().filter(({ journal }) => !grown.has(journal)));
		this.isBehind ||= hasRead;
		const isReported = this.isBehind && performance.now() >= this.nextReport;
		if (isReported) await this.makeReport();
		if (isReported || wasBlocked || this.blockedNow().length > 0) this.tell();
	}

	private async makeReport(): Promise<void> {
		const began = performance.now();
		this.isBehind = false;
		this.current = await this.recorded.report();
		this.nextReport = began + Math.max(REPORT_MS, (performance.now() - began) * REPORT_SHARE);
	}

	private tell(): void {
		for (const listener of this.listeners) listener();
	}
}

/** The clock of the journals. */
function nowUs(): number {
	return Number(process.hrtime.bigint() / 1000n);
}
