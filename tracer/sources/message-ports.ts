// Which callbacks of a MessagePort bring the program a message: not its close, and not what Node's own ports of a
// Worker carry (that it has started, what it prints).

import { MAIN_OPERATION } from '../../src/protocol/journal.ts';
import { OperationTable } from '../operations/operation-table.ts';
import { AsyncResource, executionAsyncResource } from '../process/node-functions.ts';
import { getPrototypeOf } from '../process/object-functions.ts';
import { parentPort } from '../process/this-thread.ts';
import type { MessagePosts } from './message-posts.ts';

/** At most four per Worker. */
const OWN_PORTS = 1000;

/** Methods of the native handle, taken when the first one is seen: the program may replace them later. */
let methods: Record<'hasRef' | 'ref' | 'unref', (this: object) => boolean> | null = null;

export class MessagePorts {
	/** Ports of Node's own. */
	private readonly own = new OperationTable<true>(OWN_PORTS);
	/** Those for the program's messages: the operation that started the Worker at the other end. */
	private readonly programs = new OperationTable<number>(OWN_PORTS);
	/** Ports that the constructor of the latest Worker made, in order, and the latest two. */
	private made: number[] = [];
	private latest: WeakRef<object> | null = null;
	private beforeLatest: WeakRef<object> | null = null;
	/** The operation of that Worker. */
	private worker = 0;
	private readonly posted: MessagePosts;

	constructor(posted: MessagePosts) {
		this.posted = posted;
	}

	/** A Worker's constructor begins. @param id its operation */
	addWorker(id: number): void {
		this.settle();
		this.worker = id;
		this.latest = this.beforeLatest = null;
	}

	/** The constructor makes a port. */
	addPort(id: number, port: object): void {
		const { beforeLatest, latest, posted } = this;
		this.made.push(id);
		// The last pair that it makes is for the program's messages.
		const own = beforeLatest?.deref();
		if (own !== undefined) posted.unwatch(own);
		const first = latest?.deref();
		if (first !== undefined) posted.watch(first, this.worker);
		this.beforeLatest = latest;
		this.latest = new WeakRef(port);
	}

	/**
	 * Where the message comes from that the running callback of that port brings: the operation that started the Worker, MAIN_OPERATION for the
	 * thread that made this one; undefined for any other port.
	 */
	senderAt(id: number): number | undefined {
		return executionAsyncResource() === parentPort ? MAIN_OPERATION : this.programs.get(id);
	}

	/** Whether the running callback, of that port, brings the program a message. */
	bringsMessage(id: number): boolean {
		this.settle();
		return this.own.get(id) === undefined && isOpen(executionAsyncResource());
	}

	/** The last pair that the constructor makes is for the program's messages, its first port on this side (18 to 26). */
	private settle(): void {
		const { made } = this;
		for (let at = 0; at < made.length; at++) {
			if (at === made.length - 2) this.programs.set(made[at]!, this.worker);
			else this.own.set(made[at]!, true);
		}
		if (made.length > 0) this.made = [];
	}
}

/** A closed handle cannot be kept alive. */
function isOpen(port: object): boolean {
	// A program may give a resource of its own the same type name.
	if (port instanceof AsyncResource) return false;
	if (methods === null) {
		const { hasRef, ref, unref } = getPrototypeOf(port);
		methods = { hasRef, ref, unref };
	}
	const call = (name: 'hasRef' | 'ref' | 'unref') => Reflect.apply(methods![name], port, []);
	if (call('hasRef')) return true;
	call('ref');
	if (!call('hasRef')) return false;
	call('unref');
	return true;
}
