// Turns all threads of one session into the report.
import { mechanismOf } from '../protocol/mechanism.ts';
import type { Overview } from '../protocol/overview.ts';
import type { Pool, Process, Report, Warning } from '../protocol/report.ts';
import type { Timeline } from '../protocol/timeline.ts';
import { counted } from '../protocol/units.ts';
import { DebuggerLog } from './debugger-log.ts';
import type { DebuggerStretches } from './debugger-stretch.ts';
import { EndedLines } from './ended-lines.ts';
import { Family } from './family.ts';
import { findingsOf } from './findings/findings.ts';
import type { Found } from './findings/ranking.ts';
import type { SteadyFindings } from './findings/steady-findings.ts';
import { groupBy } from './group-by.ts';
import { JournalReader } from './journal-reader.ts';
import { LineReport, type PlacedLine } from './line-report.ts';
import { LoopReport } from './loop-report.ts';
import type { Resolve } from './place.ts';
import { ProcessFindings, type SourceTexts } from './process-facts.ts';
import { endSilently, ProcessModel, type Thread } from './process-model.ts';
import type { ProcessPool } from './process-pool.ts';
import { routesOf } from './request-report.ts';
import { ThreadModel } from './thread-model.ts';
import { TimelineWindow } from './timeline-window.ts';

/** For a program whose text is not available. */
const NO_TEXTS: SourceTexts = {
	syncCalls: () => [],
	awaits: () => null,
	poolAssignment: () => null,
	runningLine: (_begin, _called, [line = 0]) => line,
};

export class SessionModel {
	/** By journal name, in the order of their first bytes. */
	private readonly threads = new Map<string, Thread>();
	/** By process id, the latest process with that id. */
	private readonly processes = new Map<number, ProcessModel>();
	/** Processes of several threads, which may have to wait for one another. */
	private readonly shared = new Set<ProcessModel>();
	private readonly ended = new EndedLines();
	private readonly window = new TimelineWindow();
	/** The time, in µs of hrtime, up to which the host has pushed everything in the journals. */
	private lookedAt = -Infinity;
	/** By process id. */
	private readonly debuggers = new Map<number, DebuggerLog>();
	/** What the last report made, from which the next one continues. */
	private readonly lines = new LineReport();
	private readonly loops = new LoopReport();
	private readonly findings = new Map<number, ProcessFindings>();

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
	load(journals: readonly { name: string; pieces(): Iterable<Uint8Array> }[]): void {
		const threads = journals.map((journal) => {
			const thread = this.threadOf(journal.name);
			thread.finished = 'gone';
			thread.reader.pull(journal.pieces());
			while (thread.process === null && thread.reader.next()) this.join(thread);
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
			const { facts, hasTurned, isOver } = model;
			if (facts === null || facts.tid === 0 || !hasTurned || isOver || this.debuggerOf(facts.pid).pauses.isStopped)
				return [];
			return [{ journal, pid: facts.pid, threadId: facts.threadId, tid: facts.tid }];
		});
	}

	/**
	 * Threads whose loops go on, as recorded so far: the time up to which each has come, without pauses, and how long
	 * it was idle by then, in µs.
	 */
	loopTimes(): { journal: string; pid: number; threadId: number; nowUs: number; idleUs: number; isStopped: boolean }[] {
		return [...this.threads].flatMap(([journal, { model }]) => {
			const { facts, now, idleUs, isOver } = model;
			if (facts === null || isOver) return [];
			const { pid, threadId } = facts;
			return [{ journal, pid, threadId, nowUs: now, idleUs, isStopped: this.debuggerOf(pid).pauses.isStopped }];
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
		const threads = [...this.threads.values()].filter(({ model }) => model.facts !== null);
		const accounting = { emitted: 0, decoded: 0, dropped: 0, lost: 0, cutShort: 0 };
		for (const { reader, model } of this.threads.values()) {
			if (isCutShort(model.outcome)) accounting.cutShort++;
			accounting.emitted += reader.emitted;
			accounting.decoded += reader.decoded;
			accounting.dropped += reader.dropped;
			accounting.lost += reader.lost;
		}
		const models = threads.map(({ model }) => model);
		const family = new Family(models);
		const isOver = [...this.threads.values()].every(({ finished }) => finished !== null);
		const now = isOver ? Infinity : this.lookedAt;
		const lines = this.lines.of(this.ended.facts === null ? models : [...models, this.ended], resolve);
		const pools = poolsOf(threads);
		return {
			schema: 'waitline/report@2',
			processes: models.map((model) => processOf(model, family)),
			lines: lines.map(({ line }) => line),
			requests: routesOf(models, resolve),
			pools,
			loops: threads.map((thread) => this.loops.of(thread, resolve, texts.runningLine)),
			warnings: threads.flatMap(warningsOf),
			findings: findingsOf(this.found(threads, lines, pools, resolve, texts), isOver ? null : steady),
			untraced: models.flatMap((model) => family.untracedOf(model, now)),
			accounting,
		};
	}

	private found(
		threads: readonly Thread[],
		lines: readonly PlacedLine[],
		pools: readonly Pool[],
		resolve: Resolve,
		texts: SourceTexts,
	): Found[] {
		const processes = groupBy(threads, ({ model }) => model.facts!.pid);
		const poolsByPid = groupBy(pools, ({ pid }) => pid);
		return [...processes].flatMap(([pid, own]) => {
			let findings = this.findings.get(pid);
			if (findings === undefined) {
				findings = new ProcessFindings();
				this.findings.set(pid, findings);
			}
			const surroundings = { pool: poolsByPid.get(pid)?.[0] ?? null, texts, resolve };
			return findings.of(own, processes.size === 1 ? lines : null, surroundings);
		});
	}

	/** All of the session in a few rows. */
	overview(resolve: Resolve): Overview {
		return this.window.overview(
			[...this.threads.values()].map(({ model }) => model),
			resolve,
		);
	}

	/** The last finished operations one by one. */
	timeline(resolve: Resolve): Timeline {
		return this.window.timeline(
			[...this.threads.values()].map(({ model }) => model),
			resolve,
		);
	}

	/** Adds a thread's model, by default a new one. */
	add(journal: string, model = new ThreadModel((pid) => this.debuggerOf(pid))): Thread {
		model.timeline = this.window;
		const thread: Thread = {
			reader: new JournalReader(model),
			model,
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

function processOf(model: ThreadModel, family: Family): Process {
	const facts = model.facts!;
	return {
		pid: facts.pid,
		parentPid: family.parentOf(facts.pid),
		threadId: facts.threadId,
		entry: facts.entry,
		node: facts.node,
		libuv: facts.libuv,
		platform: facts.platform,
		mechanism: mechanismOf(facts).name,
		poolSize: model.poolSize,
		ioUring: facts.ioUring,
		promiseHooks: facts.promiseHooks === 'on' ? 'on' : 'off',
		durationMs: model.now / 1000,
		end: family.endOf(model),
		stage: model.stages.at(-1)?.stage ?? 0,
		stages: model.stages,
	};
}

/**
 * Whether a thread could not write its last records: what it did in about its last twentieth of a second is missing.
 */
function isCutShort(outcome: Process['end']): boolean {
	return outcome === 'killed' || outcome === 'truncated';
}

function poolsOf(threads: readonly Thread[]): Pool[] {
	const pools = new Map<ProcessPool, number>();
	for (const { model } of threads) pools.set(model.processPool, model.facts!.pid);
	return [...pools].flatMap(([{ facts }, pid]) => {
		if (facts === null) return [];
		const { size, saturatedUs, lookupsQueuedUs, maxQueued, occupied } = facts;
		return [
			{
				pid,
				size,
				saturatedMs: saturatedUs.low / 1000,
				saturatedMostMs: saturatedUs.high / 1000,
				lookupsQueuedMs: lookupsQueuedUs / 1000,
				maxQueued,
				occupiedMs: { low: occupied.low / 1000, high: occupied.high / 1000 },
			},
		];
	});
}

function warningsOf({ model, reader }: Thread): Warning[] {
	const { pid, promiseHooks, isAttached } = model.facts!;
	const warnings: Warning[] = [];
	const warn = (code: Warning['code'], message: string) =>
		warnings.push({ code, pid, file: null, line: null, message });
	if (model.poolWanted !== null) {
		warn(
			'pool-size-too-late',
			`UV_THREADPOOL_SIZE was set to ${model.poolWanted} too late: the pool keeps its ${counted(model.poolSize, 'thread')}.`,
		);
	}
	if (isAttached) {
		warn(
			'started-late',
			'Profiling began while the program was running. Operations started before are not known, and the pool’s size is taken from the environment as it was then.',
		);
	}
	if (model.stopReason) warn('tracer-stopped', `Recording stopped before the program did: ${model.stopReason}.`);
	if (promiseHooks === 'on') {
		warn(
			'promise-hooks-on',
			'Another async hook (on Node 18 and 20 also the debugger’s) keeps promise events on, so the program runs slower than with Waitline alone.',
		);
	}
	if (model.asyncStacksUs > 0) {
		warn(
			'async-stacks-on',
			`The debugger collected asynchronous call stacks for ${(model.asyncStacksUs / 1e6).toFixed(1)} s of it: each await took several µs more, so run and lag are longer than they would otherwise be.`,
		);
	}
	if (reader.lost > 0 || reader.skippedBytes > 0) {
		const what = reader.lost > 0 ? counted(reader.lost, 'record') : counted(reader.skippedBytes, 'byte');
		warn('records-lost', `${what} of the recording could not be read. The figures are incomplete.`);
	}
	return warnings;
}
