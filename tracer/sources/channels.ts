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
		/** The head of its response has arrived. */
		complete(request: object | null): void;
		/** It has failed. */
		fail(request: object | null): void;
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
		/** A request for that route has come in over this socket. @param request Node's object for it, and @param server for its server */
		serveRequest(handle: number, route: string, request: object | null, server: object | null): void;
		/** A session of HTTP/2 makes the stream of a request for that. */
		followStream(route: string): void;
		/** The response to that request is finished. */
		respond(request: object | null): void;
	};
}

/** A client's requests: the channels on which one starts, and those on which its response's head arrives, or it fails. */
const CLIENTS: readonly { type: ResourceType; start: string[]; head: string; failure: string }[] = [
	{
		type: 'FETCH',
		start: ['undici:request:create'],
		head: 'undici:request:headers',
		failure: 'undici:request:error',
	},
	{
		// Node 18 and 20 announce a request only when it is sent.
		type: 'HTTPREQUEST',
		start: ['http.client.request.created', 'http.client.request.start'],
		head: 'http.client.response.finish',
		failure: 'http.client.request.error',
	},
];

/**
 * Subscribes to the channels of HTTP. `guard` keeps a failure of ours away from the program.
 * @param isAttached whether there may be connections already
 */
export function watchHttp({ requests, exchanges, served }: HttpListeners, guard: Guard, isAttached: boolean): void {
	const listen = (name: string, note: (message: unknown) => void) =>
		subscribe(name, (message) => guard(() => note(message)));
	for (const { type, start, head, failure } of CLIENTS) {
		for (const name of start) listen(name, (message) => requests.start(requestOf(message), type));
		listen(head, (message) => requests.complete(requestOf(message)));
		listen(failure, (message) => requests.fail(requestOf(message)));
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
		const request = requestOf(message) as { method?: unknown; url?: unknown } | null;
		const server = objectOf((message as ChannelMessage)?.server);
		served.serveRequest(handleOf(message, true), routeOf(request?.method, request?.url), request, server);
	});
	// From Node 22 on, in the session's callback that serves the request.
	listen('http2.server.stream.created', (message) => {
		const headers = objectOf((message as ChannelMessage)?.headers) as Record<string, unknown> | null;
		served.followStream(routeOf(headers?.[':method'], headers?.[':path']));
	});
	listen('http.server.response.finish', (message) => served.respond(requestOf(message)));
}

/**
 * What Node and undici publish. Anyone may publish on these channels, and any other publisher may leave out anything.
 */
type ChannelMessage =
	| { headers?: unknown; request?: unknown; server?: unknown; socket?: { _handle?: SocketHandle | null } | null }
	| null
	| undefined;

interface SocketHandle {
	/** Of a socket of TLS, the handle below it. */
	_parent?: SocketHandle;
	getAsyncId?(): number;
}

function requestOf(message: unknown): object | null {
	return objectOf((message as ChannelMessage)?.request);
}

/** What distinguishes a request's route: its path, behind its method, unless that is GET; empty where it has no path. */
function routeOf(method: unknown, path: unknown): string {
	if (typeof path !== 'string') return '';
	return typeof method === 'string' && method !== 'GET' ? method + path : path;
}

function objectOf(value: unknown): object | null {
	return typeof value === 'object' ? value : null;
}

/**
 * Async id of the handle of a message's socket; 0 when there is none, or no longer one.
 * @param isLowest whether it is the handle that calls back when the connection is closed: over TLS, the one below
 */
function handleOf(message: unknown, isLowest = false): number {
	const handle = (message as ChannelMessage)?.socket?._handle;
	return ((isLowest && handle?._parent) || handle)?.getAsyncId?.() ?? 0;
}
