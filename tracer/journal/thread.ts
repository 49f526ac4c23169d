// Opens this thread's journal and describes the thread in it.
import { JOURNAL_SUFFIX, LEASE_FILE } from '../../src/protocol/journal.ts';
import { seesGarbage } from '../process/garbage.ts';
import { basename, join, readdirSync, readFileSync, readlinkSync } from '../process/node-functions.ts';
import { isLinux } from '../process/platform.ts';
import { isMainThread, threadId } from '../process/this-thread.ts';
import { withoutData } from '../sites/script-name.ts';
import { hasReader } from './lease.ts';
import { JournalWriter } from './writer.ts';

/** The version of the record schema in src/protocol/journal.ts. */
const VERSION = 1;

/** The session that a thread belongs to. */
export interface Session {
	/** Where its journals are. */
	readonly folder: string;
	/** Whether a host reads them. */
	hasReader(): boolean;
}

/** @param folder where its journals are */
export function sessionOf(folder: string): Session {
	// Now: Node's own function calls a method that the program may replace or watch later.
	const lease = join(folder, LEASE_FILE);
	return { folder, hasReader: () => hasReader(lease) };
}

/**
 * @param began hrtime in ns when the journal began
 * @param way how promise events are kept away, an index of PROMISE_HOOKS
 * @param isAttached whether the program was already running
 * @throws when the folder is not writable
 */
export function openJournal(session: Session, began: bigint, way: number, isAttached: boolean): JournalWriter {
	const wallMs = Date.now();
	const beganUs = Number(began / 1000n);
	const name = `${process.pid}.${threadId}.${beganUs}${JOURNAL_SUFFIX}`;
	const ioUring = ioUringUse();
	const tid = systemThreadId();
	const journal = new JournalWriter(join(session.folder, name), session.hasReader, (writer) => {
		writer.write('thread', {
			version: VERSION,
			pid: process.pid,
			parentPid: process.ppid,
			threadId,
			node: process.versions.node,
			libuv: process.versions.uv,
			platform: process.platform,
			entry: entryScript(),
			beganUs,
			wallMs,
			promiseHooks: way,
			ioUring,
			tid,
			seesGarbage,
			isAttached,
		});
	});
	for (const pid of isMainThread ? ancestors() : []) {
		journal.write('ancestor', { pid });
	}
	// Even a thread that is ended before it writes anything else must be identified in its journal.
	journal.flush(null);
	// A Worker's file is known only once it runs: the next generation names it.
	if (entryScript() === '') journal.endGeneration();
	return journal;
}

/**
 * The file that this thread runs; an empty string where there is none. With `--eval` the first argument takes its
 * place.
 */
function entryScript(): string {
	const isEval = isMainThread && (process as { _eval?: string })._eval !== undefined;
	return isEval ? '' : withoutData(process.argv[1] ?? '');
}

/**
 * A shell, npm, or both stand between two Node processes; beyond eight ancestors the link belongs to something else.
 */
const ANCESTORS = 8;

/**
 * The processes above this one, the nearest first: a shell in between writes no journal of its own. Only Linux shows
 * more than one.
 */
function ancestors(): number[] {
	const pids = [process.ppid];
	try {
		while (isLinux && pids.length < ANCESTORS && pids.at(-1)! > 1) {
			const stat = readFileSync(`/proc/${pids.at(-1)}/stat`, 'latin1');
			// proc(5): the name, in brackets, may contain anything; then come the state and the parent.
			pids.push(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
		}
	} catch {
		// That process has ended meanwhile, or belongs to another user.
	}
	return pids.filter((pid) => pid > 1);
}

/** The id by which the host can watch this thread; 0 where the system shows none. */
function systemThreadId(): number {
	if (!isLinux) return 0;
	if (isMainThread) return process.pid;
	try {
		// `PID/task/TID` (proc(5)).
		return Number(basename(readlinkSync('/proc/thread-self')));
	} catch {
		return 0;
	}
}

/**
 * Whether libuv gives fs calls to io_uring: it does so when the ring has a polling thread, which it starts with the loop. A
 * ring alone proves nothing: 1.51 makes some and uses none for fs. 0 unknown, 1 no, 2 yes, as the journal has it.
 */
function ioUringUse(): number {
	const [major, minor] = process.versions.uv.split('.').map(Number);
	// libuv 1.45 brought the ring; since 1.49 a loop must opt in, and Node's does not.
	if (!isLinux || major !== 1 || minor === undefined || minor < 45 || minor > 48) return 1;
	try {
		return readdirSync('/proc/self/task').some(pollsRing) ? 2 : 1;
	} catch {
		// No /proc.
		return 0;
	}
}

function pollsRing(thread: string): boolean {
	try {
		return readFileSync(`/proc/self/task/${thread}/comm`, 'latin1').startsWith('iou-sqp');
	} catch {
		// A thread that ended meanwhile.
		return false;
	}
}
