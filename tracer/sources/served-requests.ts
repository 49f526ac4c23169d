// What comes from outside and is served by a callback: a request to a server, a message to a port. An HTTP request is
// shown on the line of its handler, which is known once the handler has started something: in its first run, or not at all.

import { newOperation, type Operation } from '../operations/operation.ts';
import { type Kind, kindOf } from '../process/kinds.ts';
import { executionAsyncResource } from '../process/node-functions.ts';
import { ownValue } from '../process/own-value.ts';
import { handlerSite, resumedSite, withoutCall } from '../sites/derived-sites.ts';
import { functionStart, type Position, type Site } from '../sites/site.ts';
import { isCalledByNode } from '../sites/stack-reader.ts';
import type { SourcePort } from './port.ts';
import { socketOwnerOf } from './socket-handle.ts';

const SERVED = kindOf('HTTPSERVERREQUEST');
const PARSER = kindOf('HTTPINCOMINGMESSAGE');
export const HTTP2_SERVED = kindOf('HTTP2SERVERREQUEST');

/** The most requests kept whose handler has not shown: those that are never answered stay. */
const UNPLACED_KEPT = 1000;

export class ServedRequests {
	private readonly port: SourcePort;
	/** What the running callback serves, while its line is unknown. */
	private open: Operation | null = null;
	/** Its server. */
	private server: object | null = null;
	/** Of servers that call one handler of the program's themselves: what has started nothing for a request was called as well. */
	private readonly handlers = new WeakMap<object, Site>();
	/** Whether that is a request whose handler may first start something after the parser's further callbacks. */
	private hasMore = false;
	/** Those whose handler has not shown. */
	private readonly unplaced = new Set<Operation>();
	/** Where handlers have answered requests of their own while there were such. */
	private readonly answeredAt = new Set<Position>();
	/** Of waits for a connection that began when nothing of their line was on the stack, in a request's first run: that request. */
	private readonly waiting = new WeakMap<Operation, Operation>();
	/** By Node's object of the request. */
	private underWay = new WeakMap<object, Operation>();
	/** The connection that has brought a part of a request in this run, and Node's object of that request; null where all of it has come. */
	private parsed: Operation | null = null;
	private body: unknown = null;
	/** Connections that Node does not read until the program has read what came. */
	private readonly unread = new WeakSet<Operation>();
	/** The async id of the stream that an HTTP/2 peer has just opened: the session's next callback serves it; 0 for none. */
	private stream = 0;

	constructor(port: SourcePort) {
		this.port = port;
	}

	/**
	 * The first request of a connection has waited since the connection was accepted; how long later ones waited is
	 * unknown.
	 * @param connection async id of the socket's handle
	 * @param url only distinguishes routes, for the predictor; it is not recorded
	 * @param request Node's object for it, and @param server for its server; neither is kept
	 */
	serveRequest(connection: number, route: string, request: object | null, server: object | null): void {
		const { attribution, run, stack, table } = this.port;
		const socket = table.get(connection);
		const isFirst = socket !== undefined && !socket.hasServed;
		if (isFirst) socket.hasServed = true;
		const served = this.serve(SERVED, null, isFirst ? socket.started : run.began);
		this.server = server;
		// Where the one before it has no answer yet, it is unknown whose handler continues.
		this.hasMore = socket?.underWay === null && stack.depth === 1;
		attribution.followRoute(route);
		if (request !== null) this.underWay.set(request, served);
		if (socket === undefined) return;
		socket.underWay = served;
		served.connection = socket;
	}

	/**
	 * A connection calls back itself, and not its parser: is it closed?
	 * @param served its request, which is not answered; of HTTP/2 its session, and what is open in that ends with it
	 */
	lookAtConnection(served: Operation): void {
		if (socketOwnerOf(executionAsyncResource())?.destroyed === true) this.endResponse(served, true);
	}

	/** The response to that request is finished: its last bytes are the system's. */
	respond(request: object | null): void {
		const served = request === null ? undefined : this.underWay.get(request);
		if (served === undefined) return;
		this.endResponse(served);
	}

	/**
	 * A response is sent where a function of the program's goes on after its `await`. A request whose handler has not shown, since it only awaited what another
	 * request had asked for, is that function's if it has answered one of its own there: another response may as well be one that it has kept for somebody else.
	 * A handler behind a middleware may answer where the reader cannot know whose drain it is: then it shows by this.
	 * @param handle of the connection @param ending the line that sends the response
	 */
	answer(handle: number, ending: Position): void {
		const { attribution, table } = this.port;
		const served = table.get(handle)?.underWay;
		if (!served || served.leftOut !== null) return;
		if (!this.unplaced.has(served)) {
			const begin = functionStart(ending);
			if (served.site.user !== begin && attribution.reader.routed.has(begin)) this.goOnAt(served, resumedSite(ending));
			if (this.unplaced.size === 0) return;
		}
		const at = attribution.resumed();
		if (at === null) return;
		const site = resumedSite(at);
		if (served.site.user === site.user) this.answeredAt.add(at);
		else if (this.answeredAt.has(at) && this.unplaced.delete(served)) this.goOnAt(served, site);
	}

	private goOnAt(served: Operation, site: Site): void {
		served.site = site;
		this.port.records.start(served);
	}

	/** A wait for a connection begins, of whose line nothing is on the stack: the running callback's request waits. */
	waitFor(wait: Operation): void {
		if (this.open !== null) this.waiting.set(wait, this.open);
	}

	/** That wait is over, and shows who has waited. @param site where its request's handler goes on */
	place(wait: Operation, site: Site): void {
		const served = this.waiting.get(wait);
		if (served === undefined || !this.unplaced.delete(served)) return;
		if (served.leftOut === null) this.goOnAt(served, handlerSite(site, true));
	}

	/** What is answered is not seen from now on. */
	rest(): void {
		this.unplaced.clear();
		this.underWay = new WeakMap();
	}

	/** An HTTP/2 peer opens a stream. @param id its async id */
	addStream(id: number): void {
		this.stream = id;
	}

	/** A session of HTTP/2 calls back. */
	serveStream(): void {
		const { stream } = this;
		if (stream === 0) return;
		this.stream = 0;
		const { run, table } = this.port;
		// Further callbacks of the stream, such as those that bring the request's body, belong to the request.
		table.set(stream, this.serve(HTTP2_SERVED, null, run.began, stream));
	}

	/** @param route of the stream that the session's callback serves; it only distinguishes routes, and is not recorded */
	followStream(route: string): void {
		if (route !== '' && this.open?.kind === HTTP2_SERVED) this.port.attribution.followRoute(route);
	}

	/** A callback of a stream that is served is over: is the stream? No channel says so before Node 22. */
	lookAtStream(served: Operation): void {
		const stream = socketOwnerOf(executionAsyncResource());
		if (stream?.closed !== true) return;
		this.port.table.delete(served.id);
		this.endResponse(served, stream.rstCode !== 0);
	}

	/**
	 * The running callback serves something that came from outside.
	 * @param site null when the line is known only once the handler has started something
	 * @param id of its operation, where it has a resource @param parent of a message, who sent it
	 */
	serve(kind: Kind, site: Site | null, started: number, id = this.port.starts.newOwnId(), parent = id): Operation {
		this.placeOpen();
		const { attribution } = this.port;
		// Where no handler is found, it is on the line of what brought it.
		const served = newOperation(id, kind, site ?? handlerSite(attribution.current.site, false), parent, started);
		if (site === null) {
			attribution.seekHandler();
			this.open = served;
			this.server = null;
			this.hasMore = false;
		} else this.complete(served);
		return served;
	}

	/**
	 * Whether the next callback of the same parser belongs to the run as well. For all that was read at once Node's HTTP parser calls back several times:
	 * when the headers are complete, when the request is, and when it has gone through the bytes. Only after the last one continue ticks and promises, among
	 * them a handler that has awaited what was there already.
	 */
	get mayGoOn(): boolean {
		return this.hasMore && this.open !== null && this.port.attribution.hint === null;
	}

	/** A callback of that operation is over, but not its drain. */
	lookAtBody(operation: Operation): void {
		if (operation.kind !== PARSER) return;
		const socket = ownValue(executionAsyncResource(), 'socket');
		const request = ownValue(ownValue(socket, 'parser'), 'incoming');
		// Node keeps that request itself until all of it has come.
		const isComing = ownValue(request, 'complete') === false;
		this.body = isComing ? request : null;
		this.parsed = isComing ? operation : null;
	}

	/** Whether what that operation brings had to wait until the program read what was there. */
	wasUnread(operation: Operation): boolean {
		return operation.kind === PARSER && this.unread.delete(operation);
	}

	/** The run is over. */
	endRun(): void {
		if (this.parsed !== null && isFull(this.body)) this.unread.add(this.parsed);
		this.parsed = this.body = null;
		if (this.open === null) return;
		this.placeOpen();
		this.port.attribution.hintAtFunction();
	}

	private endResponse(served: Operation, isBroken = false): void {
		// What its handler has started to respond is on the handler's line as well.
		if (served === this.open) this.placeOpen();
		const { clock, records } = this.port;
		const { connection } = served;
		if (connection?.underWay === served) connection.underWay = null;
		this.unplaced.delete(served);
		if (served.leftOut !== null) return;
		const now = clock.now();
		if (isBroken) records.over(served, now);
		else records.nested(served, now, 0);
	}

	private placeOpen(): void {
		const { handlers, open, server } = this;
		if (open === null) return;
		this.open = this.server = null;
		const hint = this.port.attribution.endHandlerSearch();
		if (hint !== null) open.site = handlerSite(hint, true);
		if (server !== null) {
			if (hint === null) open.site = handlers.get(server) ?? open.site;
			else if (isCalledByNode(hint.handler)) handlers.set(server, withoutCall(open.site));
			if (hint === null && !handlers.has(server) && this.unplaced.size < UNPLACED_KEPT) this.unplaced.add(open);
		}
		this.complete(open);
	}

	private complete(served: Operation): void {
		const { records, sampling } = this.port;
		const left = sampling.every > 1 ? sampling.leaveOut(served.site, served.kind) : null;
		served.leftOut = left;
		if (left === null) records.attribute(served);
		else sampling.count(left);
	}
}

/** Whether so much of a request's body has come and was not read that Node stops to read its connection. */
function isFull(request: unknown): boolean {
	const state = ownValue(request, '_readableState');
	return Number(ownValue(state, 'length')) >= Number(ownValue(state, 'highWaterMark'));
}
