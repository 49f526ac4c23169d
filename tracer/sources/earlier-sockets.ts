// Connections that a program opened before it was attached to: what lines send over them from then on is recorded as
// for any other.
import { getOwnPropertyDescriptor } from '../process/object-functions.ts';
import { handleOf } from './socket-handle.ts';

/**
 * Handles by the names of their native classes: TCP, and TLS above it. Pipes may be the program's own input and output.
 */
const CONNECTIONS = /^(TCP|TLSWrap)$/;

/** Node's list of what keeps the loop alive; untyped, because it is no public API. */
type Listing = { _getActiveHandles?(): unknown[] };

/** Native handles of the connections that the program itself has opened, those only that keep the program alive. */
export function earlierSockets(): object[] {
	const handles: object[] = [];
	for (const owner of (process as unknown as Listing)._getActiveHandles?.() ?? []) {
		const handle = handleOf(owner);
		if (handle === null || isAccepted(owner as object)) continue;
		if (CONNECTIONS.test(handle.constructor.name)) handles.push(handle);
	}
	return handles;
}

/** Whether a server of the program accepted it: Node notes that on each such socket. */
function isAccepted(socket: object): boolean {
	return Boolean(getOwnPropertyDescriptor(socket, 'server')?.value);
}
