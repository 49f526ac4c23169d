// Lines wait for a connection of a pool, or for a socket of an HTTP agent, none is given back, and nothing is asked over those there are: they were taken and
// never returned, or are kept while something else is awaited, or nobody has read a response to its end.
import { packageOf } from '../../protocol/blame.ts';
import { AGENT_SOCKET, CONNECTION_QUEUE, POOL_CONNECTION } from '../../protocol/connection-wait.ts';
import type { Line } from '../../protocol/report.ts';
import { formatCount, formatMs } from '../../protocol/units.ts';
import { groupBy } from '../common/group-by.ts';
import { sum } from '../common/sums.ts';
import { ANY_CLIENT, HTTP_AGENTS, poolOf, speaksOver, UNDICI } from './pool-clients.ts';
import { behind, place, type Rule, waiterText } from './rule.ts';

/** Whoever works with a connection asks something over it more often. */
const LEAST_MS = 1000;
/** Waits for a connection of a pool, or of the one that there is. */
const WAITS: ReadonlySet<string> = new Set([POOL_CONNECTION, AGENT_SOCKET, CONNECTION_QUEUE]);

export const leakedConnection: Rule = ({ lines, ageMs, connectionUses }) => {
	const waiting = lines.filter((line) => isWait(line) && line.pending > 0 && (ageMs(line) ?? 0) >= LEAST_MS);
	const pools = new Set(waiting.map(poolOf).filter((pool) => pool !== ''));
	return [...pools].flatMap((pool) => {
		const own = waiting.filter((line) => poolOf(line) === pool);
		// The first to wait is the first to get one, so since then none was given back.
		const [first] = own.sort((a, b) => ageMs(b)! - ageMs(a)!);
		const waitedMs = ageMs(first!)!;
		const isAsking = lines.some(({ op, pending, libraries }) => {
			const clients = libraries.length === 0 ? [''] : libraries.map(({ file }) => packageOf(file));
			return !WAITS.has(op) && pending > 0 && clients.some((client) => speaksOver(pool, client, op));
		});
		const quiet = connectionUses.filter(({ file, library, op, quietMs }) => {
			// A connection of another part of the program is hardly of this pool.
			const isNear = pool !== ANY_CLIENT || own.some((line) => line.file === file);
			return quietMs >= LEAST_MS && isNear && speaksOver(pool, library, op);
		});
		if (isAsking || quiet.length === 0) return [];
		const users = [...groupBy(quiet, ({ file, line }) => `${line} ${file}`).values()].sort(
			(a, b) => b.length - a.length,
		);
		const [{ file, line, op }] = users[0]! as [(typeof quiet)[number]];
		const waits = sum(own, ({ pending }) => pending);
		const usedAt = users
			.slice(0, 3)
			.map(([user]) => place(user!))
			.join(', ');
		const unread = quiet.filter(({ isUnread }) => isUnread).length;
		const at = behind(first!, lines) ?? first!;
		return [
			{
				code: 'leaked-connection' as const,
				file: at.file,
				line: at.line,
				op: first!.op,
				evidence: { waiting: waits, waitedMs, quiet: quiet.length, unread },
				basis: 'measured' as const,
				victim: null,
				cause: { file, line, name: op, api: null },
				message:
					`${waiterText(first!, lines)} has been waiting for a free ${pool === HTTP_AGENTS ? 'socket of its HTTP agent' : 'connection'} for ${formatMs(waitedMs)} (waiting: ${formatCount(waits)}), and none was given back meanwhile. ` +
					(unread === 0
						? `Idle connections: ${formatCount(quiet.length)}, last used at ${usedAt}.`
						: `Responses that have not been read to their end: ${formatCount(unread)}, requested at ${usedAt}.`),
				lostMs: waitedMs * waits,
				savesMs: null,
			},
		];
	});
};

/** A client of undici's has one connection, and one request at a time has that. Over those of other libraries commands are sent that are answered in order. */
function isWait(line: Line): boolean {
	return WAITS.has(line.op) && (line.op !== CONNECTION_QUEUE || poolOf(line) === UNDICI);
}
