// Commands over a connection that is answered in order which wait for one that has no answer yet: a queue's `blpop` may never have one.
import { EARLIER_COMMAND_WAIT, RESOURCE_FACTS } from '../../protocol/resource-facts.ts';
import type { LineStats } from '../lines/line-stats.ts';
import type { ThreadLines } from '../lines/thread-lines.ts';
import type { OpenResource } from '../operations/open-operations.ts';

/** How long it has to have waited, in µs: of less, the answers may just be on their way. */
const LEAST_US = 1_000_000;

/** Commands of one line that wait for another's; times in µs. */
export interface Unanswered {
	/** The line of their wait. */
	readonly waiting: LineStats;
	/** The line of the command that has no answer: of the one that the first of them waits for. */
	readonly ahead: LineStats;
	/** How long they have waited, added up, and the first of them. */
	us: number;
	readonly first: number;
	/** How long ago the command was sent that has no answer. */
	readonly since: number;
}

/**
 * @param open what has not called back, oldest first
 * @param now µs of the thread
 * @returns the lines that wait, and by command the line of its wait
 */
export function unansweredCommands(
	open: Iterable<OpenResource>,
	lines: ThreadLines,
	now: number,
): { lines: Unanswered[]; placed: Map<OpenResource, LineStats> } {
	const holders = new Map<number, OpenResource>();
	const found = new Map<LineStats, Unanswered>();
	const placed = new Map<OpenResource, LineStats>();
	for (const command of open) {
		const { type, connection, started, site } = command;
		if (type !== RESOURCE_FACTS.TURNEXCHANGE || connection === 0) continue;
		const holder = holders.get(connection);
		if (holder === undefined) holders.set(connection, command);
		if (holder === undefined || now - started < LEAST_US) continue;
		const waiting = lines.of(EARLIER_COMMAND_WAIT, site);
		if (waiting === null) continue;
		placed.set(command, waiting);
		const ahead = holder.logical.stats;
		const known = found.get(waiting);
		if (known !== undefined) known.us += now - started;
		else if (ahead !== null) {
			found.set(waiting, { waiting, ahead, us: now - started, first: now - started, since: now - holder.started });
		}
	}
	return { lines: [...found.values()], placed };
}
