// Turns all threads of one session into the report.
import type { Overview, TimeLimit } from '../protocol/overview.ts';
import type { Pool, Report } from '../protocol/report.ts';
import type { Timeline, TimelineQuery } from '../protocol/timeline.ts';
import { latenciesOf, type PlacedLatency } from './compare/bands.ts';
import { DebuggerLog } from './debugger-log.ts';
import type { DebuggerStretches } from './debugger-stretch.ts';
import { EndedLines } from './ended-lines.ts';
import { Family } from './family.ts';
import { findingsOf } from './findings/findings.ts';
import type { Found } from './findings/ranking.ts';
import type { SteadyFindings } from './findings/steady-findings.ts';
import { groupBy } from './group-by.ts';
import { JournalIndex, type JournalStretch } from './journal-index.ts';
import { JournalReader } from './journal-reader.ts';
import type { Kill } from './kill.ts';
import { type Limits, limitedRecords } from './limited-records.ts';
import { LineReport, type LineSource, type PlacedLine } from './line-report.ts';
import { LoopReport } from './loop-report.ts';
import type { PauseClock } from './pause-clock.ts';
import type { Resolve } from './place.ts';
import { ProcessFindings, type SourceTexts } from './process-facts.ts';
import { endSilently, ProcessModel, type Thread } from './process-model.ts';
import { isCutShort, poolsOf, processReportOf, warningsOf } from './process-report.ts';
import { routesOf, unansweredOf } from './request-report.ts';
import { compareBegins } from './thread-facts.ts';
import { ThreadModel } from './thread-model.ts';
import { StretchDetail } from './timeline-detail.ts';
import { type SavedIndex, timelineIndexOf } from './timeline-index.ts';
import { clockOf, timelineOf } from './timeline-report.ts';
import { shownDetail, stretchesOf, type TimelineJournal } from './timeline-stretches.ts';
import { TimelineSummary } from './timeline-summary.ts';

/** JavaScript has no date beyond this, in ms since 1970. */
const LAST_DATE_MS = 8.64e15;

/** For a program whose text is not available. */
const NO_TEXTS: SourceTexts = {
	syncCalls: () => [],
	awaits: () => null,
	poolAssignment: () => null,
	runningLine: (_begin, _called, [line = 0]) => line,
	isArgument: () => false,
	builtInOn: () => '',
};

/** What findings of one process are made from. */
interface ProcessLines {
	readonly pid: number;
	readonly threads: readonly Thread[];
	readonly findings: ProcessFindings;
	/** Null where it is the only process. */
	readonly lines: readonly PlacedLine[] | null;
}

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
	/** What the last report made, from which the next one continues. */
	private readonly lines = new LineReport();
	private readonly loops = new LoopReport();
	private readonly findings = new Map<number, ProcessFindings>();
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

	/** What killed processes, for a recording. */
	killed(): ReadonlyMap<number, Kill> {
		return this.kills;
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
		const threads = this.known;
		const accounting = { emitted: 0, decoded: 0, dropped: 0, lost: 0, cutShort: 0 };
		for (const { reader, model } of this.threads.values()) {
			if (isCutShort(model)) accounting.cutShort++;
			accounting.emitted += reader.emitted;
			accounting.decoded += reader.decoded;
			accounting.dropped += reader.dropped;
			accounting.lost += reader.lost;
		}
		const models = threads.map(({ model }) => model);
		const family = new Family(models, this.kills);
		const isOver = [...this.threads.values()].every(({ finished }) => finished !== null);
		const now = isOver ? Infinity : this.lookedAt;
		const processes = this.processesOf(threads, resolve);
		const lines = this.linesOf(models, processes, resolve);
		const pools = poolsOf(threads);
		return {
			schema: 'waitline/report@2',
			processes: models.map((model) => processReportOf(model, family)),
			lines: lines.map(({ line }) => line),
			requests: routesOf(models, resolve),
			unanswered: unansweredOf(models, resolve),
			pools,
			loops: threads.map((thread) => this.loops.of(thread, resolve, texts)),
			warnings: threads.flatMap(warningsOf),
			findings: findingsOf(foundIn(processes, lines, pools, resolve, texts), isOver ? null : steady),
			untraced: models.flatMap((model) => family.untracedOf(model, now)),
			accounting,
		};
	}

	/** The threads and lines of each process. Where there is one alone, its lines are the session's. */
	private processesOf(threads: readonly Thread[], resolve: Resolve): readonly ProcessLines[] {
		const processes = groupBy(threads, ({ model }) => model.facts!.pid);
		return [...processes].map(([pid, own]) => {
			const findings = this.findings.get(pid) ?? new ProcessFindings();
			this.findings.set(pid, findings);
			const models = own.map(({ model }) => model);
			const lines = processes.size === 1 ? null : findings.lines.of(models, resolve);
			return { pid, threads: own, findings, lines };
		});
	}

	private linesOf(
		models: readonly ThreadModel[],
		processes: readonly ProcessLines[],
		resolve: Resolve,
	): readonly PlacedLine[] {
		const sums = new Map<LineSource, LineReport>();
		for (const { threads, lines, findings } of processes) {
			if (lines !== null && threads.length > 1) for (const { model } of threads) sums.set(model, findings.lines);
		}
		return this.lines.of(this.ended.facts === null ? models : [...models, this.ended], resolve, sums);
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

/** @param lines of the session */
function foundIn(
	processes: readonly ProcessLines[],
	lines: readonly PlacedLine[],
	pools: readonly Pool[],
	resolve: Resolve,
	texts: SourceTexts,
): Found[] {
	const poolsByPid = groupBy(pools, ({ pid }) => pid);
	return processes.flatMap(({ pid, threads, findings, lines: own }) =>
		findings.of(threads, own ?? lines, { pool: poolsByPid.get(pid)?.[0] ?? null, texts, resolve }),
	);
}
