// A child process or a Worker that the program is starting. Its id goes into the journal as soon as there is one, so
// that the reader knows which journals to expect, and which child never wrote one. And which signal has ended a process: it cannot say so itself.
import { CHILD_KINDS } from '../../src/protocol/journal.ts';
import type { AnyType, ResourceType } from '../../src/protocol/resource-types.ts';
import { ownValue } from '../process/own-value.ts';
import type { Site } from '../sites/site.ts';
import { socketOwnerOf } from './socket-handle.ts';

/** The records of children (tracer/journal/records.ts). */
interface ChildRecords {
	child(operation: number, kind: number, id: number): void;
	killed(pid: number, signal: string): void;
}

interface PendingChild {
	/** Async id of the operation that starts it. */
	readonly operation: number;
	/** An index of CHILD_KINDS. */
	readonly kind: number;
	/** The program's own handle of it. */
	readonly handle: WeakRef<object>;
}

const PROCESS = CHILD_KINDS.indexOf('process');
const WORKER = CHILD_KINDS.indexOf('worker');

export class PendingChildren {
	/** The child started last, until its id is known. */
	private pending: PendingChild | null = null;
	/** Node's object of the process whose end the running callback announces. */
	private ending: object | null = null;
	private readonly records: ChildRecords;

	constructor(records: ChildRecords) {
		this.records = records;
	}

	/** A resource has started that may represent a child. @param handle of the program's own */
	add(operation: number, type: AnyType, handle: object, site: Site): void {
		if (type === ('PROCESSWRAP' satisfies ResourceType))
			this.pending = { operation, kind: PROCESS, handle: new WeakRef(handle) };
		// Node starts its own Workers, such as the one of module hooks, from other functions.
		else if (type === ('WORKER' satisfies ResourceType) && site.api?.name === 'Worker')
			this.pending = { operation, kind: WORKER, handle: new WeakRef(handle) };
		else this.pending = null;
	}

	/** Writes the child that was started last, once it has an id. */
	look(): void {
		const { pending } = this;
		if (pending !== null) this.lookAt(pending);
	}

	/** A callback begins that says that a child has ended. @param handle its own */
	beginEnd(handle: object): void {
		this.ending = socketOwnerOf(handle) ?? null;
	}

	/** That callback is over: Node's object of a process says now whether a signal has ended it. */
	finishEnd(): void {
		const { ending } = this;
		this.ending = null;
		const pid = ownValue(ending, 'pid');
		const signal = ownValue(ending, 'signalCode');
		if (typeof pid === 'number' && typeof signal === 'string') this.records.killed(pid, signal);
	}

	/** The callback that started it is over: a child that has no id by now never gets one. */
	forget(): void {
		this.look();
		this.pending = null;
	}

	private lookAt(pending: PendingChild): void {
		const id = idOf(pending);
		if (id === 0) return;
		this.pending = null;
		this.records.child(pending.operation, pending.kind, id);
	}
}

/** The process id or thread id of a child; 0 while it has none: Node sets it on the handle after `init`, or never when it fails. */
function idOf({ kind, handle }: PendingChild): number {
	const ids = handle.deref() as { pid?: unknown; threadId?: unknown } | undefined;
	const id = kind === PROCESS ? ids?.pid : ids?.threadId;
	return typeof id === 'number' && id > 0 ? id : 0;
}
