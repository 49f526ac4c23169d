// Requests of HTTP clients: on a kept-alive socket no async resource represents one. The channels report when each
// starts and completes.
import type { ResourceType } from '../../src/protocol/resource-types.ts';
import { newOperation, type Operation } from '../operations/operation.ts';
import { kindOf } from '../process/kinds.ts';
import { isObject, ownValue } from '../process/own-value.ts';
import { onLine } from '../sites/derived-sites.ts';
import type { SourcePort } from './port.ts';
import { CONNECTION_WAIT } from './queued-waits.ts';

const NOT_YET = -1;

interface ClientRequest {
	readonly operation: Operation;
	/** When the callback began that has brought the headers of its response, in µs, or `NOT_YET`. */
	answeredIn: number;
	/** The handle of undici's socket over which it was sent; null where that is not known. */
	connection: Operation | null;
	/** Whether undici has not sent it yet. */
	isUnsent: boolean;
	/** Its wait for a connection that another request has, while that lasts. */
	wait: Operation | null;
	/** Node's or undici's object. */
	readonly request: WeakRef<object>;
}

/** A request that takes longer, in µs, is looked at: Node 18 announces no failure, and undici does not say that another request has its client's connection. */
const LONG_US = 1_000_000;

export class ClientRequests {
	private readonly port: SourcePort;
	/** By Node's or undici's objects of the requests, which are only weakly referenced. */
	private readonly underWay = new WeakMap<object, ClientRequest>();

	/** The same until all of their response has come, in the order of their starts. */
	private readonly unfinished = new Set<ClientRequest>();

	/** When the latest response over a connection of undici's was complete, by the connection. */
	private readonly freed = new WeakMap<Operation, number>();

	/** Requests of WebSockets, which are not answered but opened. */
	private opening: ClientRequest[] = [];

	constructor(port: SourcePort) {
		this.port = port;
	}

	/** A request starts; more than one channel may announce it. @param type its name in the journal */
	start(request: object | null, type: ResourceType): void {
		const { attribution, clock, records, sampling, starts, waits } = this.port;
		if (request === null || this.underWay.has(request)) return;
		const kind = kindOf(type);
		const captured = attribution.locate(kind, undefined, !waits.hasWaiter);
		const waiter = waits.takeWaiterOfPool(captured);
		const site = onLine(captured, waiter === null ? (waits.callerAt(captured) ?? captured.user) : waiter.user);
		const operation = starts.make(starts.newOwnId(), kind, site, clock.now());
		const known = {
			operation,
			answeredIn: NOT_YET,
			connection: null,
			isUnsent: type === 'FETCH',
			wait: null,
			request: new WeakRef(request),
		};
		this.underWay.set(request, known);
		this.unfinished.add(known);
		if (captured.api?.name === 'WebSocket') this.opening.push(known);
		if (sampling.every > 1 && !attribution.isStep) operation.leftOut = starts.leaveOut(site, kind);
		if (operation.leftOut === null) records.start(operation);
	}

	/**
	 * A client of undici's sends a request: where another one had its connection when it was made, it has waited for that.
	 * @param handle async id of the socket's handle
	 */
	send(request: object | null, handle: number): void {
		const known = this.of(request);
		if (known === undefined || known.operation.leftOut !== null) return;
		known.isUnsent = false;
		known.connection = this.port.table.get(handle) ?? null;
		if (known.connection !== null && this.freed.get(known.connection)! > known.operation.started) this.wait(known);
		this.endWait(known);
	}

	/** That request fails in the middle of its response, or without one; undici may say so twice. */
	fail(request: object | null): void {
		const known = this.of(request);
		if (known === undefined) return;
		if (known.answeredIn === NOT_YET) this.complete(request);
		else this.end(request);
		this.unfinished.delete(known);
		this.underWay.delete(request!);
	}

	/** The running callback completes that request, and the request is over. */
	complete(request: object | null): void {
		const known = this.of(request);
		if (known === undefined || known.answeredIn !== NOT_YET) return;
		const { operation } = known;
		const { attribution, clock, records, run, sampling, waits } = this.port;
		known.answeredIn = run.began;
		this.endWait(known);
		if (operation.leftOut !== null) sampling.count(operation.leftOut);
		// It has failed in the callback that made it, which does not run for it.
		else if (operation.started >= run.began) records.nested(operation, clock.now(), 0);
		else records.attribute(operation);
		attribution.enter(operation, false, null);
		waits.clear();
	}

	/** A WebSocket is open: the one whose connection has called back, as far as that is known. */
	open(): void {
		const { attribution, records, run } = this.port;
		this.opening = this.opening.filter(({ answeredIn }) => answeredIn === NOT_YET);
		const known = this.opening.find(({ connection }) => connection === attribution.current) ?? this.opening[0];
		if (known === undefined) return;
		known.answeredIn = run.began;
		const { operation } = known;
		if (operation.leftOut === null) records.attribute(operation);
	}

	/** The connection has brought all of the response: others may have it now. */
	end(request: object | null): void {
		const known = this.of(request);
		if (known === undefined || !this.unfinished.delete(known) || known.operation.leftOut !== null) return;
		const { clock, records } = this.port;
		const now = clock.now();
		records.over(known.operation, now);
		if (known.connection !== null) this.freed.set(known.connection, now);
	}

	/**
	 * Node's parser has read something: perhaps the response to a request for another protocol, or the last bytes of a body. No channel announces these.
	 * @param parser what async_hooks give for it: that of a client has its request
	 */
	look(parser: object): void {
		const request = ownValue(parser, 'req');
		if (!isObject(request)) return;
		const response = ownValue(request, 'res');
		if (ownValue(response, 'upgrade') === true) this.complete(request);
		else if (ownValue(response, 'complete') === true) this.end(request);
	}

	/** Looks at requests that take long, or at all of them: some are over, and some wait for a connection. */
	lookAtUnfinished(now: number, isLast = false): void {
		const sentTo = new Set<unknown>();
		for (const known of this.unfinished) {
			const { answeredIn, isUnsent, operation } = known;
			if (!isLast && now - operation.started < LONG_US) return;
			const request = known.request.deref();
			const origin = ownValue(request, 'origin');
			if (request === undefined || ownValue(request, 'destroyed') === true) {
				this.unfinished.delete(known);
				this.endWait(known);
				if (answeredIn === NOT_YET && operation.leftOut === null) this.port.records.over(operation, now);
			} else if (!isUnsent) sentTo.add(origin);
			else if (answeredIn === NOT_YET && sentTo.has(origin)) this.wait(known);
		}
	}

	/** It has waited for a connection since it was made. */
	private wait(known: ClientRequest): void {
		const { id, leftOut, site, started } = known.operation;
		if (known.wait !== null || leftOut !== null) return;
		known.wait = newOperation(this.port.starts.newOwnId(), CONNECTION_WAIT, site, id, started);
		this.port.records.start(known.wait);
	}

	/** It is sent now, or it is over without that. */
	private endWait(known: ClientRequest): void {
		const { clock, records } = this.port;
		if (known.wait !== null) records.nested(known.wait, clock.now(), 0);
		known.wait = null;
	}

	private of(request: object | null): ClientRequest | undefined {
		return request === null ? undefined : this.underWay.get(request);
	}
}
