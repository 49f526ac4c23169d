// Follows every operation of this thread through the hooks and writes what happens into the journal, in the order of time.
// Runs inside the program's own callbacks: nothing here may throw, wait, or keep one of the program's objects.
import hooks from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import util from 'node:util';
import { ADDON_PREFIX, HELD_US, MAIN_OPERATION } from '../src/protocol/journal.ts';
import { BEGIN_FLAG } from '../src/protocol/journal-records.ts';
import type { AnyType, ForeignType, ResourceType } from '../src/protocol/resource-types.ts';
import { Records } from './journal/records.ts';
import type { JournalWriter } from './journal/writer.ts';
import { type Kind, kindOf } from './kinds.ts';
import { newOperation, type Operation, type Unrecorded } from './operations/operation.ts';
import { OperationTable } from './operations/operation-table.ts';
import { Peer } from './operations/peer.ts';
import { RecentIds } from './operations/recent-ids.ts';
import { Sampling } from './operations/sampling.ts';
import { TickQueue } from './operations/tick-queue.ts';
import { bothClocks } from './process/both-clocks.ts';
import { performanceNow } from './process/clock.ts';
import type { DeferredStart } from './process/deferred-start.ts';
import type { Entry } from './process/own-realm.ts';
import { isMainThread, parentPort } from './process/this-thread.ts';
import { CpuWait } from './run/cpu-wait.ts';
import type { Governor } from './run/governor.ts';
import { LostIdle } from './run/lost-idle.ts';
import { TickClock } from './run/tick-clock.ts';
import { functionSite, handlerSite, onLine, withUser } from './sites/derived-sites.ts';
import { type Capture, foretell, need, type Place, routeOf, type Step, Trees } from './sites/predictor.ts';
import { CONTINUED, captureSite, lookForHandler, type Site, siteOfKept } from './sites/sites.ts';
import { AskedInTurn } from './sources/asked-in-turn.ts';
import type { ConnectionQueues } from './sources/connection-queues.ts';
import { ConnectionWaits, isOfPool, type Queue } from './sources/connection-waits.ts';
import type { HandleWrites } from './sources/handle-writes.ts';
import type { Need } from './sources/library-queues.ts';
import { MessagePorts } from './sources/message-ports.ts';
import { childId, type PendingChild, pendingChildOf } from './sources/pending-child.ts';
import { PoolSize } from './sources/pool-size.ts';
import { handleId } from './sources/socket-handle.ts';
import type { Sampler } from './stacks/load-sampler.ts';

/**
 * A callback that is over writes what waits after so long: a program that is killed loses no more of a loop that runs. As often the loop is woken
 * while callbacks run, to write what waits once it rests and to see how late that is: the host takes a thread that is busy and silent for 300 ms
 * for a blocked one. A loop that sleeps for more than half of the time is woken less often, for that takes 0.2 ms there, with nothing of it in the
 * caches: a live view, which is made anew four times a second, lags by no more.
 */
const FLUSH_US = 50_000;
const WAKE_CALM_US = 200_000;
/** Of a thread that is younger than a second, what is lost is no more than this share either: test runners kill their workers. */
const FLUSH_SHARE = 1 / 20;
const FLUSH_LEAST_US = 5000;
/** A shorter wait for a CPU makes no figure less than measured, and a shorter time between two callbacks holds no longer one. */
const CPU_WAIT_US = 200;
/** Up to twice as many are kept, at about 150 bytes: programs with more connections and timers at once are rare. */
const TABLE_ENTRIES = 50_000;
/** What Node takes for longer it sets to 1 (TIMEOUT_MAX of lib/internal/timers.js). */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
/** After a callback this long it is worth 1 µs to ask Node whether the loop polled since. */
const LONG_RUN_US = 1000;

// Taken now: the program may replace them later.
const { AsyncResource, executionAsyncResource } = hooks;
const { isPromise } = util.types;
const { nodeTiming } = performance as unknown as { nodeTiming: NodeTiming };

interface NodeTiming {
	/** ms. */
	readonly idleTime: number;
	/** From Node 22.8. */
	readonly uvMetricsInfo?: { loopCount: number };
}

/** Where a time stands for a callback of the program: that of a carrier, and of a tick, which the table does not hold. */
const CARRIES = -1;
const TICKS = -2;

/** A callback that another one runs in. */
interface Frame {
	readonly operation: Operation;
	/** That its callback was told by. */
	readonly id: number;
	/** µs since the journal began, CARRIES or TICKS. */
	readonly began: number;
	readonly place: Place | null | undefined;
	readonly origin: Step | null;
}

export class Recorder {
	private readonly begin = bothClocks();
	/** hrtime in ns at the journal's begin. */
	private readonly began = this.begin.hrtime;
	/** The clock of performance entries then, in ms. */
	private readonly clockAtBegin = this.begin.ms;
	/** Idle time of the loop at the journal's begin, in ms. */
	private readonly idleAtBegin = nodeTiming.idleTime;
	private readonly writer: JournalWriter;
	private readonly records: Records;
	private readonly table = new OperationTable<Operation>(TABLE_ENTRIES);
	private readonly callbackTrees = new Trees();
	/** A carrier that shares another operation's entry has its own trees. */
	private readonly carrierTrees = new Trees();

	/** One entry for all timers that Node sets for itself, such as a connection's time-outs: nobody waits for them. */
	private readonly ownTimer: Operation;
	/**
	 * Their ids: a kept-alive connection sets and clears one per request. Most never fire; one that is forgotten only counts as part of
	 * the callback before it.
	 */
	private readonly ownTimers = new RecentIds();

	/** Whose callback, or whose drain, runs now. */
	private current: Operation;
	private trees = this.callbackTrees;
	/** Where the predictor stands in it: null past its limits, undefined until somebody asks, for most callbacks start nothing. */
	private place: Place | null | undefined = null;
	/** Whether the socket's callback that runs, or ran last, goes on with several lines at once. */
	private isMixed = false;
	/** What foretold the last start. */
	private step: Step | null = null;
	/** What foretold the tick that runs, if one does: its site matters once something inherits it. */
	private origin: Step | null = null;
	/** How many operations have their callbacks on the stack. */
	private depth = 0;
	/** The innermost of them, with the id that its callback was told by, and when that began: µs since the journal began, CARRIES or TICKS. */
	private top: Operation;
	private topId = 0;
	private topBegan = 0;
	/** Those around it, outermost first: as many as `depth` tells, less one. */
	private readonly outer: Frame[] = [];

	/** The top-level callback that is not closed yet: when it began and when its `after` came (-1: not yet). */
	private isOpen = true;
	private runBegan = 0;
	private runAfter = -1;
	/** What a flush took since then, in µs: no part of the program's own time. */
	private flushing = 0;
	private hint: Site | null = null;
	/** Whether a callback began since the last `wake`. */
	hasRun = true;
	/** Whether anything has started that is recorded. */
	hasStarted = false;
	private served: Operation | null = null;
	/** An HTTP/2 peer has opened a stream: the session's next callback serves it. */
	private hasNewStream = false;
	private readonly tickClock = new TickClock(() => this.now());
	/** When the microtask of a line began that runs outside all callbacks, in µs; -1 when none does. */
	private carrierBegan = -1;
	/** Loop iteration at the end of a long callback, or -1. */
	private loopCount = -1;

	/** The first resource that was started under the tracer's eyes; those of a program that ran before have lower ids. */
	private firstId = 0;

	/** One for all ticks and microtasks of a site, by its id. */
	private readonly carriers: (Operation | undefined)[] = [];
	private readonly ticks = new TickQueue();
	private readonly ports = new MessagePorts();
	/** The child started last, until its id is known. */
	private pendingChild: PendingChild | null = null;
	/** The first operation that the running carrier started, or 0. */
	private carriedRoot = 0;

	private readonly cpuWait = new CpuWait();
	private lastIdle = this.idleAtBegin;
	/** Idle time, in ms, that an idle flush saw before the next callback could. */
	private idleInFlush = 0;
	/** What the thread waited for a CPU until then, in µs. */
	private cpuWaitInFlush = 0;
	private lastFlush = 0;
	/** Idle time at the last flush, in ms, and whether the loop had slept for more than half of the time before that. */
	private idleAtFlush = this.idleAtBegin;
	private isCalm = false;
	private readonly pool = new PoolSize((size, wanted) => this.records.pool(size, wanted));
	/** Ids of operations that no async resource stands for are negative. */
	private lastOwnId = -1;

	private readonly waits = new ConnectionWaits();
	private readonly asked = new AskedInTurn();

	/** Whether the program has ever connected to something else than HTTP. */
	hasPeers = false;
	private readonly governor: Governor;
	private readonly sampling = new Sampling((site, kind) => newOperation(0, kind, site, 0, 0));

	/** Hears of the handles whose writes no hook shows. */
	writes: HandleWrites | null = null;
	/** Looks for what waits for clients' sockets. */
	queues: ConnectionQueues | null = null;
	private sampler: Sampler | null = null;
	private lostIdle: LostIdle | null = null;
	/** The function that async_hooks call for each start. */
	hookInit: Entry | undefined = undefined;
	/** Who of the tracer was called for what starts now, if that is known. */
	private entry: Entry | undefined = undefined;

	/** @param isLate whether the program runs already, perhaps right now */
	constructor(governor: Governor, openWriter: (began: bigint) => JournalWriter, isLate: boolean) {
		this.governor = governor;
		this.writer = openWriter(this.began);
		this.records = new Records(this.writer);
		const main = newOperation(MAIN_OPERATION, kindOf('MAIN'), CONTINUED, MAIN_OPERATION, 0);
		this.current = main;
		this.top = main;
		this.ownTimer = newOperation(-1, kindOf('Timeout'), CONTINUED, -1, 0);
		this.records.start(main);
		// Of a Worker's resources some are older than the tracer too: its ports.
		if (isLate || !isMainThread) this.firstId = Number.POSITIVE_INFINITY;
		if (isLate) {
			this.isOpen = false;
			return;
		}
		this.records.begin(main, 0, 0, 0, 0);
	}

	/** Tells what computed in blocks from now on. */
	useSampler(sampler: Sampler): void {
		this.sampler = sampler;
		this.lostIdle = new LostIdle(sampler.busyUs, this.now());
	}

	/** How long the loop has slept since the thread began, in ms. */
	private idle(): number {
		return nodeTiming.idleTime + (this.lostIdle?.total ?? 0);
	}

	/** µs since the journal began. */
	now(): number {
		return (performanceNow() - this.clockAtBegin) * 1000;
	}

	/** How long after `now` the loop is to be woken, in µs. */
	get pause(): number {
		return this.pauseAt(this.now());
	}

	/** @param trigger async id of what the resource belongs to */
	init(asyncId: number, type: AnyType, trigger: number, resource: object): void {
		this.entry = this.hookInit;
		if (asyncId < this.firstId) this.firstId = asyncId;
		if (this.pendingChild !== null) this.writeChildId();
		// What came here before mostly comes again, and then its name need not be looked up.
		const first = this.placeNow()?.first;
		const kind = first?.kind.type === type ? first.kind : kindOf(type);
		if (kind.role === 'ignored') return;
		if (type === 'SIGNALWRAP') this.sampler?.watchSignal(resource);
		const site = this.siteOfStart(kind);
		if (kind === TICK) this.ticks.add(asyncId, this.carrierOf(TICK, site), this.step);
		else if (kind.role === 'carrier') this.table.set(asyncId, this.carrierOf(kind, site));
		else if (type === ('HTTP2STREAM' satisfies ResourceType) && site === CONTINUED && this.depth === 0)
			this.hasNewStream = true;
		else if (!site.isSync) this.start(asyncId, kind, site, type, trigger, resource);
	}

	private start(asyncId: number, named: Kind, site: Site, type: AnyType, trigger: number, resource: object): void {
		const kind = named.isForeign ? foreignKind(named, resource) : named;
		if (kind.isPooled) this.pool.use();
		let delay = -1;
		let repeats = false;
		if (type === ('Timeout' satisfies ResourceType)) {
			if (!site.isTimerCall) {
				this.ownTimers.add(asyncId);
				return;
			}
			const timer = resource as { _idleTimeout?: unknown; _repeat?: unknown };
			// A program may set it, and name a resource of its own so.
			if (typeof timer._idleTimeout === 'number' && timer._idleTimeout <= LONGEST_TIMEOUT_MS)
				delay = timer._idleTimeout;
			repeats = timer._repeat !== null && timer._repeat !== undefined;
		}
		if (this.governor.every > 1 && kind.isSampled && !repeats && this.isLeftOut(asyncId, kind, site)) return;
		const operation = this.newOperation(asyncId, kind, site, this.now(), delay, repeats);
		this.table.set(asyncId, operation);
		this.records.start(operation);
		this.hasStarted = true;
		if (kind.isMet) this.meet(operation, trigger, resource, site);
	}

	/** A start that could not be looked at when it came (deferred-start.ts). */
	startDeferred({ id, type, stack, started }: DeferredStart): void {
		const kind = kindOf(type);
		const site = siteOfKept(kind, stack);
		if (site.isSync) return;
		this.pool.use();
		const operation = this.newOperation(id, kind, site, started);
		this.table.set(id, operation);
		this.records.start(operation);
	}

	/** Whether a start is only counted. */
	private isLeftOut(asyncId: number, kind: Kind, site: Site): boolean {
		const left = this.isStepOfCurrent(site) ? null : this.leaveOut(site, kind);
		if (left !== null) this.table.set(asyncId, left.operation);
		return left !== null;
	}

	/** A handle that others will belong to. */
	private meet(operation: Operation, trigger: number, resource: object, site: Site): void {
		const { id, kind } = operation;
		if (kind.isChild) this.pendingChild = pendingChildOf(id, kind.type, resource, site);
		// A program may name its own resources so: their methods are nobody else's.
		if (kind.isStream && !(resource instanceof AsyncResource)) this.watchStream(operation, resource);
		else if (kind.isConnect) this.addPeer(this.table.get(trigger), operation.site);
		else if (kind.type === ('WORKER' satisfies ResourceType)) this.ports.addWorker();
		else if (kind === MESSAGE_PORT && site.api?.name === 'Worker') this.ports.addPort(id);
	}

	private watchStream(operation: Operation, handle: object): void {
		const { type } = operation.kind;
		if (type === ('ZLIB' satisfies ResourceType)) this.writes?.watchZlib(handle);
		else this.writes?.watchSocket(handle);
		// STARTTLS: the connection below was there before.
		if (type === ('TLSWRAP' satisfies ResourceType)) this.addPeer(operation, operation.site);
	}

	/**
	 * A socket that the program itself connects is a client's. Whoever opened it, each line may ask over it, so nothing is
	 * inherited from its callbacks. HTTP has exchanges of its own.
	 */
	private addPeer(socket: Operation | undefined, { api }: Site): void {
		if (socket === undefined || api === null || !CONNECTS.test(`${api.script} ${api.name}`)) return;
		socket.peer ??= new Peer<Operation>();
		socket.site = CONTINUED;
		this.hasPeers = true;
	}

	/** Connections that a program had open before it was traced. @param handles native ones */
	takeOver(handles: readonly object[]): void {
		for (let at = 0; at < handles.length; at++) {
			const handle = handles[at]!;
			const id = handleId(handle);
			const socket = newOperation(id, EARLIER_SOCKET, CONTINUED, id, 0);
			socket.peer = new Peer<Operation>();
			this.table.set(id, socket);
			this.writes?.watchSocket(handle);
			this.hasPeers = true;
		}
	}

	before(asyncId: number): void {
		const tick = this.ticks.take(asyncId);
		if (tick !== null) {
			if (this.depth === 0) this.tickClock.begin(isNew(this.ticks.step));
			this.push(tick, asyncId, TICKS, this.ticks.step);
			this.enter(tick, this.carrierTrees);
			return;
		}
		const known = this.table.get(asyncId);
		// An entry under another's id is a carrier that shares it.
		if (known === undefined) this.beforeUnknown(asyncId);
		else if (known.id === asyncId && known.kind.role === 'operation') this.beginCallback(known, asyncId);
		else this.beforeShared(known, asyncId);
	}

	private beginCallback(operation: Operation, asyncId: number): void {
		const now = this.now();
		if (this.depth === 0) this.beginRun(operation, now);
		this.push(operation, asyncId, now, null);
		this.enter(operation, this.callbackTrees);
		if (!operation.kind.once) this.completeInside(operation);
	}

	/** A callback of an operation that is only counted, or of a carrier. */
	private beforeShared(operation: Operation, asyncId: number): void {
		const { unrecorded } = operation;
		if (unrecorded !== null) {
			this.sampling.count(unrecorded);
			// Each of them begins as the first one did.
			operation.previous = operation.site;
			this.beginCallback(operation, asyncId);
			return;
		}
		if (this.depth === 0) this.beginCarrier(operation);
		this.push(operation, asyncId, CARRIES, null);
		this.enter(operation, this.carrierTrees);
	}

	/** Perhaps one of Node's own timers, or of an operation from before the tracer came: its run is seen, its line is not known. */
	private beforeUnknown(asyncId: number): void {
		const isEarlier = asyncId < this.firstId && asyncId > MAIN_OPERATION && !isPromise(executionAsyncResource());
		if (!isEarlier && !this.ownTimers.has(asyncId)) return;
		if (isEarlier && executionAsyncResource() === parentPort) {
			const port = newOperation(asyncId, MESSAGE_PORT, CONTINUED, asyncId, 0);
			this.table.set(asyncId, port);
			this.beginCallback(port, asyncId);
			return;
		}
		this.beginCallback(this.ownTimer, asyncId);
		// Operations of many lines share that entry: what one of them starts says nothing of the next.
		if (isEarlier) this.place = null;
	}

	/** @param began µs since the journal began, or CARRIES or TICKS */
	private push(operation: Operation, asyncId: number, began: number, origin: Step | null): void {
		if (this.depth > 0) this.keepOuter();
		this.depth++;
		this.top = operation;
		this.topId = asyncId;
		this.topBegan = began;
		this.origin = origin;
	}

	private keepOuter(): void {
		const { top: operation, topId: id, topBegan: began, place, origin } = this;
		this.outer[this.depth - 1] = { operation, id, began, place, origin };
	}

	/** After an uncaught error that the program handles, Node says `after` for all that was open. @returns whether that was */
	private unwind(asyncId: number): boolean {
		let at = this.depth - 2;
		while (at >= 0 && this.outer[at]!.id !== asyncId) at--;
		if (at < 0) return false;
		this.depth = at + 1;
		this.top = this.outer[at]!.operation;
		this.topBegan = this.outer[at]!.began;
		return true;
	}

	/** What else than the handle itself a handle's callback completes. */
	private completeInside(operation: Operation): void {
		const { id, kind, site, job, peer } = operation;
		if (job !== null) this.records.attribute(job);
		if (this.depth > 1) {
			if (kind === MESSAGE_PORT) this.bringMessageInside(operation);
			return;
		}
		if (peer !== null) this.answer(operation, peer);
		if (kind.event !== null) {
			if (kind === MESSAGE_PORT && !this.ports.bringsMessage(id)) return;
			this.serve(kindOf(kind.event), site.user === null ? null : site, this.runBegan);
		} else if (kind === HTTP2_SESSION && this.hasNewStream) {
			this.hasNewStream = false;
			this.serve(HTTP2_SERVED, null, this.runBegan);
		}
	}

	/** What a Worker has sent when it ends is delivered inside the callback of its end. */
	private bringMessageInside(port: Operation): void {
		if (!this.ports.bringsMessage(port.id)) return;
		const id = --this.lastOwnId;
		port.job = newOperation(id, PORT_MESSAGE, port.site, id, this.topBegan);
	}

	after(asyncId: number): void {
		if (this.depth === 0 || (this.topId !== asyncId && !this.unwind(asyncId))) return;
		this.depth--;
		this.waits.clear();
		const { top: operation, topBegan: began } = this;
		const isCarrier = operation.id !== asyncId;
		if (began !== TICKS && (isCarrier || (operation.kind.once && !operation.repeats))) this.table.delete(asyncId);
		if (this.depth > 0) {
			this.endNested(operation, began);
			return;
		}
		if (began === TICKS) {
			const held = this.tickClock.end(isNew(this.origin), this.ticks.isEmpty);
			if (held > 0) this.tellHeld(operation, held);
			return;
		}
		if (began < 0) {
			if (this.carrierBegan >= 0) this.tellHeld(operation, this.now() - this.carrierBegan);
			return;
		}
		if (this.pendingChild !== null) this.forgetPendingChild();
		if (!operation.kind.once) this.table.touch(asyncId, operation);
		const now = this.now();
		this.runAfter = now;
		this.tickClock.follow(now, !this.ticks.isEmpty);
		if (now - this.runBegan > LONG_RUN_US) this.loopCount = nodeTiming.uvMetricsInfo?.loopCount ?? -1;
		if (this.isFlushDue(now)) this.flushInRun(now);
	}

	/** The callback is over that ran in another one. @param began µs since the journal began, or CARRIES or TICKS */
	private endNested(operation: Operation, began: number): void {
		const outer = this.outer[this.depth - 1]!;
		this.current = this.top = outer.operation;
		this.topId = outer.id;
		this.topBegan = outer.began;
		this.trees = outer.began >= 0 ? this.callbackTrees : this.carrierTrees;
		this.place = outer.place;
		this.origin = outer.origin;
		if (began >= 0 && operation.unrecorded === null) {
			this.records.nested(operation, began, Math.max(0, this.now() - began));
		}
	}

	private flushInRun(now: number): void {
		this.flush(now);
		this.flushing = this.now() - now;
	}

	/** The callback that started it is over: what has no id by now gets none. */
	private forgetPendingChild(): void {
		this.writeChildId();
		this.pendingChild = null;
	}

	/** An operation that no async resource stands for, such as one HTTP request on a kept-alive socket. */
	startOwn(type: ResourceType): Operation {
		this.entry = undefined;
		const kind = kindOf(type);
		const site = this.siteOfStart(kind);
		const operation = this.newOperation(--this.lastOwnId, kind, site, this.now());
		if (this.governor.every > 1 && !this.isStepOfCurrent(site)) operation.unrecorded = this.leaveOut(site, kind);
		if (operation.unrecorded === null) this.records.start(operation);
		return operation;
	}

	/** The running callback is the completion of an operation of `startOwn`; it is over. */
	completeOwn(operation: Operation): void {
		if (operation.unrecorded === null) this.records.attribute(operation);
		else this.sampling.count(operation.unrecorded);
		this.enter(operation, this.callbackTrees);
		this.origin = null;
	}

	/**
	 * Something is written to a socket: an exchange begins when that is a client's. It ends with the next callback of the socket.
	 * @param isHttp whether HTTP is spoken there
	 */
	ask(handle: number, isHttp: () => boolean): void {
		const socket = this.table.get(handle);
		if (socket === undefined || socket.peer === null || socket.peer.isFollowed) return;
		if (isHttp()) {
			socket.peer = null;
			return;
		}
		const { peer } = socket;
		this.entry = undefined;
		const site = this.siteOfStart(EXCHANGE);
		// What Node itself had kept back, nobody knows who asked for.
		if (site === CONTINUED) return;
		const wait = this.waits.takeSender(site);
		if (wait === null && peer.goesOn(site, this.runBegan)) return;
		if (site.user === null) need(this.origin);
		const shown = wait === null ? this.shown(site) : onLine(site, wait.user);
		const id = --this.lastOwnId;
		const exchange = newOperation(id, EXCHANGE, shown, id, this.now());
		peer.add(exchange, site, this.runBegan);
		this.records.start(exchange);
	}

	/**
	 * Something begins to wait for a connection. For whom is captured each time: which of many lines has to wait after which is chance.
	 * @param batch what it will be asked with; null when it is alone
	 */
	beginWait(item: object, queue: Queue, needed: Need, batch: object | null): void {
		if (needed === 'nothing' && !this.waits.hasWaiter) return;
		if (batch !== null && this.waits.join(item, batch)) return;
		this.entry = undefined;
		lookForHandler(this.served !== null && this.hint === null);
		const kind = isOfPool(queue) ? POOL_WAIT : CONNECTION_WAIT;
		const site = this.capture(kind);
		if (site.user === null) need(this.origin);
		else this.hint ??= site;
		const isInTick = this.depth > 0 && this.topBegan === TICKS;
		const waiter = this.waits.takeWaiter(site, queue, isInTick);
		const { user } = waiter ?? this.shown(site);
		const isTold = needed === 'others' && user !== null;
		this.waits.begin(item, queue, user, isTold ? this.startWait(kind, onLine(site, user)) : null);
		if (batch !== null) this.waits.lead(item, batch);
	}

	/**
	 * A library takes that out of its queue, and goes on for it: in this callback of somebody else, or in the tick that it starts next.
	 * @param given the connection that a pool gives it; null where nobody knows which
	 */
	endWait(item: object, queue: Queue, given: object | null): void {
		this.tellWaited(this.waits.end(item, queue, given));
	}

	/** A library takes that out of its queue and does nothing for it: its time was over, or nobody wants it any more. */
	giveUpWait(item: object, queue: Queue): void {
		this.tellWaited(this.waits.giveUp(item, queue));
	}

	/** Requests over that socket are told by channels: writes to it are no exchanges. */
	leaveToChannels(handle: number): void {
		const socket = this.table.get(handle);
		if (socket !== undefined) socket.peer = null;
	}

	/** What is asked over that socket, and what is answered, a library's queue tells: writes to it are no exchanges. */
	leaveToQueue(handle: number): void {
		const peer = this.table.get(handle)?.peer;
		if (peer) peer.isFollowed = true;
	}

	/**
	 * A library asks something, and keeps it in its queue until it is answered.
	 * @param batch what it is asked with; null when it is alone
	 */
	askInTurn(item: object, batch: object | null, handle: number): void {
		const peer = this.table.get(handle)?.peer ?? null;
		const wait = this.waits.takeAsker(item);
		if (this.asked.goesOn(item, batch, peer)) return;
		this.entry = undefined;
		const site = this.siteOfStart(EXCHANGE);
		if (site.user === null) need(this.origin);
		const shown = wait === null ? this.shown(site) : onLine(site, wait.user);
		const id = --this.lastOwnId;
		const exchange = newOperation(id, TURN_EXCHANGE, shown, id, this.now());
		this.asked.add(item, batch, exchange, peer);
		this.records.start(exchange);
	}

	/** Its turn has come: what the peer sends is the answer to that. */
	answerInTurn(item: object): void {
		const exchange = this.asked.answer(item);
		if (exchange !== null) this.records.attribute(exchange);
	}

	/** The peer has sent something: the oldest exchange is answered by it, and any other may be. */
	private answer(socket: Operation, peer: Peer<Operation>): void {
		const { oldest, open } = peer;
		for (let at = 0; at < open.length; at++) this.records.attribute(open[at]!);
		peer.answer();
		this.isMixed = peer.isMixed;
		if (oldest === undefined) return;
		// Which lines go on after several answers, and in which order, is chance: that is a tree of its own.
		this.place = this.callbackTrees.root(oldest.site, EXCHANGE.index, peer.isMixed ? CONTINUED : oldest.previous);
		// What the ticks of this callback start follows from what was answered.
		socket.previous = oldest.site;
	}

	/**
	 * A handle asks the pool for a job, on behalf of the line that made the handle. It has one at a time; its next callback is the end.
	 * @param isFirst whether the job is not the rest of the one before
	 */
	submitJob(handle: number, type: ResourceType, isFirst: boolean): void {
		const owner = this.table.get(handle);
		if (owner === undefined) return;
		this.pool.use();
		const id = --this.lastOwnId;
		const root = isFirst || owner.job === null ? id : owner.job.root;
		owner.job = newOperation(id, kindOf(type), owner.site, root, this.now());
		this.records.start(owner.job);
	}

	/**
	 * The running callback serves an HTTP request.
	 * The first one of a connection has waited since that was accepted; of later ones nobody knows since when.
	 * @param connection async id of the socket's handle
	 * @param url only tells routes apart, for the predictor; it goes nowhere else
	 */
	serveRequest(connection: number, url: string): void {
		this.place = routeOf(this.placeNow(), url);
		const socket = this.table.get(connection);
		const isFirst = socket !== undefined && !socket.hasServed;
		if (isFirst) socket.hasServed = true;
		this.serve(SERVED, null, isFirst ? socket.started : this.runBegan);
	}

	/**
	 * Writes what waits once the loop rests: called after each `pause`, without a callback of the program on the stack.
	 * @returns whether a callback ran since the last time
	 */
	wake(): boolean {
		if (this.depth > 0) return false;
		const now = this.now();
		const { hasRun } = this;
		this.hasRun = false;
		// What is done here is not the program's.
		this.idleInFlush += this.closeRun(now, this.idle());
		if (hasRun && now - this.lastFlush < this.pauseAt(now)) return true;
		this.cpuWaitInFlush += this.cpuWait.grown();
		this.flush(now);
		return hasRun;
	}

	/** A garbage collection stopped the thread; times in ms, of performance.now(). */
	garbage({ startTime, duration }: { startTime: number; duration: number }): void {
		this.records.garbage((startTime - this.clockAtBegin) * 1000, duration * 1000);
	}

	/** How long the callback took that has just ended, in µs. */
	get ran(): number {
		return this.isOpen ? Math.max(0, this.runAfter - this.runBegan) : 0;
	}

	/** Something that was ready had to wait so long for the loop: one look, for so long a time. Both in µs. */
	late(lateness: number, standsFor: number): void {
		this.records.late(lateness, standsFor);
	}

	/** Last words: the thread ends. */
	exit(): void {
		const now = this.now();
		if (this.pendingChild !== null) this.writeChildId();
		this.closeRun(now, this.idle());
		this.pool.look();
		this.tellEmptied();
		this.tellUnrecorded();
		this.records.exit(now, (this.idle() - this.idleAtBegin) * 1000);
		this.writer.end();
		this.cpuWait.close();
	}

	/** Goes on after a call of ours that V8 ended in the middle: what it wrote last is dropped, and all else told again. */
	mend(): void {
		this.writer.mend(this.now());
		this.pool.restate();
	}

	/** Counts what a call would have told that interrupts another. */
	drop(): void {
		this.writer.dropped++;
	}

	/** Stops for good: `reason` is the last record. @param isBroken whether the one before may be half written */
	stop(reason: string, isBroken: boolean): void {
		this.cpuWait.close();
		this.sampler?.stop();
		this.writer.stop(reason, isBroken);
		this.table.clear();
		this.ticks.clear();
	}

	get stopped(): boolean {
		return this.writer.stopped !== null;
	}

	// --- starts

	private startWait(kind: Kind, site: Site): Operation {
		const id = --this.lastOwnId;
		const operation = newOperation(id, kind, site, id, this.now());
		if (this.governor.every > 1) operation.unrecorded = this.leaveOut(site, kind);
		if (operation.unrecorded === null) this.records.start(operation);
		return operation;
	}

	/** What waited in a queue that the library has emptied at once. */
	private tellEmptied(): void {
		const emptied = this.waits.emptied();
		for (let at = 0; at < emptied.length; at++) this.tellWaited(emptied[at]!);
	}

	/** What waited has its turn now, in the midst of somebody else's callback: what runs on is not its own. */
	private tellWaited(operation: Operation | null): void {
		if (operation === null) return;
		if (operation.unrecorded === null) this.records.nested(operation, this.now(), 0);
		else this.sampling.count(operation.unrecorded);
	}

	private readonly capture: Capture = (kind, frames) => {
		const began = this.governor.beginRare();
		const site = captureSite(kind, this.entry, frames);
		this.queues?.look();
		this.governor.endRare(began);
		return site;
	};

	private placeNow(): Place | null {
		const { site, kind, previous } = this.current;
		if (this.place === undefined) this.place = this.trees.root(site, kind.index, previous);
		return this.place;
	}

	private siteOfStart(kind: Kind): Site {
		const from = this.placeNow();
		const step = from === null ? undefined : from.next(kind);
		const isKnown =
			step !== undefined &&
			step.untilVerify > 0 &&
			!(this.isMixed && this.isByChance(kind, step)) &&
			!(kind === TICK && this.waits.hasWaiter);
		const site = isKnown ? this.trust(step) : this.foretell(from, kind);
		if (from !== null && from.depth === 0 && this.current.peer === null) this.current.previous = site;
		if (this.hint === null && site.user !== null) {
			this.hint = site;
			need(this.step);
		}
		return site;
	}

	/** Which of several lines goes on there nobody can foretell. What Node does in between, and what only carries an origin, is on none. */
	private isByChance(kind: Kind, step: Step): boolean {
		return this.current.peer !== null && kind.role === 'operation' && step.site.user !== null;
	}

	private trust(step: Step): Site {
		step.untilVerify--;
		this.step = step;
		this.place = step.after;
		return step.site;
	}

	private foretell(from: Place | null, kind: Kind): Site {
		lookForHandler(this.served !== null && this.hint === null);
		const { site, place, step } = foretell(from, kind, this.capture);
		this.place = place;
		this.step = step;
		return site;
	}

	/** A tick that Node itself scheduled goes on with the running operation; all others of one site share one entry too. */
	private carrierOf(kind: Kind, captured: Site): Operation {
		const isStep = this.isStepOfCurrent(captured);
		if ((isStep || captured.user === null) && (this.step === null || this.step.isNeeded)) need(this.origin);
		if (isStep) return this.current.unrecorded?.echo ?? this.current;
		const waiter = kind === TICK ? this.waits.takeWaiterOfTick(captured) : null;
		const site = waiter === null ? this.shown(captured) : onLine(captured, waiter.user);
		return this.carriers[site.id] ?? this.newCarrier(kind, site);
	}

	private newCarrier(kind: Kind, site: Site): Operation {
		const carrier = newOperation(0, kind, site, 0, 0);
		this.carriers[site.id] = carrier;
		return carrier;
	}

	private newOperation(
		id: number,
		kind: Kind,
		captured: Site,
		started: number,
		delay = -1,
		repeats = false,
	): Operation {
		const { current } = this;
		const isStep = this.isStepOfCurrent(captured);
		if (isStep || captured.user === null) need(this.origin);
		if (!isStep) {
			return newOperation(id, kind, this.shown(captured), id, started, delay, repeats);
		}
		// The first thing that a carrier's callback starts is the operation that its line started.
		if (current.id === 0 && this.carriedRoot === 0) this.carriedRoot = id;
		const root = current.id === 0 ? this.carriedRoot : current.root;
		// Steps share a site: what one starts next depends on where in Node it was started itself.
		return newOperation(id, kind, current.site, root, started, delay, repeats, captured);
	}

	/** What an operation that starts now is only counted by; null when it is to be recorded. */
	private leaveOut(captured: Site, kind: Kind): Unrecorded | null {
		if (captured.user === null) need(this.origin);
		return this.sampling.leaveOut(this.shown(captured), kind, this.governor.every);
	}

	/**
	 * The site with the line that it is shown on: what a library starts by itself is on that of the callback that runs. After it, in the
	 * drain, V8's stack leads on to the line that awaits; where it does not, any line's continuation may have called the library meanwhile.
	 */
	private shown(captured: Site): Site {
		return withUser(captured, this.depth === 0 ? null : this.current.site.user);
	}

	/**
	 * Whether what starts now goes on with the running operation. Where an asynchronous function of Node is resumed, that is so
	 * when the operation belongs to the same module or to the line that awaits: the line alone would not do, for the awaiting
	 * one may stand far above the one that called.
	 */
	private isStepOfCurrent(site: Site): boolean {
		if (site === CONTINUED) return true;
		if (!site.isAwaited) return false;
		const { user, api } = this.current.site;
		if (api !== null && api.script === site.api?.script) return true;
		return user !== null && user.script === site.user?.script && user.line === site.user.line;
	}

	// --- callbacks

	private beginRun(operation: Operation, at: number): void {
		const idle = this.idle();
		const grownSince = this.closeRun(at, idle) * 1000;
		// To tell what computed in a block takes about a millisecond, which is no part of any callback.
		const now = this.sampler === null ? at : this.now();
		const grown = grownSince + this.idleInFlush * 1000;
		const between = now - Math.max(this.runBegan, this.runAfter);
		let cpuWait = 0;
		if (between > CPU_WAIT_US && (grown > 0 || this.loopCount >= 0)) {
			// Where the loop has slept since the flush, what had come before that was delivered before.
			const earlier = grownSince > 0 ? 0 : this.cpuWaitInFlush;
			// Nobody in the program waits for what comes from outside: no figure is worth the question.
			cpuWait = operation.kind.isServer ? between : Math.min(between, this.cpuWait.grown() + earlier);
		}
		this.idleInFlush = 0;
		this.cpuWaitInFlush = 0;
		let flags = 0;
		if (this.loopCount >= 0) {
			flags = nodeTiming.uvMetricsInfo?.loopCount === this.loopCount ? BEGIN_FLAG.samePoll : BEGIN_FLAG.newPoll;
			this.loopCount = -1;
		}
		if (cpuWait > CPU_WAIT_US) flags |= BEGIN_FLAG.cpuWait;
		this.records.begin(operation, now, flags, grown, cpuWait);
		this.runBegan = now;
		this.runAfter = -1;
		this.flushing = 0;
		this.isOpen = true;
		this.hasRun = true;
		this.hint = null;
	}

	/** Only what a line scheduled needs the clock: Node's own ticks go on with the running operation, whose line they are shown on. */
	private beginCarrier({ kind, site }: Operation): void {
		const isTimed = kind.role === 'carrier' && site.user !== null && this.isOpen && this.governor.timesTicks;
		this.carrierBegan = isTimed ? this.now() : -1;
	}

	/** A tick or microtask that is just over held the loop so long, in µs. */
	private tellHeld({ kind, site }: Operation, duration: number): void {
		if (duration < HELD_US || !this.isOpen || kind.role !== 'carrier' || site.user === null) return;
		need(this.origin);
		this.records.held(this.now() - duration, duration, site);
	}

	/** Closes the open run; returns the idle time in ms since it was last asked for. */
	private closeRun(now: number, idle: number): number {
		let grown = Math.max(0, idle - this.lastIdle);
		if (this.lostIdle !== null) {
			const rest = now - Math.max(this.runBegan, this.runAfter) - grown * 1000 - this.flushing;
			grown += this.lostIdle.between(now, grown * 1000, rest) / 1000;
		}
		this.lastIdle += grown;
		if (!this.isOpen) return grown;
		this.isOpen = false;
		const wasServed = this.served !== null;
		this.finishServed();
		if (wasServed && this.hint !== null) this.hint = functionSite(this.hint);
		if (this.records.isRunUntold && now - this.runBegan < LONG_RUN_US) {
			this.records.skipRun();
			return grown;
		}
		const after = this.runAfter < 0 ? this.runBegan : this.runAfter;
		const drain = Math.max(0, now - after - grown * 1000 - this.flushing);
		this.records.end(after, drain, this.hint);
		if (after + drain - this.runBegan >= HELD_US) {
			this.sampler?.tell(this.writer, this.began, this.runBegan, after + drain);
		}
		return grown;
	}

	/**
	 * The running callback serves something that came from outside.
	 * @param site null when the line is only known when the handler has started something
	 */
	private serve(kind: Kind, site: Site | null, started: number): void {
		this.finishServed();
		const id = --this.lastOwnId;
		const served = newOperation(id, kind, site ?? CONTINUED, id, started);
		if (site === null) this.served = served;
		else this.attributeServed(served);
	}

	private finishServed(): void {
		const { served, hint } = this;
		if (served === null) return;
		this.served = null;
		if (hint === null) need(this.origin);
		served.site = handlerSite(hint ?? this.current.site, hint !== null);
		this.attributeServed(served);
	}

	private attributeServed(served: Operation): void {
		const { every } = this.governor;
		const left = every > 1 ? this.sampling.leaveOut(served.site, served.kind, every) : null;
		if (left === null) this.records.attribute(served);
		else this.sampling.count(left);
	}

	/** From here on, what is started is started by this operation. */
	private enter(operation: Operation, trees: Trees): void {
		this.current = operation;
		this.waits.clear();
		this.carriedRoot = 0;
		this.trees = trees;
		this.place = undefined;
	}

	// --- what is told besides

	/** Operations that have called back unrecorded. */
	private tellUnrecorded(): void {
		const counted = this.sampling.take();
		for (let at = 0; at < counted.length; at++) {
			const entry = counted[at]!;
			this.records.unrecorded(entry);
			entry.count = 0;
		}
	}

	/** The child that was started last, once it has an id. */
	private writeChildId(): void {
		const id = childId(this.pendingChild!);
		if (id === 0) return;
		const { operation, kind } = this.pendingChild!;
		this.pendingChild = null;
		this.records.child(operation, kind, id);
	}

	/** Until the loop is woken, in µs. */
	private pauseAt(now: number): number {
		return Math.min(this.isCalm ? WAKE_CALM_US : FLUSH_US, Math.max(FLUSH_LEAST_US, now * FLUSH_SHARE));
	}

	/** Whether a callback that is over is to write what waits. */
	private isFlushDue(now: number): boolean {
		const waited = now - this.lastFlush;
		return waited > Math.min(FLUSH_US, Math.max(FLUSH_LEAST_US, now * FLUSH_SHARE)) || this.writer.halfFull;
	}

	/** Whether the loop slept for more than half of the time since the last flush. */
	private hasSlept(waited: number): boolean {
		return (this.lastIdle - this.idleAtFlush) * 2000 > waited;
	}

	private flush(now: number): void {
		const { generation } = this.writer;
		this.isCalm = this.hasSlept(now - this.lastFlush);
		this.idleAtFlush = this.lastIdle;
		this.lastFlush = now;
		this.tellEmptied();
		this.tellUnrecorded();
		if (this.governor.judge(now)) {
			this.tickClock.isOn = this.governor.timesTicks;
			const { stage, every, cost } = this.governor;
			this.records.stage(now, stage, every, cost);
		}
		const began = this.governor.beginRare();
		this.writer.flush(now);
		this.governor.endRare(began);
		if (this.writer.generation !== generation) {
			this.pool.restate();
		}
	}
}

/** Whether a tick's line is captured as yet. */
function isNew(step: Step | null): boolean {
	return step === null || step.untilVerify === 0;
}

/** What an add-on starts under a name of its own may be work of the pool; what the program starts so is not. */
function foreignKind(kind: Kind, resource: object): Kind {
	return resource instanceof AsyncResource ? kind : kindOf((ADDON_PREFIX + kind.type) as ForeignType);
}

const TICK = kindOf('TickObject');
const SERVED = kindOf('HTTPSERVERREQUEST');
const HTTP2_SERVED = kindOf('HTTP2SERVERREQUEST');
const EXCHANGE = kindOf('EXCHANGE');
const EARLIER_SOCKET = kindOf('TCPWRAP');
const TURN_EXCHANGE = kindOf('TURNEXCHANGE');
const POOL_WAIT = kindOf('POOLWAIT');
const CONNECTION_WAIT = kindOf('CONNECTIONWAIT');
/** Scripts and functions of Node that open a connection of the program's own. */
const CONNECTS = /^node:(net|tls|_tls_wrap|internal\/tls\/wrap) ([A-Za-z]+\.)?(connect|createConnection)$/;
const MESSAGE_PORT = kindOf('MESSAGEPORT');
const PORT_MESSAGE = kindOf('PORTMESSAGE');
const HTTP2_SESSION = kindOf('HTTP2SESSION');
