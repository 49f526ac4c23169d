// Child processes that could not be started. Node does not call back through their handles: the error comes in a tick right after
// the callback that has tried, and all that the journal shows is that no process id came.
import { RESOURCE_FACTS } from '../../protocol/resource-facts.ts';
import type { OpenResource } from './open-operations.ts';

export class FailedSpawns {
	/** Processes that the running callback has tried to start and that have no id yet. */
	private open: OpenResource[] = [];

	/** Something starts. */
	start(resource: OpenResource): void {
		if (resource.type === RESOURCE_FACTS.PROCESSWRAP) this.open.push(resource);
	}

	/** That operation has started a process: it has an id. */
	succeed(op: number): void {
		if (this.open.length > 0) this.open = this.open.filter(({ id }) => id !== op);
	}

	/** Whether there is none. */
	get isEmpty(): boolean {
		return this.open.length === 0;
	}

	/** The callback is over. @returns those that failed in it */
	take(): readonly OpenResource[] {
		const failed = this.open;
		this.open = [];
		return failed;
	}
}
