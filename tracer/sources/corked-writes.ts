// What a response is given at once goes to its socket together: in a tick that its first `write` starts, or already when the program calls `end`. It belongs
// to the line that wrote first, as with everything that is sent together.
import { getOwnPropertySymbols } from '../process/object-functions.ts';
import { isOrdinary, ownValue } from '../process/own-value.ts';
import { CONTINUED, type Site } from '../sites/site.ts';

/** The ticks that have not begun yet. */
interface WaitingTicks {
	has(id: number): boolean;
}

export class CorkedWrites {
	/** Of the latest tick that is to send what was written: its id, the async id of the socket's handle, and the site of the `write`. */
	private tick = 0;
	private handle = -1;
	private site = CONTINUED;

	/** A tick starts in a call of `write`. @param resource Node's object for it */
	note(tick: number, site: Site, resource: { args?: unknown[] }): void {
		const sender = resource.args?.[0];
		if (!isOrdinary(sender)) return;
		const handle = handleIdOf(sender) ?? handleIdOf(socketOf(sender));
		if (handle === undefined) return;
		this.tick = tick;
		this.handle = handle;
		this.site = site;
	}

	/**
	 * Where that was written first which goes to a socket now.
	 * @param site where the program calls something that sends it
	 * @param handle async id of the socket's handle
	 */
	siteOf(site: Site, handle: number, ticks: WaitingTicks): Site {
		if (handle !== this.handle) return site;
		return site.isMessageEnd && ticks.has(this.tick) ? this.site : site;
	}
}

/** The async id of the handle that a tick of Node's streams has written to; undefined for any other tick. */
export function writtenIn({ args }: { args?: unknown[] }): number | undefined {
	const info = args?.[0];
	return isOrdinary(info) ? handleIdOf(ownValue(info, 'stream')) : undefined;
}

/** The async id of the handle below a socket of Node's; undefined for anything else. */
function handleIdOf(socket: unknown): number | undefined {
	if (!isOrdinary(socket)) return undefined;
	idSymbol ??= symbolOf(socket, 'async_id_symbol');
	return idSymbol && (socket as Record<symbol, number | undefined>)[idSymbol];
}

let idSymbol: symbol | undefined;

/** The socket of a response: from Node 26 on the tick has the response and not the socket. */
function socketOf(response: object): unknown {
	socketSymbol ??= symbolOf(response, 'kSocket');
	return socketSymbol && ownValue(response, socketSymbol);
}

let socketSymbol: symbol | undefined;

function symbolOf(object: object, name: string): symbol | undefined {
	return getOwnPropertySymbols(object).find(({ description }) => description === name);
}
