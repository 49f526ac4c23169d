// What Node writes to its native handles: no hook tells of it. The handles' own classes are patched, not those of the program:
// nothing but Node's streams calls these methods, and no code of the program ever runs inside them.
import type { Recorder } from './recorder.ts';

/** The native handle behind a stream, as async_hooks gives it to `init`. */
interface Handle {
	getAsyncId(): number;
}

/** A native method, which may be given whatever its class takes. */
type Write = (this: Handle, ...args: unknown[]) => unknown;

/** Patches the class of a handle when it is seen first. */
export class HandleWrites {
	private readonly recorder: Recorder;
	private readonly guard: (step: () => void) => void;
	private readonly patched = new WeakSet<object>();

	/** @param guard keeps a failure of ours away from the program */
	constructor(recorder: Recorder, guard: (step: () => void) => void) {
		this.recorder = recorder;
		this.guard = guard;
	}

	/** One job of the pool per write; its end is the handle's next callback. `writeSync` is another method. */
	watchZlib(handle: object): void {
		const { recorder, guard } = this;
		this.patch(handle, 'write', (self, [, , inputOffset, inputLength]) =>
			guard(() => {
				// zlib goes on with a chunk whose output did not fit, and ends with an empty one.
				const isNewChunk = inputOffset === 0 && inputLength !== 0;
				recorder.submitJob(self.getAsyncId(), 'ZLIBWRITE', isNewChunk);
			}),
		);
	}

	private patch(handle: object, name: string, note: (self: Handle, args: unknown[]) => void): void {
		const prototype = Object.getPrototypeOf(handle) as object;
		if (this.patched.has(prototype)) return;
		this.patched.add(prototype);
		const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
		if (typeof descriptor?.value !== 'function') return;
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
