// How long this thread has been on a CPU, or ready and waiting for one: the rest of any stretch of time it has slept.
// V8's profiler wakes a thread that sleeps for events, and libuv then forgets how long it had slept
// (tracer/stacks/lost-idle.ts). Linux only: elsewhere the profiler stops a thread without waking it.
import { closeSync, openSync, readSync } from '../process/node-functions.ts';
import type { CpuTimes } from './lost-cpu.ts';

// Taken now: the program may replace it later (mocks do).
const { latin1Slice } = Buffer.prototype as unknown as { latin1Slice(from: number, to: number): string };

/** Three numbers of up to 20 digits (sched-stats.rst): ns on a CPU, ns waiting for one, times it got one. */
const BYTES = 64;

export class BusyTime {
	private readonly bytes = Buffer.allocUnsafeSlow(BYTES);
	/** null where the system has no such statistics, and once closed. */
	private fd = process.platform === 'linux' ? openSync('/proc/thread-self/schedstat', 'r') : null;

	/** µs since the thread began, or -1 where that is unknown. */
	us(): number {
		const times = this.times();
		return times === null ? -1 : times.ran + times.waited;
	}

	/** The same apart; null where they are unknown. Takes 2 µs. */
	times(): CpuTimes | null {
		const { bytes, fd } = this;
		if (fd === null) return null;
		try {
			const { 0: run, 1: wait } = Reflect.apply(latin1Slice, bytes, [0, readSync(fd, bytes, 0, BYTES, 0)]).split(' ');
			const times = { ran: Number(run) / 1000, waited: Number(wait) / 1000 };
			return times.ran + times.waited >= 0 ? times : null;
		} catch {
			// The program has closed our descriptor.
			return null;
		}
	}

	/** The thread ends, or sampling does. */
	close(): void {
		// A descriptor that no longer gives the statistics is not ours, and is not closed.
		if (this.fd !== null && this.us() >= 0) closeSync(this.fd);
		this.fd = null;
	}
}
