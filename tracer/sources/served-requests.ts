// What comes from outside and is served by a callback: a request to a server, a message to a port. An HTTP request is
// shown on the line of its handler, which is known once the handler has started something: in its first run, or not at all.
import { type Kind, kindOf } from '../kinds.ts';
import { newOperation, type Operation } from '../operations/operation.ts';
import { executionAsyncResource } from '../process/node-functions.ts';
import { functionSite, handlerSite } from '../sites/derived-sites.ts';
import { need } from '../sites/predictor.ts';
import type { Site } from '../sites/site.ts';
import type { SourcePort } from './port.ts';
import { socketOwnerOf } from './socket-handle.ts';

const SERVED = kindOf('HTTPSERVERREQUEST');
export const HTTP2_SERVED = kindOf('HTTP2SERVERREQUEST');

export class ServedRequests {
	private readonly port: SourcePort;
	/** What the running callback serves, while its line is unknown. */
	private open: Operation | null = null;
	/** Whether that is a request whose handler may first start something after the parser's further callbacks. */
	private hasMore = false;
	/** By Node's object of the request. */
	private underWay = new WeakMap<object, Operation>();
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
	 * @param request Node's object for it, which is not kept
	 */
	serveRequest(connection: number, url: string, request: object | null): void {
		const { attribution, run, stack, table } = this.port;
		const socket = table.get(connection);
		const isFirst = socket !== undefined && !socket.hasServed;
		if (isFirst) socket.hasServed = true;
		const served = this.serve(SERVED, null, isFirst ? socket.started : run.began);
		// Where the one before it has no answer yet, it is unknown whose handler continues.
		this.hasMore = socket?.job === null && stack.depth === 1;
		attribution.followRoute(url);
		if (request !== null) this.underWay.set(request, served);
		if (socket === undefined) return;
		socket.job = served;
		served.job = socket;
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

	/** What is answered is not seen from now on. */
	rest(): void {
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
	 * @param id of its operation, where it has a resource @param root of a message, where it comes from
	 */
	serve(kind: Kind, site: Site | null, started: number, id = this.port.starts.newOwnId(), root = id): Operation {
		this.placeOpen();
		const { attribution } = this.port;
		// Where no handler is found, it is on the line of what brought it.
		const served = newOperation(id, kind, site ?? handlerSite(attribution.current.site, false), root, started);
		if (site === null) {
			need(attribution.origin);
			this.open = served;
			this.hasMore = false;
			attribution.isHandlerSought = true;
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

	/** The run is over. */
	endRun(): void {
		if (this.open === null) return;
		this.placeOpen();
		const { attribution } = this.port;
		if (attribution.hint !== null) attribution.hint = functionSite(attribution.hint);
	}

	private endResponse(served: Operation, isBroken = false): void {
		// What its handler has started to respond is on the handler's line as well.
		if (served === this.open) this.placeOpen();
		const { clock, records } = this.port;
		const { job: connection } = served;
		if (connection?.job === served) connection.job = null;
		if (served.leftOut !== null) return;
		const now = clock.now();
		if (isBroken) records.over(served, now);
		else records.nested(served, now, 0);
	}

	private placeOpen(): void {
		const { open } = this;
		if (open === null) return;
		this.open = null;
		const { attribution } = this.port;
		const { hint } = attribution;
		attribution.isHandlerSought = false;
		attribution.route = '';
		if (hint !== null) open.site = handlerSite(hint, true);
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
