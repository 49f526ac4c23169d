// Requests of HTTP clients: on a kept-alive socket no async resource represents one. The channels report when each
// starts and completes.
import type { ResourceType } from '../../src/protocol/resource-types.ts';
import { kindOf } from '../kinds.ts';
import type { Operation } from '../operations/operation.ts';
import type { SourcePort } from './port.ts';

export class ClientRequests {
	private readonly port: SourcePort;

	constructor(port: SourcePort) {
		this.port = port;
	}

	/** A request starts. @param type its name in the journal */
	start(type: ResourceType): Operation {
		const { attribution, clock, records, sampling, starts } = this.port;
		const kind = kindOf(type);
		const site = attribution.locate(kind);
		const operation = starts.make(starts.newOwnId(), kind, site, clock.now());
		if (sampling.every > 1 && !attribution.isStep) operation.unrecorded = starts.leaveOut(site, kind);
		if (operation.unrecorded === null) records.start(operation);
		return operation;
	}

	/** The running callback completes that request, and the request is over. */
	complete(operation: Operation): void {
		const { attribution, records, sampling, waits } = this.port;
		if (operation.unrecorded === null) records.attribute(operation);
		else sampling.count(operation.unrecorded);
		attribution.enter(operation, false, null);
		waits.clear();
	}
}
