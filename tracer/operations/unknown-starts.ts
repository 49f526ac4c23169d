// Callbacks of resources whose start was not recorded: Node's own timers, and what is older than the tracer.
import { kindOf } from '../process/kinds.ts';
import { executionAsyncResource, isPromise } from '../process/node-functions.ts';
import { parentPort } from '../process/this-thread.ts';
import { CONTINUED } from '../sites/site.ts';
import type { AsyncIds } from './async-ids.ts';
import { newOperation, type Operation } from './operation.ts';
import type { Timers } from './timers.ts';

const MESSAGE_PORT = kindOf('MESSAGEPORT');

export class UnknownStarts {
	/** One entry for all whose line is unknown, or that no line waits for. */
	readonly shared = newOperation(-1, kindOf('Timeout'), CONTINUED, -1, 0);
	private readonly ids: AsyncIds;
	private readonly timers: Timers;

	constructor(ids: AsyncIds, timers: Timers) {
		this.ids = ids;
		this.timers = timers;
	}

	/** What calls back now: `shared`, or a Worker's port to its parent; null where no callback is to be recorded. */
	runningNow(asyncId: number): Operation | null {
		if (this.timers.own.has(asyncId)) return this.shared;
		if (!this.ids.isOlder(asyncId)) return null;
		const resource = executionAsyncResource();
		if (isPromise(resource)) return null;
		return resource === parentPort ? newOperation(asyncId, MESSAGE_PORT, CONTINUED, asyncId, 0) : this.shared;
	}
}
