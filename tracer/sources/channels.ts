// HTTP exchanges: sockets are kept alive, so async_hooks shows no operation per request. Node's diagnostics channels do.
import { subscribe } from 'node:diagnostics_channel';
import type { ResourceType } from '../../src/protocol/resource-types.ts';
import type { Guard } from './port.ts';

/** Records what the channels report. Handles are async ids of sockets' native handles, or 0. */
export interface HttpListeners {
	readonly requests: {
		/** A request has started. @param type its name in the journal */
		start(request: object | null, type: ResourceType): void;
		/** It is sent over that socket. */
		send(request: object | null, handle: number): void;
		/** The head of its response has arrived, or the request has failed. */
		complete(request: object | null): void;
		/** All of its response has arrived. */
		end(request: object | null): void;
		/** The request of a WebSocket has made a connection of its own. */
		open(): void;
	};
	readonly exchanges: {
		/** The channels report what is sent over this socket. */
		leaveToChannels(handle: number): void;
	};
	readonly served: {
		/** A request has come in over this socket. @param request Node's object for it */
		serveRequest(handle: number, url: string, request: object | null): void;
		/** The response to that request is finished. */
		respond(request: object | null): void;
	};
}

/** A client's requests: the channels on which one starts, and those on which its response's head arrives. */
const CLIENTS: readonly { type: ResourceType; start: string[]; end: string[] }[] = [
	{
		type: 'FETCH',
		start: ['undici:request:create'],
		end: ['undici:request:headers', 'undici:request:error'],
	},
	{
		// Node 18 and 20 announce a request only when it is sent.
		type: 'HTTPREQUEST',
		start: ['http.client.request.created', 'http.client.request.start'],
		end: ['http.client.response.finish', 'http.client.request.error'],
	},
];

/**
 * Subscribes to the channels of HTTP. `guard` keeps a failure of ours away from the program.
 * @param isAttached whether there may be connections already
 */
export function watchHttp({ requests, exchanges, served }: HttpListeners, guard: Guard, isAttached: boolean): void {
	const listen = (name: string, note: (message: unknown) => void) =>
		subscribe(name, (message) => guard(() => note(message)));
	for (const { type, start, end } of CLIENTS) {
		for (const name of start) listen(name, (message) => requests.start(requestOf(message), type));
		for (const name of end) listen(name, (message) => requests.complete(requestOf(message)));
	}

	// A copy of undici in node_modules opens its sockets as any library does; the channels above report its requests.
	listen('undici:client:connected', (message) => exchanges.leaveToChannels(handleOf(message)));
	listen('undici:client:sendHeaders', (message) => {
		// Before it writes to a socket that was connected earlier.
		if (isAttached) exchanges.leaveToChannels(handleOf(message));
		requests.send(requestOf(message), handleOf(message));
	});
	listen('undici:websocket:open', () => requests.open());
	listen('undici:request:trailers', (message) => requests.end(requestOf(message)));

	listen('http.server.request.start', (message) => {
		const request = requestOf(message) as { url?: unknown } | null;
		const url = request?.url;
		served.serveRequest(handleOf(message, true), typeof url === 'string' ? url : '', request);
	});
	listen('http.server.response.finish', (message) => served.respond(requestOf(message)));
}

/**
 * What Node and undici publish. Anyone may publish on these channels, and any other publisher may leave out anything.
 */
type Message = { request?: unknown; socket?: { _handle?: Handle | null } | null } | null | undefined;

interface Handle {
	/** Of a socket of TLS, the handle below it. */
	_parent?: Handle;
	getAsyncId?(): number;
}

function requestOf(message: unknown): object | null {
	const request = (message as Message)?.request;
	return typeof request === 'object' ? request : null;
}

/**
 * Async id of the handle of a message's socket; 0 when there is none, or no longer one.
 * @param isLowest whether it is the handle that calls back when the connection is closed: over TLS, the one below
 */
function handleOf(message: unknown, isLowest = false): number {
	const handle = (message as Message)?.socket?._handle;
	return ((isLowest && handle?._parent) || handle)?.getAsyncId?.() ?? 0;
}
