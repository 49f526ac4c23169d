// Hears of the thread's end. A listener of 'exit' would be counted among the program's, warn of too many one earlier, and go with
// `removeAllListeners`. Node sets `process._exiting` and then reads `process.emit` to tell the listeners (18 to 26, however a thread
// ends): so a getter of that name, below the class it is inherited from, hears of it first and is in no one's stack. What a program puts in
// its place (signal-exit does) gets such a getter too.
import { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, tryToDefine } from './object-functions.ts';

/** Marks our getter, so that a second copy of the tracer sees that one is there; its value takes that one out. */
const MARK = Symbol.for('waitline.tracer');

const prototype = getPrototypeOf(process) as object;

type MarkedGetter = (() => unknown) & { [MARK]?: () => void };

/**
 * Calls `onExit`, which must not throw, when the thread ends. Returns how to hear no more.
 * @param takeOut what another copy of the tracer calls to be the only one
 */
export function watchExit(onExit: () => void, takeOut: () => void): () => void {
	const hear = () => {
		if ((process as { _exiting?: boolean })._exiting === true) onExit();
	};
	const get: MarkedGetter = function (this: unknown) {
		hear();
		return Reflect.get(getPrototypeOf(prototype), 'emit', this);
	};
	get[MARK] = takeOut;
	let undoOwn = () => false;
	/** The program sets an `emit` of its own, which hides ours. */
	function set(this: object, value: unknown) {
		if (this === process) undoOwn = watchOwn(value, hear);
		else assign(this, value);
	}
	defineProperty(prototype, 'emit', { get, set, enumerable: false, configurable: true });
	return () => {
		undoOwn();
		if (ownGetter() === get) Reflect.deleteProperty(prototype, 'emit');
	};
}

/** Gives `process` an own `emit` that calls `hear` where it is read. @returns how to make it an ordinary property */
function watchOwn(value: unknown, hear: () => void): () => boolean {
	let current = value;
	const get = () => {
		hear();
		return current;
	};
	function set(this: object, replacement: unknown) {
		if (this === process) current = replacement;
		else assign(this, replacement);
	}
	defineProperty(process, 'emit', { get, set, enumerable: true, configurable: true });
	return () => getOwnPropertyDescriptor(process, 'emit')?.get === get && assign(process, current);
}

/** As an assignment does where there is no accessor. */
function assign(to: object, value: unknown): boolean {
	return tryToDefine(to, 'emit', { value, writable: true, enumerable: true, configurable: true });
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
	const get = getOwnPropertyDescriptor(prototype, 'emit')?.get as MarkedGetter | undefined;
	return get !== undefined && MARK in get ? get : undefined;
}
