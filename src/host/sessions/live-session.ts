// A session under way: tails the journals in one folder and keeps their report.
import { realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Overview, TimeLimit } from '../../protocol/overview.ts';
import { EMPTY_REPORT, type Report } from '../../protocol/report.ts';
import type { CarriedSummary } from '../../protocol/summary.ts';
import type { Timeline, TimelineQuery } from '../../protocol/timeline.ts';
import { readAny } from '../common/read-text.ts';
import { LoopNow } from '../injection/loop-now.ts';
import { type BlockedThread, ThreadLook } from '../injection/thread-look.ts';
import { sourceTexts } from '../positions/source-texts.ts';
import type { SessionNotes } from '../recordings/session-notes.ts';
import { writeRecording } from '../recordings/write-recording.ts';
import { nowUs } from './journal-clock.ts';
import { isAlive, JournalFolder, pidOf } from './journal-folder.ts';
import { ReportSource } from './report-source.ts';

/** What the loop of one thread is doing. */
export interface ThreadNow {
	/** 0 for the main thread. */
	threadId: number;
	/** How long one callback has blocked it, in ms; null when none does. */
	blockedMs: number | null;
	/** The share of about the last second that it was not idle, 0 to 1; null while that is unknown. */
	utilization: number | null;
}

/** What one traced process is doing. */
export interface ProcessNow {
	pid: number;
	threads: ThreadNow[];
	/** Threads of its pool that had work, and operations that waited for one, at the latest record. */
	poolBusy: number;
	poolQueued: number;
}

export interface LiveSessionOptions {
	/** The journal folder; made with mode 0700 if it is not there. */
	folder: string;
	/** Names of journals in it that belong to an earlier run. */
	earlier?: readonly string[];
}

/** How often the journals are read, in ms: a live view lags by the tracer's 200 ms plus this. */
const POLL_MS = 100;
/** The same at the end of a session, while a person waits for it. */
const CATCH_UP_MS = 20;
/** The least time between two reports, in ms: a person reads changing numbers no faster. */
const REPORT_MS = 250;
/** A report of thousands of lines takes longer than a poll: at most one fifth of the time goes into reports. */
const REPORT_SHARE = 5;
/**
 * How long, in ms, the end of a session waits for what running programs have not written yet: a callback, or the loop
 * at rest, writes it within 200 ms (tracer/run/flush-pacing.ts), and a busy machine takes longer. A program that has
 * nothing to write is waited for in vain.
 */
const BEHIND_MS = 1000;
/** How often the lease is renewed, in ms; it lasts 10 s. */
const RENEW_MS = 2000;

export class LiveSession {
	/** Absolute path of the journal folder. */
	readonly folder: string;
	private readonly journals: JournalFolder;
	private readonly threads: ThreadLook;
	private readonly loops = new LoopNow();
	private readonly source = new ReportSource(new Map(), readAny, realpath);
	private readonly listeners = new Set<() => void>();
	private timer: NodeJS.Timeout | undefined;
	/** The poll under way, so that no two read the same bytes. */
	private polling: Promise<void> = Promise.resolve();
	private renewed = Date.now();
	private current: Report = EMPTY_REPORT;
	/** Whether it was stopped, and no program can write any more. */
	private isOver = false;
	/** Whether something was read that the report does not include. */
	private isBehind = false;
	/** When the next report may be made, in ms of `performance.now()`. */
	private nextReport = 0;
	/** Why the journals can no longer be read; listeners are called for it as for an update. */
	failure: Error | null = null;

	private constructor(folder: JournalFolder) {
		this.folder = folder.path;
		this.journals = folder;
		this.threads = new ThreadLook(folder.path);
		this.source.bytesOf = (name, from, to) => folder.readAgain(name, from, to);
	}

	/** Makes the folder, takes the lease and starts to tail. */
	static async start({ folder, earlier }: LiveSessionOptions): Promise<LiveSession> {
		const journals = new JournalFolder(folder, earlier);
		await journals.open();
		const session = new LiveSession(journals);
		session.schedule();
		return session;
	}

	/** The report of the journals so far; the same object until something new arrived. */
	report(): Report {
		return this.current;
	}

	/** All of the session in a few rows, as of the report. */
	overview(): Overview {
		return this.source.overview();
	}

	/** The report of what ended in a stretch of the session. @throws when its journals are gone */
	part(range: TimeLimit): Promise<Report> {
		return this.source.part(range);
	}

	/** A stretch of the session; where it is short, one by one. */
	timeline(query: TimelineQuery): Promise<Timeline> {
		return this.source.timeline(query);
	}

	/**
	 * Calls `listener` after new records were read, when the utilization of a loop has changed, while a loop is
	 * blocked, and once when that is over (about 10 times a second at most). Returns its removal.
	 */
	onUpdate(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	/** Loops that are blocked by one callback right now (Linux; elsewhere a block is known only once it is over). */
	blockedNow(): readonly BlockedThread[] {
		return this.threads.blockedNow;
	}

	/** What traced processes are doing, as of the last update. */
	now(): ProcessNow[] {
		return this.source.model.running().map(({ pid, poolBusy, poolQueued }) => {
			const threads = this.loops.of(pid).map(({ threadId, utilization }) => {
				const blocked = this.blockedNow().find((thread) => thread.pid === pid && thread.threadId === threadId);
				return { threadId, blockedMs: blocked?.sinceMs ?? null, utilization: blocked === undefined ? utilization : 1 };
			});
			return { pid, threads, poolBusy, poolQueued };
		});
	}

	/** A debugger has stopped this process: its time does not advance. @param at µs of hrtime */
	pause(pid: number, at: number): void {
		this.source.model.pause(pid, at);
	}

	/** The debugger lets the process continue. @param at µs of hrtime */
	resume(pid: number, at: number): void {
		this.source.model.resume(pid, at);
	}

	/** The debugger has V8 collect asynchronous call stacks in this process. @param at µs of hrtime */
	stacksOn(pid: number, at: number): void {
		this.source.model.stacksOn(pid, at);
	}

	/** The debugger no longer collects them. @param at µs of hrtime */
	stacksOff(pid: number, at: number): void {
		this.source.model.stacksOff(pid, at);
	}

	/** A process has ended. @param signal that has killed it; null where it left by itself */
	ended(pid: number, signal: NodeJS.Signals | null): void {
		this.source.model.kill(pid, signal ?? 'exit');
	}

	/** A person ends the debug session, and with it the processes that still run. */
	endByPerson(): void {
		for (const { pid } of this.source.model.running()) this.source.model.kill(pid, 'stop');
	}

	/** For a recording of the session so far. */
	notes(): SessionNotes {
		return this.source.notes();
	}

	/** What a recording can show before its journals are read; null where those may say more or less than the report. */
	async summary(): Promise<CarriedSummary | null> {
		const isWhole = this.isOver && this.failure === null && this.journals.lost.size === 0;
		return isWhole ? this.source.summary(this.current) : null;
	}

	/**
	 * Another session takes the folder over for a later run: this one keeps these journals and must still be stopped.
	 */
	async handOver(own: readonly string[]): Promise<void> {
		await this.polling;
		this.journals.handOver(own);
	}

	/**
	 * Reads what programs have done until now, gives up the lease and stops tailing. Programs that still run continue
	 * untraced.
	 * @throws when the journals could not be read, then or while it tailed
	 */
	async stop(): Promise<Report> {
		clearTimeout(this.timer);
		this.timer = undefined;
		await this.polling;
		try {
			// Without its folder, the report covers what was read before.
			if (this.failure !== null && this.journals.gone === null) throw this.failure;
			await this.catchUp();
			const journals = await this.journals.journals();
			const running = new Set(journals.filter((name) => isAlive(pidOf(name))));
			for (const name of journals) this.source.model.finish(name, !running.has(name));
			this.isOver = running.size === 0;
		} finally {
			await this.journals.endLease();
		}
		this.current = await this.source.report();
		this.notify();
		return this.current;
	}

	/**
	 * Reads on until each running program has written once more, and with that everything that it has done until now.
	 */
	private async catchUp(): Promise<void> {
		const until = performance.now() + BEHIND_MS;
		await this.poll();
		const running = this.source.model.loopTimes().filter(({ pid, isStopped }) => !isStopped && isAlive(pid));
		const behind = new Set(running.map(({ journal }) => journal));
		while (behind.size > 0 && performance.now() < until) {
			await delay(CATCH_UP_MS);
			const ended = running.filter(({ pid }) => !isAlive(pid));
			for (const journal of await this.poll()) behind.delete(journal);
			for (const { journal } of ended) behind.delete(journal);
		}
	}

	/** Writes the recording (`.waitline`) of all journals so far. */
	async save(file: string): Promise<void> {
		const sources = await sourceTexts(this.report());
		await writeRecording(file, this.folder, await this.readable(), this.notes(), sources, await this.summary());
	}

	/** The same without the report's texts and its summary, for when the report itself has failed. */
	async saveJournals(file: string): Promise<void> {
		await writeRecording(file, this.folder, await this.readable(), this.notes(), new Map(), null);
	}

	/** The journals that are still as a tracer wrote them. */
	private async readable(): Promise<string[]> {
		return (await this.journals.journals()).filter((name) => (this.journals.lost.get(name) ?? 'cut') === 'cut');
	}

	/** Removes the folder with its journals; only after `stop`. */
	async remove(): Promise<void> {
		await this.journals.remove();
	}

	private schedule(): void {
		this.timer = setTimeout(() => {
			this.polling = this.poll().then(
				() => {
					if (this.journals.gone !== null) this.fail(this.journals.gone);
					else if (this.timer !== undefined) this.schedule();
				},
				(error: Error) => this.fail(error),
			);
		}, POLL_MS);
	}

	private fail(error: Error): void {
		this.failure = error;
		this.notify();
	}

	/** @returns the journals that have grown */
	private async poll(): Promise<ReadonlySet<string>> {
		if (Date.now() - this.renewed > RENEW_MS) {
			await this.journals.renewLease();
			this.renewed = Date.now();
		}
		const began = nowUs();
		const grown = new Set<string>();
		await this.journals.readNew(
			(name, piece) => {
				this.source.model.push(name, piece);
				grown.add(name);
			},
			(name) => this.source.model.isOver(name),
		);
		this.source.lost = this.journals.lost;
		const hasRead = this.source.model.lookAt(began) || grown.size > 0;
		const wasBlocked = this.blockedNow().length > 0;
		await this.threads.look(this.source.model.turning().filter(({ journal }) => !grown.has(journal)));
		this.isBehind ||= hasRead;
		const hasTurned = this.loops.look(this.source.model.loopTimes(), performance.now(), (journal) =>
			this.threads.sees(journal),
		);
		const isReported = this.isBehind && performance.now() >= this.nextReport;
		if (isReported) await this.makeReport();
		if (isReported || hasTurned || wasBlocked || this.blockedNow().length > 0) this.notify();
		return grown;
	}

	private async makeReport(): Promise<void> {
		const began = performance.now();
		this.isBehind = false;
		this.current = await this.source.report();
		this.nextReport = began + Math.max(REPORT_MS, (performance.now() - began) * REPORT_SHARE);
	}

	private notify(): void {
		for (const listener of this.listeners) listener();
	}
}
