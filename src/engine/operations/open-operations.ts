// What one thread has under way: async resources that may still call back, and the logical operations that they are steps of.
import { RESOURCE_FACTS, type ResourceFacts } from '../../protocol/resource-facts.ts';
import { IdMap } from '../common/id-map.ts';
import type { Place } from '../common/place.ts';
import type { SiteFacts } from '../lines/journal-tables.ts';
import type { LineStats } from '../lines/line-stats.ts';
import type { LogicalOperation } from './logical-operation.ts';
import type { Hop } from './request-path.ts';

/** A timer or an immediate that is overdue by this, in µs, was cleared: the loop delays them by less. */
const CLEARED_US = 1_000_000;
/**
 * The most resources kept that may call back: connections and cleared timers never announce their end. The tracer keeps
 * as many.
 */
const KEPT = 100_000;

/** Whether Node does operations of that family in several steps. */
export function hasSteps(family: ResourceFacts['family']): boolean {
	return family === 'fs' || family === 'zlib';
}

/** What a line has under way. */
export interface Pending {
	readonly count: number;
	/** How many of them have not called back: a served request is under way until its response is finished. */
	readonly waiting: number;
	/** When the oldest of them was started, in µs of the thread. */
	readonly since: number;
}

/** Adds what else a line has under way. */
export function addPending(all: Map<LineStats, Pending>, stats: LineStats, { count, waiting, since }: Pending): void {
	const { count: others, waiting: othersWaiting, since: oldest } = all.get(stats) ?? NONE;
	all.set(stats, { count: others + count, waiting: othersWaiting + waiting, since: Math.min(oldest, since) });
}

const NONE: Pending = { count: 0, waiting: 0, since: Infinity };

/** One async resource that may still call back. */
export interface OpenResource {
	readonly id: number;
	/** The first step of its logical operation. */
	readonly root: number;
	readonly type: ResourceFacts;
	user: Place | null;
	/** Null where that is unknown. */
	site: SiteFacts | null;
	readonly logical: LogicalOperation;
	/** ms; -1 when it is no timer. */
	readonly delay: number;
	/** µs of its thread. */
	started: number;
	/** Whether it has not called back yet. */
	isPending: boolean;
	/** Whether it is an interval that may have called back since `started`, unseen. */
	isOverdue: boolean;
	/** The callback of a request that started it; null where it belongs to no request. */
	hop: Hop | null;
	/** The latest request whose callback was one of this connection's. */
	lastHop: Hop | null;
	/** When the latest response over this connection was finished; -1 where there was none. */
	respondedAt: number;
	/** The connection that answers it in its turn; 0 where that is not known, or is none. */
	readonly connection: number;
	/** Of a pipe to a child process, the process, whose output it brings; else null. */
	child: OpenResource | null;
}

export class OpenOperations {
	private readonly byId = new IdMap<OpenResource>();
	/** Of families whose operations have several steps, by the first step: the others have one, which is in `byId`. */
	private readonly logicals = new IdMap<LogicalOperation>();
	/** Of operations that began with two jobs, the other one by each. */
	private readonly pairs = new Map<number, number>();
	/** Jobs of the pool that have not called back. */
	jobs = 0;

	get(id: number): OpenResource | undefined {
		return this.byId.get(id);
	}

	has(id: number): boolean {
		return this.byId.has(id);
	}

	/** @param root id of its first step */
	logicalOf(root: number): LogicalOperation | undefined {
		const resource = this.byId.get(root);
		return this.logicals.get(root) ?? (resource?.root === root ? resource.logical : undefined);
	}

	/** A logical operation begins. @param root id of its first step */
	addLogical(root: number, logical: LogicalOperation): void {
		if (hasSteps(logical.family)) this.logicals.set(root, logical);
	}

	/** What follows the second job belongs to the operation that began with the first. @returns that; undefined where it is no longer known */
	pair(first: number, second: number): LogicalOperation | undefined {
		const logical = this.logicals.get(first);
		if (logical === undefined) return;
		this.logicals.set(second, logical);
		this.pairs.set(first, second).set(second, first);
		return logical;
	}

	add(resource: OpenResource): void {
		this.countOut(this.byId.set(resource.id, resource));
		if (isOpenJob(resource)) this.jobs++;
		if (this.byId.size > KEPT) this.forget(this.byId.oldest()!);
	}

	/** A timer that is said to have started later than before was refreshed, and waits from then. @param started µs of the thread */
	setAgain(id: number, started: number): void {
		const resource = this.byId.get(id);
		if (resource === undefined || resource.delay < 0 || resource.logical.repeats || started <= resource.started) return;
		resource.started = resource.logical.started = started;
	}

	/** It has called back. */
	settle(resource: OpenResource): void {
		this.countOut(resource);
		resource.isPending = false;
	}

	/** Its logical operation continues without it. */
	endStep({ id }: OpenResource): void {
		this.countOut(this.byId.take(id));
	}

	/** Forgets a resource that will not call back again. */
	forget({ id, root, logical }: OpenResource): void {
		this.countOut(this.byId.take(id));
		if (hasSteps(logical.family)) this.forgetLogical(root);
	}

	private forgetLogical(root: number): void {
		this.logicals.delete(root);
		const other = this.pairs.size === 0 ? undefined : this.pairs.get(root);
		if (other === undefined) return;
		this.logicals.delete(other);
		this.pairs.delete(root);
		this.pairs.delete(other);
	}

	/** Those that have not called back. */
	*left(): Generator<OpenResource> {
		for (const resource of this.byId) if (resource.isPending) yield resource;
	}

	/**
	 * What calls back is not seen from now on: forgets what does so only once, or has not done so yet. What is still there
	 * afterwards is recorded again. An interval's next wait is unknown.
	 */
	rest(): void {
		for (const resource of [...this.byId]) {
			const { isPending, logical, type } = resource;
			resource.hop = resource.lastHop = null;
			resource.respondedAt = -1;
			if (logical.repeats) resource.isOverdue = true;
			else if (isPending || type.callsBackOnce || type.pool !== null || type.comesFromOutside) {
				this.forget(resource);
				logical.arrive();
			}
		}
		this.logicals.clear();
		this.pairs.clear();
	}

	clear(): void {
		this.jobs = 0;
		this.byId.clear();
		this.logicals.clear();
		this.pairs.clear();
	}

	/**
	 * Logical operations that have not called back, per line. What was cleared never announces it: a timer or an immediate that is overdue,
	 * or left at the thread's end, was cleared, and then it is unknown which of the line's others were.
	 * @param now µs of the thread; Infinity when the thread has ended
	 * @param instead on which line one is to be counted that is not on its operation's
	 */
	pending(now: number, instead: ReadonlyMap<OpenResource, LineStats>): Map<LineStats, Pending> {
		const counts = new Map<LineStats, Pending>();
		const seen = new Set<LogicalOperation>();
		const clearing = new Set<LineStats>();
		for (const resource of this.byId) {
			const { logical, isPending } = resource;
			if (!isPending || logical.repeats || logical.isPostponed) continue;
			if (logical.stats === null || seen.has(logical)) continue;
			seen.add(logical);
			if (dueAt(resource) + CLEARED_US < now) clearing.add(logical.stats);
			else addPending(counts, instead.get(resource) ?? logical.stats, { count: 1, waiting: 1, since: logical.started });
		}
		for (const stats of clearing) counts.delete(stats);
		return counts;
	}

	private countOut(resource: OpenResource | undefined): void {
		if (resource !== undefined && isOpenJob(resource)) this.jobs--;
	}
}

function isOpenJob({ isPending, type }: OpenResource): boolean {
	return isPending && type.pool !== null;
}

/** When it has to call back, in µs of its thread; Infinity for what waits for something outside of the loop. */
function dueAt({ type, delay, started }: OpenResource): number {
	if (delay >= 0) return started + delay * 1000;
	return type === RESOURCE_FACTS.Immediate ? started : Infinity;
}
