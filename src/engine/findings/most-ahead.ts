// Whose commands had the connection for which another line's waited.
import { largest } from '../common/sums.ts';
import type { ConnectionWait } from './connection-wait.ts';
import { type CommandsAhead, isSameSourceLine } from './rule.ts';

/** The share of the waits, 0 to 1, that one line's commands must account for: of less, a connection of its own for them changes little. */
const LEAST_SHARE = 0.5;

export interface MostAhead {
	line: CommandsAhead;
	/** Whether it is the line that waited. */
	isOwn: boolean;
}

/** The line whose commands had the connection for most of the time; null where none had it for half of that, or that is not known. */
export function mostAhead({ line, wait }: ConnectionWait, commandsAhead: readonly CommandsAhead[]): MostAhead | null {
	const most = largest(
		commandsAhead.filter(({ behind }) => behind.op === line.op && isSameSourceLine(behind, line)),
		({ ms }) => ms,
	);
	if (most === null || most.ms < wait.totalMs * LEAST_SHARE) return null;
	return { line: most, isOwn: isSameSourceLine(most, line) };
}
