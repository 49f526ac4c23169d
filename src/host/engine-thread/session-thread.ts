// A live session in a thread of its own, for the extension host.
import { Worker } from 'node:worker_threads';
import type { Overview, TimeLimit } from '../../protocol/overview.ts';
import { EMPTY_REPORT, type Report } from '../../protocol/report.ts';
import { ReportReceiver } from '../../protocol/report-changes.ts';
import type { CarriedSummary } from '../../protocol/summary.ts';
import type { Timeline, TimelineQuery } from '../../protocol/timeline.ts';
import { OpenQuestions } from '../common/open-questions.ts';
import { sourceTexts } from '../positions/source-texts.ts';
import { NO_NOTES, type SessionNotes } from '../recordings/session-notes.ts';
import { writeRecording } from '../recordings/write-recording.ts';
import { JournalFolder } from '../sessions/journal-folder.ts';
import { type KeptFacts, keepJournals } from '../sessions/kept-session.ts';
import type { LiveSessionOptions, ProcessNow } from '../sessions/live-session.ts';
import { ENGINE_LIMITS } from './engine-limits.ts';
import type { Answers, FromSession, Question, Questions, Task, ToSession } from './engine-messages.ts';
import { ThreadEnded } from './thread-ended.ts';

export interface SessionThreadOptions extends LiveSessionOptions {
	/** The bundle of engine-thread.ts. */
	program: string;
}

export class SessionThread {
	/** Absolute path of the journal folder. */
	readonly folder: string;
	private readonly program: string;
	private readonly journals: JournalFolder;
	private readonly worker: Worker;
	private readonly receiver = new ReportReceiver();
	private readonly listeners = new Set<() => void>();
	private readonly questions: OpenQuestions;
	private current: Report = EMPTY_REPORT;
	private processes: readonly ProcessNow[] = [];
	/** The end of the session, once it was requested. */
	private ending: Promise<Answers['stop']> | undefined;
	private hasEnded = false;
	private failure: Error | undefined;
	private readonly failureListeners = new Set<(error: Error) => void>();

	private constructor({ folder, program, earlier }: SessionThreadOptions, journals: JournalFolder) {
		this.folder = folder;
		this.program = program;
		this.journals = journals;
		const task: Task = { kind: 'session', folder, ...(earlier && { earlier }) };
		this.worker = new Worker(program, { workerData: task, execArgv: [], resourceLimits: ENGINE_LIMITS });
		this.questions = new OpenQuestions(this.worker);
		this.worker.on('message', (message: FromSession) => this.onMessage(message));
		this.worker.on('error', (error) => this.fail(error));
		this.worker.on('exit', () => this.fail(new ThreadEnded()));
	}

	/** Makes the folder and takes the lease, so that programs may start; the thread follows them as soon as it runs. */
	static async start(options: SessionThreadOptions): Promise<SessionThread> {
		const journals = new JournalFolder(options.folder, options.earlier);
		await journals.open();
		return new SessionThread(options, journals);
	}

	/** The report of the journals so far; the same object until something new arrived. */
	report(): Report {
		return this.current;
	}

	/** What traced processes are doing, as of the last update. */
	now(): readonly ProcessNow[] {
		return this.processes;
	}

	/** A stretch of the session; where it is short, one by one. @throws when the thread has failed, and after `remove` */
	async timeline(query: TimelineQuery): Promise<Timeline> {
		if (this.ending !== undefined) await this.ending;
		return this.ask('timeline', query);
	}

	/** The report of what ended in a stretch of the session. @throws when the thread has failed, and after `remove` */
	async part(range: TimeLimit): Promise<Report> {
		if (this.ending !== undefined) await this.ending;
		return this.ask('part', range);
	}

	/** All of the session in a few rows. @throws when the thread has failed */
	async overview(): Promise<Overview> {
		return this.ending === undefined ? this.ask('overview') : (await this.ending).overview;
	}

	/** As `LiveSession.onUpdate`. */
	onUpdate(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	/** Calls `listener` when the thread ends by itself: nothing more will arrive, and `stop` will throw that error. */
	onFailure(listener: (error: Error) => void): void {
		this.failureListeners.add(listener);
	}

	/** A debugger has stopped this process: from then on its time does not advance. @param at µs of hrtime */
	pause(pid: number, at: number): void {
		this.send({ type: 'pause', pid, at });
	}

	/** The debugger is about to let the process continue. */
	resume(pid: number, at: number): void {
		this.send({ type: 'resume', pid, at });
	}

	/** The debugger has V8 collect asynchronous call stacks in this process from then on. @param at µs of hrtime */
	stacksOn(pid: number, at: number): void {
		this.send({ type: 'stacksOn', pid, at });
	}

	/** The debugger no longer collects them. @param at µs of hrtime */
	stacksOff(pid: number, at: number): void {
		this.send({ type: 'stacksOff', pid, at });
	}

	/** A person ends the debug session, and with it the processes that still run. */
	endByPerson(): void {
		this.send({ type: 'endByPerson' });
	}

	/**
	 * The program is started again in the same folder: returns the session of the new run, which follows only processes
	 * that start from now on. This one keeps the journals of the previous run and must still be stopped.
	 */
	async again(): Promise<SessionThread> {
		const own = await this.journals.journals();
		await this.ask('handOver', own);
		const earlier = this.journals.handOver(own);
		return SessionThread.start({ folder: this.folder, program: this.program, earlier });
	}

	/**
	 * Reads what is left and gives up the lease; the thread stays for the timeline. Programs that still run continue untraced.
	 * @throws when the journals could not be read or the thread has failed, then or before
	 */
	async stop(): Promise<Report> {
		this.ending ??= this.end();
		await this.ending;
		return this.current;
	}

	private async end(): Promise<Answers['stop']> {
		try {
			const answer = await this.ask('stop');
			this.hasEnded = true;
			this.questions.rest();
			return answer;
		} catch (error) {
			this.hasEnded = true;
			await this.journals.endLease();
			await this.worker.terminate();
			throw error;
		}
	}

	/**
	 * Writes the recording (`.waitline`) of all journals so far.
	 * @param ran the text of a file as it ran, where it is known
	 * @throws the file system's errors
	 */
	async save(file: string, ran?: (file: string) => string | undefined): Promise<void> {
		const sources = await sourceTexts(this.report(), ran);
		const [journals, notes] = [await this.journals.journals(), await this.notes()];
		await writeRecording(file, this.folder, journals, notes, sources, await this.summary());
	}

	/**
	 * Keeps it for the next window; only after `stop`. This one is done with it.
	 * @param facts what is known of it here
	 * @param ran as for `save`
	 * @throws the file system's errors
	 */
	async keep(facts: Omit<KeptFacts, 'journals'>, ran: (file: string) => string | undefined): Promise<void> {
		const sources = await sourceTexts(this.report(), ran);
		const journals = await this.journals.journals();
		await keepJournals(this.folder, { ...facts, journals }, await this.notes(), sources, await this.summary());
		await this.worker.terminate();
	}

	/** Ends the thread and removes the folder with its journals; only after `stop`. */
	async remove(): Promise<void> {
		await this.worker.terminate();
		await this.journals.remove();
	}

	/** None where the thread has failed: the journals can be saved without them. */
	private async notes(): Promise<SessionNotes> {
		try {
			return this.ending === undefined ? await this.ask('notes') : (await this.ending).notes;
		} catch {
			return NO_NOTES;
		}
	}

	/** None while it goes on, and where the thread has failed. */
	private async summary(): Promise<CarriedSummary | null> {
		try {
			await this.ending;
			return this.hasEnded ? await this.ask('summary') : null;
		} catch {
			return null;
		}
	}

	private ask<Q extends Question>(question: Q, ...about: Questions[Q]): Promise<Answers[Q]> {
		return this.questions.ask((id) => this.send({ type: 'ask', id, question, about }));
	}

	private send(message: ToSession): void {
		this.worker.postMessage(message);
	}

	private onMessage(message: FromSession): void {
		if (message.type === 'update') {
			if (message.changes !== null) this.current = this.receiver.reportOf(message.changes);
			this.processes = message.now;
			for (const listener of this.listeners) listener();
			return;
		}
		const { id } = message;
		if (message.type === 'answer') this.questions.answer(id, message.answer);
		else {
			const { code, path } = message;
			this.questions.refuse(id, Object.assign(new Error(message.message), { code, path }));
		}
	}

	private fail(error: Error): void {
		this.questions.end(error);
		if (this.hasEnded || this.failure !== undefined) return;
		this.failure = error;
		for (const listener of this.failureListeners) listener(error);
	}
}
