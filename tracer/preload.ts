// The tracer's entry: `node --require` runs it before the program, and again in each Worker that keeps the program's
// arguments. Decides whether to start, and only then loads the tracer itself. Whatever is missing in this process, the
// program must run as it would without us; why the tracer failed is written to its journal.
import { join } from 'node:path';
import { ATTACH_FOLDER, LEASE_FILE } from '../src/protocol/journal.ts';
import { hasReader } from './journal/lease.ts';
import type { Session } from './journal/thread.ts';

/** The oldest Node on which the hooks and clocks were tested. */
const OLDEST_NODE = 18;

const load = () => require('./start.ts') as typeof import('./start.ts');

const sessionOf = (folder: string): Session => ({ folder, hasReader: () => hasReader(join(folder, LEASE_FILE)) });

/** Starts, unless this is a thread of Node's own or is traced already. */
function startEarly(session: Session): void {
	const { isOfNode, isTraced, start } = load();
	if (!isOfNode && !isTraced()) start(session, false);
}

/** @throws the error that the debugger shows: nothing is printed in a program that already runs */
function attachTracer(session: Session): void {
	if (isTooOld()) throw new Error(tooOld());
	const { takeOutOther, start } = load();
	takeOutOther();
	start(session, true);
}

/** Writes to a journal why it contains nothing else. */
function refuse(session: Session, error: unknown): void {
	try {
		const { openJournal } = load();
		const message = String((error as Error | undefined)?.message);
		openJournal(session, process.hrtime.bigint(), 0, false).stop(`could not start: ${message}`);
	} catch {
		// Nothing can be written either: the host finds no journal, and reports that.
	}
}

function isTooOld(): boolean {
	return Number.parseInt(process.versions.node, 10) < OLDEST_NODE;
}

function tooOld(): string {
	return `Node ${process.versions.node} is too old to be profiled (${OLDEST_NODE} or later is needed)`;
}

const attachFolder: unknown = Reflect.get(globalThis, Symbol.for(ATTACH_FOLDER));
const folder = process.env.WAITLINE_FOLDER;
const session = folder ? sessionOf(folder) : null;
// A program that lists the modules it has loaded did not load this one.
delete require.cache[__filename];
if (typeof attachFolder === 'string') attachTracer(sessionOf(attachFolder));
else if (session?.hasReader()) {
	// A terminal may keep the variable long after a session: then nobody waits for a message, and none is printed.
	if (isTooOld()) process.stderr.write(`waitline: ${tooOld()}; the program runs without.\n`);
	else {
		try {
			startEarly(session);
		} catch (error) {
			refuse(session, error);
		}
	}
}
