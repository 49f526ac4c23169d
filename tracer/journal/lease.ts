// Whether a host reads the journal. A host renews its lease while it runs. One that was stopped itself (Ctrl-Z, a
// sleeping laptop) renews nothing and yet reads on afterwards, so an old lease stays valid as long as the process that
// owns it exists.
import { LEASE_MS } from '../../src/protocol/journal.ts';
import { closeSync, existsSync, openSync, readSync, statSync } from '../process/node-functions.ts';

// Taken now: the program may replace it later.
const { kill } = process;

/** @param file the lease, of the form in src/protocol/journal.ts */
export function hasReader(file: string): boolean {
	// First whether its process exists: for `stat`, Node fills an object whose setters a program may have put on `Object.prototype`.
	return isHolderThere(file) || Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < LEASE_MS;
}

function isHolderThere(file: string): boolean {
	try {
		const { 0: pid = '', 1: began = '' } = read(file).split(' ');
		// Without the start time, another process that was given the same id could pass for the host. Without an id either, `kill` would throw an error that
		// Node makes with methods of arrays, which a program may have replaced.
		return began === '' ? Number(pid) > 0 && kill(Number(pid), 0) : beganOf(pid) === began;
	} catch {
		// The lease was removed meanwhile, or there is no such process.
		return false;
	}
}

/**
 * When a process began, in clock ticks since boot; an empty string for a zombie, which only waits for its exit code to
 * be read.
 */
function beganOf(pid: string): string {
	const stat = read(`/proc/${pid}/stat`);
	// proc(5): the name, in brackets, may contain anything; then come the state, field 3, and more. 22 is the start.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return fields[0] === 'Z' ? '' : (fields[22 - 3] ?? '');
}

/** By hand: what Node reads a file with calls methods of `Buffer`, which the program may replace or watch. */
function read(file: string): string {
	// Node 18 makes the error of what is missing with the iterator of arrays, which a program may have replaced.
	if (!existsSync(file)) return '';
	const bytes = new Uint8Array(999);
	const fd = openSync(file, 'r');
	const length = readSync(fd, bytes);
	closeSync(fd);
	return String.fromCharCode(...bytes.subarray(0, length));
}
