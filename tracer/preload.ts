// The tracer's entry: `node --require` runs it before the program, and again in each Worker that keeps the program's
// arguments. Decides whether to start, and only then loads the tracer itself. Whatever is missing in this process, the
// program must run as it would without us; why the tracer failed is written to its journal.
import { existsSync } from 'node:fs';
import { ATTACH_FOLDER, LEASE_FILE } from '../src/protocol/journal.ts';
import { runInOwnRealm } from './realm.ts';

/** The oldest Node on which the hooks and clocks were tested. */
const OLDEST_NODE = 18;

const load = () => runInOwnRealm(require('./start.ts'));

function isTooOld(): boolean {
	return Number.parseInt(process.versions.node, 10) < OLDEST_NODE;
}

function tooOld(): string {
	return `Node ${process.versions.node} is too old to be profiled (${OLDEST_NODE} or later is needed)`;
}

/** A cheap look; whether somebody still reads, the tracer finds out. Node's permission model may forbid even to look, by an error. */
function mayHaveReader(session: string): boolean {
	try {
		return existsSync(`${session}/${LEASE_FILE}`);
	} catch {
		return false;
	}
}

const attachFolder: unknown = Reflect.get(globalThis, Symbol.for(ATTACH_FOLDER));
const folder = process.env.WAITLINE_FOLDER;
// A program that lists the modules it has loaded did not load this one.
delete require.cache[__filename];
if (typeof attachFolder === 'string') {
	// The debugger shows the error: nothing is printed in a program that already runs.
	if (isTooOld()) throw new Error(tooOld());
	load().attach(attachFolder);
} else if (folder && mayHaveReader(folder)) {
	// A terminal may keep the variable long after a session: then nobody waits for a message, and none is printed.
	if (isTooOld()) process.stderr.write(`waitline: ${tooOld()}; the program runs without.\n`);
	else {
		try {
			load().startEarly(folder);
		} catch {
			// Something is missing that the tracer's files need while they are loaded: the host finds no journal, and reports that.
		}
	}
}
