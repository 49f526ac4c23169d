// Whether a host reads the journal. A host renews its lease while it runs. One that was stopped itself (Ctrl-Z, a
// sleeping laptop) renews nothing and yet reads on afterwards, so an old lease stays valid as long as the process that
// owns it exists.
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
		// Without the start time, another process that was given the same id could pass for the host.
		return began === '' ? kill(Number(pid), 0) : beganOf(pid) === began;
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
	const stat = readFile(`/proc/${pid}/stat`, 'latin1');
	// proc(5): the name, in brackets, may contain anything; then come the state, field 3, and more. 22 is the start.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return fields[0] === 'Z' ? '' : (fields[22 - 3] ?? '');
}
