// A child process or a Worker that the program is starting. Its id goes into the journal as soon as there is one, so that the reader knows
// what to expect a journal of, and what never wrote one.
import { CHILD_KINDS } from '../../src/protocol/journal.ts';
import type { AnyType, ResourceType } from '../../src/protocol/resource-types.ts';
import type { Site } from '../sites/sites.ts';

export interface PendingChild {
	/** Async id of the operation that starts it. */
	readonly operation: number;
	/** An index of CHILD_KINDS. */
	readonly kind: number;
	/** The program's own handle of it. */
	readonly handle: WeakRef<object>;
}

const PROCESS = CHILD_KINDS.indexOf('process');
const WORKER = CHILD_KINDS.indexOf('worker');

/** The child that a resource stands for; null when it stands for none, or for a Worker of Node's own. */
export function pendingChildOf(operation: number, type: AnyType, handle: object, site: Site): PendingChild | null {
	if (type === ('PROCESSWRAP' satisfies ResourceType)) return { operation, kind: PROCESS, handle: new WeakRef(handle) };
	// Node's own, such as the one of module hooks, are started by other functions of it.
	if (type === ('WORKER' satisfies ResourceType) && site.api?.name === 'Worker')
		return { operation, kind: WORKER, handle: new WeakRef(handle) };
	return null;
}

/** The process id or thread id of a child; 0 while it has none: Node sets it on the handle after `init`, or never when it fails. */
export function childId({ kind, handle }: PendingChild): number {
	const ids = handle.deref() as { pid?: unknown; threadId?: unknown } | undefined;
	const id = kind === PROCESS ? ids?.pid : ids?.threadId;
	return typeof id === 'number' && id > 0 ? id : 0;
}
