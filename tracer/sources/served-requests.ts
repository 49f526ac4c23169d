// What comes from outside and is served by a callback: a request to a server, a message to a port. An HTTP request is
// shown on the line of its handler, which is known once the handler has started something.
import { type Kind, kindOf } from '../kinds.ts';
import { newOperation, type Operation } from '../operations/operation.ts';
import { functionSite, handlerSite } from '../sites/derived-sites.ts';
import { need } from '../sites/predictor.ts';
import { CONTINUED, type Site } from '../sites/site.ts';
import type { SourcePort } from './port.ts';

const SERVED = kindOf('HTTPSERVERREQUEST');
const HTTP2_SERVED = kindOf('HTTP2SERVERREQUEST');

export class ServedRequests {
	private readonly port: SourcePort;
	/** What the running callback serves, while its line is unknown. */
	private open: Operation | null = null;
	/** By Node's object of the request. */
	private readonly underWay = new WeakMap<object, Operation>();
	/** An HTTP/2 peer has opened a stream: the session's next callback serves it. */
	private hasStream = false;

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
		const { attribution, run, table } = this.port;
		attribution.followRoute(url);
		const socket = table.get(connection);
		const isFirst = socket !== undefined && !socket.hasServed;
		if (isFirst) socket.hasServed = true;
		const served = this.serve(SERVED, null, isFirst ? socket.started : run.began);
		if (request !== null) this.underWay.set(request, served);
	}

	/** The response to that request is finished: its last bytes are the system's. */
	respond(request: object | null): void {
		const served = request === null ? undefined : this.underWay.get(request);
		if (served === undefined) return;
		// What its handler has started to respond is on the handler's line as well.
		if (served === this.open) this.finish();
		const { clock, records } = this.port;
		if (served.leftOut === null) records.nested(served, clock.now(), 0);
	}

	/** An HTTP/2 peer opens a stream. */
	addStream(): void {
		this.hasStream = true;
	}

	/** A session of HTTP/2 calls back. */
	serveStream(): void {
		if (!this.hasStream) return;
		this.hasStream = false;
		this.serve(HTTP2_SERVED, null, this.port.run.began);
	}

	/**
	 * The running callback serves something that came from outside.
	 * @param site null when the line is known only once the handler has started something
	 */
	serve(kind: Kind, site: Site | null, started: number): Operation {
		this.finish();
		const { attribution, starts } = this.port;
		const id = starts.newOwnId();
		const served = newOperation(id, kind, site ?? CONTINUED, id, started);
		if (site === null) {
			this.open = served;
			attribution.isHandlerSought = true;
		} else this.complete(served);
		return served;
	}

	/** The run is over. */
	endRun(): void {
		if (this.open === null) return;
		this.finish();
		const { attribution } = this.port;
		if (attribution.hint !== null) attribution.hint = functionSite(attribution.hint);
	}

	private finish(): void {
		const { open } = this;
		if (open === null) return;
		this.open = null;
		const { attribution } = this.port;
		const { hint } = attribution;
		attribution.isHandlerSought = false;
		if (hint === null) need(attribution.origin);
		open.site = handlerSite(hint ?? attribution.current.site, hint !== null);
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
