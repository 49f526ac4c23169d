// Exchanges over clients' sockets. An exchange lasts from the write to the peer's next bytes or, where a library keeps
// unanswered items in a queue, until its item is taken out there.

import { newOperation, type Operation } from '../operations/operation.ts';
import { Peer } from '../operations/peer.ts';
import { kindOf } from '../process/kinds.ts';
import { onLine } from '../sites/derived-sites.ts';
import { CONTINUED, type Site } from '../sites/site.ts';
import { AskedInTurn } from './asked-in-turn.ts';
import type { Link } from './connection-waits.ts';
import type { SourcePort } from './port.ts';
import { isRead, socketOwnerOf } from './socket-handle.ts';

const EXCHANGE = kindOf('EXCHANGE');
const TURN_EXCHANGE = kindOf('TURNEXCHANGE');
/** Scripts and functions of Node that open a connection of the program's own. */
const CONNECTS = /^node:(net|tls|_tls_wrap|internal\/tls\/wrap) ([A-Za-z]+\.)?(connect|createConnection)$/;

export class Exchanges {
	/** Whether the program has ever connected to anything other than HTTP. */
	hasPeers = false;
	private readonly port: SourcePort;
	private readonly asked = new AskedInTurn();

	constructor(port: SourcePort) {
		this.port = port;
	}

	/**
	 * A socket that the program itself connects is a client's. Any line may send something over it, whichever line
	 * opened it, so nothing is inherited from its callbacks. HTTP has exchanges of its own.
	 */
	addPeer(socket: Operation | undefined, site: Site): void {
		const { api } = site;
		if (socket === undefined || api === null || !CONNECTS.test(`${api.script} ${api.name}`)) return;
		socket.peer ??= new Peer<Operation>(site);
		socket.site = CONTINUED;
		this.hasPeers = true;
	}

	/** A connection that the program had open before it was traced. */
	addEarlierPeer(socket: Operation): void {
		socket.peer = new Peer<Operation>(CONTINUED);
		this.hasPeers = true;
	}

	/**
	 * Something is written to a socket: if that is a client's, an exchange begins. It ends with the socket's next
	 * callback.
	 * @param native its handle, with that async id
	 */
	ask(handle: number, native: object): void {
		const { attribution, run, table, waits } = this.port;
		const socket = table.get(handle);
		if (socket === undefined || socket.peer === null) return;
		if (socket.peer.isFollowed) {
			waits.dropUnsent();
			return;
		}
		// Requests of Node's HTTP client have channels of their own.
		if (socketOwnerOf(native)?._httpMessage) {
			socket.peer = null;
			return;
		}
		const { peer } = socket;
		let site = attribution.locate(EXCHANGE);
		if (this.follow(handle, peer, site)) return;
		// The line that sent what Node itself had buffered is unknown; what was sent before there was a connection is shown on the line that opened it.
		if (site === CONTINUED && peer.isNew) site = peer.opened;
		if (site === CONTINUED) return;
		const wait = waits.takeSender(site);
		if (wait === null && peer.goesOn(site, run.began)) return;
		if (peer.isNew) peer.watch(native);
		if (peer.open.length > 0) this.dropUnread(peer);
		const exchange = this.make(EXCHANGE, site, wait);
		peer.add(exchange, site, run.began);
		this.port.records.start(exchange);
	}

	/** The channels of HTTP report requests over that socket: writes to it are no exchanges. */
	leaveToChannels(handle: number): void {
		const socket = this.port.table.get(handle);
		if (socket !== undefined) socket.peer = null;
	}

	/** A library's queue shows what is sent over that socket, and what is answered: writes to it are no exchanges. */
	leaveToQueue(handle: number): void {
		this.port.table.get(handle)?.peer?.follow();
	}

	/**
	 * A library sends something, and keeps it in its queue until it is answered.
	 * @param batch what it is sent together with; null when it is alone
	 * @param link where it is sent when that shows only in what is written next; else null
	 */
	askInTurn(item: object, batch: object | null, handle: number, link: Link | null): void {
		const { attribution, records, table, waits } = this.port;
		const peer = table.get(handle)?.peer ?? null;
		const wait = waits.takeAsker(item);
		if (this.asked.goesOn(item, batch, peer)) return;
		const site = wait?.site ?? attribution.locate(EXCHANGE);
		const exchange = this.make(TURN_EXCHANGE, site, wait, peer === null ? 0 : handle);
		const asked = this.asked.add(item, batch, exchange, peer);
		if (link !== null) waits.noteUnsent(asked, link);
		records.start(exchange);
	}

	/** The item is the next to be answered: what the peer sends is the answer to it. */
	answerInTurn(item: object): void {
		const exchange = this.asked.answer(item);
		if (exchange !== null) this.port.records.attribute(exchange);
	}

	/** The connection is lost: what was asked over it is over. */
	lose(link: Link): void {
		const { records, table } = this.port;
		const peer = table.get(link.handle)?.peer;
		link.handle = -1;
		peer?.lose((exchange) => records.attribute(exchange));
	}

	/** The peer has sent something, which answers the oldest exchange and may answer any other. */
	answer(socket: Operation, peer: Peer<Operation>): void {
		this.dropUnread(peer);
		const { attribution, records } = this.port;
		const { oldest, open } = peer;
		for (let at = 0; at < open.length; at++) records.attribute(open[at]!);
		peer.answer();
		attribution.followAnswer(oldest, EXCHANGE, peer.isMixed);
		if (oldest === undefined) return;
		// What the ticks of this callback start depends on what was answered.
		socket.previous = oldest.site;
	}

	/** Nobody waits for an answer where nobody would receive it, as with what is only sent: logs, metrics, messages to another process. */
	dropUnread(peer: Peer<Operation>, now = this.port.clock.now()): void {
		const { handle, open } = peer;
		if (handle === null || open.length === 0) return;
		const native = handle.deref();
		if (native === undefined || isRead(native)) {
			peer.unwatch();
			return;
		}
		const { records } = this.port;
		for (let at = 0; at < open.length; at++) records.over(open[at]!, now);
		peer.dropOpen();
	}

	/** Whether what a library's queue has just shown is sent to that peer: then the queue shows all that is. @param site what writes */
	private follow(handle: number, peer: Peer<Operation>, site: Site): boolean {
		const unsent = this.port.waits.takeUnsent(site);
		if (unsent.length === 0) return false;
		peer.follow();
		for (let at = 0; at < unsent.length; at++) {
			const { asked, link } = unsent[at]!;
			link.handle = handle;
			this.asked.send(asked, peer);
		}
		return true;
	}

	/**
	 * @param wait the line that waited to send it, if there was one
	 * @param connection async id of the socket's handle, where answers come in order; 0 where that is not known
	 */
	private make(kind: typeof EXCHANGE, site: Site, wait: { user: Site['user'] } | null, connection = 0): Operation {
		const { attribution, clock, starts } = this.port;
		if (site.user === null) attribution.needOrigin();
		const shown = wait === null ? attribution.shown(site) : onLine(site, wait.user);
		const id = starts.newOwnId();
		return newOperation(id, kind, shown, connection || id, clock.now());
	}
}
