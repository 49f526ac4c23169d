// One traced thread's journal becomes operations, their waits and runs, and the blocks of its loop. Keeps only what is open:
// a finished operation lives on in its line's figures.
import { HELD_US, MAIN_OPERATION, START_FLAG } from '../protocol/journal.ts';
import type { End, OperationClass, StageChange } from '../protocol/report.ts';
import { AddonWork } from './addon-work.ts';
import { apiName, ringFacts, type TypeFacts, typeFacts } from './api-name.ts';
import { MAIN } from './callers.ts';
import { Distribution } from './distribution.ts';
import type { Child } from './family.ts';
import { GarbageLog } from './garbage-log.ts';
import { IdMap } from './id-map.ts';
import type { JournalVisitor, ThreadFacts } from './journal-reader.ts';
import { LineStats, type Place } from './line-stats.ts';
import { LoopBlock } from './loop-block.ts';
import type { FinishedOperation } from './operation-sample.ts';
import { PauseClock } from './pause-clock.ts';
import { PollClock } from './poll-clock.ts';
import type { Estimate, Interval } from './pool-replay.ts';
import { type PoolEntrance, ProcessPool } from './process-pool.ts';
import type { TimelineWindow } from './timeline-window.ts';

/** A timer so long overdue, in µs, was cleared; the loop may be late by less. */
const CLEARED_US = 1_000_000;
/** Resources kept that may call back: connections and cleared timers never say good-bye. The tracer keeps as many. */
const OPERATIONS_KEPT = 100_000;
/** Children kept per thread: a program that starts more has told the same thing a thousand times. */
const CHILDREN_KEPT = 10_000;
/** Changes of the tracer's stage kept per thread. */
const STAGES_KEPT = 100;
/** Blocks kept per thread; a program with more has one cause for most of them. */
const BLOCKS_KEPT = 1000;

/** Who started an operation, resolved from the generation's tables. */
interface SiteFacts {
	/** The user's line, or the library's where no line of the user was on the stack or had started what ran. */
	readonly user: Place | null;
	/** The library's line that called Node for the user's. */
	readonly library: Place | null;
	readonly apiName: string;
	readonly apiScript: string;
	/** Its line's figures per type of operation, once they were looked up. */
	readonly stats: Map<TypeFacts, LineStats | null>;
}

/** The parts of a wait that a class has. */
const PARTS: Record<OperationClass, readonly ('queue' | 'execute' | 'lag')[]> = {
	threadpool: ['queue', 'execute', 'lag'],
	kernel: ['lag'],
	io_uring: ['lag'],
	process: ['lag'],
	timer: ['lag'],
	loop: [],
	worker: [],
	other: [],
};

/** What Node does in several steps. */
const STEP_FAMILIES = new Set(['fs', 'zlib']);

/** One thing the program started: one async resource, or several of fs that pass on to one another. */
interface Logical {
	readonly stats: LineStats | null;
	readonly family: TypeFacts['family'];
	/** Each callback counts: an interval timer. */
	readonly repeats: boolean;
	/** Its first step is known; else it goes on with an operation that was counted before. */
	isWhole: boolean;
	started: number;
	ended: number;
	/** Steps that are still to call back. */
	open: number;
	/** Whether something was waited for since the last `finish`. */
	hasWaited: boolean;
	readonly queue: Estimate;
	readonly execute: Estimate;
	readonly lag: Estimate;
	isSplitKnown: boolean;
	isWaitKnown: boolean;
	run: number;
}

/** One async resource that may still call back. */
interface Operation {
	readonly id: number;
	readonly root: number;
	readonly type: TypeFacts;
	readonly user: Place | null;
	readonly logical: Logical;
	/** ms; -1 when it is no timer. */
	readonly delay: number;
	started: number;
	isPending: boolean;
}

/** What the replay says of one job of the pool; times in µs since the journal's begin. */
export interface PoolJob {
	id: number;
	started: number;
	/** When a thread took it; null when that cannot be told. */
	began: Interval | null;
	done: Interval;
	/** When its callback began. */
	called: number;
}

/** Hears of a thread's Workers, by thread id; times are µs of hrtime. */
export interface WorkerWatcher {
	started(id: number, at: number): void;
	ended(id: number, at: number): void;
}

export class ThreadModel implements JournalVisitor {
	/** Hears of each job of the pool as it completes. */
	watchPool: ((job: PoolJob) => void) | null = null;
	/** Takes each operation in as it finishes. */
	timeline: TimelineWindow | null = null;
	/** Pauses of the process in a debugger, in µs of hrtime. */
	private pauses = new PauseClock();
	private readonly pausesOf: (pid: number) => PauseClock;
	facts: ThreadFacts | null = null;
	outcome: End = 'running';
	stopReason: string | null = null;
	/** The variable's latest value as a size, when it differs from the size in effect. */
	poolWanted: number | null = null;
	/** The pool of its process: its own until it joins the others of that. */
	processPool = new ProcessPool();
	/** Hears of the Workers that this thread starts. */
	onWorker: WorkerWatcher | null = null;
	readonly lines = new Map<string, LineStats>();
	readonly blocks: LoopBlock[] = [];
	/** What the tracer did to stay within its budget, the latest last. */
	readonly stages: StageChange[] = [];
	readonly garbageLog = new GarbageLog();
	/** How long what was ready had to wait for the loop, µs. */
	readonly lateness = new Distribution();
	/** Scripts that started anything, by path or URL as V8 knows them. */
	readonly scripts = new Set<string>();
	/** Time of the last record, µs since the journal's begin. */
	now = 0;
	idleUs = 0;
	/** Processes above this one, the nearest first. */
	readonly ancestors: number[] = [];
	/** What it has started, the oldest first. */
	readonly children: Child[] = [];
	/** Whether a callback has ended: the main script, or one of the loop's. */
	hasTurned = false;

	private strings = new Map<number, string>();
	private types = new Map<number, TypeFacts>();
	private positions = new Map<number, Place>();
	private sites = new Map<number, SiteFacts>();
	private readonly operations = new IdMap<Operation>();
	/** Open ones, by the id of their first step. */
	private readonly logicals = new IdMap<Logical>();
	private readonly polls = new PollClock();
	private readonly addons = new AddonWork();
	private entrance: PoolEntrance | null = null;
	/** Thread ids of Workers, by the operation that started them. */
	private readonly workers = new Map<number, number>();
	/** Time of the last record, with the pauses. */
	private latest = 0;
	private neverCalledBack: Map<LineStats, number> | null = null;

	private running: Operation | null = null;
	private runBegan = 0;
	private runEnded = 0;
	/** What the running callback has started, while it is not known whose callback it is. */
	/** What ticks and microtasks held of the running callback's run. */
	private heldInRun: { began: number; ended: number; place: Place | null }[] = [];
	private readonly unclaimed = new Map<LineStats, number>();
	/** Blocks since the loop was last idle: what completes now may have been delayed by them. */
	private stretchBlocks: LoopBlock[] = [];

	/** @param pausesOf the pauses of a process, by its id: they may grow while the journal is read */
	constructor(pausesOf: (pid: number) => PauseClock = () => new PauseClock()) {
		this.pausesOf = pausesOf;
	}

	/** No more will come of this thread. */
	get isOver(): boolean {
		return this.outcome !== 'running' || this.stopReason !== null;
	}

	/** Threads of the process's pool. */
	get poolSize(): number {
		return this.processPool.size;
	}

	/** From now on it uses this pool. */
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
		return this.pauses.running((this.facts?.beganUs ?? 0) + at);
	}

	// --- tables

	thread(facts: ThreadFacts): void {
		if (this.facts === null) {
			this.facts = facts;
			this.pauses = this.pausesOf(facts.pid);
		}
		this.strings = new Map([[0, '']]);
		this.types = new Map();
		this.positions = new Map();
		this.sites = new Map();
	}

	string(id: number, text: string): void {
		this.strings.set(id, text);
	}

	position(id: number, script: number, line: number, column: number): void {
		const name = this.strings.get(script) ?? '';
		this.scripts.add(name);
		this.positions.set(id, { script: name, line, column });
	}

	site(id: number, user: number, library: number, name: number, script: number): void {
		const userPlace = this.positions.get(user) ?? null;
		const libraryPlace = this.positions.get(library) ?? null;
		this.sites.set(id, {
			// A tool that is run from node_modules has no other lines.
			user: userPlace ?? libraryPlace,
			library: userPlace === null ? null : libraryPlace,
			apiName: this.strings.get(name) ?? '',
			apiScript: this.strings.get(script) ?? '',
			stats: new Map(),
		});
	}

	// --- operations

	start(op: number, flags: number, at: number, type: number, site: number, parent: number, delay: number): void {
		if (flags & START_FLAG.restated && this.operations.has(op)) return;
		const time = this.see(at);
		const siteFacts = this.sites.get(site) ?? null;
		let facts = this.types.get(type) ?? this.findType(type);
		if (this.facts?.ioUring === true) facts = ringFacts(facts, siteFacts?.apiName ?? '');
		const isRestated = (flags & START_FLAG.restated) !== 0;
		const known = this.logicals.get(parent);
		// Of a step whose logical operation is not known any more, only the figures are added, not the count.
		const isStep =
			parent !== op && STEP_FAMILIES.has(facts.family) && (known === undefined || known.family === facts.family);
		let logical = isStep ? known : undefined;
		if (logical === undefined) {
			logical = newLogical(
				this.statsOf(facts, siteFacts),
				facts.family,
				time,
				!isStep,
				(flags & START_FLAG.repeat) !== 0,
			);
			this.logicals.set(isStep ? parent : op, logical);
			if (logical.stats !== null && logical.isWhole) {
				logical.stats.begin();
				if (!isRestated) this.addCaller(logical.stats, time);
			}
		}
		logical.open++;
		this.operations.set(op, {
			id: op,
			root: isStep ? parent : op,
			type: facts,
			user: siteFacts?.user ?? null,
			logical,
			delay,
			started: time,
			isPending: true,
		});
		if (this.operations.size > OPERATIONS_KEPT) this.forgetOldest();
		if (facts.mayUsePool && !isRestated) this.addons.start(op, time);
		if (facts.pool !== null && !isRestated) this.pooled().submit(op, time, facts.pool === 'slow');
	}

	begin(op: number, at: number, flags: number, idle: number, cpuWait: number): void {
		const time = this.see(at);
		this.idleUs += idle;
		this.running = this.operations.get(op) ?? null;
		const isPool = this.running !== null && this.running.type.pool !== null;
		if (this.polls.begin(time, flags, idle, cpuWait, this.runEnded, isPool)) this.stretchBlocks = [];
		this.runBegan = time;
		this.garbageLog.forget(time);
		this.entrance?.begin(this.polls.toldUpTo);
		if (this.running !== null) this.complete(this.running, time);
	}

	end(after: number, drain: number, hint: number): void {
		this.runEnded = this.see(after + drain);
		this.hasTurned = true;
		this.entrance?.end(this.runEnded);
		const duration = this.runEnded - this.runBegan;
		const { running } = this;
		this.claimStarts();
		// To clear even an empty map makes a new table.
		if (this.unclaimed.size > 0) this.unclaimed.clear();
		this.running = null;
		if (duration >= HELD_US) this.addBlocks(running, this.sites.get(hint)?.user ?? null);
		this.heldInRun = [];
		if (running !== null) this.addRun(running, duration);
	}

	attribute(op: number): void {
		const operation = this.operations.get(op);
		if (operation === undefined) return;
		this.complete(operation, this.runBegan);
		this.claimStarts();
		const { running } = this;
		this.running = operation;
		if (running === null || running.type.shown === 'never') return;
		if (running.type.answersInTurn && operation.type.answersInTurn) operation.logical.isWaitKnown = false;
		// One callback for several: its run is told once.
		this.addRun(running, 0);
	}

	nested(op: number, at: number, duration: number): void {
		const time = this.see(at);
		const ended = this.see(at + duration);
		const operation = this.operations.get(op);
		if (operation === undefined || operation.type.endsOnTop) return;
		this.complete(operation, time);
		this.addRun(operation, ended - time);
	}

	// --- the thread

	pool(effective: number, wanted: number): void {
		this.processPool.tellSize(effective);
		this.poolWanted = wanted === effective ? null : wanted;
	}

	garbage(at: number, duration: number): void {
		this.garbageLog.add(this.see(at), this.see(at + duration), this.blocks);
	}

	late(lateness: number): void {
		this.lateness.add(lateness);
	}

	stage(at: number, stage: number, _every: number, permille: number): void {
		this.stages.push({ startMs: this.see(at) / 1000, stage, costPercent: permille / 10 });
		if (this.stages.length > STAGES_KEPT) this.stages.shift();
	}

	unrecorded(site: number, type: number, every: number, count: number): void {
		const stats = this.statsOf(this.types.get(type) ?? this.findType(type), this.sites.get(site) ?? null);
		stats?.addUnrecorded(count, every);
	}

	held(at: number, duration: number, site: number): void {
		const began = this.see(at);
		const ended = this.see(at + duration);
		// A debugger's pause is no part of it.
		if (ended - began >= HELD_US) this.heldInRun.push({ began, ended, place: this.sites.get(site)?.user ?? null });
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
		this.ancestors.push(pid);
	}

	child(op: number, kind: Child['kind'], id: number): void {
		const at = this.latestInHrtime();
		if (this.children.push({ kind, id, at }) > CHILDREN_KEPT) this.children.shift();
		if (kind === 'process') return;
		this.workers.set(op, id);
		this.onWorker?.started(id, at);
	}

	/** It has told its last: keeps what the report says of it. */
	close(): void {
		this.neverCalledBack = this.pending();
		this.operations.clear();
		this.logicals.clear();
		this.sites.clear();
		this.positions.clear();
		this.types.clear();
		this.strings.clear();
	}

	/** Its lines are counted elsewhere from now on. */
	forgetLines(): void {
		for (const stats of this.lines.values()) stats.clear();
		this.lines.clear();
		this.scripts.clear();
		this.neverCalledBack = new Map();
	}

	/** Operations that have not called back, per line. */
	pending(): Map<LineStats, number> {
		if (this.neverCalledBack !== null) return this.neverCalledBack;
		const counts = new Map<LineStats, number>();
		const seen = new Set<Logical>();
		for (const { logical, isPending, delay, started } of this.operations) {
			if (!isPending || logical.repeats || logical.stats === null || seen.has(logical)) continue;
			// A timer that was cleared never says so: overdue, or left at the thread's end, it counts as cleared.
			const isCleared = this.outcome !== 'running' || started + delay * 1000 + CLEARED_US < this.now;
			if (delay >= 0 && isCleared) continue;
			seen.add(logical);
			counts.set(logical.stats, (counts.get(logical.stats) ?? 0) + 1);
		}
		return counts;
	}

	// --- inside

	/** A time of the journal as the program's own: without the pauses. */
	private see(at: number): number {
		if (at > this.latest) this.latest = at;
		const time = this.inProcess(at) - this.inProcess(0);
		if (time > this.now) this.now = time;
		return time;
	}

	private findType(id: number): TypeFacts {
		const facts = typeFacts(this.strings.get(id) ?? '');
		this.types.set(id, facts);
		return facts;
	}

	private latestInHrtime(): number {
		return (this.facts?.beganUs ?? 0) + this.latest;
	}

	private endWorker(op: number): void {
		const id = this.workers.get(op);
		if (id === undefined) return;
		this.workers.delete(op);
		this.onWorker?.ended(id, this.latestInHrtime());
	}

	private pooled(): PoolEntrance {
		if (this.entrance === null) {
			this.entrance = this.processPool.enter(this.inProcess(0));
			this.entrance.begin(this.polls.toldUpTo);
		}
		return this.entrance;
	}

	private statsOf(type: TypeFacts, site: SiteFacts | null): LineStats | null {
		if (site === null || type.shown === 'never') return null;
		let stats = site.stats.get(type);
		if (stats === undefined) {
			stats = this.findStats(type, site);
			site.stats.set(type, stats);
		}
		return stats;
	}

	private findStats(type: TypeFacts, site: SiteFacts): LineStats | null {
		if (site.user === null) return null;
		const { name, isCalled } = apiName(type, site.apiName, site.apiScript);
		if (type.shown === 'called' && !isCalled) return null;
		const { script, line, column } = site.user;
		const key = `${line}:${column} ${name} ${type.class} ${script}`;
		let stats = this.lines.get(key);
		if (stats === undefined) {
			stats = new LineStats(site.user, name, type.class);
			this.lines.set(key, stats);
		}
		if (site.library !== null) stats.addLibrary(site.library);
		return stats;
	}

	/** An operation of that line starts at `time`: from which line's callback? */
	private addCaller(stats: LineStats, time: number): void {
		const { running } = this;
		// A connection's callback becomes that of a request when it is over; the request itself began with it.
		if (running === null || time < this.runBegan) return;
		if (running.id === MAIN_OPERATION) stats.addCaller(MAIN);
		else if (running.logical.stats !== null) stats.addCaller(running.logical.stats);
		else if (time > this.runBegan) this.unclaimed.set(stats, (this.unclaimed.get(stats) ?? 0) + 1);
	}

	/** What was started by nobody known was started by the operation that runs now. */
	private claimStarts(): void {
		const starter = this.running?.logical.stats ?? null;
		if (starter === null || this.unclaimed.size === 0) return;
		for (const [stats, count] of this.unclaimed) stats.addCaller(starter, count);
		this.unclaimed.clear();
	}

	/** An operation's callback begins at `time`: its wait is over. */
	private complete(operation: Operation, time: number): void {
		const { logical, type, started, delay } = operation;
		if (!operation.isPending && !logical.repeats) return;
		if (operation.isPending) logical.open--;
		if (type.mayUsePool) this.addons.end(operation.id, time);
		operation.isPending = false;
		logical.hasWaited = true;
		logical.ended = time;
		if (type.pool !== null) {
			this.splitPool(operation, time);
		} else if (delay >= 0) {
			const due = Math.min(time, started + delay * 1000);
			addExactly(logical.lag, time - due);
			this.countDelays(operation, { low: due, high: due }, time);
		} else if (type.class === 'kernel' || type.class === 'io_uring' || type.class === 'process') {
			const done = this.polls.done(started);
			// When the bytes of a request on a kept-alive connection came, nobody saw: with this poll at the earliest.
			if (started === time) {
				done.low = this.polls.done(0).low;
				logical.started = done.low;
			}
			addEstimate(logical.lag, time - done.high, time - middle(done), time - done.low);
			this.countDelays(operation, done, time);
		} else if (type.class === 'worker') {
			this.endWorker(operation.id);
		}
		// An interval starts anew with each callback.
		operation.started = time;
	}

	private splitPool(operation: Operation, time: number): void {
		const { id, logical, started } = operation;
		const seen = this.polls.done(started);
		const began = this.pooled().complete(id, started, seen, time, logical.stats);
		if (began === null || this.addons.overlap(started, time)) {
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
		this.countDelays(operation, done, time);
	}

	/** Notes which blocks held up a callback that could have run at `ready` and ran at `time`. */
	private countDelays(operation: Operation, ready: Interval, time: number): void {
		const { stats } = operation.logical;
		if (stats === null) return;
		for (const block of this.stretchBlocks) block.delay(stats, ready, time);
	}

	private addRun(operation: Operation, duration: number): void {
		const { logical, id, root } = operation;
		logical.run += duration;
		if (logical.open > 0) {
			this.operations.delete(id);
			return;
		}
		if (logical.stats !== null && logical.hasWaited) {
			this.timeline?.add(this, logical.stats, PARTS[logical.stats.class], logical);
		}
		finish(logical);
		if (operation.type.callsBackOnce && !logical.repeats) {
			this.operations.delete(id);
			this.logicals.delete(root);
		}
	}

	private forgetOldest(): void {
		const oldest = this.operations.oldest();
		if (oldest === undefined) return;
		this.operations.delete(oldest.id);
		this.logicals.delete(oldest.root);
	}

	/** A long run is one block, but for what ticks and microtasks of other lines held of it: shorter rests belong to these. */
	private addBlocks(running: Operation | null, hint: Place | null): void {
		// The line that started a one-shot operation holds its callback; of what came from outside only what its callback called
		// is known.
		const own = running?.logical.stats?.place ?? null;
		const place = (running?.type.comesFromOutside ? (hint ?? own) : (own ?? hint)) ?? running?.user ?? null;
		const isMain = running?.id === MAIN_OPERATION;
		let from = this.runBegan;
		for (const [i, { began, ended, place: holder }] of this.heldInRun.entries()) {
			if (began - from >= HELD_US) {
				this.addBlock(new LoopBlock(place, from, began - from, isMain));
				from = began;
			}
			const isLast = i === this.heldInRun.length - 1;
			const until = isLast && this.runEnded - ended < HELD_US ? this.runEnded : ended;
			this.addBlock(new LoopBlock(holder, from, until - from, isMain));
			from = until;
		}
		if (this.runEnded - from >= HELD_US) this.addBlock(new LoopBlock(place, from, this.runEnded - from, isMain));
	}

	private addBlock(block: LoopBlock): void {
		this.garbageLog.fill(block);
		this.stretchBlocks.push(block);
		if (this.blocks.length < BLOCKS_KEPT) this.blocks.push(block);
	}
}

/** All steps have called back: the operation goes into its line's figures. */
function finish(logical: Logical): void {
	const { stats, started, ended, hasWaited, run } = logical;
	if (stats !== null) {
		stats.changes++;
		if (logical.isWhole || (logical.repeats && hasWaited)) stats.count++;
		if (logical.isWhole) stats.end();
		if (hasWaited) {
			addWaits(stats, logical, Math.max(0, ended - started));
			if ((logical.isWhole || logical.repeats) && logical.isWaitKnown && stats.sample.wants())
				stats.sample.keep(finishedOf(stats, logical));
		}
		stats.run.addExactly(run);
	}
	logical.isWhole = false;
	logical.hasWaited = false;
	logical.started = ended;
	reset(logical.queue);
	reset(logical.execute);
	reset(logical.lag);
	logical.isSplitKnown = true;
	logical.isWaitKnown = true;
	logical.run = 0;
}

function addWaits(stats: LineStats, logical: Logical, wait: number): void {
	if (logical.isWaitKnown) stats.wait.addExactly(wait);
	else stats.wait.addUnknown();
	for (const part of PARTS[stats.class]) {
		if (logical.isSplitKnown && logical.isWaitKnown) stats[part].add(logical[part]);
		else stats[part].addUnknown();
	}
}

/** The same, as one operation's own times. */
function finishedOf(stats: LineStats, { started, ended, isSplitKnown, run, ...parts }: Logical): FinishedOperation {
	const finished = {
		started,
		wait: Math.max(0, ended - started),
		queue: -1,
		execute: -1,
		lag: -1,
		run,
		uncertainty: 0,
	};
	for (const part of PARTS[stats.class]) {
		const { low, value, high } = parts[part];
		if (isSplitKnown) finished[part] = value;
		finished.uncertainty = isSplitKnown ? Math.max(finished.uncertainty, value - low, high - value) : Infinity;
	}
	return finished;
}

function newLogical(
	stats: LineStats | null,
	family: TypeFacts['family'],
	started: number,
	isWhole: boolean,
	repeats: boolean,
): Logical {
	return {
		stats,
		family,
		repeats,
		isWhole,
		started,
		ended: started,
		open: 0,
		hasWaited: false,
		queue: exactly(0),
		execute: exactly(0),
		lag: exactly(0),
		isSplitKnown: true,
		isWaitKnown: true,
		run: 0,
	};
}

function exactly(us: number): Estimate {
	return { low: us, value: us, high: us };
}

function middle({ low, high }: Interval): number {
	return (low + high) / 2;
}

/** Adds one step's figure to its operation's; times cannot be negative. */
function addEstimate(sum: Estimate, low: number, value: number, high: number): void {
	sum.low += Math.max(0, low);
	sum.value += Math.max(0, value);
	sum.high += Math.max(0, high);
}

function addExactly(sum: Estimate, us: number): void {
	addEstimate(sum, us, us, us);
}

function reset(sum: Estimate): void {
	sum.low = sum.value = sum.high = 0;
}
