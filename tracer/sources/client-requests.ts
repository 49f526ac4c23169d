// Requests of HTTP clients: on a kept-alive socket no async resource represents one. The channels report when each
// starts and completes.
import type { ResourceType } from '../../src/protocol/resource-types.ts';
import { kindOf } from '../kinds.ts';
import { newOperation, type Operation } from '../operations/operation.ts';
import { isObject, ownValue } from '../process/own-value.ts';
import { onLine } from '../sites/derived-sites.ts';
import type { SourcePort } from './port.ts';
import { CONNECTION_WAIT } from './queued-waits.ts';

export class ClientRequests {
	private readonly port: SourcePort;
	/** By Node's or undici's objects of the requests, which are only weakly referenced. */
	private readonly underWay = new WeakMap<object, Operation>();

	/** When the latest response over a connection of undici's was complete, by the connection. */
	private readonly freed = new WeakMap<Operation, number>();

	/** Requests of WebSockets, which are not answered but opened. */
	private opening: Operation[] = [];

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
		this.underWay.set(request, operation);
		if (captured.api?.name === 'WebSocket') this.opening.push(operation);
		if (sampling.every > 1 && !attribution.isStep) operation.leftOut = starts.leaveOut(site, kind);
		if (operation.leftOut === null) records.start(operation);
	}

	/**
	 * A client of undici's sends a request: where another one had its connection when it was made, it has waited for that.
	 * @param handle async id of the socket's handle
	 */
	send(request: object | null, handle: number): void {
		const operation = this.of(request);
		if (operation === undefined || operation.leftOut !== null) return;
		const { clock, records, starts, table } = this.port;
		const { id, site, started } = operation;
		operation.job = table.get(handle) ?? null;
		if (operation.job === null || !(this.freed.get(operation.job)! > started)) return;
		const wait = newOperation(starts.newOwnId(), CONNECTION_WAIT, site, id, started);
		records.start(wait);
		records.nested(wait, clock.now(), 0);
	}

	/** The running callback completes that request, and the request is over. */
	complete(request: object | null): void {
		const operation = this.of(request);
		if (operation === undefined) return;
		if (operation.hasServed) {
			// It fails in the middle of its response.
			this.end(request);
			return;
		}
		operation.hasServed = true;
		const { attribution, records, sampling, waits } = this.port;
		if (operation.leftOut === null) records.attribute(operation);
		else sampling.count(operation.leftOut);
		attribution.enter(operation, false, null);
		waits.clear();
	}

	/** A WebSocket is open: the one whose connection has called back, as far as that is known. */
	open(): void {
		const { attribution, records } = this.port;
		this.opening = this.opening.filter(({ hasServed }) => !hasServed);
		const operation = this.opening.find(({ job }) => job === attribution.current) ?? this.opening[0];
		if (operation === undefined) return;
		operation.hasServed = true;
		if (operation.leftOut === null) records.attribute(operation);
	}

	/** The connection has brought all of the response: others may have it now. */
	end(request: object | null): void {
		const operation = this.of(request);
		if (operation?.leftOut !== null) return;
		const { clock, records } = this.port;
		const now = clock.now();
		records.over(operation, now);
		if (operation.job !== null) this.freed.set(operation.job, now);
	}

	/**
	 * Node's parser has read something, perhaps the answer to a request for another protocol, which no channel announces.
	 * @param parser what async_hooks give for it: that of a client has its request
	 */
	completeUpgraded(parser: object): void {
		const request = ownValue(parser, 'req');
		if (isObject(request) && ownValue(ownValue(request, 'res'), 'upgrade') === true) this.complete(request);
	}

	private of(request: object | null): Operation | undefined {
		return request === null ? undefined : this.underWay.get(request);
	}
}
