// Answers to several requests may come in one read, as over one connection to Redis: then it is unknown whose handler each part of the drain continues. A handler
// that a router calls there starts something, though, and the request that is answered when that is over is the handler's.
import type { SiteFacts } from '../lines/journal-tables.ts';
import type { OpenResource } from '../operations/open-operations.ts';
import type { OpenRequest } from '../operations/request-path.ts';

/** A handler that a router has called for one of these requests. */
interface CalledAmong {
	readonly handler: SiteFacts;
	readonly among: ReadonlySet<OpenRequest>;
}

export class SharedDrain {
	/** Operations that such a handler has started, and what these have started in turn. */
	private readonly started = new WeakMap<OpenResource, CalledAmong>();
	/** Most threads have none, and need not look for them. */
	private hasStarted = false;
	/** The requests of which it is unknown which of them the running callback continues. */
	private among = new Set<OpenRequest>();
	/** The handler that a router has called last in the running callback, for one of them. */
	private called: SiteFacts | null = null;
	/** Whether it is not even known whose operation the running callback completes. */
	isUnknown = false;
	/** How many operations the running callback completes, and the handler for which all of these were started; null where there is none. */
	private completed = 0;
	private handler: SiteFacts | null = null;

	/** Those of which it is unknown which of them the running callback continues. */
	get requests(): ReadonlySet<OpenRequest> {
		return this.among;
	}

	/** A top-level callback begins. */
	begin(): void {
		if (this.among.size > 0) this.among = new Set();
		this.called = this.handler = null;
		this.completed = 0;
		this.isUnknown = false;
	}

	/** The running callback continues that request, among others. */
	add(request: OpenRequest): void {
		this.among.add(request);
	}

	/** A router calls that handler for one of them. */
	call(handler: SiteFacts): void {
		this.called = handler;
	}

	/** The running callback completes that operation. */
	complete(resource: OpenResource): void {
		if (resource.type.shown === 'never') return;
		const started = this.hasStarted ? this.started.get(resource) : undefined;
		const handler = started?.handler ?? null;
		if (this.completed++ === 0) this.handler = handler;
		else if (this.handler !== handler) this.handler = null;
		if (started === undefined) return;
		this.isUnknown = true;
		for (const request of started.among) if (!request.isOver) this.among.add(request);
	}

	/** The running callback starts that. @param isRouted whether a handler does that a router has called */
	start(resource: OpenResource, isRouted: boolean): void {
		const { among, called } = this;
		const handler = (isRouted ? called : null) ?? this.handler;
		if (handler === null) return;
		this.hasStarted = true;
		this.started.set(resource, { handler, among });
	}

	/** The handler of a request that is answered in the running callback; null where it is unknown. */
	handlerOf(request: OpenRequest): SiteFacts | null {
		return this.among.has(request) ? this.handler : null;
	}
}
