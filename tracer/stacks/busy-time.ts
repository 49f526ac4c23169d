// How long this thread has been on a CPU, or ready and waiting for one: the rest of any stretch of time it has slept.
// V8's profiler wakes a thread that sleeps for events, and libuv then forgets how long it had slept
// (tracer/run/lost-idle.ts). Linux only: elsewhere the profiler stops a thread without waking it.
import fs from 'node:fs';

// Taken now: the program may replace them later (mocks do).
const { openSync, readSync } = fs;
const { latin1Slice } = Buffer.prototype as unknown as { latin1Slice(from: number, to: number): string };

/** Three numbers of up to 20 digits (sched-stats.rst): ns on a CPU, ns waiting for one, times it got one. */
const BYTES = 64;

/**
 * @returns a function that returns µs since the thread began, or -1 where the system has no such statistics; a call
 * takes 2 µs
 */
export function busyTime(): () => number {
	if (process.platform !== 'linux') return () => -1;
	const bytes = Buffer.allocUnsafeSlow(BYTES);
	const fd = openSync('/proc/thread-self/schedstat', 'r');
	return () => {
		try {
			const { 0: run, 1: wait } = Reflect.apply(latin1Slice, bytes, [0, readSync(fd, bytes, 0, BYTES, 0)]).split(' ');
			const us = (Number(run) + Number(wait)) / 1000;
			return us >= 0 ? us : -1;
		} catch {
			// The program has closed our descriptor.
			return -1;
		}
	};
}
