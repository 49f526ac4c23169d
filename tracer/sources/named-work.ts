// Work that a program gives a name. An AsyncResource, from its constructor until the program destroys it: no hook reports that end while nobody has
// a `destroy` hook, so the method is watched from the first such resource on. And a job of a queue, as long as the program's function works on it.
import { JOB_SCRIPT } from '../../src/protocol/journal.ts';
import type { ForeignType } from '../../src/protocol/resource-types.ts';
import { newOperation, type Operation } from '../operations/operation.ts';
import { kindOf } from '../process/kinds.ts';
import { AsyncResource } from '../process/node-functions.ts';
import { watchReads } from '../process/watch-reads.ts';
import { internSite, type Site } from '../sites/site.ts';
import type { Guard, SourcePort } from './port.ts';

/** Whatever is no type of Node's. */
const JOB = kindOf('job' as ForeignType);
const JOB_API = { name: '', script: JOB_SCRIPT };

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
		watchReads(AsyncResource.prototype, 'emitDestroy', (_getter, of) => this.guard(() => this.destroy(of)));
	}

	/** A worker of a library's job queue is made. @returns records that it begins with a job of that name */
	addWorker(queue: unknown): (name: unknown) => Operation {
		const { attribution, clock, records, starts } = this.port;
		const { user, library } = attribution.capture(JOB);
		const site = internSite(user ?? library, null, JOB_API, false, false);
		return (name) => {
			const id = starts.newOwnId();
			const type = `${queue}/${name}` as ForeignType;
			const job = newOperation(id, kindOf(type), site, id, clock.now());
			attribution.followRoute(`/${type}`);
			records.start(job);
			return job;
		};
	}

	/** The program is done with that. */
	end(work: Operation): void {
		const { clock, records, table } = this.port;
		table.delete(work.id);
		records.over(work, clock.now());
	}

	private destroy(resource: object): void {
		const work = this.underWay.get(resource);
		if (work !== undefined && this.underWay.delete(resource)) this.end(work);
	}
}
