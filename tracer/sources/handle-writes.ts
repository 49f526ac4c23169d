// What Node writes to its native handles: no hook tells of it. The handles' own classes are patched, not those of the program:
// nothing but Node's streams calls these methods, and no code of the program ever runs inside them.
import type { ResourceType } from '../../src/protocol/resource-types.ts';

/** Who records what is written. */
interface WriteRecorder {
	/** Whether the program has ever connected to something else than HTTP. */
	readonly hasPeers: boolean;
	/** A handle has given the pool work. @param isNewChunk whether the program asked for it, and not zlib itself */
	submitJob(handle: number, type: ResourceType, isNewChunk: boolean): void;
	/** Something is asked over a socket. @param isHttp whether Node's HTTP client uses it */
	ask(handle: number, isHttp: () => boolean): void;
}

/** The native handle behind a stream, as async_hooks gives it to `init`. */
interface Handle {
	getAsyncId(): number;
	/** The socket, under a symbol of Node's own. */
	[owner: symbol]: { _httpMessage?: unknown } | undefined;
}

/** Streams' ways to write; Node's streams call one of them per write or batch. */
const SOCKET_WRITES = [
	'writev',
	'writeBuffer',
	'writeUtf8String',
	'writeAsciiString',
	'writeLatin1String',
	'writeUcs2String',
];

/** A native method, which may be given whatever its class takes. */
type Write = (this: Handle, ...args: unknown[]) => unknown;

/** Patches the class of a handle when it is seen first. */
export class HandleWrites {
	private readonly recorder: WriteRecorder;
	private readonly guard: (step: () => void) => void;
	private readonly patched = new WeakSet<object>();
	private ownerSymbol: symbol | null = null;

	/** @param guard keeps a failure of ours away from the program */
	constructor(recorder: WriteRecorder, guard: (step: () => void) => void) {
		this.recorder = recorder;
		this.guard = guard;
	}

	/** One job of the pool per write; its end is the handle's next callback. `writeSync` is another method. */
	watchZlib(handle: object): void {
		const { recorder, guard } = this;
		this.patch(Object.getPrototypeOf(handle), ['write'], (self, { 2: inputOffset, 3: inputLength }) =>
			guard(() => {
				// zlib goes on with a chunk whose output did not fit, and ends with an empty one.
				const isNewChunk = inputOffset === 0 && inputLength !== 0;
				recorder.submitJob(self.getAsyncId(), 'ZLIBWRITE', isNewChunk);
			}),
		);
	}

	/** What a client asks over its socket. TCP, pipes and terminals share one class below their own; TLS has its own. */
	watchSocket(handle: object): void {
		let prototype = Object.getPrototypeOf(handle) as object | null;
		while (prototype !== null && !Object.hasOwn(prototype, 'writeBuffer')) prototype = Object.getPrototypeOf(prototype);
		if (prototype === null) return;
		const { recorder, guard } = this;
		this.patch(prototype, SOCKET_WRITES, (self) => {
			// No socket of a server comes further than this in a program without clients.
			if (recorder.hasPeers) guard(() => recorder.ask(self.getAsyncId(), () => this.isHttp(self)));
		});
	}

	/** Whether Node's HTTP client uses the socket: its requests have channels of their own. */
	private isHttp(handle: Handle): boolean {
		this.ownerSymbol ??=
			Object.getOwnPropertySymbols(handle).find(({ description }) => description === 'owner_symbol') ?? null;
		return this.ownerSymbol !== null && Boolean(handle[this.ownerSymbol]?._httpMessage);
	}

	private patch(prototype: object, names: string[], note: (self: Handle, args: unknown[]) => void): void {
		if (this.patched.has(prototype)) return;
		this.patched.add(prototype);
		for (let at = 0; at < names.length; at++) {
			const name = names[at]!;
			const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
			if (typeof descriptor?.value !== 'function') continue;
			const original = descriptor.value as Write;
			const { [name]: value } = {
				[name](this: Handle, ...args: unknown[]) {
					note(this, args);
					return Reflect.apply(original, this, args);
				},
			};
			Object.defineProperty(prototype, name, { ...descriptor, value });
		}
	}
}
