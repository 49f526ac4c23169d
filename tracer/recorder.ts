// Follows every operation of this thread through the three hooks and writes what happens into the journal, in the order of time.
// Runs inside the program's own callbacks: nothing here may throw, wait, or keep one of the program's objects.
import { ADDON_PREFIX } from '../src/protocol/journal.ts';
import type { AnyType, ForeignType, ResourceType } from '../src/protocol/resource-types.ts';
import type { Records } from './journal/records.ts';
import type { AsyncIds } from './operations/async-ids.ts';
import type { Operation } from './operations/operation.ts';
import type { OperationTable } from './operations/operation-table.ts';
import type { Sampling } from './operations/sampling.ts';
import type { Starts } from './operations/starts.ts';
import type { TickQueue } from './operations/tick-queue.ts';
import { Timers } from './operations/timers.ts';
import { UnknownStarts } from './operations/unknown-starts.ts';
import type { Parts } from './parts.ts';
import type { DeferredStart } from './process/deferred-start.ts';
import type { JournalClock } from './process/journal-clock.ts';
import { type Kind, kindOf } from './process/kinds.ts';
import { AsyncResource, executionAsyncId, executionAsyncResource } from './process/node-functions.ts';
import { assign } from './process/object-functions.ts';
import type { EntryFunction } from './process/stacks.ts';
import { CARRIES, type CallbackStack, TICKS } from './run/callback-stack.ts';
import type { RunClock } from './run/run-clock.ts';
import type { TickClock } from './run/tick-clock.ts';
import type { Runs } from './runs.ts';
import type { Attribution } from './sites/attribution.ts';
import { onLine } from './sites/derived-sites.ts';
import { CONTINUED, type Site } from './sites/site.ts';
import type { Step } from './sites/start-tree.ts';
import type { ClientRequests } from './sources/client-requests.ts';
import type { ConnectionWaits } from './sources/connection-waits.ts';
import { CorkedWrites, writtenIn } from './sources/corked-writes.ts';
import type { Handles } from './sources/handles.ts';
import type { NamedWork } from './sources/named-work.ts';
import type { PendingChildren } from './sources/pending-child.ts';
import type { PoolSize } from './sources/pool-size.ts';
import { HTTP2_SERVED, type ServedRequests } from './sources/served-requests.ts';
import type { Sampler } from './stacks/load-sampler.ts';
import type { Upkeep } from './upkeep.ts';

const CLIENT_PARSER = kindOf('HTTPCLIENTREQUEST');
const TICK = kindOf('TickObject');
const WRITE = kindOf('WRITEWRAP');
const READER_WAIT = kindOf('READERWAIT');

export class Recorder {
	/** Whether anything has started that is recorded. */
	hasStarted = false;
	// Those with ! are `parts`.
	private readonly attribution!: Readonly<Attribution<Operation>>;
	private readonly children!: PendingChildren;
	private readonly clock!: JournalClock;
	private readonly handles!: Handles;
	private readonly hookInit: EntryFunction;
	private readonly ids!: AsyncIds;
	private readonly pool!: PoolSize;
	private readonly records!: Records;
	private readonly requests!: ClientRequests;
	private readonly run!: RunClock;
	private readonly runs!: Runs;
	private readonly sampler!: Sampler | null;
	private readonly sampling!: Sampling;
	private readonly served!: ServedRequests;
	private readonly stack!: CallbackStack;
	private readonly starts!: Starts;
	private readonly table!: OperationTable<Operation>;
	private readonly tickClock!: TickClock<Operation>;
	private readonly ticks!: TickQueue;
	private readonly upkeep!: Upkeep;
	private readonly waits!: ConnectionWaits;
	private readonly work!: NamedWork;
	private readonly timers = new Timers();
	private readonly corked = new CorkedWrites();
	private readonly unknown: UnknownStarts;

	/** @param hookInit the function that async_hooks call for each start */
	constructor(parts: Parts, hookInit: EntryFunction) {
		assign(this, parts);
		this.hookInit = hookInit;
		this.unknown = new UnknownStarts(parts.ids, this.timers);
	}

	/** The hooks are on again. */
	goOn(): void {
		this.attribution.enter(this.unknown.shared, false, null);
		this.attribution.predictNothing();
	}

	/** @param trigger async id of what the resource belongs to */
	init(asyncId: number, type: AnyType, trigger: number, resource: object): void {
		this.ids.see(asyncId);
		this.children.look();
		const { attribution } = this;
		// What started here before mostly starts again, and then its name need not be looked up.
		const first = attribution.nodeNow()?.first;
		const kind = first?.kind.type === type ? first.kind : kindOf(type);
		if (kind.role === 'ignored') return;
		if (type === 'SIGNALWRAP') this.sampler?.watchSignal(resource);
		const site = attribution.locate(kind, this.hookInit, kind !== TICK || !this.waits.hasWaiter);
		if (kind === TICK) {
			this.ticks.add(asyncId, this.carrierOf(TICK, site), attribution.step);
			if (site.isMessageWrite) this.corked.note(asyncId, site, resource);
			else if (site.isMessageEnd && site.user !== null && this.stack.depth === 0)
				this.served.answer(writtenIn(resource) ?? 0, site.user);
		} else if (kind.role === 'carrier') this.table.set(asyncId, this.carrierOf(kind, site));
		else if (type === ('HTTP2STREAM' satisfies ResourceType) && site === CONTINUED && this.stack.depth === 0)
			this.served.addStream(asyncId);
		else if (!site.isSync) this.start(asyncId, kind, site, type, trigger, resource);
	}

	before(asyncId: number): void {
		const { ticks } = this;
		const tick = ticks.take(asyncId);
		if (tick !== null) {
			if (this.stack.depth === 0) this.beginTick(tick, isNew(ticks.step));
			this.enter(tick, asyncId, TICKS, ticks.step);
			return;
		}
		const known = this.table.get(asyncId);
		// An entry found under another id is a carrier that several share.
		if (known === undefined) this.beforeUnknown(asyncId);
		else if (known.id === asyncId && known.kind.role === 'operation') this.beginCallback(known, asyncId);
		else this.beforeShared(known, asyncId);
	}

	after(asyncId: number): void {
		const { stack } = this;
		if (!stack.leave(asyncId)) return;
		this.waits.clear();
		const { top: operation, topBegan: began } = stack;
		const isCarrier = operation.id !== asyncId;
		if (began !== TICKS && (isCarrier || (operation.kind.once && !operation.repeats))) this.table.delete(asyncId);
		if (operation.kind === HTTP2_SERVED) this.served.lookAtStream(operation);
		if (stack.depth > 0) this.endNested(operation, began);
		else if (began >= 0) this.endCallback(operation, asyncId);
		else if (began === CARRIES || this.ticks.isEmpty) this.writeBlock(operation, this.tickClock.end());
	}

	// --- starts

	private start(asyncId: number, named: Kind, located: Site, type: AnyType, trigger: number, resource: object): void {
		const site = named === WRITE ? this.corked.siteOf(located, trigger, this.ticks) : located;
		const kind = named.isForeign
			? this.foreignKind(named, resource)
			: named === WRITE
				? this.writeKind(trigger)
				: named;
		if (kind.isPooled) this.pool.use();
		if (type === ('FSREQCALLBACK' satisfies ResourceType) && this.isReadNatively(trigger)) return;
		let delay = -1;
		let repeats = false;
		if (type === ('Timeout' satisfies ResourceType)) {
			if (!site.isTimerCall) {
				this.timers.own.add(asyncId);
				return;
			}
			delay = this.timers.delayOf(resource);
			repeats = this.timers.isRepeated(resource);
		}
		if (this.sampling.every > 1 && kind.isSampled && !repeats && this.isLeftOut(asyncId, kind, site)) return;
		const operation = this.starts.make(asyncId, kind, site, this.clock.now(), delay, repeats);
		if (named === WRITE) operation.parent = this.handles.lowest(trigger);
		this.table.set(asyncId, operation);
		this.records.start(operation);
		this.hasStarted = true;
		if (kind.isHandle) this.handles.add(operation, trigger, resource, site);
		else this.work.add(operation, resource, site);
	}

	/** A start that could not be recorded when it happened (deferred-start.ts). */
	startDeferred({ id, type, stack, started }: DeferredStart): void {
		const kind = kindOf(type);
		const site = this.attribution.locateKept(kind, stack);
		if (site.isSync) return;
		this.pool.use();
		const operation = this.starts.make(id, kind, site, started);
		this.table.set(id, operation);
		this.records.start(operation);
	}

	/**
	 * Whether a read of a file calls back in C++ alone, so that nothing shows its end: that of a FileHandle which is a native stream, as for `respondWithFile` of HTTP/2.
	 * It belongs to that handle, which is not recorded, and not to what runs.
	 */
	private isReadNatively(trigger: number): boolean {
		return trigger !== executionAsyncId() && this.table.get(trigger) === undefined;
	}

	/** What a write waits for that was not complete at once. @param handle async id of the handle below the stream */
	private writeKind(handle: number): Kind {
		return this.table.get(handle)?.kind.hasReader === true ? READER_WAIT : WRITE;
	}

	/** What an add-on starts under a name of its own may be work of the pool; what the program starts under one is not. */
	private foreignKind(kind: Kind, resource: object): Kind {
		if (resource instanceof AsyncResource) return kind;
		this.pool.mayUse();
		return kindOf((ADDON_PREFIX + kind.type) as ForeignType);
	}

	/** Whether a start is only counted. */
	private isLeftOut(asyncId: number, kind: Kind, site: Site): boolean {
		const left = this.attribution.isStep ? null : this.starts.leaveOut(site, kind);
		if (left !== null) this.table.set(asyncId, left.operation);
		return left !== null;
	}

	/** A tick that Node itself scheduled goes on with the running operation; all others of one site share one entry too. */
	private carrierOf(kind: Kind, captured: Site): Operation {
		const { attribution, starts, waits } = this;
		const step = starts.stepCarrier(captured);
		if (step !== null) return step;
		const waiter = kind === TICK ? waits.takeWaiterOfPool(captured) : null;
		const user = waiter === null ? waits.callerAt(captured) : waiter.user;
		return starts.carrierOf(
			kind,
			user === null && waiter === null ? attribution.shown(captured) : onLine(captured, user),
		);
	}

	// --- callbacks

	private beginCallback(operation: Operation, asyncId: number): void {
		const now = this.clock.now();
		const { stack } = this;
		const isTimer = operation.delay >= 0 && !operation.repeats && operation.leftOut === null;
		if (isTimer && this.timers.restart(operation, now)) this.records.start(operation);
		if (stack.depth === 0) this.runs.begin(operation, now, asyncId === stack.topId);
		this.enter(operation, asyncId, now, null);
		if (!operation.kind.once) this.handles.complete(operation);
		else if (operation.kind.isChild) this.children.beginEnd(executionAsyncResource());
	}

	/** A callback of an operation that is only counted, or of a carrier. */
	private beforeShared(operation: Operation, asyncId: number): void {
		const { leftOut } = operation;
		if (leftOut !== null) {
			this.sampling.count(leftOut);
			// Each of them begins as the first one did.
			operation.previous = operation.site;
			this.beginCallback(operation, asyncId);
			return;
		}
		if (this.stack.depth === 0 && this.runs.isTimed(operation)) this.beginTick(operation, false);
		this.enter(operation, asyncId, CARRIES, null);
	}

	/** Until the tick is entered, the one before it is on top of the stack. */
	private beginTick(tick: Operation, isNew: boolean): void {
		this.writeBlock(this.stack.top, this.tickClock.begin(tick, isNew));
	}

	/** @param blocked for how long, in µs, until the latest reading of the ticks' clock */
	private writeBlock(tick: Operation, blocked: number): void {
		this.runs.writeBlock(tick, blocked, this.tickClock.readAt);
	}

	/** A callback of something whose start was not recorded: its run is, where it is not a promise's; its line is unknown. */
	private beforeUnknown(asyncId: number): void {
		const operation = this.unknown.runningNow(asyncId);
		if (operation === null) return;
		const isShared = operation === this.unknown.shared;
		if (!isShared) this.table.set(asyncId, operation);
		this.beginCallback(operation, asyncId);
		if (isShared && this.ids.isOlder(asyncId)) this.attribution.predictNothing();
	}

	/** @param began µs since the journal began, or CARRIES or TICKS @param origin what predicted a tick */
	private enter(operation: Operation, asyncId: number, began: number, origin: Step | null): void {
		const { attribution, stack } = this;
		if (stack.depth > 0) stack.suspend(attribution.nextNode, attribution.origin);
		stack.push(operation, asyncId, began);
		attribution.enter(operation, began < 0, origin);
		this.waits.clear();
	}

	private endCallback(operation: Operation, asyncId: number): void {
		this.children.forget();
		if (operation.kind.isChild) this.children.finishEnd();
		if (!operation.kind.once) {
			this.table.touch(asyncId, operation);
			this.served.lookAtBody(operation);
		}
		const now = this.clock.now();
		this.run.end(now);
		this.tickClock.follow(now, !this.ticks.isEmpty);
		this.upkeep.flushIfDue(now, this.served.mayGoOn);
	}

	/** A callback that ran inside another one is over. @param began µs since the journal began, or CARRIES or TICKS */
	private endNested(operation: Operation, began: number): void {
		const outer = this.stack.resume();
		this.attribution.resume(outer.operation, outer.began < 0, outer.nextNode, outer.origin);
		// What ends a request would look the same.
		if (began >= 0 && operation.leftOut === null && operation.kind !== HTTP2_SERVED)
			this.records.nested(operation, began, Math.max(0, this.clock.now() - began));
		if (operation.kind === CLIENT_PARSER) this.requests.look(executionAsyncResource());
	}
}

/** Whether a tick's line is still captured each time. */
function isNew(step: Step | null): boolean {
	return step === null || step.untilVerify === 0;
}
