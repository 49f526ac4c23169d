// From a socket to the native handle below it, and back.

import type net from 'node:net';
import { getOwnPropertyDescriptor, getOwnPropertySymbols } from '../process/object-functions.ts';
import { isObject, isOrdinary, ownValue } from '../process/own-value.ts';

/** Programs may intercept `require`; Node 18 and early 20 offer nothing else. */
const loadBuiltin: (name: string) => unknown =
	(process as { getBuiltinModule?: (name: string) => unknown }).getBuiltinModule ?? require;

/** Node's class of sockets, whose getter leads to the handle; undefined until a program has sockets. */
let Socket: typeof net.Socket | undefined;
let readHandle: (() => unknown) | undefined;

/** The native handle of what may be a socket; null for all else, and for a socket that no longer has one. */
export function handleOf(socket: unknown): object | null {
	if (!isOrdinary(socket)) return null;
	if (Socket === undefined) {
		// Not earlier: a program without sockets never loads the module.
		({ Socket } = loadBuiltin('node:net') as typeof net);
		readHandle = getOwnPropertyDescriptor(Socket.prototype, '_handle')?.get;
	}
	if (readHandle === undefined || !(socket instanceof Socket)) return null;
	const handle: unknown = Reflect.apply(readHandle, socket, []);
	return typeof handle === 'object' ? handle : null;
}

/** A handle's async id; -1 for anything that is no handle of Node's own. */
export function handleId(handle: object): number {
	const getAsyncId: unknown = Reflect.get(handle, 'getAsyncId');
	return typeof getAsyncId === 'function' ? Number(Reflect.apply(getAsyncId, handle, [])) : -1;
}

/** What Node's objects above native handles have that the tracer reads: sockets, and streams of HTTP/2. */
interface Owner {
	_httpMessage?: unknown;
	closed?: unknown;
	destroyed?: unknown;
	rstCode?: unknown;
}

let ownerSymbol: symbol | undefined;

/** Node's object above a native handle. */
export function socketOwnerOf(handle: object): Owner | undefined {
	ownerSymbol ??= getOwnPropertySymbols(handle).find(({ description }) => description === 'owner_symbol');
	return ownerSymbol && (handle as Record<symbol, Owner | undefined>)[ownerSymbol];
}

let onreadSymbol: symbol | undefined;

/** Whether anything receives what comes over the socket with that handle: a listener, or the function that `net.connect` was given for it. */
export function isRead(handle: object): boolean {
	const owner = socketOwnerOf(handle);
	if (owner === undefined) return true;
	const events = ownValue(owner, '_events');
	if (ownValue(events, 'data') !== undefined || ownValue(events, 'readable') !== undefined) return true;
	onreadSymbol ??= getOwnPropertySymbols(owner).find(({ description }) => description === 'kBufferCb');
	return onreadSymbol !== undefined && isObject(ownValue(owner, onreadSymbol));
}
