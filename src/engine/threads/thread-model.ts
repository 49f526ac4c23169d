// One traced thread's journal becomes operations, their waits and runs, and the blocks of its loop. Keeps only what is open:
// a finished operation lives on in its line's figures. Each part of the model knows what a record means to it; this file says
// in which order they receive it, and answers what the report asks for.
import { BLOCK_US, MAIN_OPERATION } from '../../protocol/journal.ts';
import { BEGIN_FLAG, type FrameFacts, START_FLAG } from '../../protocol/journal-records.ts';
import type { End, StageChange } from '../../protocol/report.ts';
import { LISTENER, RESOURCE_FACTS } from '../../protocol/resource-facts.ts';
import { DebuggerLog } from '../clocks/debugger-log.ts';
import type { PauseClock } from '../clocks/pause-clock.ts';
import { callbackKindOf, PollClock } from '../clocks/poll-clock.ts';
import { RecordedTime, type RestFactors } from '../clocks/recorded-time.ts';
import { ThreadClock } from '../clocks/thread-clock.ts';
import { Distribution } from '../common/distribution.ts';
import type { Place } from '../common/place.ts';
import type { ConnectionHolders } from '../connections/connection-holders.ts';
import type { ConnectionUse } from '../connections/connection-users.ts';
import type { HeldByWaiter } from '../connections/pool-holders.ts';
import { ThreadConnections } from '../connections/thread-connections.ts';
import { type Unanswered, unansweredCommands } from '../connections/unanswered-commands.ts';
import type { JournalVisitor } from '../journal/journal-visitor.ts';
import type { ThreadFacts } from '../journal/thread-facts.ts';
import { JournalTables } from '../lines/journal-tables.ts';
import type { LineStats } from '../lines/line-stats.ts';
import { ThreadLines } from '../lines/thread-lines.ts';
import type { GarbageLog } from '../loop/garbage-log.ts';
import type { LoopBlock } from '../loop/loop-block.ts';
import { StackSamples } from '../loop/stack-samples.ts';
import { ThreadBlocks } from '../loop/thread-blocks.ts';
import { CurrentRun } from '../operations/current-run.ts';
import { OpenOperations, type OpenResource, type Pending } from '../operations/open-operations.ts';
import { SessionStreams } from '../operations/session-streams.ts';
import type { ProcessPool } from '../pool/process-pool.ts';
import { ThreadJobs } from '../pool/thread-jobs.ts';
import type { RequestStats } from '../requests/request-stats.ts';
import { isJob, ThreadRequests } from '../requests/thread-requests.ts';
import { ThreadTimeline } from '../timeline/thread-timeline.ts';
import { OperationEnds } from './operation-ends.ts';
import { OperationStarts } from './operation-starts.ts';
import { PostedMessages } from './posted-messages.ts';
import type { ProcessMessages } from './process-messages.ts';
import { type Child, ThreadChildren } from './thread-children.ts';

/** Changes of the tracer's stage kept per thread. */
const STAGES_KEPT = 100;

/**
 * The least time between two samples of the loop's delay, in µs: a sample that represents a longer time counts as
 * several.
 */
const DELAY_UNIT_US = 5000;

/** The most processes above one that are kept: the tracer records at most eight. */
const ANCESTORS_KEPT = 64;

export class ThreadModel implements JournalVisitor {
	facts: ThreadFacts | null = null;
	outcome: End = 'running';
	stopReason: string | null = null;
	/** The variable's latest value as a size, when it differs from the size in effect. */
	poolWanted: number | null = null;
	/** What the tracer did to stay within its budget, the latest last. */
	readonly stages: StageChange[] = [];
	/** How long ready callbacks had to wait for the loop, µs. */
	loopDelays = new Distribution();
	/** How long the loop was idle, µs. */
	idleUs = 0;
	/** Processes above this one, the nearest first. */
	readonly ancestors: number[] = [];
	readonly children = new ThreadChildren();
	/** Whether a callback has ended: the main script, or one of the loop's. */
	hasTurned = false;

	readonly timeline = new ThreadTimeline(this);
	protected readonly clock = new ThreadClock();
	protected readonly jobs = new ThreadJobs(this.clock);
	protected readonly operations = new OpenOperations();
	private readonly debuggerOf: (pid: number) => DebuggerLog;
	private readonly tables = new JournalTables();
	private readonly threadLines = new ThreadLines();
	private readonly recordedTime = new RecordedTime();
	private readonly loopBlocks = new ThreadBlocks();
	private readonly samples = new StackSamples();
	private readonly polls = new PollClock();
	private readonly run = new CurrentRun();
	private readonly streams = new SessionStreams();
	protected readonly requests = new ThreadRequests(this.threadLines);
	private readonly messages = new PostedMessages(this.clock, this.polls, this.children, this.operations, this.timeline);
	private readonly connections = new ThreadConnections(
		this.polls,
		this.threadLines,
		this.loopBlocks,
		this.requests,
		this.timeline,
	);
	private readonly starts = new OperationStarts(this.threadLines, this.operations, this.run, this.jobs);
	protected readonly ends = new OperationEnds({
		clock: this.clock,
		polls: this.polls,
		run: this.run,
		operations: this.operations,
		jobs: this.jobs,
		blocks: this.loopBlocks,
		children: this.children,
		requests: this.requests,
		connections: this.connections,
		timeline: this.timeline,
	});
	private neverEnded: Map<LineStats, Pending> | null = null;
	private neverAnswered: readonly Unanswered[] | null = null;

	/**
	 * @param debuggerOf debuggerOf returns what a debugger did to a process, by its id; the result may grow while the
	 * journal is read
	 */
	constructor(debuggerOf: (pid: number) => DebuggerLog = () => new DebuggerLog()) {
		this.debuggerOf = debuggerOf;
		this.requests.settle = (id) => this.ends.settle(id);
		this.requests.watch = (request, time) => this.timeline.request(request, time);
	}

	/** Whether the thread's journal has ended. */
	get isOver(): boolean {
		return this.outcome !== 'running' || this.stopReason !== null;
	}

	/** Time of the last record, µs since the journal began. */
	get now(): number {
		return this.clock.now;
	}

	/** Whether the tracer records nothing now. */
	get isResting(): boolean {
		return this.recordedTime.isResting;
	}

	/** How long the thread is, or the stretch of its time whose figures these are, in µs. */
	get lengthUs(): number {
		return this.recordedTime.length(this.now);
	}

	/** For how much of that the thread was recorded, in µs of it. */
	get recordedUs(): number {
		return this.recordedTime.recorded(this.now);
	}

	/** When the tracer rested, in µs: the latest rests. */
	get rests(): readonly { from: number; to: number }[] {
		return this.recordedTime.rests;
	}

	/** Stretches of which records are missing, in µs. */
	get missing(): readonly { from: number; to: number }[] {
		return this.recordedTime.missing;
	}

	/** The pool of its process: its own until it joins the process's shared one. */
	get processPool(): ProcessPool {
		return this.jobs.pool;
	}

	/** Threads of the process's pool. */
	get poolSize(): number {
		return this.processPool.size;
	}

	/** By position, API and class. */
	get lines(): ReadonlyMap<string, LineStats> {
		return this.threadLines.byKey;
	}

	/** Scripts that started anything, by path or URL as V8 knows them. */
	get scripts(): ReadonlySet<string> {
		return this.tables.scripts;
	}

	/** Scripts that ran because others import them, as far as samples of blocks show. */
	get modules(): ReadonlySet<string> {
		return this.samples.modules;
	}

	/** What its server's requests took, by the line of the handler. */
	get routes(): ReadonlyMap<LineStats, RequestStats> {
		return this.requests.routes;
	}

	/** When the oldest request of each route that is not over had arrived, at the latest, in µs since the journal began. */
	oldestRequests(): ReadonlyMap<RequestStats, number> {
		return this.requests.oldest();
	}

	get blocks(): readonly LoopBlock[] {
		return this.loopBlocks.all;
	}

	/** Which lines have last used its connections. */
	get connectionUses(): Iterable<ConnectionUse> {
		return this.connections.users.all();
	}

	/** By each line whose commands waited for a connection, the lines whose commands were ahead. */
	get commandsAhead(): ConnectionHolders['ahead'] {
		return this.connections.holders.ahead;
	}

	/** By each line that waited for a pool's connection, the lines that had connections meanwhile. */
	get poolHolders(): HeldByWaiter {
		const { EXCHANGE, TURNEXCHANGE } = RESOURCE_FACTS;
		const commands = [...this.pending()].filter(([{ op }]) => op === EXCHANGE.name || op === TURNEXCHANGE.name);
		return this.connections.poolHolders.all(Math.min(this.now, ...commands.map(([, { since }]) => since)));
	}

	/** When a debugger had stopped the process. */
	get pauses(): PauseClock {
		return this.clock.pauses;
	}

	get garbageLog(): GarbageLog {
		return this.loopBlocks.garbage;
	}

	/** For how much of the thread's time a debugger collected asynchronous call stacks, in µs. */
	get asyncStacksUs(): number {
		return this.clock.asyncStacksUs;
	}

	/** When its latest record was, in µs of hrtime. */
	get latestInHrtime(): number {
		return this.clock.latestInHrtime;
	}

	/** When the journal began, in µs of the process. */
	get originUs(): number {
		return this.clock.originUs;
	}

	/** A time of the journal, µs since it began, in µs of the process: hrtime without the pauses. */
	inProcess(at: number): number {
		return this.clock.inProcess(at);
	}

	/** Jobs of the pool that have not called back. */
	get openJobs(): number {
		return this.operations.jobs;
	}

	/** Operations under way, per line. */
	pending(): Map<LineStats, Pending> {
		return this.neverEnded ?? this.findPending();
	}

	/** Lines whose commands wait for one that has no answer yet. */
	get unanswered(): readonly Unanswered[] {
		return this.neverAnswered ?? this.findUnanswered().lines;
	}

	/** The figures of a stretch of time begin: forgets those of what was before. @param at µs since the journal began */
	beginPart(at: number): void {
		this.recordedTime.beginPart(at);
		for (const stats of this.lines.values()) stats.beginPart(at);
		for (const route of this.routes.values()) route.beginPart();
		this.loopBlocks.beginPart();
		this.connections.holders.beginPart();
		this.connections.poolHolders.beginPart();
		this.loopDelays = new Distribution();
		this.idleUs = 0;
		this.processPool.beginPart(this.originUs + at);
	}

	/** The stretch ends. @param at µs since the journal began @param idle how much of the time before the loop slept */
	endPart(at: number, idle: number): void {
		this.clock.reach(at);
		this.recordedTime.endPart(at);
		this.idleUs += idle;
	}

	/** From now on the thread uses this pool, and messages to and from its process's other threads go through those. */
	join(pool: ProcessPool, messages: ProcessMessages): void {
		this.messages.join(messages);
		this.jobs.join(pool);
	}

	/** Reading begins in the middle of the journal. @param openJobs jobs of the pool that were under way there */
	joinMidway(openJobs: number): void {
		this.gap();
		this.processPool.joinMidway(openJobs);
	}

	/** The journal has ended: keeps only what the report shows. */
	close(): void {
		this.timeline.left(this.operations.left(), this.requests.underWay());
		// Which line a request that is not over is on, and counts for, is certain now.
		this.requests.close();
		this.neverEnded = this.pending();
		this.neverAnswered = this.unanswered;
		this.operations.clear();
		this.tables.clear();
	}

	/** Its lines are counted elsewhere from now on. */
	forgetLines(): void {
		this.threadLines.forget();
		this.tables.scripts.clear();
		this.neverEnded = new Map();
		this.neverAnswered = [];
	}

	// --- tables

	thread(facts: ThreadFacts): void {
		// A Worker's file is known only once it runs.
		if (this.facts === null || this.facts.entry === '') {
			const { pid, threadId, node, beganUs, ioUring } = facts;
			if (this.facts === null) this.clock.begin(beganUs, this.debuggerOf(pid));
			this.facts = facts;
			this.messages.threadId = threadId;
			this.connections.beginThread(node);
			this.starts.isRing = ioUring === true;
		}
		this.tables.clear();
	}

	string(id: number, text: string): void {
		this.tables.addString(id, text);
	}

	position(id: number, script: number, line: number, column: number, functionName: number): void {
		this.tables.addPosition(id, script, line, column, functionName);
	}

	site(id: number, user: number, library: number, name: number, script: number): void {
		this.tables.addSite(id, user, library, name, script);
	}

	called(site: number, at: number, begin: number, route: number): void {
		this.tables.addCalled(site, at, begin, route);
	}

	// --- operations

	start(op: number, flags: number, at: number, type: number, site: number, parent: number, delay: number): void {
		const isRestated = (flags & START_FLAG.restated) !== 0;
		if (isRestated && (this.operations.has(op) || this.requests.has(op))) {
			this.operations.setAgain(op, this.clock.see(at));
			this.starts.place(op, this.tables.site(site));
			this.requests.goesOnAt(op, this.tables.site(site));
			return;
		}
		const { tables } = this;
		const started = this.clock.see(at);
		const resource = this.starts.start(op, flags, started, tables.type(type), tables.site(site), parent, delay);
		if (resource === null) return;
		this.streams.start(resource);
		if (isRestated) return;
		this.connections.start(resource);
		this.ends.start(resource);
		this.requests.start(resource, (flags & START_FLAG.routed) !== 0);
		if (parent !== op) {
			this.messages.start(resource, parent);
			this.connections.join(resource, this.operations.get(parent));
		}
		if (resource.type.pool !== null) this.jobs.start(resource);
	}

	begin(op: number, at: number, flags: number, idle: number, cpuWait: number): void {
		const { clock, run, polls } = this;
		const { busy } = this.timeline;
		const time = clock.see(at);
		this.recordedTime.resume(time);
		this.idleUs += idle;
		// What the loop does between two callbacks is Node's and libuv's own work.
		if (run.isKnown) busy.add(time, time - run.ended - idle);
		else busy.skip(time);
		this.starts.begins(op);
		const running = this.operations.get(op) ?? null;
		polls.begin(time, flags, idle, cpuWait, run.ended, callbackKindOf(running?.type ?? null));
		run.begin(running, time);
		this.loopBlocks.begin(time);
		this.jobs.begin(polls.knownUpTo);
		this.requests.begin(running, time, (flags & BEGIN_FLAG.wasUnread) !== 0);
		this.connections.begin(running, time, this.idleUs);
		if (running === null) {
			for (const id of this.jobs.callBack(op, time)) this.operations.get(id)?.logical.moveTo(null);
			return;
		}
		const { started } = running;
		this.ends.complete(running, time);
		if (running.type === LISTENER) this.connections.accept(running, started, time);
	}

	end(after: number, drain: number, hint: number): void {
		const { run } = this;
		const callbackEnded = this.clock.see(after);
		const ended = this.clock.see(after + drain);
		this.hasTurned = true;
		this.connections.end();
		this.ends.endFailed(callbackEnded, ended);
		this.jobs.end(ended);
		this.messages.endRun(ended);
		const running = run.end(ended);
		const place = this.placeOfRun(running, run.answered, hint);
		if (run.hasEnded) for (const op of run.takeOver()) this.ends.forget(op);
		this.requests.endRun(run.began, ended, place);
		if (!run.isKnown) return;
		const duration = ended - run.began;
		this.timeline.run(run.number, running, place, run.began, ended);
		this.timeline.busy.add(ended, duration);
		if (duration >= BLOCK_US) this.loopBlocks.end(run.began, ended, place, running?.id === MAIN_OPERATION);
		if (running !== null) this.ends.addRun(running, duration);
	}

	attribute(op: number): void {
		const { run } = this;
		const resource = this.operations.get(op);
		if (resource === undefined) return;
		this.connections.read(resource);
		this.connections.answerInTurn(resource, run.began);
		this.ends.complete(resource, run.began);
		this.connections.answer(resource, run.began);
		const running = run.attribute(resource);
		if (running === null || running.type.shown === 'never') return;
		if (running.type.answersInTurn && resource.type.answersInTurn) resource.logical.isWaitKnown = false;
		// One callback for several operations: its run counts only once.
		this.ends.addRun(running, 0);
	}

	nested(op: number, at: number, duration: number): void {
		const time = this.clock.see(at);
		const ended = this.clock.see(at + duration);
		if (this.requests.has(op)) {
			this.requests.goesOnBehind(op);
			this.requests.respond(op, time);
			this.ends.forget(op);
			return;
		}
		const resource = this.operations.get(op);
		if (resource === undefined || resource.type.endsOnTop) return;
		// The response to a request whose arrival was before what is read.
		if (resource.type === RESOURCE_FACTS.HTTPSERVERREQUEST) {
			this.ends.forget(op);
			return;
		}
		if (resource.type === RESOURCE_FACTS.HTTPCLIENTREQUEST) this.run.answered ??= resource.user;
		this.ends.complete(resource, time, ended);
		this.ends.addRun(resource, ended - time);
	}

	over(op: number, at: number): void {
		const time = this.clock.see(at);
		if (this.children.terminate(op)) return;
		this.requests.end(op, time);
		this.connections.release(op, this.run.began);
		const resource = this.operations.get(op);
		if (resource !== undefined && isJob(resource)) {
			this.ends.complete(resource, time);
			this.ends.addRun(resource, 0);
		}
		if (resource?.type === RESOURCE_FACTS.HTTP2SESSION) {
			for (const lost of this.requests.endSession(op, time)) this.run.endAfter(lost);
			for (const lost of this.streams.endSession(op)) this.run.endAfter(lost);
		}
		// A callback of its own that runs within another one is recorded when it is over.
		this.run.endAfter(op);
	}

	unrecorded(site: number, type: number, every: number, count: number): void {
		this.threadLines.of(this.tables.type(type), this.tables.site(site))?.addUnrecorded(count, every);
	}

	// --- what was recorded

	/** What ran when records were lost has ended since; when is unknown. */
	gap(): void {
		this.recordedTime.lose(this.now);
		this.loseRun();
	}

	stage(at: number, stage: number, every: number, permille: number): void {
		const time = this.clock.see(at);
		this.starts.isSampling = every > 1;
		this.connections.recordedOf = every;
		this.beginStretch(time);
		this.stages.push({ startMs: time / 1000, stage, costPercent: permille / 10 });
		if (this.stages.length > STAGES_KEPT) this.stages.shift();
	}

	rest(at: number, isOver: boolean, idle: number, ids: number): void {
		const time = this.clock.see(at);
		if (this.isResting !== isOver) return;
		if (!isOver) {
			this.recordedTime.beginRest(time, ids);
			this.forgetOpen();
			return;
		}
		this.messages.rest();
		this.idleUs += idle;
		this.run.resume(time);
		this.polls.resume(time);
		const factors = this.recordedTime.endRest(time, ids);
		if (factors !== null) this.extrapolate(factors, time);
		this.jobs.endRest(time);
		this.beginStretch(time);
	}

	stop(reason: string): void {
		this.stopReason = reason;
	}

	exit(time: number, idle: number): void {
		this.clock.see(time);
		this.outcome = 'exit';
		// What runs does not end any more.
		for (const op of this.run.takeOver()) this.ends.forget(op);
		this.idleUs = Math.max(this.idleUs, idle);
	}

	// --- the thread

	pool(effective: number, wanted: number): void {
		this.processPool.setSize(effective);
		this.poolWanted = wanted === effective ? null : wanted;
	}

	garbage(at: number, duration: number): void {
		const [from, to] = [this.clock.see(at), this.clock.see(at + duration)];
		this.loopBlocks.collect(from, to);
		this.timeline.collection(from, to);
	}

	loopDelay(delay: number, standsFor: number): void {
		this.loopDelays.add(delay, Math.max(1, Math.round(standsFor / DELAY_UNIT_US)));
	}

	handler(site: number, inDrain: boolean): void {
		const handler = this.tables.site(site);
		if (handler !== null) this.requests.noteHandler(handler, inDrain);
	}

	tickBlock(at: number, duration: number, site: number): void {
		this.loopBlocks.addTickBlock(this.clock.see(at), this.clock.see(at + duration), this.userOf(site));
	}

	lostCpu(duration: number): void {
		this.loopBlocks.loseCpu(duration);
	}

	stack(id: number, api: number, frames: readonly FrameFacts[]): void {
		if (id === 1) this.samples.clear();
		this.samples.add(
			id,
			api,
			frames,
			(text) => this.tables.string(text),
			(script) => this.tables.scripts.add(script),
		);
	}

	sampled(at: number, duration: number, stack: number, isCollection: boolean): void {
		this.samples.sample(this.clock.see(at), this.clock.see(at + duration), stack, isCollection, this.loopBlocks.all);
	}

	ancestor(pid: number): void {
		if (this.ancestors.length < ANCESTORS_KEPT) this.ancestors.push(pid);
	}

	child(op: number, kind: Child['kind'], id: number): void {
		this.children.add(op, { kind, id, at: this.clock.latestInHrtime });
		this.ends.succeed(op);
	}

	killed(pid: number, signal: number): void {
		this.children.kill(pid, this.tables.string(signal));
	}

	// --- inside

	/** What runs will have ended when the next record comes; when is unknown. */
	private loseRun(): void {
		this.run.lose();
		this.messages.endRun(this.now);
		this.ends.lose();
		this.children.gap();
		this.requests.begin(null);
	}

	private beginStretch(time: number): void {
		this.recordedTime.beginStretch(time);
		for (const stats of this.lines.values()) stats.beginStretch();
	}

	/**
	 * A rest is over in which lines went on as before. Timers come with the time. Of anything else a program does more while nobody looks, if it has no
	 * time left: as much as there were more async ids.
	 */
	private extrapolate({ byTime, byIds }: RestFactors, until: number): void {
		const byWork = Number.isFinite(byIds) && byIds > 0 ? byIds : byTime;
		for (const stats of this.lines.values()) stats.extrapolate(stats.class === 'timer' ? byTime : byWork, until);
	}

	/** What is under way may end unseen. */
	private forgetOpen(): void {
		this.loseRun();
		this.operations.rest();
		this.requests.rest();
		this.jobs.beginRest();
		this.messages.rest();
		this.connections.rest();
		this.streams.rest();
	}

	private userOf(site: number): Place | null {
		return this.tables.site(site)?.user ?? null;
	}

	/**
	 * The line that a callback ran for.
	 * @param answered the line of the HTTP request that was answered in it first; null where none was
	 * @param hint the first site from which it started something
	 */
	private placeOfRun(running: OpenResource | null, answered: Place | null, hint: number): Place | null {
		// The line that started a one-shot operation contains its callback; for what came from outside, only what its
		// callback called is known.
		const own = running?.logical.stats?.place ?? answered;
		const called = this.userOf(hint);
		const known = running?.type.comesFromOutside ? (called ?? own) : (own ?? called);
		return known ?? this.requests.place ?? running?.user ?? null;
	}

	private findPending(): Map<LineStats, Pending> {
		const now = this.outcome === 'running' ? this.now : Infinity;
		const pending = this.operations.pending(now, this.findUnanswered().placed);
		this.ends.addUnsettled(pending);
		return pending;
	}

	private findUnanswered(): ReturnType<typeof unansweredCommands> {
		return unansweredCommands(this.operations.left(), this.threadLines, this.now);
	}
}
