// Hears of the thread's end. A listener of 'exit' would be counted among the program's, warn of too many one earlier, and go with
// `removeAllListeners`. Node sets `process._exiting` and then reads `process.emit` to tell the listeners (18 to 26, however a thread
// ends): so a getter of that name, below the class it is inherited from, hears of it first and is in no one's stack.

/** Marks our getter, so that a second copy of the tracer sees that one is there; its value takes that one out. */
const MARK = Symbol.for('waitline.tracer');

const prototype = Object.getPrototypeOf(process) as object;

type MarkedGetter = (() => unknown) & { [MARK]?: () => void };

/**
 * Calls `onExit`, which must not throw, when the thread ends. Returns how to hear no more.
 * @param takeOut what another copy of the tracer calls to be the only one
 */
export function watchExit(onExit: () => void, takeOut: () => void): () => void {
	const get: MarkedGetter = function (this: unknown) {
		if ((process as { _exiting?: boolean })._exiting === true) onExit();
		return Reflect.get(Object.getPrototypeOf(prototype), 'emit', this);
	};
	get[MARK] = takeOut;
	// A program that sets its own `emit` hides ours.
	const set = (value: unknown) => {
		Object.defineProperty(process, 'emit', { value, writable: true, enumerable: true, configurable: true });
		process.on('exit', onExit);
	};
	Object.defineProperty(prototype, 'emit', { get, set, enumerable: false, configurable: true });
	return () => {
		process.removeListener('exit', onExit);
		if (ownGetter() === get) Reflect.deleteProperty(prototype, 'emit');
	};
}

/** Takes out the copy of the tracer that is there. */
export function takeOutOther(): void {
	ownGetter()?.[MARK]?.();
}

/** Whether a copy of the tracer is there. */
export function isTraced(): boolean {
	return ownGetter() !== undefined;
}

function ownGetter(): MarkedGetter | undefined {
	const get = Object.getOwnPropertyDescriptor(prototype, 'emit')?.get as MarkedGetter | undefined;
	return get !== undefined && MARK in get ? get : undefined;
}
