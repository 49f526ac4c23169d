// Awaits in a row that certainly do not need each other's result, and waited one after the other.
import type { Line, SourceLine } from '../../protocol/report.ts';
import { formatCount, formatMs } from '../../protocol/units.ts';
import { groupBy } from '../common/group-by.ts';
import { largest, most, sum } from '../common/sums.ts';
import { awaitedReads, LEAST_SAVED_MS, laneTime, poolTime, waited } from './awaited-reads.ts';
import { basisOf, place, type Rule } from './rule.ts';

/** An operation of one of the awaits of a row. */
interface AwaitOfRow {
	line: Line;
	awaits: readonly SourceLine[];
	index: number;
}

export const awaitsTogether: Rule = ({ lines, awaits, poolSize }) => {
	const members = awaitedReads(lines).flatMap((line): AwaitOfRow[] => {
		const together = awaits(line)?.together ?? null;
		return together === null ? [] : [{ line, ...together }];
	});
	const rows = groupBy(members, (member) => member.awaits.map(({ file, line }) => `${line} ${file}`).join());
	return [...rows.values()].flatMap((row) => {
		const own = row.map(({ line }) => line);
		const [{ line: first, awaits: all }] = row as [AwaitOfRow];
		// Otherwise some ran without the others, or for somebody else.
		if (own.some(({ count }) => count !== first.count)) return [];
		const times = [...groupBy(row, ({ index }) => String(index)).values()].map((of) => {
			return sum(of, ({ line }) => waited(line));
		});
		const waitMs = sum(times, (ms) => ms);
		const longestMs = most(times, (ms) => ms);
		const savesMs = waitMs - Math.max(longestMs, poolTime(own, poolSize), laneTime(own, awaits));
		if (savesMs < LEAST_SAVED_MS) return [];
		const [at] = all as [SourceLine];
		return [
			{
				code: 'awaits-together' as const,
				file: at.file,
				line: at.line,
				op: largest(own, waited)!.op,
				evidence: { awaits: all.length, count: first.count, waitMs, longestMs },
				basis: basisOf(own.map(({ wait }) => wait)),
				victim: null,
				cause: null,
				message:
					`The awaits at ${all.map(place).join(', ')} ran ${first.count === 1 ? '' : `${formatCount(first.count)} times `}one after the other, though none uses another’s result: ` +
					`${formatMs(waitMs)} in total, ${formatMs(longestMs)} of it for the longest. Together they would save up to ${formatMs(savesMs)}.`,
				lostMs: savesMs,
				savesMs,
			},
		];
	});
};
