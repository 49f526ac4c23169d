// Notices the thread's end. A listener of 'exit' would be counted among the program's, trigger the warning about too
// many listeners one earlier, and be removed by `removeAllListeners`. Node sets `process._exiting` and then reads
// `process.emit` to call the listeners (18 to 26, however a thread ends). So a getter of that name, on the prototype
// that `process` itself inherits from, is called first and appears in no stack. An `emit` that the program sets instead
// (signal-exit does) gets such a getter too.
import { TRACER_MARK, type TracerControl } from '../../src/protocol/journal.ts';
import { defineProperty, defineValue, getOwnPropertyDescriptor, getPrototypeOf } from './object-functions.ts';

/** Marks our getter, so that a second copy of the tracer and the host notice it. */
const MARK = Symbol.for(TRACER_MARK);

const prototype = getPrototypeOf(process) as object;

type MarkedGetter = (() => unknown) & { [MARK]?: TracerControl };

/**
 * Calls `onExit`, which must not throw, when the thread ends. Returns a function that stops watching.
 * @param control what the mark gives to others
 */
export function watchExit(onExit: () => void, control: TracerControl): () => void {
	const onRead = () => {
		if ((process as { _exiting?: boolean })._exiting === true) onExit();
	};
	const get: MarkedGetter = function (this: unknown) {
		onRead();
		return Reflect.get(getPrototypeOf(prototype), 'emit', this);
	};
	get[MARK] = control;
	let undoOwn = () => false;
	/** The program sets an `emit` of its own, which hides ours. */
	function set(this: object, value: unknown) {
		if (this === process) undoOwn = watchOwn(value, onRead);
		else assign(this, value);
	}
	defineProperty(prototype, 'emit', { get, set, enumerable: false, configurable: true });
	return () => {
		undoOwn();
		if (ownGetter() === get) Reflect.deleteProperty(prototype, 'emit');
	};
}

/**
 * Gives `process` an own `emit` that calls `onRead` where it is read.
 * @returns a function that makes it an ordinary property
 */
function watchOwn(value: unknown, onRead: () => void): () => boolean {
	let current = value;
	const get = () => {
		onRead();
		return current;
	};
	function set(this: object, replacement: unknown) {
		if (this === process) current = replacement;
		else assign(this, replacement);
	}
	defineProperty(process, 'emit', { get, set, enumerable: true, configurable: true });
	return () => getOwnPropertyDescriptor(process, 'emit')?.get === get && assign(process, current);
}

/** Behaves as an assignment does where there is no accessor. */
function assign(to: object, value: unknown): boolean {
	return defineValue(to, 'emit', value);
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
