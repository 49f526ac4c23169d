// How long this thread was ready to run and had no CPU. libuv counts that as idle time of the loop, so on a machine whose cores
// are all taken a callback that seems to have woken the loop just now may have come milliseconds ago. Linux only.
import { closeSync, openSync, readSync } from '../process/node-functions.ts';
import { isLinux } from '../process/platform.ts';

/** Three numbers of up to 20 digits (sched-stats.rst): ns on a CPU, ns waiting for one, times it got one. */
const BYTES = 64;
const SPACE = 0x20;
const ZERO = 0x30;

export class CpuWait {
	private readonly bytes = new Uint8Array(BYTES);
	/** null where the system has no such statistics. */
	private fd: number | null = null;
	private last = 0;

	constructor() {
		if (!isLinux) return;
		try {
			this.fd = openSync('/proc/thread-self/schedstat', 'r');
		} catch {
			// A kernel without these statistics, or no /proc.
			return;
		}
		this.grownUs();
	}

	/** µs since the last call. Costs 1.5 µs. */
	grownUs(): number {
		if (this.fd === null) return 0;
		const waited = this.read(this.fd);
		const grown = waited - this.last;
		this.last = waited;
		// A program may close descriptors that it does not know and be given our number for a file of its own. Reading
		// at a given position harms nobody, but from then on the wait for a CPU is unknown.
		if (grown >= 0) return grown / 1000;
		this.fd = null;
		return 0;
	}

	/** The thread ends; its process may live on. */
	close(): void {
		// A descriptor that no longer gives the statistics is not ours, and is not closed.
		this.grownUs();
		if (this.fd !== null) closeSync(this.fd);
		this.fd = null;
	}

	/** The second number, in ns, or -1. */
	private read(fd: number): number {
		const { bytes } = this;
		let length: number;
		try {
			length = readSync(fd, bytes, 0, BYTES, 0);
		} catch {
			return -1;
		}
		let at = 0;
		while (at < length && bytes[at] !== SPACE) at++;
		let value = 0;
		while (++at < length) {
			const digit = bytes[at]! - ZERO;
			if (digit >= 0 && digit <= 9) value = value * 10 + digit;
			else return bytes[at] === SPACE ? value : -1;
		}
		return -1;
	}
}
