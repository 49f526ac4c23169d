// Which request the running callback works for: the one whose callback has started its operation. So a request is followed through operations, promises and
// libraries without a hook on any of them.
import type { ResourceFacts } from '../protocol/resource-facts.ts';
import { RESOURCE_FACTS } from '../protocol/resource-facts.ts';
import { addEstimate, type Interval, noTime } from './estimate.ts';
import { IdMap } from './id-map.ts';
import type { LineStats } from './line-stats.ts';
import type { OpenResource } from './open-operations.ts';
import type { Place } from './place.ts';
import { RecentRuns } from './recent-runs.ts';
import { firstHop, type Hop, hopAfter, type OpenRequest, stepsTo } from './request-path.ts';
import { RequestStats } from './request-stats.ts';

/** The most requests kept that may still be answered: those whose connection breaks never announce their end. */
const KEPT = 10_000;
/** Operations that one callback may start before it is known for which request. */
const UNCLAIMED_KEPT = 1000;

/** Of a request that is served over HTTP/1. */
const SERVED = RESOURCE_FACTS.HTTPSERVERREQUEST;
/** A wait for a connection: when it ends, its request continues in the next operation of the connection. */
const CONNECTIONS: readonly ResourceFacts[] = [
	RESOURCE_FACTS.POOLWAIT,
	RESOURCE_FACTS.CONNECTIONWAIT,
	RESOURCE_FACTS.QueuedRequest,
];

/** Times in µs of the thread. */
export class ThreadRequests {
	/** By the line of the handler. */
	readonly routes = new Map<LineStats, RequestStats>();
	private readonly open = new IdMap<OpenRequest>();
	private readonly runs = new RecentRuns();
	/** The running callback, where it works for a request. */
	private current: Hop | null = null;
	/** The connection whose callback runs. */
	private connection: OpenResource | null = null;
	/** A connection was given to this request within another's callback. */
	private handedOver: Hop | null = null;
	private unclaimed: OpenResource[] = [];

	/** A top-level callback begins. @param running null where it is not known whose */
	begin(running: OpenResource | null): void {
		this.current = null;
		this.handedOver = null;
		this.connection = running;
		if (running?.lastHop?.request.isOver) running.lastHop = null;
		if (this.unclaimed.length > 0) this.unclaimed = [];
	}

	/** The running callback starts an operation. */
	start(resource: OpenResource): void {
		if (this.handedOver !== null && resource.type.shown === 'always' && resource.type.class === 'kernel') {
			resource.hop = this.handedOver;
			this.handedOver = null;
			return;
		}
		resource.hop = this.current;
		// A connection's callback turns out to be a request's when it is over.
		if (this.current === null && this.connection?.type.shown === 'never' && this.unclaimed.length < UNCLAIMED_KEPT) {
			this.unclaimed.push(resource);
		}
	}

	/** The connection that was just given is for that operation, which has started before. */
	handOver(resource: OpenResource): void {
		if (this.handedOver !== null) resource.hop = this.handedOver;
		this.handedOver = null;
	}

	/** The first part of an operation's wait, until `time`, was a wait of its own. @param stats that wait's line */
	waitFirst(resource: OpenResource, stats: LineStats, time: number): void {
		const { hop: from, started } = resource;
		if (from === null || from.request.isOver) return;
		resource.hop = hopAfter(from, stats, started, time, [], false);
		resource.hop.ended = time;
	}

	/**
	 * An operation's callback begins.
	 * @param started when it was started, an interval's when it was due last
	 * @param ready when it could have begun; null where that is not known
	 * @param isNested whether it runs within another one
	 */
	complete(resource: OpenResource, started: number, ready: Interval | null, time: number, isNested: boolean): void {
		if (resource.type === SERVED) {
			this.arrive(resource, ready ?? { low: time, high: time }, time);
			return;
		}
		let from = resource.hop;
		let since = started;
		const goesOn = from === null && resource === this.connection && resource.lastHop !== null;
		if (goesOn) {
			// More of the answer over the connection, or of the request's own body.
			from = resource.lastHop!;
			since = Math.min(time, from.ended);
		}
		if (from === null || from.request.isOver) return;
		const stats = resource.logical.stats ?? from.stats;
		const blockers = ready === null ? [] : this.runs.blockers(clamped(ready, since, time), time);
		const hop = hopAfter(from, stats, since, time, blockers, goesOn);
		if (isNested) {
			if (CONNECTIONS.includes(resource.type)) this.handedOver = hop;
			hop.ended = time;
			return;
		}
		this.run(hop, !goesOn);
	}

	/** A top-level callback is over. @param place the line that it ran for */
	end(began: number, ended: number, place: Place | null): void {
		this.runs.add(began, ended, place);
		if (this.current !== null) this.current.ended = ended;
		this.begin(null);
	}

	/** Whether that is a request whose response is not finished. @param id of its operation */
	has(id: number): boolean {
		return this.open.has(id);
	}

	/** The response to a served request is finished. @param id of its operation */
	respond(id: number, time: number): void {
		const request = this.open.get(id);
		if (request === undefined) return;
		this.open.delete(id);
		request.isOver = true;
		if (request.connection !== null) request.connection.respondedAt = time;
		const route = this.routes.get(request.stats)!;
		route.open--;
		const hop = this.current?.request === request ? this.current : request.last;
		if (hop !== null) route.add(request, time, stepsTo(hop, time));
		request.last = null;
	}

	/** The journal has ended: keeps only what the report shows. */
	close(): void {
		this.begin(null);
		this.open.clear();
	}

	/** A request's first callback began at `time` and could have begun at `ready`. */
	private arrive({ id, logical }: OpenResource, ready: Interval, time: number): void {
		const { stats } = logical;
		if (stats === null) return;
		let route = this.routes.get(stats);
		if (route === undefined) {
			route = new RequestStats(stats);
			this.routes.set(stats, route);
		}
		route.open++;
		const { connection } = this;
		// A client sends a request over a connection once it has its last answer.
		const earliest = Math.max(ready.low, connection?.respondedAt ?? 0);
		const blockers = this.runs.blockers(clamped(ready, earliest, time), time);
		const blocked = noTime();
		for (const { low, value, high } of blockers) addEstimate(blocked, low, value, high);
		const arrived = { low: time - blocked.high, value: time - blocked.value, high: time - blocked.low };
		const request: OpenRequest = { id, stats, arrived, connection, isOver: false, last: null };
		this.open.set(id, request);
		if (this.open.size > KEPT) this.open.delete(this.open.oldest()!.id);
		this.run(firstHop(request, time, blockers));
		for (const resource of this.unclaimed) resource.hop = this.current;
		this.unclaimed = [];
	}

	/**
	 * @param isLast whether the request certainly continues there: over a connection the answer to another one may have
	 * come
	 */
	private run(hop: Hop, isLast = true): void {
		// Of two that share a callback, it is unknown which part is whose.
		if (this.current !== null) this.current.ended = this.current.began;
		this.current = hop;
		if (isLast) hop.request.last = hop;
		if (this.connection !== null) this.connection.lastHop = hop;
	}
}

function clamped({ low, high }: Interval, least: number, most: number): Interval {
	const within = (at: number) => Math.min(most, Math.max(least, at));
	return { low: within(low), high: within(high) };
}
