// Requests that Node's HTTP agents keep until they have a socket free. Node announces a request when it is sent and, since 22.12, already when it
// is made. On every version it counts from when it has a socket: its wait for one is an operation of its own, like that for a pool's connection.
import { RESOURCE_FACTS } from '../../protocol/resource-facts.ts';
import type { Place } from '../common/place.ts';
import type { OpenResource } from '../operations/open-operations.ts';

/** The most requests kept that wait for a socket. */
const KEPT = 10_000;

export class AgentSockets {
	/** Whether only some requests are recorded: which of them waits is unknown then. */
	isSampling = false;
	/** Whether the thread's Node announces requests when they are made. */
	private announcesMade = false;
	/** The wait that has just begun: the request that is announced next is the one that waits. */
	private latest: OpenResource | null = null;
	/** By the wait for a socket. */
	private readonly waiting = new Map<number, OpenResource>();

	/** @param node the thread's version of Node */
	begin(node: string): void {
		this.announcesMade = announcesMade(node);
	}

	/** Something starts: a request has to wait, or is announced. */
	start(resource: OpenResource): void {
		if (resource.type === RESOURCE_FACTS.QueuedRequest) this.latest = resource;
		if (resource.type !== RESOURCE_FACTS.HTTPREQUEST || this.latest === null) return;
		const wait = this.latest;
		this.latest = null;
		if (this.isSampling || !isSame(wait.user, resource.user) || !this.announcesMade) return;
		resource.logical.postpone();
		this.waiting.set(wait.id, resource);
		if (this.waiting.size > KEPT) this.waiting.delete(this.waiting.keys().next().value!);
	}

	/** That wait was for a connection that others had, before the request was sent. */
	add(wait: OpenResource, request: OpenResource | undefined): void {
		if (request === undefined) return;
		wait.hop = request.hop;
		// It has counted among those that wait since it was made.
		request.logical.isPostponed = true;
		this.waiting.set(wait.id, request);
	}

	/** The running callback is over. */
	endRun(): void {
		this.latest = null;
	}

	/** What waits for a socket may get one unseen. */
	rest(): void {
		this.latest = null;
		this.waiting.clear();
	}

	/** A wait for a socket is over. @returns the request that has it; null where it is unknown, or was not announced yet */
	take({ id }: OpenResource): OpenResource | null {
		const request = this.waiting.get(id) ?? null;
		if (request !== null) this.waiting.delete(id);
		return request;
	}
}

function isSame(a: Place | null, b: Place | null): boolean {
	return a !== null && b !== null && a.line === b.line && a.script === b.script;
}

/** Whether that Node announces requests when they are made. */
function announcesMade(node: string): boolean {
	const [major = 0, minor = 0] = node.split('.').map(Number);
	return major > 23 || (major === 23 && minor >= 2) || (major === 22 && minor >= 12);
}
