// What a response is given at once goes to its socket together: in a tick that its first `write` starts, or already when the program calls `end`. It belongs
// to the line that wrote first, as with everything that is sent together.
import { getOwnPropertySymbols } from '../process/object-functions.ts';
import { isOrdinary, ownValue } from '../process/own-value.ts';
import { CONTINUED, type Site } from '../sites/site.ts';
import { handleId, handleOf } from './socket-handle.ts';

/** Where Node's responses and requests write. */
const OUTGOING = 'node:_http_outgoing';

export class CorkedWrites {
	/** Of the latest tick that is to send what was written: its id, the async id of the socket's handle, and the site of the `write`. */
	private tick = 0;
	private handle = -1;
	private site = CONTINUED;

	/** A tick starts. @param resource Node's object for it */
	note(tick: number, site: Site, resource: object): void {
		if (site.api?.name !== 'write' || site.api.script !== OUTGOING) return;
		const sender = ownValue(ownValue(resource, 'args'), '0');
		if (!isOrdinary(sender)) return;
		const handle = handleOf(sender) ?? handleOf(socketOf(sender));
		if (handle === null) return;
		this.tick = tick;
		this.handle = handleId(handle);
		this.site = site;
	}

	/**
	 * Where that was written first which goes to a socket now.
	 * @param site where the program calls something that sends it
	 * @param handle async id of the socket's handle
	 * @param isWaiting whether the tick with an id has not begun yet
	 */
	siteOf(site: Site, handle: number, isWaiting: (tick: number) => boolean): Site {
		const isEnd = site.api?.name === 'end' && site.api.script === OUTGOING;
		return isEnd && handle === this.handle && isWaiting(this.tick) ? this.site : site;
	}
}

/** The socket of a response: from Node 26 on the tick has the response and not the socket. */
function socketOf(response: object): unknown {
	socketSymbol ??= getOwnPropertySymbols(response).find(({ description }) => description === 'kSocket');
	return socketSymbol && ownValue(response, socketSymbol);
}

let socketSymbol: symbol | undefined;
