// Requests of HTTP clients: on a kept-alive socket no async resource represents one. The channels report when each
// starts and completes.
import type { ResourceType } from '../../src/protocol/resource-types.ts';
import { kindOf } from '../kinds.ts';
import type { Operation } from '../operations/operation.ts';
import { isObject, ownValue } from '../process/own-value.ts';
import { onLine } from '../sites/derived-sites.ts';
import type { SourcePort } from './port.ts';

export class ClientRequests {
	private readonly port: SourcePort;
	/** By Node's or undici's objects of the requests, which are only weakly referenced. */
	private readonly underWay = new WeakMap<object, Operation>();

	constructor(port: SourcePort) {
		this.port = port;
	}

	/** A request starts; more than one channel may announce it. @param type its name in the journal */
	start(request: object | null, type: ResourceType): void {
		if (request === null || this.underWay.has(request)) return;
		const { attribution, clock, records, sampling, starts, waits } = this.port;
		const kind = kindOf(type);
		const captured = attribution.locate(kind, undefined, !waits.hasWaiter);
		const waiter = waits.takeWaiterOfPool(captured);
		const site = waiter === null ? captured : onLine(captured, waiter.user);
		const operation = starts.make(starts.newOwnId(), kind, site, clock.now());
		this.underWay.set(request, operation);
		if (sampling.every > 1 && !attribution.isStep) operation.leftOut = starts.leaveOut(site, kind);
		if (operation.leftOut === null) records.start(operation);
	}

	/** The running callback completes that request, and the request is over. */
	complete(request: object | null): void {
		const operation = request === null ? undefined : this.underWay.get(request);
		if (request === null || operation === undefined) return;
		this.underWay.delete(request);
		const { attribution, records, sampling, waits } = this.port;
		if (operation.leftOut === null) records.attribute(operation);
		else sampling.count(operation.leftOut);
		attribution.enter(operation, false, null);
		waits.clear();
	}

	/**
	 * Node's parser has read something, perhaps the answer to a request for another protocol, which no channel announces.
	 * @param parser what async_hooks give for it: that of a client has its request
	 */
	completeUpgraded(parser: object): void {
		const request = ownValue(parser, 'req');
		if (isObject(request) && ownValue(ownValue(request, 'res'), 'upgrade') === true) this.complete(request);
	}
}
