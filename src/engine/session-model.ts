// All threads of one session: reads their journals in the order of time, and gives its report, its timeline and the figures of a part of it.
import type { Overview, TimeLimit } from '../protocol/overview.ts';
import type { Report } from '../protocol/report.ts';
import type { Timeline, TimelineQuery } from '../protocol/timeline.ts';
import { DebuggerLog } from './clocks/debugger-log.ts';
import type { DebuggerStretches } from './clocks/debugger-stretch.ts';
import type { PauseClock } from './clocks/pause-clock.ts';
import type { Resolve } from './common/place.ts';
import { latenciesOf, type PlacedLatency } from './compare/bands.ts';
import type { SteadyFindings } from './findings/steady-findings.ts';
import { JournalIndex, type JournalStretch } from './journal/journal-index.ts';
import { JournalReader } from './journal/journal-reader.ts';
import { compareBegins } from './journal/thread-facts.ts';
import { endSilently, ProcessModel, type Thread } from './processes/process-model.ts';
import { EndedLines } from './report/ended-lines.ts';
import type { SourceTexts } from './report/process-facts.ts';
import { NO_TEXTS, SessionReport } from './report/session-report.ts';
import type { Kill } from './threads/kill.ts';
import { type Limits, limitedRecords } from './threads/limited-records.ts';
import { ThreadModel } from './threads/thread-model.ts';
import { StretchDetail } from './timeline/timeline-detail.ts';
import { type SavedIndex, timelineIndexOf } from './timeline/timeline-index.ts';
import { clockOf, timelineOf } from './timeline/timeline-report.ts';
import { shownDetail, stretchesOf, type TimelineJournal } from './timeline/timeline-stretches.ts';
import { TimelineSummary } from './timeline/timeline-summary.ts';

/** JavaScript has no date beyond this, in ms since 1970. */
const LAST_DATE_MS = 8.64e15;

export class SessionModel {
	/** By journal name, in the order of their first bytes. */
	private readonly threads = new Map<string, Thread>();
	/** By process id, the latest process with that id. */
	private readonly processes = new Map<number, ProcessModel>();
	/** What killed processes, by their ids. */
	private readonly kills = new Map<number, Kill>();
	/** Processes of several threads, which may have to wait for one another. */
	private readonly shared = new Set<ProcessModel>();
	private readonly ended = new EndedLines();
	private readonly summary = new TimelineSummary();
	/** The time, in µs of hrtime, up to which the host has pushed everything in the journals. */
	private lookedAt = -Infinity;
	/** By process id. */
	private readonly debuggers: Map<number, DebuggerLog>;
	/** Where a stretch of journals is read again: what takes everything that happened. */
	private readonly detail: StretchDetail | null;
	private readonly limits: Limits | null;
	private readonly reports = new SessionReport();
	private readonly makeThread: (debuggerOf: (pid: number) => DebuggerLog) => ThreadModel;

	/**
	 * @param makeThread the model of each thread
	 * @param debuggers and `detail`, for a stretch of the journals of another model
	 * @param limits the stretch, where the figures are those of a stretch alone
	 */
	constructor(
		makeThread = (debuggerOf: (pid: number) => DebuggerLog): ThreadModel => new ThreadModel(debuggerOf),
		debuggers = new Map<number, DebuggerLog>(),
		detail: StretchDetail | null = null,
		limits: Limits | null = null,
	) {
		this.limits = limits;
		this.makeThread = makeThread;
		this.debuggers = debuggers;
		this.detail = detail;
	}

	/** A debugger has stopped a process. @param at µs of hrtime */
	pause(pid: number, at: number): void {
		this.debuggerOf(pid).pauses.stop(at);
	}

	/** The debugger lets the process continue. @param at µs of hrtime */
	resume(pid: number, at: number): void {
		this.debuggerOf(pid).pauses.go(at);
	}

	/** The debugger has V8 collect asynchronous call stacks in a process. @param at µs of hrtime */
	stacksOn(pid: number, at: number): void {
		this.debuggerOf(pid).asyncStacks.begin(at);
	}

	/** The debugger no longer collects them. @param at µs of hrtime */
	stacksOff(pid: number, at: number): void {
		this.debuggerOf(pid).asyncStacks.end(at);
	}

	/** Something is about to kill a process, or has killed it: the first to be known counts. */
	kill(pid: number, by: Kill): void {
		if (!this.kills.has(pid)) this.kills.set(pid, by);
	}

	/** What ended processes, where their journals do not say so; for a recording. */
	killed(): ReadonlyMap<number, Kill> {
		const cut = new Set(this.models.filter(({ outcome }) => outcome === 'killed').map(({ facts }) => facts?.pid));
		return new Map([...this.kills].filter(([pid, by]) => by !== 'exit' || cut.has(pid)));
	}

	/** What the debugger did, for a recording. */
	debuggerStretches(): DebuggerStretches {
		const all = [...this.debuggers];
		return {
			pauses: all.flatMap(([pid, { pauses }]) => pauses.list().map((each) => ({ pid, ...each }))),
			asyncStacks: all.flatMap(([pid, { asyncStacks }]) => asyncStacks.list().map((each) => ({ pid, ...each }))),
		};
	}

	/** The next bytes of a journal. */
	push(journal: string, bytes: Uint8Array): void {
		const thread = this.threadOf(journal);
		thread.reader.push(bytes);
		// The first record shows whose thread it is, and so which others it must be read together with.
		while (thread.process === null && thread.reader.next()) this.join(thread);
		if (thread.process !== null) this.advance(thread.process);
	}

	/**
	 * Everything in the journals at that time, in µs of hrtime, has been pushed: threads that wait for a silent one
	 * need not wait longer.
	 * @returns whether the report has changed by it
	 */
	lookAt(at: number): boolean {
		this.lookedAt = at;
		let hasRead = false;
		for (const process of this.shared) hasRead = this.advance(process) || hasRead;
		return hasRead;
	}

	/**
	 * No more bytes will come for that journal.
	 * @param isGone whether its process has ended, as far as the caller knows
	 */
	finish(journal: string, isGone: boolean): void {
		const thread = this.threadOf(journal);
		thread.finished = isGone ? 'gone' : 'alive';
		if (thread.process === null) thread.reader.finish();
		else this.advance(thread.process);
		// A journal with an exit record was closed long ago.
		if (isGone && thread.read !== null) endSilently(thread);
	}

	/**
	 * Everything in the journals of a recording, to which nothing will be added: many threads of one process are
	 * ordered once, and not again for each of them. The pieces of a journal are taken as they are read.
	 */
	load(journals: readonly { name: string; stretch?: JournalStretch; pieces(): Iterable<Uint8Array> }[]): void {
		const threads = journals.map((journal) => {
			const thread = this.threadOf(journal.name);
			thread.finished = 'gone';
			thread.reader.pull(journal.pieces());
			while (thread.process === null && thread.reader.next()) this.join(thread);
			if (journal.stretch !== undefined && journal.stretch.from > 0) thread.model.joinMidway(journal.stretch.openJobs);
			return thread;
		});
		for (const process of new Set(threads.map((thread) => thread.process))) if (process !== null) this.advance(process);
		for (const thread of threads) {
			if (thread.process === null) thread.reader.finish();
			if (thread.read !== null) endSilently(thread);
		}
	}

	/** Whether a journal has its last record. */
	isOver(journal: string): boolean {
		return (this.threads.get(journal)?.read ?? null) !== null;
	}

	/** The scripts that the report will ask for: their maps can be loaded before. */
	*scripts(): Generator<string> {
		for (const { model } of this.threads.values()) yield* model.scripts;
		yield* this.ended.scripts;
	}

	/** Scripts that ran because others import them, and what their thread was started with: the texts of these show where. */
	*imported(): Generator<{ entry: string; modules: ReadonlySet<string> }> {
		for (const { model } of this.threads.values()) {
			const entry = model.facts?.entry ?? '';
			if (entry !== '' && model.modules.size > 0) yield { entry, modules: model.modules };
		}
	}

	/** Threads whose loops turn and that can be watched from outside. */
	turning(): { journal: string; pid: number; threadId: number; tid: number }[] {
		return [...this.threads].flatMap(([journal, { model }]) => {
			const { facts, hasTurned, isOver, isResting } = model;
			if (
				facts === null ||
				facts.tid === 0 ||
				!hasTurned ||
				isOver ||
				isResting ||
				this.debuggerOf(facts.pid).pauses.isStopped
			)
				return [];
			return [{ journal, pid: facts.pid, threadId: facts.threadId, tid: facts.tid }];
		});
	}

	/**
	 * Threads whose loops go on, as recorded so far: the time up to which each has come, without pauses, and how long
	 * it was idle by then, in µs; `isStopped` when it does not turn, or nothing is recorded of it.
	 */
	loopTimes(): { journal: string; pid: number; threadId: number; nowUs: number; idleUs: number; isStopped: boolean }[] {
		return [...this.threads].flatMap(([journal, { model }]) => {
			const { facts, now, idleUs, isOver, isResting } = model;
			if (facts === null || isOver) return [];
			const { pid, threadId } = facts;
			const isStopped = isResting || this.debuggerOf(pid).pauses.isStopped;
			return [{ journal, pid, threadId, nowUs: now, idleUs, isStopped }];
		});
	}

	/** Processes that go on, with the state of their pools at the latest record. */
	running(): { pid: number; poolBusy: number; poolQueued: number }[] {
		const pids = new Set<number>();
		for (const { model } of this.threads.values()) if (model.facts !== null && !model.isOver) pids.add(model.facts.pid);
		return [...pids].map((pid) => {
			const { busy = 0, queued = 0 } = this.processes.get(pid)?.pool.facts ?? {};
			return { pid, poolBusy: busy, poolQueued: queued };
		});
	}

	/**
	 * Lines and loops that have not changed since the last report are the same objects again: callers must not change
	 * them.
	 * @param resolve the same function as for the last report only if it gives the same answers; then the report costs
	 * only as much as has changed
	 * @param texts what the program's text shows beside the journals
	 * @param steady the findings that were shown before, which stay as long as any thread runs
	 */
	report(resolve: Resolve, texts: SourceTexts = NO_TEXTS, steady: SteadyFindings | null = null): Report {
		const { ended, kills, known, lookedAt } = this;
		return this.reports.of({ all: [...this.threads.values()], known, ended, kills, lookedAt }, resolve, texts, steady);
	}

	/** The latencies of all lines and handlers, for a comparison with another session. */
	latencies(resolve: Resolve): PlacedLatency[] {
		return latenciesOf([...this.models, this.ended], resolve);
	}

	/** All of the session in a few rows. */
	overview(resolve: Resolve): Overview {
		return this.summary.overview(this.models, resolve);
	}

	/** When the first journal began, in ms since 1970; null where there is none, or what it says is no time. */
	get beganAt(): number | null {
		const wallMs = this.models[0]?.facts?.wallMs ?? 0;
		return wallMs > 0 && wallMs <= LAST_DATE_MS ? wallMs : null;
	}

	/**
	 * Which bytes of the journals say one by one what happened in a stretch; null where that is more than a person can see.
	 * @returns by the journal's name
	 */
	stretches(query: TimelineQuery): Map<string, JournalStretch> | null {
		return stretchesOf(query, this.journals, this.summary.density);
	}

	/**
	 * What happened in a stretch, one by one.
	 * @param stretches as `stretches` gave them
	 * @param bytesOf the bytes of each
	 */
	readAgain(
		{ fromMs, toMs }: TimelineQuery,
		stretches: ReadonlyMap<string, JournalStretch>,
		bytesOf: (journal: string) => Uint8Array,
	): StretchDetail {
		const { us } = clockOf(this.models);
		return this.readStretches(us(fromMs), us(toMs), stretches, bytesOf);
	}

	/** The same, also where none of its journals has been read. @param from and `to`, in µs of hrtime without the pauses of a debugger */
	readStretches(
		from: number,
		to: number,
		stretches: ReadonlyMap<string, JournalStretch>,
		bytesOf: (journal: string) => Uint8Array,
	): StretchDetail {
		const detail = new StretchDetail(from, to);
		const again = new SessionModel(undefined, this.debuggers, detail);
		again.load([...stretches].map(([name, stretch]) => ({ name, stretch, pieces: () => [bytesOf(name)] })));
		return detail;
	}

	/** When a debugger had stopped a process. */
	pausesOf(pid: number): PauseClock {
		return this.debuggerOf(pid).pauses;
	}

	/** What lets a recording show stretches of its timeline without reading its journals. @param mostBytes what needs more gives null */
	timelineIndex(mostBytes: number): SavedIndex | null {
		return timelineIndexOf(this.journals, this.summary.density, this.scripts(), mostBytes);
	}

	/** The journals that a part of the session, and its timeline, are made of. */
	get journals(): TimelineJournal[] {
		return [...this.threads].flatMap(([name, { model, index, reader }]) =>
			model.facts === null ? [] : [{ name, source: model, index, bytes: reader.received }],
		);
	}

	/**
	 * The same session with the figures of what ended in a stretch of it.
	 * @param bytesOf the bytes of each of `journals`
	 */
	part({ fromMs, toMs }: TimeLimit, bytesOf: (journal: string) => Uint8Array): SessionModel {
		const { us } = clockOf(this.models);
		const part = new SessionModel(undefined, this.debuggers, null, { from: us(fromMs), to: us(toMs) });
		part.load(this.journals.map(({ name }) => ({ name, pieces: () => [bytesOf(name)] })));
		// How a thread ended does not depend on when one looks.
		for (const [name, { model }] of part.threads) model.outcome = this.threads.get(name)!.model.outcome;
		return part;
	}

	/** A stretch of the session. @param detail what happened in it one by one; null where that is too much */
	timeline(query: TimelineQuery, detail: StretchDetail | null, resolve: Resolve): Timeline {
		return timelineOf(this.summary.density, this.models, query, shownDetail(detail), resolve);
	}

	private get models(): ThreadModel[] {
		return this.known.map(({ model }) => model);
	}

	/**
	 * The threads whose journals have named them, in the order in which they began: journals are read in another order live than from a
	 * recording, and a report must not depend on it.
	 */
	private get known(): Thread[] {
		return [...this.threads.values()]
			.filter(({ model }) => model.facts !== null)
			.sort((a, b) => compareBegins(a.model, b.model));
	}

	/** Adds a thread's model, by default a new one. */
	add(journal: string, model = this.makeThread((pid) => this.debuggerOf(pid))): Thread {
		if (this.detail === null) model.timeline.summary = this.summary;
		model.timeline.detail = this.detail;
		const reader = new JournalReader(this.limits === null ? model : limitedRecords(model, this.limits));
		const index = new JournalIndex();
		reader.onGeneration = (at) => index.add({ at, time: reader.latest, openJobs: model.openJobs });
		const thread: Thread = {
			reader,
			model,
			index,
			process: null,
			finished: null,
			read: null,
		};
		thread.reader.isSuspended = true;
		this.threads.set(journal, thread);
		this.join(thread);
		return thread;
	}

	/** Adds a thread to the others of its process, once its journal has named it. */
	private join(thread: Thread): void {
		if (thread.model.facts === null) return;
		const { pid, threadId } = thread.model.facts;
		let process = this.processes.get(pid);
		if (process === undefined || !process.canHold(threadId)) {
			process = new ProcessModel(thread.model.processPool);
			this.processes.set(pid, process);
		}
		process.add(thread);
		thread.process = process;
	}

	private advance(process: ProcessModel): boolean {
		const hasRead = process.advance(this.lookedAt);
		if (process.isShared) this.shared.add(process);
		else this.shared.delete(process);
		for (const { model } of process.takeEnded()) this.ended.add(model);
		return hasRead;
	}

	private debuggerOf(pid: number): DebuggerLog {
		let log = this.debuggers.get(pid);
		if (log === undefined) {
			log = new DebuggerLog();
			this.debuggers.set(pid, log);
		}
		return log;
	}

	private threadOf(journal: string): Thread {
		return this.threads.get(journal) ?? this.add(journal);
	}
}
