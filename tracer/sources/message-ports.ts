// Which callbacks of a MessagePort bring the program a message: not its close, and not what Node's own ports of a
// Worker carry (that it has started, what it prints).

import { OperationTable } from '../operations/operation-table.ts';
import { executionAsyncResource } from '../process/node-functions.ts';
import { getPrototypeOf } from '../process/object-functions.ts';

/** At most four per Worker. */
const OWN_PORTS = 1000;

/** Methods of the native handle, taken when the first one is seen: the program may replace them later. */
let methods: Record<'hasRef' | 'ref' | 'unref', (this: object) => boolean> | null = null;

export class MessagePorts {
	/** Ports of Node's own. */
	private readonly own = new OperationTable<true>(OWN_PORTS);
	/** Ports that the constructor of the latest Worker made, in order. */
	private made: number[] = [];

	/** A Worker's constructor begins. */
	addWorker(): void {
		this.settle();
	}

	/** The constructor makes a port. */
	addPort(id: number): void {
		this.made.push(id);
	}

	/** Whether the running callback, of that port, brings the program a message. */
	bringsMessage(id: number): boolean {
		this.settle();
		return this.own.get(id) === undefined && isOpen(executionAsyncResource());
	}

	/** The last pair that the constructor makes is for the program's messages, its first port on this side (18 to 26). */
	private settle(): void {
		const { made } = this;
		for (let at = 0; at < made.length; at++) if (at !== made.length - 2) this.own.set(made[at]!, true);
		if (made.length > 0) this.made = [];
	}
}

/** A closed handle cannot be kept alive. */
function isOpen(port: object): boolean {
	if (methods === null) {
		const { hasRef, ref, unref } = getPrototypeOf(port);
		methods = { hasRef, ref, unref };
	}
	if (methods.hasRef.call(port)) return true;
	methods.ref.call(port);
	if (!methods.hasRef.call(port)) return false;
	methods.unref.call(port);
	return true;
}
