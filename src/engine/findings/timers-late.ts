// Timers that fired late because the loop was busy when they were due.
import { blameOf } from '../../protocol/blame.ts';
import type { Block, Line } from '../../protocol/report.ts';
import { formatCount, formatMs } from '../../protocol/units.ts';
import { basisOf, known, largest, named, type ProcessFacts, percent, type Ranked, type Rule, sum } from './rule.ts';

/** One or two late ones are chance. */
const LEAST_COUNT = 5;
/** On average; Node's timers have a resolution of 1 ms, and a few ms pass in any busy program. */
const LEAST_MEAN_MS = 10;
/**
 * When an idle loop wakes late, the machine has no free core, which is not what this finding is about: what blocks do not
 * account for, shorter callbacks must have filled.
 */
const LEAST_BUSY = 0.5;
/** Blocks that account for less of the lateness are not what it comes from. */
const MOST_OF_IT = 0.5;
/** A line whose callbacks ran for a larger share of the loop's busy time is what kept it busy. */
const FILLS_LOOP = 0.8;
/** A share of the time that a timer was waited for: a minute's timer may be late. */
const LEAST_SHARE = 0.1;

export const timersLate: Rule = (process) => {
	const { lines, blocks, utilization, busyBetweenBlocks } = process;
	return lines.flatMap((line) => {
		const { wait, lag, count } = line;
		if (line.class !== 'timer' || wait === null || lag === null || lag.basis === 'unknown') return [];
		if (count < LEAST_COUNT || lag.totalMs < LEAST_MEAN_MS * count || lag.totalMs < LEAST_SHARE * wait.totalMs)
			return [];
		const byBlocksMs = sum(blocks, (block) => delayOf(line, block));
		const byBlocks = Math.min(1, byBlocksMs / lag.totalMs);
		if (busyBetweenBlocks < LEAST_BUSY && byBlocks < MOST_OF_IT) return [];
		const filler = byBlocks < MOST_OF_IT ? fillerOf(line, process) : null;
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
				cause: byBlocks < MOST_OF_IT ? filler && causeIn(filler) : causeOf(line, blocks),
				message:
					`${named(line)} fired ${formatCount(count)} times, ${formatMs(lag.totalMs / count)} late on average (${formatMs(lag.maxMs)} at most) because the event loop was busy. ` +
					`Blocks of 50 ms and more account for ${percent(byBlocks)} of it.` +
					(filler === null ? '' : ` Code behind ${named(filler)} ran for ${formatMs(filler.run!.totalMs)} meanwhile.`),
				lostMs: lag.totalMs,
				savesMs: null,
			},
		];
	});
};

/** Another line whose callbacks, each too short for a block, kept the loop busy; null where that is not known of one. */
function fillerOf(late: Line, { lines, threads, utilization, durationMs }: ProcessFacts): Line | null {
	// Whose loop a line's callbacks kept busy is known only where there is but one.
	if (threads > 1) return null;
	const filler = largest(lines, ({ run }) => known(run));
	return filler !== null && filler !== late && known(filler.run) >= FILLS_LOOP * utilization * durationMs
		? filler
		: null;
}

function causeIn({ file, line, op }: Line): Ranked['cause'] {
	return { file, line, name: op, api: null };
}

/** How much later a block made a line's timers, in ms. */
function delayOf({ file, line }: Line, { delays }: Block): number {
	return sum(
		delays.filter((delay) => delay.line === line && delay.file === file),
		({ totalMs }) => totalMs,
	);
}

/** What computed in the block that made a line's timers latest; null without stack samples. */
function causeOf(line: Line, blocks: readonly Block[]): Ranked['cause'] {
	const worst = largest(blocks, (block) => delayOf(line, block));
	if (worst === null) return null;
	const { culprit, ...at } = blameOf(worst);
	return culprit === null ? null : { ...at, name: culprit.isLibrary ? '' : culprit.function, api: culprit.api };
}
