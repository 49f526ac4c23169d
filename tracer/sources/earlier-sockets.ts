// The connections that a program had open before the tracer came: what it asks over them from then on is asked by its lines as ever.
import { getOwnPropertyDescriptor } from '../process/object-functions.ts';
import { matches } from '../process/patterns.ts';
import { handleOf } from './socket-handle.ts';

/** Handles by their native classes' names: TCP, and TLS above it. Pipes may be the program's own input and output. */
const CONNECTIONS = /^(TCP|TLSWrap)$/;

/** Node's list of what keeps the loop alive; without types, for it is no public API. */
type Listing = { _getActiveHandles?(): unknown[] };

/** Native handles of the connections that the program itself has opened, as far as they keep it alive. */
export function earlierSockets(): object[] {
	const handles: object[] = [];
	for (const owner of (process as unknown as Listing)._getActiveHandles?.() ?? []) {
		const handle = handleOf(owner);
		if (handle === null || isAccepted(owner as object)) continue;
		if (matches(CONNECTIONS, handle.constructor.name)) handles.push(handle);
	}
	return handles;
}

/** Whether a server of the program has it: Node notes that on each such socket. */
function isAccepted(socket: object): boolean {
	return Boolean(getOwnPropertyDescriptor(socket, 'server')?.value);
}
