// Which request the running callback works for: the one whose callback has started its operation. So a request is followed through operations, promises and
// libraries without a hook on any of them.
import { JOB_SCRIPT } from '../../protocol/journal.ts';
import type { ResourceFacts } from '../../protocol/resource-facts.ts';
import { RESOURCE_FACTS } from '../../protocol/resource-facts.ts';
import { addEstimate, type Interval, noTime } from '../common/estimate.ts';
import { IdMap } from '../common/id-map.ts';
import { isSameLine, type Place } from '../common/place.ts';
import type { SiteFacts } from '../lines/journal-tables.ts';
import type { LineStats } from '../lines/line-stats.ts';
import type { ThreadLines } from '../lines/thread-lines.ts';
import type { OpenResource } from '../operations/open-operations.ts';
import { RecentRuns } from '../operations/recent-runs.ts';
import {
	firstHop,
	type Hop,
	hopAfter,
	KEPT_HOPS,
	type OpenRequest,
	openAt,
	type SharedRun,
	stepsTo,
} from '../operations/request-path.ts';
import { RequestStats } from './request-stats.ts';
import { SharedDrain } from './shared-drain.ts';

/** The most requests kept that may still be answered: those whose connection breaks never announce their end. */
const KEPT = 10_000;
/** Operations that one callback may start before it is known for which request. */
const UNCLAIMED_KEPT = 1000;

/** Of a request that is served. One over HTTP/2 has a resource of its own, whose later callbacks bring its body or its end. */
const { HTTPSERVERREQUEST: HTTP1, HTTP2SERVERREQUEST: HTTP2 } = RESOURCE_FACTS;
/** The script of Node's in which an AsyncResource that a program makes itself announces itself. */
const ASYNC_HOOKS = 'node:internal/async_hooks';
/** The most AsyncResources of the program's kept that are not destroyed: programs may leave that to the garbage collector. */
const WORK_KEPT = 1000;
/** A wait for a connection: when it ends, its request continues in the next operation of the connection. */
const CONNECTIONS: readonly ResourceFacts[] = [
	RESOURCE_FACTS.POOLWAIT,
	RESOURCE_FACTS.CONNECTIONWAIT,
	RESOURCE_FACTS.QueuedRequest,
];

/** Their functions call routes, and other scripts of the same framework what comes before a route: fastify's, and NestJS's. */
const ROUTES_ONLY =
	/[\\/](fastify[\\/]lib[\\/]handle-?request|@nestjs[\\/]core[\\/]router[\\/]router-execution-context)\.js$/i;

/** Times in µs of the thread. */
export class ThreadRequests {
	/** Where handlers begin to which others have passed a request on. */
	private readonly passedOnTo = new Set<string>();
	/** By the line of the handler. */
	readonly routes = new Map<LineStats, RequestStats>();
	/** Is called with each request that is over, and when that was. */
	watch: ((request: OpenRequest, time: number) => void) | null = null;
	/** Is called with the id of the operation of each whose line is certain from then on. */
	settle: ((id: number) => void) | null = null;
	/** Whether a router calls handlers in this thread: a request may then be another handler's than the first one's. */
	hasRouter = false;
	/** Handlers that a router has called in the running callback before it was known whose that is. */
	private unclaimedHandlers: SiteFacts[] = [];
	/** Whether it is unknown for which of several requests the drain of the running callback works. */
	private isShared = false;
	/** The running callback, where it continues several requests. */
	private shared: SharedRun | null = null;
	private readonly drain = new SharedDrain();
	private readonly lines: ThreadLines;
	private readonly open = new IdMap<OpenRequest>();
	/** Work that the program has named itself, by making an AsyncResource, which it destroys when that is over; and a queue's jobs. */
	private readonly work = new IdMap<OpenRequest>();
	/** Of the work that is over since the running callback began, its latest callback then, and when that was. */
	private done: { request: OpenRequest; hop: Hop | null; time: number }[] = [];
	/** What the running callback has started, while there is such work: part of it may run within the callback. */
	private started: OpenResource[] = [];
	private readonly runs = new RecentRuns();
	/** The running callback, where it works for a request. */
	private current: Hop | null = null;
	/** The connection whose callback runs. */
	private connection: OpenResource | null = null;
	/** Whether what it brings has waited until the program read what had come before. */
	private wasUnread = false;
	/** When the running callback began. */
	private began = 0;
	/** The child process that the running callback has started last. */
	private child: OpenResource | null = null;
	/** A connection was given to this request within another's callback. */
	private handedOver: Hop | null = null;
	private unclaimed: OpenResource[] = [];
	/** What `oldest` says when the journal has ended. */
	private left: ReadonlyMap<RequestStats, number> | null = null;

	constructor(lines: ThreadLines) {
		this.lines = lines;
	}

	/** A top-level callback begins, or is over. @param running null where it is not known whose @param wasUnread see BEGIN_FLAG */
	begin(running: OpenResource | null, time = 0, wasUnread = false): void {
		if (this.done.length > 0) this.finishDone();
		this.current = null;
		this.handedOver = this.child = null;
		this.isShared = false;
		// When a callback that was lost has ended is not known.
		if (this.shared?.ended === Infinity) this.shared.ended = 0;
		this.shared = null;
		this.drain.begin();
		if (this.unclaimedHandlers.length > 0) this.unclaimedHandlers = [];
		this.connection = running;
		this.wasUnread = wasUnread;
		this.began = time;
		if (running?.lastHop && openAt(running.lastHop) === null) running.lastHop = null;
		if (this.unclaimed.length > 0) this.unclaimed = [];
		if (this.started.length > 0) this.started = [];
	}

	/** The running callback starts an operation. @param isRouted whether a handler does that a router has called */
	start(resource: OpenResource, isRouted: boolean): void {
		this.drain.start(resource, isRouted);
		if (resource.type === RESOURCE_FACTS.PROCESSWRAP) this.child = resource;
		// Node makes the pipes to a child on the line that starts it, right after the child.
		else if (resource.type === RESOURCE_FACTS.PIPEWRAP && isFromLineOf(resource, this.child))
			resource.child = this.child;
		if (this.handedOver !== null && resource.type.shown === 'always' && resource.type.class === 'kernel') {
			resource.hop = this.handedOver;
			this.handedOver = null;
			return;
		}
		resource.hop = this.openWork(resource) ?? this.current;
		if (this.work.size > 0 && this.started.length < UNCLAIMED_KEPT) this.started.push(resource);
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
		if (from === null || openAt(from) === null) return;
		resource.hop = hopAfter(from, stats, started, time, [], false);
		resource.hop.ended = time;
	}

	/**
	 * An operation's callback begins.
	 * @param started when it was started, an interval's when it was due last
	 * @param ready when it could have begun; null where that is not known
	 * @param ended when it was over, where it runs within another one; else null
	 */
	complete(resource: OpenResource, started: number, ready: Interval | null, time: number, ended: number | null): void {
		if (resource.type === HTTP1 || (resource.type === HTTP2 && resource !== this.connection)) {
			this.arrive(resource, ready ?? { low: time, high: time }, time);
			return;
		}
		this.drain.complete(resource);
		// A job begins with its start, and its end says nothing about what it waited for.
		if (isJob(resource)) return;
		let from = resource.hop;
		let since = started;
		// A connection that was made for it goes on with what it has brought since.
		const isOwn = from === null || resource.type.shown === 'never';
		const goesOn = isOwn && resource === this.connection && resource.lastHop !== null;
		const isRepeated = resource.logical.repeats && resource === this.connection && resource.lastHop !== null;
		if (goesOn || isRepeated) {
			// More of the answer over the connection, or of the request's own body; or an interval's next turn.
			from = resource.lastHop!;
			since = Math.min(time, from.ended);
		}
		if (from === null || openAt(from) === null) return;
		const before = from;
		if (goesOn && this.wasUnread) {
			from = this.readingHop(from);
			since = Math.min(time, from.ended);
		}
		const isWork = this.work.has(resource.id);
		// The program may call into the work any number of times.
		if (isWork) since = Math.min(time, Math.max(since, from.ended));
		const stats = lineOf(resource) ?? before.stats;
		const blockers = ready === null ? [] : this.runs.blockers(clamped(ready, since, time), time);
		const isInTurn = goesOn && ready !== null && ready.high <= since;
		const isMore = goesOn || (isWork && from !== from.request.first);
		const hop = hopAfter(from, stats, since, time, blockers, isMore, isInTurn);
		if (isWork) resource.hop = hop;
		if (ended === null) {
			this.run(hop, !goesOn);
			return;
		}
		hop.ended = time;
		if (CONNECTIONS.includes(resource.type)) this.endConnectionWait(hop);
		else if (isScope(resource)) this.runWithin(hop, ended);
	}

	/** The callback in which the program has begun to read what its connection's callback `brought` and it had left: the request's latest since then. */
	private readingHop(brought: Hop): Hop {
		const { latest } = brought.request;
		return latest !== null && latest.began >= brought.ended ? latest : brought;
	}

	/** It goes on in the next operation of the connection; where the library's own timer has ended it, none was given, and the callback is the wait's end. */
	private endConnectionWait(hop: Hop): void {
		const { current } = this;
		const timer = current?.from === hop.from && current?.stats?.class === 'timer' ? current.stats : null;
		if (timer !== null && hop.stats !== null && isSameLine(timer.place, hop.stats.place))
			this.run({ ...hop, began: current!.began, ended: Infinity });
		else {
			this.handedOver = hop;
			hop.request.last = hop;
			// It goes on in the drain, as the running callback's own may.
			if (current !== null) this.mix(current.request, hop.request);
		}
	}

	/** A callback that the program itself ran within another one: what started meanwhile was started by it. */
	private runWithin(hop: Hop, ended: number): void {
		hop.ended = ended;
		for (let request: OpenRequest | null = hop.request; request !== null; request = request.parent) request.last = hop;
		this.started = this.started.filter((resource) => {
			const isWithin = resource.started >= hop.began && resource.started <= ended && !this.work.has(resource.id);
			if (isWithin) resource.hop = hop;
			return !isWithin;
		});
	}

	/** A top-level callback is over. @param place the line that it ran for */
	endRun(began: number, ended: number, place: Place | null): void {
		this.runs.add(began, ended, place);
		if (this.current !== null) this.current.ended = ended;
		if (this.shared !== null) this.shared.ended = ended;
		this.begin(null);
	}

	/** The line of the request that the running callback works for; null where it works for none, or for several. */
	get place(): Place | null {
		return this.current === null || this.isShared ? null : outermost(this.current.request).stats.place;
	}

	/** Whether that is a request whose response is not finished. @param id of its operation */
	has(id: number): boolean {
		return this.open.has(id);
	}

	/** The connection over which a request came whose response is not finished; null where the next one need not wait for it. @param id of its operation */
	connectionOf(id: number): object | null {
		return this.open.get(id)?.connection ?? null;
	}

	/** Those that are not over. */
	*underWay(): Generator<OpenRequest> {
		yield* this.open;
		yield* this.work;
	}

	/** When the oldest request of each route that is not over had arrived, at the latest. Of more than are kept, the oldest that is. */
	oldest(): ReadonlyMap<RequestStats, number> {
		if (this.left !== null) return this.left;
		const oldest = new Map<RequestStats, number>();
		for (const { stats, arrived } of this.underWay()) {
			const route = this.routes.get(stats)!;
			oldest.set(route, Math.min(oldest.get(route) ?? Infinity, arrived.high));
		}
		return oldest;
	}

	/** The response to a served request is finished. @param id of its operation */
	respond(id: number, time: number): void {
		const request = this.open.get(id);
		if (request === undefined) return;
		this.open.delete(id);
		const last = this.lastOf(request);
		this.finish(request, last === null ? null : this.elsewhere(last, request), time);
	}

	/**
	 * A response that is finished in a callback of something else has waited for that since it began: an event that a timer emits, say, or the answer to what another
	 * request had asked for first. What the request waited for before is unknown. @param last the request's latest callback
	 */
	private elsewhere(last: Hop, request: OpenRequest): Hop {
		const { connection, current, began } = this;
		if (current !== null && isPartOf(current.request, request)) return last;
		const stats = current === null ? (connection === null ? null : lineOf(connection)) : current.stats;
		if (stats === null || last.ended > began) return last;
		const started = current?.started ?? sinceOf(connection);
		return hopAfter(last, stats, Math.max(last.ended, started), began, [], false);
	}

	/**
	 * A router has called that handler, which starts something in the running callback.
	 * @param inDrain whether the callback itself is over
	 */
	noteHandler(handler: SiteFacts, inDrain: boolean): void {
		this.hasRouter = true;
		const { current, drain } = this;
		if (drain.isUnknown || (inDrain && this.isShared)) {
			for (const request of drain.requests) if (this.lineBehind(request, handler) !== null) drain.call(handler);
		} else if (current !== null) this.move(outermost(current.request), handler);
		else if (this.connection?.type.shown === 'never' && this.unclaimedHandlers.length < UNCLAIMED_KEPT)
			this.unclaimedHandlers.push(handler);
	}

	/** A request's response is about to be finished: what the running callback completes may show whose it is. @param id of its operation */
	goesOnBehind(id: number): void {
		const request = this.open.get(id);
		const handler = request === undefined ? null : this.drain.handlerOf(request);
		if (handler !== null) this.move(request!, handler);
	}

	/**
	 * The handler of a request shows only when it goes on or answers: until then it is on the line of what brought it, or of a middleware that waited together with those
	 * of other requests.
	 * @param id of its operation
	 */
	goesOnAt(id: number, handler: SiteFacts | null): void {
		const request = this.open.get(id);
		if (!request?.served || handler === null) return;
		const line = this.lines.of(request.served.type, handler);
		const isCertain = isOnListener(request)
			? request.stats === request.arrivedOn
			: this.drain.requests.has(request) && line !== null && this.passedOnTo.has(keyOf(line.place));
		if (isCertain) this.moveTo(request, request.served, line);
	}

	/** A request that one handler has passed on is from then on the next one's, and the route's is the last. */
	private move(request: OpenRequest, handler: SiteFacts): void {
		const line = this.lineBehind(request, handler);
		if (line === null) return;
		request.caller = handler.library;
		this.moveTo(request, request.served!, line);
	}

	/** The line of a handler behind the one that has the request now; null where that is none. */
	private lineBehind({ caller, isOver, served }: OpenRequest, handler: SiteFacts): LineStats | null {
		const { library } = handler;
		if (served === null || isOver || library === null) return null;
		if (caller !== null && !isSameLine(caller, library) && !passesOn(caller, library)) return null;
		const line = this.lines.of(served.type, handler);
		if (line !== null) this.passedOnTo.add(keyOf(line.place));
		return line;
	}

	private moveTo(request: OpenRequest, served: NonNullable<OpenRequest['served']>, next: LineStats | null): void {
		const { stats } = request;
		if (next === null || next === stats) return;
		this.routeOf(stats).open--;
		this.routeOf(next).open++;
		request.stats = next;
		served.logical.moveTo(next);
	}

	/** The program has destroyed what names its work, or a served request has lost its connection. @param id of its operation */
	end(id: number, time: number): void {
		const request = this.open.get(id) ?? this.work.get(id);
		if (request === undefined) return;
		if (this.work.delete(id)) this.done.push({ request, hop: this.lastOf(request), time });
		else {
			this.open.delete(id);
			this.routes.get(request.stats)!.closedEarly++;
			this.finish(request, null, time);
		}
	}

	/** A session of HTTP/2 is over, and with it the requests that came over it. @returns the ids of their operations */
	endSession(id: number, time: number): number[] {
		const left = [...this.open].filter(({ session }) => session === id).map((request) => request.id);
		for (const request of left) this.end(request, time);
		return left;
	}

	/** Whether its line is not certain yet: another handler may follow. @param id of its operation */
	mayMove(id: number): boolean {
		const request = this.open.get(id);
		return request !== undefined && (this.hasRouter || isOnListener(request));
	}

	private forget({ id }: OpenRequest): void {
		this.open.delete(id);
		this.settle?.(id);
	}

	/** @param hop the callback that led to its end; null when it has no end that counts */
	private finish(request: OpenRequest, hop: Hop | null, time: number): void {
		request.isOver = true;
		this.settle?.(request.id);
		this.watch?.(request, time);
		if (request.connection !== null) request.connection.respondedAt = time;
		const route = this.routes.get(request.stats)!;
		route.open--;
		if (hop !== null) route.add(request, time, stepsTo(hop, time, request));
		request.last = request.latest = null;
	}

	/** Work that is over may have been destroyed within a callback of its own, which shows only when that is over. */
	private finishDone(): void {
		const { done } = this;
		this.done = [];
		for (const { request, hop, time } of done) {
			const { last } = request;
			const isLater = last !== null && hop !== null && last.began >= hop.began && last.began <= time;
			this.finish(request, isLater ? last : hop, time);
		}
	}

	/** What responds is not seen from now on. */
	rest(): void {
		this.begin(null);
		for (const requests of [this.open, this.work]) {
			for (const request of requests) this.finish(request, null, 0);
			requests.clear();
		}
	}

	/** The journal has ended: keeps only what the report shows. */
	close(): void {
		this.begin(null);
		this.left = this.oldest();
		for (const { id } of this.open) this.settle?.(id);
		this.open.clear();
		this.work.clear();
	}

	/** The callback that led to its response, which is finished now. */
	private lastOf(request: OpenRequest): Hop | null {
		const { connection, current } = this;
		const { last } = request;
		if (current === null || !isPartOf(current.request, request)) return last;
		// The callback that ends a stream of HTTP/2 only shows that its last bytes are sent.
		const isEnd =
			connection?.type === HTTP2 && last !== null && current.from !== null && last.began > current.from.began;
		if (isEnd) return last;
		// So does a later callback of an HTTP/1 connection, where something else has brought the bytes since: of a proxy, the other side.
		const { latest } = request;
		const isSent = current.goesOn && connection !== null && connection === request.connection;
		return isSent && latest !== null && latest.began > current.started ? latest : current;
	}

	/** A request's first callback began at `time` and could have begun at `ready`. */
	private arrive(resource: OpenResource, ready: Interval, time: number): void {
		const { id, type } = resource;
		const { stats } = resource.logical;
		if (stats === null) return;
		this.routeOf(stats).open++;
		// A client sends a request over a connection of HTTP/1 once it has its last answer.
		const connection = type === HTTP1 ? this.connection : null;
		const earliest = Math.max(ready.low, connection?.respondedAt ?? 0);
		const blockers = this.runs.blockers(clamped(ready, earliest, time), time);
		const blocked = noTime();
		for (const { low, value, high } of blockers) addEstimate(blocked, low, value, high);
		const arrived = { low: time - blocked.high, value: time - blocked.value, high: time - blocked.low };
		const caller = resource.site?.library ?? null;
		if (caller !== null) this.hasRouter = true;
		const request: OpenRequest = {
			id,
			stats,
			arrivedOn: stats,
			caller,
			served: resource,
			arrived,
			connection,
			session: type === HTTP2 ? (this.connection?.id ?? 0) : 0,
			parent: null,
			isOver: false,
			first: null,
			last: null,
			latest: null,
		};
		this.open.set(id, request);
		if (this.open.size > KEPT) this.forget(this.open.oldest()!);
		// A session of HTTP/2 goes on with any of its requests.
		this.run(firstHop(request, time, blockers), true, type === HTTP1 ? connection : resource);
		for (const started of this.unclaimed) if (started !== resource) this.claim(started);
		this.unclaimed = [];
		for (const handler of this.unclaimedHandlers) this.move(request, handler);
		this.unclaimedHandlers = [];
	}

	/** The running callback turns out to be a request's: it has started that. */
	private claim(started: OpenResource): void {
		const { current } = this;
		const work = this.work.get(started.id);
		if (work === undefined) started.hop ??= current;
		else if (work.first !== null && current !== null) {
			work.first.from = current;
			work.parent = current.request;
		}
	}

	/** @returns where it begins if that is work which the program names by an AsyncResource, or a queue's job; else null */
	private openWork(resource: OpenResource): Hop | null {
		const { id, site, started, logical } = resource;
		const { stats } = logical;
		const ofQueue = isJob(resource);
		const isNamed = site?.apiScript === ASYNC_HOOKS && site.library === null;
		if (stats === null || !(ofQueue || isNamed) || !isScope(resource)) return null;
		const { current } = this;
		// Work that keeps making other work would keep all of it in memory. A job is not part of the callback that brought it.
		const from = !ofQueue && current !== null && current.depth < KEPT_HOPS ? current : null;
		const parent = from === null ? null : openAt(from);
		const arrived = { low: started, value: started, high: started };
		const request: OpenRequest = {
			id,
			stats,
			arrivedOn: stats,
			caller: null,
			served: null,
			arrived,
			connection: null,
			session: 0,
			parent,
			isOver: false,
			first: null,
			last: null,
			latest: null,
		};
		const first = firstHop(request, started, [], parent === null ? null : from);
		request.first = request.last = first;
		if (ofQueue) {
			this.run(first, true, null);
			// The callback works for both, one after the other.
			if (current !== null) current.ended = Math.max(current.began, started);
		} else first.ended = started;
		this.routeOf(stats).open++;
		this.work.set(id, request);
		if (this.work.size > WORK_KEPT) this.work.delete(this.work.oldest()!.id);
		return first;
	}

	private routeOf(stats: LineStats): RequestStats {
		let route = this.routes.get(stats);
		if (route === undefined) {
			route = new RequestStats(stats);
			this.routes.set(stats, route);
		}
		return route;
	}

	/** It is unknown from now on which of both the drain of the running callback continues. */
	private mix(one: OpenRequest, other: OpenRequest): void {
		const [first, second] = [outermost(one), outermost(other)];
		if (first === second) return;
		this.isShared = true;
		this.drain.add(first);
		this.drain.add(second);
	}

	/**
	 * @param isLast whether the request certainly continues there: over a connection the answer to another one may have
	 * come
	 * @param connection whose next callbacks may continue it
	 */
	private run(hop: Hop, isLast = true, connection = this.connection): void {
		// Of two that share a callback, it is unknown which part is whose.
		if (this.current !== null) {
			this.current.ended = this.current.began;
			this.mix(this.current.request, hop.request);
			// A job begins after what ran before it.
			if (hop !== hop.request.first) this.share(this.current, hop);
		}
		this.current = hop;
		if (isLast) hop.request.last = hop;
		if (connection !== hop.request.connection) hop.request.latest = hop;
		if (connection !== null) connection.lastHop = hop;
	}

	/** The running callback continues both. @param last which it had continued before */
	private share(last: Hop, hop: Hop): void {
		const isOther = outermost(last.request) !== outermost(hop.request);
		if (!isOther && last.shared === null) return;
		const place = hop.stats?.place ?? null;
		this.shared ??= { count: 1, place: last.stats?.place ?? null, ended: Infinity };
		if (isOther) this.shared.count++;
		if (!isSameLine(this.shared.place, place)) this.shared.place = null;
		last.shared = hop.shared = this.shared;
	}
}

/**
 * Whether what a function of a framework's has called is passed on to what another one calls: scripts other than the router's call what comes behind the
 * handler, and its own function for errors the one that answers instead.
 */
function passesOn(from: Place, to: Place): boolean {
	return ROUTES_ONLY.test(to.script) || (from.script === to.script && !/error/i.test(to.function ?? ''));
}

function keyOf({ script, line, column }: Place): string {
	return `${line} ${column} ${script}`;
}

/** Since when something has been under way; an interval has been all the time. */
function sinceOf(resource: OpenResource | null): number {
	return resource === null || resource.logical.repeats ? 0 : resource.logical.started;
}

/** Whether it is on the line that listens, because no handler has shown yet. */
function isOnListener({ arrivedOn, served, stats }: OpenRequest): boolean {
	return stats === arrivedOn && served?.site?.apiName === 'listen';
}

/** What is waited for at a pipe to a child process is the process. */
function lineOf({ logical, child }: OpenResource): LineStats | null {
	return logical.stats ?? child?.logical.stats ?? null;
}

function isFromLineOf({ user }: OpenResource, child: OpenResource | null): boolean {
	return user !== null && child !== null && child.user !== null && isSameLine(user, child.user);
}

function clamped({ low, high }: Interval, least: number, most: number): Interval {
	const within = (at: number) => Math.min(most, Math.max(least, at));
	return { low: within(low), high: within(high) };
}

/** The request that it is part of, or itself. */
function outermost(request: OpenRequest): OpenRequest {
	let outer = request;
	while (outer.parent !== null) outer = outer.parent;
	return outer;
}

function isPartOf(inner: OpenRequest, outer: OpenRequest): boolean {
	let request: OpenRequest | null = inner;
	while (request !== null && request !== outer) request = request.parent;
	return request !== null;
}

/** Whether it is a job of a queue, which the callback works on that has started it. */
export function isJob({ site }: OpenResource): boolean {
	return site?.apiScript === JOB_SCRIPT;
}

/** Whether the program itself calls back: through an AsyncResource, its own or a library's. */
function isScope({ type }: OpenResource): boolean {
	return type.class === 'other' && type.shown === 'always' && !type.isAddon;
}
