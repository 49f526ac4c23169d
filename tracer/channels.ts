// HTTP exchanges: sockets are kept alive, so async_hooks shows no operation per request. Node's diagnostics channels do.
import { subscribe } from 'node:diagnostics_channel';
import type { Operation, Recorder } from './recorder.ts';

/** A client's request: where it starts, and where its response's head has come. Objects are only weakly held. */
const CLIENTS = [
	{
		type: 'FETCH',
		start: ['undici:request:create'],
		end: ['undici:request:headers', 'undici:request:error'],
	},
	{
		// Node 18 and 20 tell of a request only when it is sent.
		type: 'HTTPREQUEST',
		start: ['http.client.request.created', 'http.client.request.start'],
		end: ['http.client.response.finish', 'http.client.request.error'],
	},
];

/** Subscribes to the channels of HTTP. `guard` keeps a failure of ours away from the program. */
export function watchHttp(recorder: Recorder, guard: (step: () => void) => void): void {
	for (const { type, start, end } of CLIENTS) {
		const operations = new WeakMap<object, Operation>();
		for (const name of start) {
			subscribe(name, (message) =>
				guard(() => {
					const { request } = message as { request: object };
					if (!operations.has(request)) operations.set(request, recorder.startOwn(type));
				}),
			);
		}
		for (const name of end) {
			subscribe(name, (message) =>
				guard(() => {
					const { request } = message as { request: object };
					const operation = operations.get(request);
					if (operation === undefined) return;
					operations.delete(request);
					recorder.completeOwn(operation);
				}),
			);
		}
	}

	// A copy of undici in node_modules opens its sockets as any library does; its requests are told above.
	subscribe('undici:client:connected', (message) =>
		guard(() => recorder.leaveToChannels(handleOf((message as { socket: Socket }).socket))),
	);

	subscribe('http.server.request.start', (message) =>
		guard(() => {
			const { socket, request } = message as {
				socket: Socket;
				request: { url?: unknown };
			};
			recorder.serveRequest(handleOf(socket), typeof request.url === 'string' ? request.url : '');
		}),
	);
}

interface Socket {
	_handle?: { getAsyncId?(): number } | null;
}

/** Async id of a socket's handle; 0 when it has none any more. */
function handleOf({ _handle: handle }: Socket): number {
	return handle?.getAsyncId?.() ?? 0;
}
