// Work that a program gives a name: an AsyncResource, from its constructor until the program destroys it. Of that end no hook tells while nobody has
// a `destroy` hook, so the method is watched from the first such resource on.
import type { Operation } from '../operations/operation.ts';
import { AsyncResource } from '../process/node-functions.ts';
import { watchReads } from '../process/watch-reads.ts';
import type { Site } from '../sites/site.ts';
import type { Guard, SourcePort } from './port.ts';

export class NamedWork {
	private readonly port: SourcePort;
	private readonly guard: Guard;
	/** By the program's objects, which are only weakly referenced. */
	private readonly underWay = new WeakMap<object, Operation>();
	private isWatching = false;

	constructor(port: SourcePort, guard: Guard) {
		this.port = port;
		this.guard = guard;
	}

	/** A resource has started whose constructor the program may have called itself. */
	add(operation: Operation, resource: object, { api, library }: Site): void {
		if (api?.script !== 'node:internal/async_hooks' || library !== null) return;
		this.underWay.set(resource, operation);
		if (this.isWatching) return;
		this.isWatching = true;
		watchReads(AsyncResource.prototype, 'emitDestroy', (_getter, of) => this.guard(() => this.end(of)));
	}

	private end(resource: object): void {
		const operation = this.underWay.get(resource);
		if (operation === undefined) return;
		this.underWay.delete(resource);
		const { clock, records, table } = this.port;
		table.delete(operation.id);
		records.over(operation, clock.now());
	}
}
