// Which line had most of a pool's connections while another line waited for one: its commands took long, or it kept them without asking anything.
import { groupBy } from '../common/group-by.ts';
import { largest, sum } from '../common/sums.ts';
import { poolOf, speaksOver } from './pool-clients.ts';
import { isSameSourceLine, named, type PoolHolder, type ProcessFacts, percent } from './rule.ts';

/** The share of the connections' time, 0 to 1, that one line must account for: of less, it is one of several. */
const LEAST_SHARE = 0.4;

export interface PoolHolding {
	line: PoolHolder;
	/** Whether it is the line that waited. */
	isOwn: boolean;
	/** Shares of the connections' time while it waited, 0 to 1: its commands were under way, and a connection was kept after one without another. */
	usedShare: number;
	keptShare: number;
}

/** null where no line had most of them, or that is not known. @param waiting the line that waited for a pool's connection */
export function poolHolding(
	waiting: ProcessFacts['lines'][number],
	{ lines, poolHolders }: ProcessFacts,
): PoolHolding | null {
	const pool = poolOf(waiting);
	const holders = poolHolders.filter(
		({ behind, library, op }) => isSameSourceLine(behind, waiting) && speaksOver(pool, library, op),
	);
	// Between the commands that were recorded, others may have been under way.
	if (
		lines.some(
			(line) => line.sampledOf > 1 && holders.some((holder) => isSameSourceLine(holder, line) && holder.op === line.op),
		)
	)
		return null;
	const totalMs = sum(holders, ({ usedMs, keptMs }) => usedMs + keptMs);
	const byLine = [...groupBy(holders, ({ file, line }) => `${line} ${file}`).values()].map((own) => ({
		line: own[0]!,
		isOwn: isSameSourceLine(own[0]!, waiting),
		usedShare: sum(own, ({ usedMs }) => usedMs) / totalMs,
		keptShare: sum(own, ({ keptMs }) => keptMs) / totalMs,
	}));
	const most = largest(byLine, ({ usedShare, keptShare }) => Math.max(usedShare, keptShare));
	return most === null || Math.max(most.usedShare, most.keptShare) < LEAST_SHARE ? null : most;
}

export function holdingText({ line, isOwn, usedShare, keptShare }: PoolHolding): string {
	if (usedShare >= keptShare) {
		const who = isOwn ? 'other requests of this line' : named(line);
		return `Meanwhile, ${who} took ${percent(usedShare)} of the connections’ time.`;
	}
	return `Meanwhile, connections that ${isOwn ? 'this line' : named(line)} had used last were kept without a request for ${percent(keptShare)} of their time.`;
}
