// What is asked and answered over the connections of one thread: which line has used one last, what waits for a connection, and for the answers to
// what was asked before.
import {
	ACCEPTED,
	EARLIER_COMMAND_WAIT,
	RESOURCE_FACTS,
	RESPONSE_BODY_WAIT,
	type ResourceFacts,
} from '../../protocol/resource-facts.ts';
import type { PollClock } from '../clocks/poll-clock.ts';
import { addEstimate, type Interval, middle } from '../common/estimate.ts';
import type { LineStats } from '../lines/line-stats.ts';
import type { ThreadLines } from '../lines/thread-lines.ts';
import type { ThreadBlocks } from '../loop/thread-blocks.ts';
import { LogicalOperation } from '../operations/logical-operation.ts';
import type { OpenResource } from '../operations/open-operations.ts';
import type { ThreadRequests } from '../requests/thread-requests.ts';
import type { ThreadTimeline } from '../timeline/thread-timeline.ts';
import { AcceptedConnections } from './accepted-connections.ts';
import { AgentSockets } from './agent-sockets.ts';
import { ConnectionHolders } from './connection-holders.ts';
import { ConnectionUsers } from './connection-users.ts';
import { EarlierCommands } from './earlier-commands.ts';
import { PoolHolders } from './pool-holders.ts';
import { ResponseBodies } from './response-bodies.ts';

/** What is asked over a connection, and answered in its callback. */
const COMMANDS: ReadonlySet<ResourceFacts> = new Set([RESOURCE_FACTS.EXCHANGE, RESOURCE_FACTS.TURNEXCHANGE]);
/** Requests of HTTP clients: the body of a response may come later than its headers, and until then the connection is theirs. */
const HAS_BODY: ReadonlySet<ResourceFacts> = new Set([RESOURCE_FACTS.FETCH, RESOURCE_FACTS.HTTPREQUEST]);
const ANSWERS: ReadonlySet<ResourceFacts> = new Set([...COMMANDS, ...HAS_BODY]);

/** Times in µs of the thread. */
export class ThreadConnections {
	users = new ConnectionUsers();
	readonly holders = new ConnectionHolders();
	readonly poolHolders = new PoolHolders();
	private earlier = new EarlierCommands();
	private bodies = new ResponseBodies();
	private every = 1;
	/** Whose callback runs; null where that is not known, and while none runs. */
	private running: OpenResource | null = null;
	/** How long the loop had been idle when it began. */
	private idleUs = 0;
	private readonly accepted = new AcceptedConnections();
	private readonly agents = new AgentSockets();
	private readonly polls: PollClock;
	private readonly lines: ThreadLines;
	private readonly blocks: ThreadBlocks;
	private readonly requests: ThreadRequests;
	private readonly timeline: ThreadTimeline;

	constructor(
		polls: PollClock,
		lines: ThreadLines,
		blocks: ThreadBlocks,
		requests: ThreadRequests,
		timeline: ThreadTimeline,
	) {
		this.polls = polls;
		this.lines = lines;
		this.blocks = blocks;
		this.requests = requests;
		this.timeline = timeline;
	}

	/** Of how many operations one is recorded. */
	set recordedOf(every: number) {
		this.every = every;
		this.agents.isSampling = every > 1;
	}

	/** The journal has named its thread. @param node its version of Node */
	beginThread(node: string): void {
		this.agents.begin(node);
	}

	/** Something starts: a request has to wait for a socket, or is announced. */
	start(resource: OpenResource): void {
		this.agents.start(resource);
		this.accepted.start(resource);
	}

	/** Something has started for another operation. @param parent undefined where that is not known */
	join(resource: OpenResource, parent: OpenResource | undefined): void {
		if (resource.type === RESOURCE_FACTS.CONNECTIONWAIT) this.agents.add(resource, parent);
		// An agent opens a connection for the next request in place of one that it closes.
		if (parent?.type === RESOURCE_FACTS.QueuedRequest && resource.type.shown === 'never')
			this.holders.replaceBy(resource.id);
	}

	/** A callback begins. @param idleUs how long the loop has been idle */
	begin(running: OpenResource | null, time: number, idleUs: number): void {
		this.running = running;
		this.idleUs = idleUs;
		this.users.begin(running, time);
		this.earlier.begin(running);
		this.holders.begin(running);
		this.poolHolders.begin(running, time);
	}

	/** It is over. */
	end(): void {
		this.poolHolders.end();
		this.agents.endRun();
		this.accepted.endRun(this.running?.id ?? 0);
		this.running = null;
	}

	/** When the first request over a connection had arrived, which the running callback brings: before the connection was accepted, perhaps. null where that is not so. */
	arrivedFirst(): Interval | null {
		const { running } = this;
		const earliest = running === null ? null : this.accepted.earliestOf(running.id, this.idleUs);
		if (earliest === null) return null;
		const { low, high } = this.polls.done(0);
		return { low: Math.min(earliest, low), high };
	}

	/**
	 * A server's handle accepts a connection, which may have waited in the system's queue.
	 * @param since when the handle was made, or accepted a connection before
	 */
	accept({ id, site }: OpenResource, since: number, time: number): void {
		const ready = this.accepted.accept(id, this.polls.done(0), since, this.idleUs, time);
		const stats = this.lines.of(ACCEPTED, site);
		if (stats !== null) this.blocks.delay(stats, ready, time);
	}

	/** The running callback brings a request or an answer. Call it before that one's wait is over. */
	read({ type }: OpenResource): void {
		// A request of Node's client may also fail, in the callback of a timer.
		if (type === RESOURCE_FACTS.HTTPSERVERREQUEST || type === RESOURCE_FACTS.FETCH || COMMANDS.has(type))
			this.polls.polled();
	}

	/** Something that came from outside has waited between these times: counts how many of its line did at once. */
	countArrived(stats: LineStats, since: number, until: number): void {
		stats.sawAtOnce(this.earlier.atOnce(stats, since, until));
	}

	/** The running callback, which began at `time`, turns out to be the answer to that. Call it before its wait is over. */
	answerInTurn(exchange: OpenResource, time: number): void {
		const { type, logical } = exchange;
		if (type === RESOURCE_FACTS.TURNEXCHANGE) {
			this.waitForEarlier(exchange, time);
			this.earlier.remember(logical);
		}
		if (logical.stats === null || !ANSWERS.has(type) || !exchange.isPending) return;
		this.holders.answer(logical.stats, exchange.started, time);
		if (COMMANDS.has(type)) this.poolHolders.answer(logical.stats, exchange.started, time);
	}

	/** The same afterwards. */
	answer(resource: OpenResource, time: number): void {
		const { id, type, logical } = resource;
		if (HAS_BODY.has(type)) this.bodies.begin(resource, time);
		if (!ANSWERS.has(type) || logical.stats === null) return;
		this.users.answer(logical.stats, time, HAS_BODY.has(type) ? id : null);
	}

	/** All of the response to that request has come, in the callback that began at `time`: its body was an operation of its own. */
	release(op: number, time: number): void {
		this.users.release(op);
		const body = this.bodies.end(op, time);
		const stats = body === null ? null : this.lines.of(RESPONSE_BODY_WAIT, body.request.site);
		if (body === null || stats === null) return;
		const { at, request } = body;
		const wait = this.newWait(stats, RESPONSE_BODY_WAIT, at, time);
		const done = this.polls.done(0);
		const { low, high } = { low: Math.max(at, done.low), high: Math.max(at, done.high) };
		addEstimate(wait.waitParts().lag, time - high, time - middle({ low, high }), time - low);
		this.addWait(wait, request, null);
		stats.represent(this.every);
	}

	/** A wait is over: somebody has waited for a pool's connection, a request of an HTTP agent for a socket, or one of undici's for its client's connection, and begins now. */
	giveSocket(wait: OpenResource, time: number): void {
		const { stats } = wait.logical;
		if (wait.type === RESOURCE_FACTS.POOLWAIT && stats !== null)
			this.poolHolders.waited(stats, this.every, wait.started, time);
		if (wait.type !== RESOURCE_FACTS.QueuedRequest && wait.type !== RESOURCE_FACTS.CONNECTIONWAIT) return;
		if (stats !== null) {
			this.holders.next(time);
			this.holders.waited(stats, wait.started, time);
		}
		const request = this.agents.take(wait);
		if (request === null || !request.isPending) return;
		request.started = time;
		request.logical.started = time;
		request.logical.depart();
		this.requests.handOver(request);
	}

	/** What is answered is not seen from now on. */
	rest(): void {
		this.agents.rest();
		this.users = new ConnectionUsers();
		this.holders.rest();
		this.poolHolders.rest();
		this.earlier = new EarlierCommands();
		this.bodies = new ResponseBodies();
	}

	/** First the request may have waited for the answers to earlier ones: that is an operation of its own. */
	private waitForEarlier(exchange: OpenResource, time: number): void {
		const { started, site } = exchange;
		if (!exchange.isPending) return;
		const until = this.earlier.answer(started, this.polls.done(0).low, time);
		const stats = until === null ? null : this.lines.of(EARLIER_COMMAND_WAIT, site);
		if (until === null || stats === null) return;
		const wait = this.newWait(stats, EARLIER_COMMAND_WAIT, started, until);
		wait.depart();
		this.addWait(wait, exchange, this.earlier.last);
		this.holders.waited(stats, started, until);
		this.requests.waitFirst(exchange, stats, until);
		exchange.started = until;
		exchange.logical.started = until;
	}

	/** A wait between these times that no resource stands for: an operation of its own, to be added once its parts are known. */
	private newWait(stats: LineStats, type: ResourceFacts, since: number, until: number): LogicalOperation {
		this.countArrived(stats, since, until);
		const wait = new LogicalOperation(stats, type, since, true, false);
		wait.hasWaited = true;
		wait.ended = until;
		return wait;
	}

	/** @param request what was requested, on the line that has waited @param behind what it has waited for, where that is known */
	private addWait(wait: LogicalOperation, request: OpenResource, behind: LogicalOperation | null): void {
		this.timeline.operation(wait.stats!, wait, request, -1, behind);
		wait.finish();
	}
}
