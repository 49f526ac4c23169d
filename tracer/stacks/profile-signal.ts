// For a program that listens to SIGPROF itself: V8's profiler takes each sample with that signal, so the program would
// receive all of them, and when it stops listening, the next one would end it. So sampling ends before the program
// begins to listen.
import os from 'node:os';

const { SIGPROF } = os.constants.signals;

/** @param handle the native one, new, whose `start` Node calls next with the signal's number @param end is called before that, if it is SIGPROF */
export function beforeProfileSignal(handle: object, end: () => void): void {
	const { start } = handle as { start?: unknown };
	// A program may give a resource of its own the same type name.
	if (typeof start !== 'function' || Object.hasOwn(handle, 'start')) return;
	const value = function (this: object, signal: number): unknown {
		if (signal === SIGPROF) end();
		return Reflect.apply(start, this, [signal]);
	};
	Object.defineProperty(handle, 'start', { value, configurable: true, writable: true });
}
