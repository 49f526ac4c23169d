// Whether a host reads what is written. It renews its lease while it runs; one that was itself stopped (Ctrl-Z, a laptop that slept) renews none
// and yet reads on later, so an old lease counts for as long as the process that holds it is there.
import { readFileSync, statSync } from 'node:fs';
import { LEASE_MS } from '../../src/protocol/journal.ts';
import { matches } from '../process/patterns.ts';

// Taken now: the program may replace them later (mocks do).
const readFile = readFileSync;
const statFile = statSync;
const { kill } = process;
const dateNow = Date.now;

/** @param file the lease, of the form in src/protocol/journal.ts */
export function hasReader(file: string): boolean {
	const lease = statFile(file, { throwIfNoEntry: false });
	if (lease === undefined) return false;
	return dateNow() - lease.mtimeMs < LEASE_MS || isHolderThere(file);
}

function isHolderThere(file: string): boolean {
	try {
		const { 0: pid = '', 1: began = '' } = readFile(file, 'latin1').split(' ');
		if (!matches(/^\d+$/, pid)) return false;
		// Without the time at which it began, another process may have got its id.
		return began === '' ? kill(Number(pid), 0) : beganOf(pid) === began;
	} catch {
		// The lease was let go meanwhile, or there is no such process.
		return false;
	}
}

/** When a process began, in ticks since the system did; an empty string once it has ended and only waits to be asked for its exit code. */
function beganOf(pid: string): string {
	const stat = readFile(`/proc/${pid}/stat`, 'latin1');
	// proc(5): the name, in brackets, may hold anything; then come the state, field 3, and more. 22 is the start.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return fields[0] === 'Z' ? '' : (fields[22 - 3] ?? '');
}
