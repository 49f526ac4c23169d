// Handles that others belong to, and what a handle's callback completes besides the handle itself: a job of zlib, an
// exchange over a socket, a message, a request.
import type { ResourceType } from '../../src/protocol/resource-types.ts';
import { newOperation, type Operation } from '../operations/operation.ts';
import { type Kind, kindOf } from '../process/kinds.ts';
import { AsyncResource } from '../process/node-functions.ts';
import { isObject, ownValue } from '../process/own-value.ts';
import { CONTINUED, type Site } from '../sites/site.ts';
import type { Exchanges } from './exchanges.ts';
import { HandleWrites } from './handle-writes.ts';
import { MessagePorts } from './message-ports.ts';
import { MessagePosts } from './message-posts.ts';
import type { PendingChildren } from './pending-child.ts';
import type { Guard, SourcePort } from './port.ts';
import type { ServedRequests } from './served-requests.ts';
import { handleId } from './socket-handle.ts';

const EARLIER_SOCKET = kindOf('TCPWRAP');
export const MESSAGE_PORT = kindOf('MESSAGEPORT');
const PORT_MESSAGE = kindOf('PORTMESSAGE');
const HTTP2_SESSION = kindOf('HTTP2SESSION');
const ZLIB_WRITE = kindOf('ZLIBWRITE');

/** Parts that record what the callbacks of handles bring. */
interface Listeners {
	readonly exchanges: Exchanges;
	readonly served: ServedRequests;
	readonly children: PendingChildren;
}

export class Handles {
	private readonly port: SourcePort;
	private readonly listeners: Listeners;
	private readonly ports: MessagePorts;
	private readonly writes: HandleWrites;
	/** The native handles of TLS, by their operations: Node sets what is below them only later. */
	private readonly secure = new WeakMap<Operation, WeakRef<object>>();

	constructor(port: SourcePort, listeners: Listeners, guard: Guard) {
		this.port = port;
		this.listeners = listeners;
		this.ports = new MessagePorts(new MessagePosts(port, guard, listeners.children));
		this.writes = new HandleWrites(listeners.exchanges, this, guard);
	}

	/** A handle has started. @param trigger async id of the resource that it belongs to */
	add(operation: Operation, trigger: number, resource: object, site: Site): void {
		const { id, kind } = operation;
		const { children, exchanges } = this.listeners;
		if (kind.isChild) children.add(id, kind.type, resource, site);
		// A program may give its own resources the same type names: their methods must not be patched.
		if (kind.isStream && !(resource instanceof AsyncResource)) this.addStream(operation, resource);
		else if (kind.isConnect) exchanges.addPeer(this.port.table.get(trigger), operation.site);
		else if (kind.type === ('WORKER' satisfies ResourceType)) {
			this.ports.addWorker(id);
			if (!(resource instanceof AsyncResource)) this.writes.watchWorker(resource);
		} else if (kind === MESSAGE_PORT && site.api?.name === 'Worker') this.ports.addPort(id, resource);
		this.writes.watchClients();
	}

	/** Connections that a program had open before it was traced. @param handles native ones */
	takeOver(handles: readonly object[]): void {
		for (let at = 0; at < handles.length; at++) {
			const handle = handles[at]!;
			const id = handleId(handle);
			const socket = newOperation(id, EARLIER_SOCKET, CONTINUED, id, 0);
			this.port.table.set(id, socket);
			this.writes.watchSocket(handle);
			this.listeners.exchanges.addEarlierPeer(socket);
		}
		this.writes.watchClients();
	}

	/**
	 * A handle of zlib submits a job to the pool, on behalf of the line that made the handle. A handle has one job at a
	 * time; its next callback ends the job.
	 * @param isFirst whether the job is not the rest of the one before
	 */
	submitJob(handle: number, isFirst: boolean): void {
		const { clock, pool, records, starts, table } = this.port;
		const owner = table.get(handle);
		if (owner === undefined) return;
		pool.use();
		const id = starts.newOwnId();
		const parent = isFirst || owner.underWay === null ? id : owner.underWay.parent;
		owner.underWay = newOperation(id, ZLIB_WRITE, owner.site, parent, clock.now());
		records.start(owner.underWay);
	}

	/** The handle to which a write to that one goes: of TLS, that of the socket below it. @param handle async id */
	lowest(handle: number): number {
		const { secure } = this;
		const below = ownValue(secure.get(this.port.table.get(handle)!)?.deref(), '_parent');
		return isObject(below) ? handleId(below) : handle;
	}

	/** The program ends a Worker. @param handle async id of the Worker's own */
	terminate(handle: number): void {
		const { clock, records, table } = this.port;
		const worker = table.get(handle);
		if (worker !== undefined) records.over(worker, clock.now());
	}

	/** A callback begins of a handle, or of another operation that calls back any number of times. */
	complete(operation: Operation): void {
		const { kind, peer, underWay } = operation;
		if (underWay !== null) {
			if (operation.hasServed) this.listeners.served.lookAtConnection(underWay);
			else this.port.records.attribute(underWay);
		}
		if (kind === HTTP2_SESSION) this.listeners.served.lookAtConnection(operation);
		if (this.port.stack.depth > 1) {
			if (kind === MESSAGE_PORT) this.bringMessageInside(operation);
			return;
		}
		if (peer !== null) this.listeners.exchanges.answer(operation, peer);
		if (kind.event !== null) this.serveEvent(operation, kind.event);
		else if (kind === HTTP2_SESSION) this.listeners.served.serveStream();
	}

	private serveEvent({ id, kind, site }: Operation, event: NonNullable<Kind['event']>): void {
		if (kind === MESSAGE_PORT && !this.ports.bringsMessage(id)) return;
		const sender = kind === MESSAGE_PORT ? this.ports.senderAt(id) : undefined;
		this.listeners.served.serve(
			kindOf(event),
			site.user === null ? null : site,
			this.port.run.began,
			undefined,
			sender,
		);
	}

	/** What a Worker had sent when it ended is delivered inside the callback of its end. */
	private bringMessageInside(messagePort: Operation): void {
		if (!this.ports.bringsMessage(messagePort.id)) return;
		const { stack, starts } = this.port;
		const id = starts.newOwnId();
		const parent = this.ports.senderAt(messagePort.id) ?? id;
		messagePort.underWay = newOperation(id, PORT_MESSAGE, messagePort.site, parent, stack.topBegan);
	}

	private addStream(operation: Operation, handle: object): void {
		const { type } = operation.kind;
		if (type === ('ZLIB' satisfies ResourceType)) this.writes.watchZlib(handle);
		else this.writes.watchSocket(handle);
		// STARTTLS: the connection below it existed before.
		if (type === ('TLSWRAP' satisfies ResourceType)) {
			this.listeners.exchanges.addPeer(operation, operation.site);
			this.secure.set(operation, new WeakRef(handle));
		}
	}
}
