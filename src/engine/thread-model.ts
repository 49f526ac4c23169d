// One traced thread's journal becomes operations, their waits and runs, and the blocks of its loop. Keeps only what is open:
// a finished operation lives on in its line's figures.
import { BLOCK_US, MAIN_OPERATION } from '../protocol/journal.ts';
import { type FrameFacts, START_FLAG } from '../protocol/journal-records.ts';
import type { End, StageChange } from '../protocol/report.ts';
import { EARLIER_COMMAND_WAIT, RESOURCE_FACTS, type ResourceFacts } from '../protocol/resource-facts.ts';
import { AddonJobs } from './addon-jobs.ts';
import { AgentSockets } from './agent-sockets.ts';
import { ringFacts } from './api-name.ts';
import { BusySlices } from './busy-slices.ts';
import { MAIN } from './callers.ts';
import { ConnectionUsers } from './connection-users.ts';
import { DebuggerLog } from './debugger-log.ts';
import { Distribution } from './distribution.ts';
import { EarlierCommands } from './earlier-commands.ts';
import { addEstimate, addExactly, type Interval, middle } from './estimate.ts';
import { FailedSpawns } from './failed-spawns.ts';
import type { GarbageLog } from './garbage-log.ts';
import { JournalTables, type SiteFacts } from './journal-tables.ts';
import type { JournalVisitor } from './journal-visitor.ts';
import type { LineStats } from './line-stats.ts';
import { LogicalOperation } from './logical-operation.ts';
import type { LoopBlock } from './loop-block.ts';
import { hasSteps, OpenOperations, type OpenResource, type Pending } from './open-operations.ts';
import type { Place } from './place.ts';
import { PollClock } from './poll-clock.ts';
import { type PoolEntrance, ProcessPool } from './process-pool.ts';
import { ReaderWaits } from './reader-waits.ts';
import type { RequestStats } from './request-stats.ts';
import { StackSamples } from './stack-samples.ts';
import { ThreadBlocks } from './thread-blocks.ts';
import { type Child, ThreadChildren } from './thread-children.ts';
import type { ThreadFacts } from './thread-facts.ts';
import { ThreadLines } from './thread-lines.ts';
import { ThreadRequests } from './thread-requests.ts';
import type { TimelineWindow } from './timeline-window.ts';
import { UnclaimedStarts } from './unclaimed-starts.ts';

/** Changes of the tracer's stage kept per thread. */
const STAGES_KEPT = 100;

/**
 * The least time between two samples of the loop's delay, in µs: a sample that represents a longer time counts as
 * several.
 */
const DELAY_UNIT_US = 5000;

/** The most processes above one that are kept: the tracer records at most eight. */
const ANCESTORS_KEPT = 64;

/** What is asked over a connection. */
const EXCHANGES = new Set([RESOURCE_FACTS.EXCHANGE, RESOURCE_FACTS.TURNEXCHANGE]);

/** The replay's times of one pool job; in µs since the journal's begin. */
export interface PoolJob {
	id: number;
	started: number;
	/** When a thread took it; null when that is unknown. */
	began: Interval | null;
	done: Interval;
	/** When its callback began. */
	called: number;
}

export class ThreadModel implements JournalVisitor {
	/** Is called with each job of the pool as it completes. */
	watchPool: ((job: PoolJob) => void) | null = null;
	/** Receives each operation as it finishes. */
	timeline: TimelineWindow | null = null;
	/** What a debugger did to the process, in µs of hrtime. */
	private debugger = new DebuggerLog();
	private readonly debuggerOf: (pid: number) => DebuggerLog;
	facts: ThreadFacts | null = null;
	outcome: End = 'running';
	stopReason: string | null = null;
	/** The variable's latest value as a size, when it differs from the size in effect. */
	poolWanted: number | null = null;
	/** The pool of its process: its own until it joins the process's shared one. */
	processPool = new ProcessPool();
	/** What the tracer did to stay within its budget, the latest last. */
	readonly stages: StageChange[] = [];
	/** How long ready callbacks had to wait for the loop, µs. */
	readonly loopDelays = new Distribution();
	/** Time of the last record, µs since the journal's begin. */
	now = 0;
	idleUs = 0;
	/** Processes above this one, the nearest first. */
	readonly ancestors: number[] = [];
	readonly children = new ThreadChildren();
	readonly connectionUsers = new ConnectionUsers();
	/** Whether a callback has ended: the main script, or one of the loop's. */
	hasTurned = false;

	private readonly tables = new JournalTables();
	private readonly threadLines = new ThreadLines();
	private readonly operations = new OpenOperations();
	private readonly loopBlocks = new ThreadBlocks();
	private readonly samples = new StackSamples();
	private readonly polls = new PollClock();
	private readonly addons = new AddonJobs();
	private readonly agents = new AgentSockets();
	private readonly earlier = new EarlierCommands();
	private readonly readers = new ReaderWaits();
	private readonly spawns = new FailedSpawns();
	private readonly busy = new BusySlices((from, to, busyUs) => this.timeline?.addBusy(this, from, to, busyUs));
	private readonly requests = new ThreadRequests();
	/** When the callback that is being completed could have begun; null where that is not known. */
	private ready: Interval | null = null;
	private entrance: PoolEntrance | null = null;
	/** Time of the last record, including the pauses. */
	private latest = 0;
	private neverCalledBack: Map<LineStats, Pending> | null = null;

	private running: OpenResource | null = null;
	private runBegan = 0;
	private runEnded = 0;
	/** False while the begin of the running callback is lost. */
	private isRunKnown = true;
	private readonly unclaimed = new UnclaimedStarts();

	/**
	 * @param debuggerOf debuggerOf returns what a debugger did to a process, by its id; the result may grow while the
	 * journal is read
	 */
	constructor(debuggerOf: (pid: number) => DebuggerLog = () => new DebuggerLog()) {
		this.debuggerOf = debuggerOf;
	}

	/** Whether the thread's journal has ended. */
	get isOver(): boolean {
		return this.outcome !== 'running' || this.stopReason !== null;
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

	/** What its server's requests took, by the line of the handler. */
	get routes(): ReadonlyMap<LineStats, RequestStats> {
		return this.requests.routes;
	}

	get blocks(): readonly LoopBlock[] {
		return this.loopBlocks.all;
	}

	get garbageLog(): GarbageLog {
		return this.loopBlocks.garbage;
	}

	/** From now on the thread uses this pool. */
	join(pool: ProcessPool): void {
		if (pool === this.processPool) return;
		this.processPool = pool;
		this.entrance = null;
	}

	/** The journal's begin, in µs of the process. */
	get originUs(): number {
		return this.inProcess(0);
	}

	/** A time of the journal, µs since it began, in µs of the process: hrtime without the pauses. */
	inProcess(at: number): number {
		return this.debugger.pauses.running((this.facts?.beganUs ?? 0) + at);
	}

	/** What ran when records were lost has ended since; when is unknown. */
	gap(): void {
		this.running = null;
		this.isRunKnown = false;
		this.unclaimed.clear();
		this.spawns.take();
		this.requests.begin(null);
	}

	// --- tables

	thread(facts: ThreadFacts): void {
		if (this.facts === null) {
			this.facts = facts;
			this.debugger = this.debuggerOf(facts.pid);
		} else if (this.facts.entry === '') {
			// A Worker's file is known only once it runs.
			this.facts = facts;
		}
		this.tables.clear();
	}

	string(id: number, text: string): void {
		this.tables.addString(id, text);
	}

	position(id: number, script: number, line: number, column: number): void {
		this.tables.addPosition(id, script, line, column);
	}

	site(id: number, user: number, library: number, name: number, script: number): void {
		this.tables.addSite(id, user, library, name, script);
	}

	// --- operations

	start(op: number, flags: number, at: number, type: number, site: number, parent: number, delay: number): void {
		const isRestated = (flags & START_FLAG.restated) !== 0;
		if (isRestated && (this.operations.has(op) || this.requests.has(op))) return;
		const started = this.see(at);
		const siteFacts = this.tables.site(site);
		let facts = this.readers.factsOf(op, this.addons.factsOf(this.tables.type(type)));
		if (this.facts?.ioUring === true) facts = ringFacts(facts, siteFacts?.apiName ?? '');
		const mayBeStep = parent !== op && hasSteps(facts.family);
		const known = mayBeStep ? this.operations.logicalOf(parent) : undefined;
		// For a step whose logical operation is no longer known, only the figures are added, not the count.
		const isStep = mayBeStep && (known === undefined || known.family === facts.family);
		const root = isStep ? parent : op;
		let logical = isStep ? known : undefined;
		if (logical === undefined) {
			logical = this.startLogical(facts, siteFacts, started, flags, !isStep);
			this.operations.addLogical(root, logical);
		}
		logical.open++;
		const resource: OpenResource = {
			id: op,
			root,
			type: facts,
			user: siteFacts?.user ?? null,
			site: siteFacts,
			logical,
			delay,
			started,
			isPending: true,
			hop: null,
			lastHop: null,
			respondedAt: -1,
		};
		this.operations.add(resource);
		if (isRestated) return;
		this.agents.start(resource, this.facts?.node ?? '');
		this.spawns.start(resource);
		this.requests.start(resource);
		if (facts.pool === null) return;
		this.withdrawOverdue(started);
		if (facts.isAddon) this.addons.start(op, facts, started);
		this.pooled().submit(op, started, facts.pool === 'slow');
	}

	private startLogical(
		type: ResourceFacts,
		site: SiteFacts | null,
		started: number,
		flags: number,
		isWhole: boolean,
	): LogicalOperation {
		const stats = this.threadLines.of(type, site);
		if (stats !== null && isWhole) {
			stats.begin();
			if ((flags & START_FLAG.restated) === 0) this.addCaller(stats, started);
		}
		return new LogicalOperation(stats, type, started, isWhole, (flags & START_FLAG.repeat) !== 0);
	}

	begin(op: number, at: number, flags: number, idle: number, cpuWait: number): void {
		const time = this.see(at);
		this.idleUs += idle;
		// What the loop does between two callbacks is Node's and libuv's own work.
		if (this.isRunKnown) this.busy.add(time, time - this.runEnded - idle);
		else this.busy.skip(time);
		this.readers.begin(op);
		this.running = this.operations.get(op) ?? null;
		const isPool = this.running !== null && this.running.type.pool !== null;
		this.polls.begin(time, flags, idle, cpuWait, this.runEnded, isPool);
		this.runBegan = time;
		this.isRunKnown = true;
		this.loopBlocks.begin(time);
		this.entrance?.begin(this.polls.knownUpTo);
		this.requests.begin(this.running);
		this.connectionUsers.begin(this.running, time);
		this.earlier.begin(this.running);
		if (this.running !== null) this.complete(this.running, time);
		else this.addons.callBack(op);
	}

	end(after: number, drain: number, hint: number): void {
		const callbackEnded = this.see(after);
		this.runEnded = this.see(after + drain);
		this.hasTurned = true;
		this.agents.endRun();
		for (const resource of this.spawns.take()) this.endFailed(resource, callbackEnded);
		this.entrance?.end(this.runEnded);
		const duration = this.runEnded - this.runBegan;
		const { running } = this;
		this.claimStarts();
		this.unclaimed.clear();
		this.running = null;
		const place = this.placeOfRun(running, hint);
		this.requests.end(this.runBegan, this.runEnded, place);
		if (!this.isRunKnown) return;
		this.busy.add(this.runEnded, duration);
		if (duration >= BLOCK_US) this.loopBlocks.end(this.runBegan, this.runEnded, place, running?.id === MAIN_OPERATION);
		if (running !== null) this.addRun(running, duration);
	}

	attribute(op: number): void {
		const resource = this.operations.get(op);
		if (resource === undefined) return;
		if (resource.type === RESOURCE_FACTS.TURNEXCHANGE) this.waitForEarlier(resource);
		this.complete(resource, this.runBegan);
		const { stats } = resource.logical;
		if (EXCHANGES.has(resource.type) && stats !== null) this.connectionUsers.answer(stats, this.runBegan);
		this.claimStarts();
		const { running } = this;
		this.running = resource;
		if (running === null || running.type.shown === 'never') return;
		if (running.type.answersInTurn && resource.type.answersInTurn) resource.logical.isWaitKnown = false;
		// One callback for several operations: its run counts only once.
		this.addRun(running, 0);
	}

	nested(op: number, at: number, duration: number): void {
		const time = this.see(at);
		const ended = this.see(at + duration);
		if (this.requests.has(op)) {
			this.requests.respond(op, time);
			return;
		}
		const resource = this.operations.get(op);
		if (resource === undefined || resource.type.endsOnTop) return;
		this.complete(resource, time, true);
		this.addRun(resource, ended - time);
	}

	unrecorded(site: number, type: number, every: number, count: number): void {
		this.threadLines.of(this.tables.type(type), this.tables.site(site))?.addUnrecorded(count, every);
	}

	// --- the thread

	pool(effective: number, wanted: number): void {
		this.processPool.setSize(effective);
		this.poolWanted = wanted === effective ? null : wanted;
	}

	garbage(at: number, duration: number): void {
		this.loopBlocks.collect(this.see(at), this.see(at + duration));
	}

	loopDelay(delay: number, standsFor: number): void {
		this.loopDelays.add(delay, Math.max(1, Math.round(standsFor / DELAY_UNIT_US)));
	}

	stage(at: number, stage: number, every: number, permille: number): void {
		this.agents.isSampling = every > 1;
		this.readers.isSampling = every > 1;
		this.stages.push({ startMs: this.see(at) / 1000, stage, costPercent: permille / 10 });
		if (this.stages.length > STAGES_KEPT) this.stages.shift();
	}

	tickBlock(at: number, duration: number, site: number): void {
		this.loopBlocks.addTickBlock(this.see(at), this.see(at + duration), this.userOf(site));
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
		this.samples.sample(this.see(at), this.see(at + duration), stack, isCollection, this.loopBlocks.all);
	}

	stop(reason: string): void {
		this.stopReason = reason;
	}

	exit(time: number, idle: number): void {
		this.see(time);
		this.outcome = 'exit';
		this.idleUs = Math.max(this.idleUs, idle);
	}

	ancestor(pid: number): void {
		if (this.ancestors.length < ANCESTORS_KEPT) this.ancestors.push(pid);
	}

	child(op: number, kind: Child['kind'], id: number): void {
		this.children.add(op, { kind, id, at: this.latestInHrtime() });
		this.spawns.succeed(op);
	}

	/** The journal has ended: keeps only what the report shows. */
	close(): void {
		this.neverCalledBack = this.pending();
		this.operations.clear();
		this.requests.close();
		this.tables.clear();
	}

	/** Its lines are counted elsewhere from now on. */
	forgetLines(): void {
		this.threadLines.forget();
		this.tables.scripts.clear();
		this.neverCalledBack = new Map();
	}

	/** For how much of the thread's time a debugger collected asynchronous call stacks, in µs. */
	get asyncStacksUs(): number {
		return this.debugger.asyncStacks.within(this.facts?.beganUs ?? 0, this.latestInHrtime());
	}

	/** Operations that have not called back, per line. */
	pending(): Map<LineStats, Pending> {
		return this.neverCalledBack ?? this.operations.pending(this.outcome === 'running' ? this.now : Infinity);
	}

	// --- inside

	/** Converts a time of the journal to the program's own: without the pauses. */
	private see(at: number): number {
		if (at > this.latest) this.latest = at;
		const time = this.debugger.pauses.isEmpty ? at : this.inProcess(at) - this.inProcess(0);
		if (time > this.now) this.now = time;
		return time;
	}

	private latestInHrtime(): number {
		return (this.facts?.beganUs ?? 0) + this.latest;
	}

	private userOf(site: number): Place | null {
		return this.tables.site(site)?.user ?? null;
	}

	private pooled(): PoolEntrance {
		if (this.entrance === null) {
			this.entrance = this.processPool.enter(this.inProcess(0));
			this.entrance.begin(this.polls.knownUpTo);
		}
		return this.entrance;
	}

	/** An operation of that line starts at `time`: from which line's callback? */
	private addCaller(stats: LineStats, time: number): void {
		const { running } = this;
		// A connection's callback is assigned to a request when it is over; the request itself began with it.
		if (running === null || time < this.runBegan) return;
		if (running.id === MAIN_OPERATION) stats.addCaller(MAIN);
		else if (running.logical.stats !== null) stats.addCaller(running.logical.stats);
		else if (time > this.runBegan) this.unclaimed.add(stats);
	}

	/** Starts without a known starter were started by the operation that runs now. */
	private claimStarts(): void {
		const starter = this.running?.logical.stats ?? null;
		if (starter !== null) this.unclaimed.claim(starter);
	}

	/** An operation's callback begins at `time`: its wait is over. */
	private complete(resource: OpenResource, time: number, isNested = false): void {
		const { logical, type, started, delay } = resource;
		if (!resource.isPending && !logical.repeats) {
			this.requests.complete(resource, started, null, time, isNested);
			return;
		}
		if (resource.isPending) logical.open--;
		resource.isPending = false;
		logical.hasWaited = true;
		logical.ended = time;
		this.ready = null;
		if (type.pool !== null && type.isAddon && !this.addons.end(resource.id, time)) {
			logical.isSplitKnown = false;
		} else if (type.pool !== null) {
			this.splitPool(resource, time);
		} else if (delay >= 0) {
			const due = Math.min(time, started + delay * 1000);
			addExactly(logical.lag, time - due);
			this.countDelays(resource, { low: due, high: due }, time);
		} else if (type.class === 'kernel' || type.class === 'io_uring' || type.class === 'process') {
			const done = this.polls.done(started);
			// When the bytes of a request on a kept-alive connection arrived is unknown: with this poll at the
			// earliest.
			if (started === time) {
				done.low = this.polls.done(0).low;
				logical.started = done.low;
			}
			addEstimate(logical.lag, time - done.high, time - middle(done), time - done.low);
			this.countDelays(resource, done, time);
		} else if (type.class === 'worker') {
			this.children.end(resource.id, this.latestInHrtime());
		}
		this.requests.complete(resource, started, this.ready, time, isNested);
		if (type === RESOURCE_FACTS.QueuedRequest) this.giveSocket(resource, time);
		// An interval starts again with each callback.
		resource.started = time;
	}

	/** A request of an HTTP agent has waited for a socket, and begins now. */
	private giveSocket(wait: OpenResource, time: number): void {
		const request = this.agents.take(wait);
		if (request === null || !request.isPending) return;
		request.started = time;
		request.logical.started = time;
		this.requests.handOver(request);
	}

	/** The running callback answers that request: first it may have waited for the answers to earlier ones. */
	private waitForEarlier(exchange: OpenResource): void {
		const { started, site } = exchange;
		if (!exchange.isPending) return;
		const until = this.earlier.answer(started, this.polls.done(0).low, this.runBegan);
		const stats = until === null ? null : this.threadLines.of(EARLIER_COMMAND_WAIT, site);
		if (until === null || stats === null) return;
		stats.begin();
		stats.maxInFlight = Math.max(stats.maxInFlight, this.earlier.atOnce(stats, started, until));
		const wait = new LogicalOperation(stats, EARLIER_COMMAND_WAIT, started, true, false);
		wait.hasWaited = true;
		wait.ended = until;
		this.timeline?.add(this, stats, wait);
		wait.finish();
		this.requests.waitFirst(exchange, stats, until);
		exchange.started = until;
		exchange.logical.started = until;
	}

	private splitPool(resource: OpenResource, time: number): void {
		const { id, logical, started } = resource;
		const seen = this.polls.done(started);
		const began = this.pooled().complete(id, started, seen, time, logical.stats);
		if (this.addons.overlap(started)) logical.assumesAddonJobs = true;
		if (began === null) {
			logical.isSplitKnown = false;
			this.watchPool?.({ id, started, called: time, began: null, done: seen });
			return;
		}
		const done = { low: Math.max(seen.low, Math.min(began.low, seen.high)), high: seen.high };
		this.watchPool?.({ id, started, called: time, began, done });
		// The shown values add up to the wait.
		const beganAt = middle(began);
		const doneAt = Math.max(beganAt, middle(done));
		addEstimate(logical.queue, began.low - started, beganAt - started, began.high - started);
		addEstimate(logical.execute, done.low - began.high, doneAt - beganAt, done.high - began.low);
		addEstimate(logical.lag, time - done.high, time - doneAt, time - done.low);
		this.countDelays(resource, done, time);
	}

	/** An assumed job of an add-on that has no end is no job: it never occupied the pool. */
	private withdrawOverdue(now: number): void {
		for (let job = this.addons.takeOverdue(now); job !== undefined; job = this.addons.takeOverdue(now)) {
			this.pooled().withdraw(job.id, job.started, now);
		}
	}

	/** The callback could have run at `ready` and ran at `time`: finds out which blocks delayed it. */
	private countDelays({ logical }: OpenResource, ready: Interval, time: number): void {
		this.ready = ready;
		if (logical.stats !== null) this.loopBlocks.delay(logical.stats, ready, time);
	}

	/** Its error came in a tick of the callback that is over: at its end at the earliest, and before the end of the drain. */
	private endFailed(resource: OpenResource, callbackEnded: number): void {
		const { logical } = resource;
		if (!resource.isPending) return;
		resource.isPending = false;
		logical.open--;
		logical.hasWaited = true;
		logical.ended = Math.max(resource.started, callbackEnded);
		logical.mayEndLater = this.runEnded - logical.ended;
		logical.finish();
		this.operations.forget(resource);
	}

	private addRun(resource: OpenResource, duration: number): void {
		const { logical } = resource;
		logical.run += duration;
		if (logical.open > 0) {
			this.operations.endStep(resource);
			return;
		}
		if (logical.stats !== null && logical.hasWaited) {
			this.timeline?.add(this, logical.stats, logical);
			if (this.debugger.asyncStacks.covers(this.latestInHrtime())) logical.stats.asyncStackRuns++;
		}
		logical.finish();
		if (resource.type.callsBackOnce && !logical.repeats) this.operations.forget(resource);
	}

	/** The line that a callback ran for. @param hint the first site from which it started something */
	private placeOfRun(running: OpenResource | null, hint: number): Place | null {
		// The line that started a one-shot operation contains its callback; for what came from outside, only what its
		// callback called is known.
		const own = running?.logical.stats?.place ?? null;
		const called = this.userOf(hint);
		return (running?.type.comesFromOutside ? (called ?? own) : (own ?? called)) ?? running?.user ?? null;
	}
}
