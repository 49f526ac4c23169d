// Timers that fired late because the loop was busy when they were due.
import { formatCount, formatMs } from '../../protocol/units.ts';
import { basisOf, named, percent, type Rule, sum } from './rule.ts';

/** One or two late ones are chance. */
const LEAST_COUNT = 5;
/** On average; Node's timers have a resolution of 1 ms, and a few ms pass in any busy program. */
const LEAST_MEAN_MS = 10;
/** When an idle loop wakes late, the machine has no free core, which is not what this finding is about. */
const LEAST_UTILIZATION = 0.5;
/** A share of the time that a timer was waited for: a minute's timer may be late. */
const LEAST_SHARE = 0.1;

export const timersLate: Rule = ({ lines, blocks, utilization }) =>
	lines.flatMap((line) => {
		const { wait, lag, count } = line;
		if (line.class !== 'timer' || wait === null || lag === null || lag.basis === 'unknown') return [];
		if (count < LEAST_COUNT || lag.totalMs < LEAST_MEAN_MS * count || lag.totalMs < LEAST_SHARE * wait.totalMs)
			return [];
		const byBlocksMs = sum(
			blocks.flatMap(({ delays }) => delays).filter((delay) => delay.line === line.line && delay.file === line.file),
			({ totalMs }) => totalMs,
		);
		const byBlocks = Math.min(1, byBlocksMs / lag.totalMs);
		if (utilization < LEAST_UTILIZATION && byBlocks < LEAST_UTILIZATION) return [];
		return [
			{
				code: 'timers-late' as const,
				file: line.file,
				line: line.line,
				op: line.op,
				evidence: {
					count,
					lateMs: lag.totalMs,
					meanLateMs: lag.totalMs / count,
					p95LateMs: lag.p95Ms,
					maxLateMs: lag.maxMs,
					byBlocksMs,
					utilization,
				},
				basis: basisOf([lag]),
				victim: null,
				cause: null,
				message:
					`${named(line)} fired ${formatCount(count)} times, ${formatMs(lag.totalMs / count)} late on average (${formatMs(lag.maxMs)} at most) because the event loop was busy. ` +
					`Blocks of 50 ms and more account for ${percent(byBlocks)} of it.`,
				lostMs: lag.totalMs,
			},
		];
	});
