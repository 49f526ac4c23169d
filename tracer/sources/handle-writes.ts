// What Node writes to its native handles, and that it ends a Worker: no hook reports that. The handles' own classes are patched, not those of the
// program: only Node's own classes call these methods, and no code of the program ever runs inside them.

import { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } from '../process/object-functions.ts';
import type { Guard } from './port.ts';

/** Records what is written to sockets. */
interface SocketWrites {
	/** Whether the program has ever connected to anything other than HTTP. */
	readonly hasPeers: boolean;
	/** Something is sent over a socket. @param native its handle, with that async id */
	ask(handle: number, native: object): void;
}

/** Records the jobs that zlib's handles submit to the pool. */
interface ZlibJobs {
	/** @param isNewChunk whether the program submitted it, and not zlib itself */
	submitJob(handle: number, isNewChunk: boolean): void;
}

/** Records that the program ends a Worker. */
interface Workers {
	terminate(worker: number): void;
}

/** A native handle, as async_hooks gives it to `init`. */
interface NativeHandle {
	getAsyncId(): number;
}

/** The methods by which streams write; Node's streams call one of them per write or batch. */
const SOCKET_WRITES = [
	'writev',
	'writeBuffer',
	'writeUtf8String',
	'writeAsciiString',
	'writeLatin1String',
	'writeUcs2String',
];

/** A native method, which takes whatever its class takes. */
type Write = (this: NativeHandle, ...args: unknown[]) => unknown;

/** Patches the class of a handle when a handle of that class is first seen. */
export class HandleWrites {
	private readonly asked: SocketWrites;
	private readonly jobs: ZlibJobs & Workers;
	private readonly guard: Guard;
	private readonly patched = new WeakSet<object>();
	/** Classes of sockets that are to be watched once there is a client: the writes of a program without clients stay Node's own. */
	private readonly unwatched: object[] = [];

	/** @param guard keeps a failure of ours away from the program */
	constructor(asked: SocketWrites, jobs: ZlibJobs & Workers, guard: Guard) {
		this.asked = asked;
		this.jobs = jobs;
		this.guard = guard;
	}

	/** One job of the pool per write; its end is the handle's next callback. `writeSync` is another method. */
	watchZlib(handle: object): void {
		const { jobs, guard } = this;
		this.patch(getPrototypeOf(handle), ['write'], (self, { 2: inputOffset, 3: inputLength }) =>
			guard(() => {
				// zlib continues a chunk whose output did not fit, and ends with an empty one.
				const isNewChunk = inputOffset === 0 && inputLength !== 0;
				jobs.submitJob(self.getAsyncId(), isNewChunk);
			}),
		);
	}

	/** `terminate()` of the Worker calls this. */
	watchWorker(handle: object): void {
		const { jobs, guard } = this;
		this.patch(getPrototypeOf(handle), ['stopThread'], (self) => guard(() => jobs.terminate(self.getAsyncId())));
	}

	/**
	 * Watches what a client sends over its socket, from the first client on. TCP, pipes and terminals share one class
	 * below their own; TLS has its own.
	 */
	watchSocket(handle: object): void {
		let prototype = getPrototypeOf(handle) as object | null;
		while (prototype !== null && !Object.hasOwn(prototype, 'writeBuffer')) prototype = getPrototypeOf(prototype);
		if (prototype !== null && !this.unwatched.includes(prototype)) this.unwatched.push(prototype);
	}

	/** A handle was added, perhaps a client's. */
	watchClients(): void {
		const { asked, guard, unwatched } = this;
		while (asked.hasPeers && unwatched.length > 0)
			this.patch(unwatched.pop()!, SOCKET_WRITES, (self) => guard(() => asked.ask(self.getAsyncId(), self)));
	}

	private patch(prototype: object, names: string[], note: (self: NativeHandle, args: unknown[]) => void): void {
		if (this.patched.has(prototype)) return;
		this.patched.add(prototype);
		for (let at = 0; at < names.length; at++) {
			const name = names[at]!;
			const descriptor = getOwnPropertyDescriptor(prototype, name);
			if (typeof descriptor?.value !== 'function') continue;
			const original = descriptor.value as Write;
			const { [name]: value } = {
				[name](this: NativeHandle, ...args: unknown[]) {
					note(this, args);
					return Reflect.apply(original, this, args);
				},
			};
			defineProperty(prototype, name, { ...descriptor, value });
		}
	}
}
