// What happens when an operation calls back: its wait is over and is split into its parts, and once its callback has run, it goes into its line's figures.
import { RESOURCE_FACTS } from '../../protocol/resource-facts.ts';
import type { PollClock } from '../clocks/poll-clock.ts';
import type { ThreadClock } from '../clocks/thread-clock.ts';
import { addEstimate, addExactly, type Interval, middle } from '../common/estimate.ts';
import type { ThreadConnections } from '../connections/thread-connections.ts';
import type { LineStats } from '../lines/line-stats.ts';
import type { ThreadBlocks } from '../loop/thread-blocks.ts';
import type { CurrentRun } from '../operations/current-run.ts';
import { FailedSpawns } from '../operations/failed-spawns.ts';
import { addPending, type OpenOperations, type OpenResource, type Pending } from '../operations/open-operations.ts';
import type { ThreadJobs } from '../pool/thread-jobs.ts';
import type { ThreadRequests } from '../requests/thread-requests.ts';
import type { ThreadTimeline } from '../timeline/thread-timeline.ts';
import type { ThreadChildren } from './thread-children.ts';

/** What an immediate waits for the end of the callback that sets it, in µs, if that has no more to do. */
const LEAST_OWN_DELAY_US = 1000;

/** The parts of a thread's model that the end of an operation concerns. */
export interface EndParts {
	readonly clock: ThreadClock;
	readonly polls: PollClock;
	readonly run: CurrentRun;
	readonly operations: OpenOperations;
	readonly jobs: ThreadJobs;
	readonly blocks: ThreadBlocks;
	readonly children: ThreadChildren;
	readonly requests: ThreadRequests;
	readonly connections: ThreadConnections;
	readonly timeline: ThreadTimeline;
}

/** Times in µs of the thread. */
export class OperationEnds {
	/** When the callback that was completed last could have begun; null where that is not known. */
	ready: Interval | null = null;
	private readonly spawns = new FailedSpawns();
	/** Served requests whose callback is over and whose line is not certain yet, and the numbers of these callbacks. */
	private readonly unsettled = new Map<number, { resource: OpenResource; ranIn: number }>();
	private readonly clock: ThreadClock;
	private readonly polls: PollClock;
	private readonly run: CurrentRun;
	private readonly operations: OpenOperations;
	private readonly jobs: ThreadJobs;
	private readonly blocks: ThreadBlocks;
	private readonly children: ThreadChildren;
	private readonly requests: ThreadRequests;
	private readonly connections: ThreadConnections;
	private readonly timeline: ThreadTimeline;

	constructor(parts: EndParts) {
		this.clock = parts.clock;
		this.polls = parts.polls;
		this.run = parts.run;
		this.operations = parts.operations;
		this.jobs = parts.jobs;
		this.blocks = parts.blocks;
		this.children = parts.children;
		this.requests = parts.requests;
		this.connections = parts.connections;
		this.timeline = parts.timeline;
	}

	/** Something starts that may fail without a callback. */
	start(resource: OpenResource): void {
		this.spawns.start(resource);
	}

	/** That operation has started a process or a Worker. */
	succeed(op: number): void {
		this.spawns.succeed(op);
	}

	/** What fails now is not seen. */
	lose(): void {
		this.spawns.take();
	}

	/**
	 * The running callback is over: what has failed in it came in a tick after it, at its end at the earliest, and before the end of the drain.
	 * @param callbackEnded when the callback itself was over @param runEnded when the drain was, too
	 */
	endFailed(callbackEnded: number, runEnded: number): void {
		if (this.spawns.isEmpty) return;
		for (const resource of this.spawns.take()) {
			const { logical } = resource;
			if (!resource.isPending) continue;
			this.operations.settle(resource);
			logical.open--;
			logical.hasWaited = true;
			logical.ended = Math.max(resource.started, callbackEnded);
			logical.mayEndLater = runEnded - logical.ended;
			logical.finish();
			this.operations.forget(resource);
		}
	}

	/** The operation will not call back any more; perhaps it never has. */
	forget(op: number): void {
		const resource = this.operations.get(op);
		if (resource === undefined) return;
		if (resource.isPending) resource.logical.arrive();
		this.operations.forget(resource);
	}

	/**
	 * An operation's callback begins at `time`: its wait is over.
	 * @param ended when it was over, where it ran within another one
	 */
	complete(resource: OpenResource, time: number, ended: number | null = null): void {
		const { logical, started, type } = resource;
		if (resource.isOverdue) {
			resource.isOverdue = false;
			resource.started = logical.started = logical.ended = time;
			logical.stats?.addWithoutWait();
			return;
		}
		if (!resource.isPending && !logical.repeats) {
			this.requests.complete(resource, started, ended === null ? this.polls.done(0) : null, time, ended);
			return;
		}
		if (resource.isPending && --logical.open === 0) logical.arrive();
		this.operations.settle(resource);
		logical.hasWaited = true;
		logical.ended = time;
		this.ready = null;
		// Its line may be known only now: how many of that waited is known from when they did.
		if (type === RESOURCE_FACTS.POOLWAIT && logical.stats !== null)
			this.connections.countArrived(logical.stats, started, time);
		this.split(resource, time);
		this.requests.complete(resource, started, this.ready, time, ended);
		this.connections.giveSocket(resource, time);
		// An interval starts again with each callback.
		resource.started = time;
	}

	/** The callback has run for that long, in µs, or a part of it. */
	addRun(resource: OpenResource, duration: number): void {
		const { logical } = resource;
		logical.run += duration;
		if (logical.open > 0) {
			this.operations.endStep(resource);
			return;
		}
		const ranIn = this.run.number;
		if (this.requests.mayMove(resource.id)) this.unsettled.set(resource.id, { resource, ranIn });
		else this.finish(resource, ranIn);
		if (resource.type.callsBackOnce && !logical.repeats) this.operations.forget(resource);
	}

	/** The line of that request is certain now. */
	settle(id: number): void {
		const unsettled = this.unsettled.get(id);
		if (unsettled === undefined) return;
		this.unsettled.delete(id);
		this.finish(unsettled.resource, unsettled.ranIn);
	}

	/** Adds the served requests that no line counts yet to what is under way. */
	addUnsettled(pending: Map<LineStats, Pending>): void {
		for (const { resource } of this.unsettled.values()) {
			const { stats, started } = resource.logical;
			if (stats !== null) addPending(pending, stats, { count: 1, waiting: 0, since: started });
		}
	}

	/** @param ranIn the number of the callback that was its last */
	private finish(resource: OpenResource, ranIn: number): void {
		const { logical } = resource;
		if (logical.stats !== null && logical.hasWaited) {
			this.timeline.operation(logical.stats, logical, resource, ranIn);
			if (this.clock.collectsStacks) logical.stats.asyncStackRuns++;
		}
		logical.finish();
	}

	/** Splits the wait that is over at `time`, as far as its class has parts. */
	private split(resource: OpenResource, time: number): void {
		const { logical, type, started, delay } = resource;
		if (type.pool !== null && type.isAddon && !this.jobs.endAddon(resource.id, time)) {
			logical.isSplitKnown = false;
		} else if (type.pool !== null) {
			this.splitPool(resource, time);
		} else if (delay >= 0) {
			const due = Math.min(time, started + delay * 1000);
			addExactly(logical.waitParts().lag, time - due);
			this.countDelays(resource, { low: due, high: due }, time);
		} else if (type.class === 'kernel' || type.class === 'io_uring' || type.class === 'process') {
			// When the bytes of a request arrived is unknown: between the poll before and this one, and on a kept-alive connection after the last
			// response.
			const isRequest = type === RESOURCE_FACTS.HTTPSERVERREQUEST;
			const isNext = started === time;
			const earliest = isNext ? Math.max(0, this.run.operation?.respondedAt ?? 0) : started;
			const done = (isRequest ? this.connections.arrivedFirst() : null) ?? this.polls.done(earliest);
			if (isRequest || isNext) {
				logical.started = done.low;
				logical.mayStartLater = done.high - done.low;
				if (logical.stats !== null) this.connections.countArrived(logical.stats, done.low, time);
			}
			addEstimate(logical.waitParts().lag, time - done.high, time - middle(done), time - done.low);
			this.countDelays(resource, done, time);
		} else if (type.class === 'worker') {
			this.children.end(resource.id, this.clock.latestInHrtime);
			// Nothing shows when a message was sent.
			if (type === RESOURCE_FACTS.PORTMESSAGE) logical.isWaitKnown = false;
		} else if (type === RESOURCE_FACTS.Immediate && logical.stats !== null) {
			// It could have run at once, had the callback that set it not gone on.
			this.blocks.delay(logical.stats, { low: started, high: started }, time, LEAST_OWN_DELAY_US);
		}
	}

	private splitPool(resource: OpenResource, time: number): void {
		const { logical, started } = resource;
		const times = this.jobs.complete(resource, this.polls.done(started), time);
		if (times === null) {
			logical.isSplitKnown = false;
			return;
		}
		const { began, done } = times;
		this.timeline.job(logical, started, began, done);
		logical.splitStep(started, began, done, time);
		this.countDelays(resource, done, time);
	}

	/** The callback could have run at `ready` and ran at `time`: finds out which blocks delayed it. */
	private countDelays({ logical }: OpenResource, ready: Interval, time: number): void {
		this.ready = ready;
		if (logical.stats !== null) this.blocks.delay(logical.stats, ready, time);
	}
}
