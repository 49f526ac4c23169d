// Timers that fired late because the loop was busy when they were due.
import { blameOf } from '../../protocol/blame.ts';
import { namedCode } from '../../protocol/block-code.ts';
import type { Block, Line } from '../../protocol/report.ts';
import { formatCount, formatFigure, formatMs } from '../../protocol/units.ts';
import { largest, sum } from '../common/sums.ts';
import { listText, partsOf } from './loop-blocked.ts';
import {
	basisOf,
	known,
	limitsOf,
	named,
	type ProcessFacts,
	percent,
	place,
	type Ranked,
	type Rule,
	rangesOf,
	timeWithin,
} from './rule.ts';

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
/** A line whose callbacks ran for a larger share of the loop's busy time outside of blocks kept it busy more than all else did, Node's own work and start-up among that. */
const FILLS_LOOP = 0.5;
/** A share of the time that a timer was waited for: a minute's timer may be late. */
const LEAST_SHARE = 0.1;

export const timersLate: Rule = (process) => {
	const { lines, blocks, startUps, utilization, busyBetweenBlocks } = process;
	return lines.flatMap((line) => {
		const { wait, lag, count } = line;
		if (line.class !== 'timer' || wait === null || lag === null || lag.basis === 'unknown') return [];
		if (count < LEAST_COUNT || lag.totalMs < LEAST_MEAN_MS * count || lag.totalMs < LEAST_SHARE * wait.totalMs)
			return [];
		// Timers that a program sets before it has started are late once.
		const byStartUpMs = sum(startUps, (block) => delayOf(line, block));
		if (byStartUpMs >= MOST_OF_IT * lag.totalMs) return [];
		const byBlocksMs = byStartUpMs + sum(blocks, (block) => delayOf(line, block));
		const byBlocks = Math.min(1, byBlocksMs / lag.totalMs);
		if (busyBetweenBlocks < LEAST_BUSY && byBlocks < MOST_OF_IT) return [];
		const late = limitsOf(lag);
		const meanLate = late === null ? null : { low: late.low / count, high: late.high / count };
		const basis = basisOf([lag]);
		const filler = byBlocks < MOST_OF_IT ? fillerOf(process) : null;
		const isOwn = filler === line;
		const isStartUp = byStartUpMs >= MOST_OF_IT * byBlocksMs;
		const worst = byBlocks < MOST_OF_IT || isStartUp ? null : largest(blocks, (block) => delayOf(line, block));
		const blocker = worst === null ? null : causeOf(worst);
		const code = worst === null ? [] : namedCode([worst]);
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
					ownRunMs: isOwn ? known(line.run) : null,
				},
				ranges: rangesOf({
					lateMs: late,
					meanLateMs: meanLate,
					p95LateMs: limitsOf(lag, 'p95Ms'),
					maxLateMs: limitsOf(lag, 'maxMs'),
					byBlocksMs: {
						low: sum([...startUps, ...blocks], (block) => delayOf(line, block, 'leastMs')),
						high: sum([...startUps, ...blocks], (block) => delayOf(line, block, 'mostMs')),
					},
					lostMs: late,
				}),
				basis,
				victim: null,
				computed: partsOf(code),
				cause: blocker ?? (filler === null || isOwn ? null : causeIn(filler)),
				message:
					`${named(line)} fired ${formatCount(count)} times, ${timeWithin(lag.totalMs / count, meanLate, basis)} late on average (${formatFigure(lag, 'maxMs')} at most) because the event loop was busy. ` +
					blocksText(byBlocks, byStartUpMs) +
					(blocker === null
						? ''
						: code.length > 1
							? ` Code of the worst of them: ${listText(code, 'code')}.`
							: ` Most of that: ${blocker.name || 'code'} at ${place(blocker)}.`) +
					(filler === null
						? ''
						: isOwn
							? ` Their own callbacks ran for ${formatFigure(filler.run, 'totalMs')}, one after the other.`
							: ` Code behind ${named(filler)} ran for ${formatFigure(filler.run, 'totalMs')} meanwhile.`),
				lostMs: lag.totalMs,
				savesMs: null,
			},
		];
	});
};

/** @param byBlocks the share of the lateness that blocks account for, 0 to 1 @param byStartUpMs how much of it the main script does, in ms */
function blocksText(byBlocks: number, byStartUpMs: number): string {
	if (byBlocks === 0) return 'No block of 50 ms or more delayed them.';
	const startUp = byStartUpMs > 0 ? `, start-up among them (${formatMs(byStartUpMs)})` : '';
	return `Blocks of 50 ms and more account for ${percent(byBlocks)} of it${startUp}.`;
}

/** The line whose callbacks, each too short for a block, kept the loop busy, perhaps that of the timers; null where that is not known of one. */
function fillerOf({ lines, threads, utilization, durationMs, blocks, startUps }: ProcessFacts): Line | null {
	// Whose loop a line's callbacks kept busy is known only where there is but one.
	if (threads > 1) return null;
	const blockedMs = sum([...startUps, ...blocks], (block) => block.durationMs);
	const busyMs = utilization * durationMs - blockedMs;
	const betweenMs = (line: Line) => {
		const own = blocks.filter((block) => block.line === line.line && block.file === line.file);
		return known(line.run) - sum(own, (block) => block.durationMs);
	};
	const filler = largest(lines, betweenMs);
	return filler !== null && busyMs > 0 && betweenMs(filler) >= FILLS_LOOP * busyMs ? filler : null;
}

function causeIn({ file, line, op }: Line): Ranked['cause'] {
	return { file, line, name: op, api: null };
}

/** How much later a block made a line's timers, in ms. */
function delayOf(
	{ file, line }: Line,
	{ delays }: Block,
	figure: 'totalMs' | 'leastMs' | 'mostMs' = 'totalMs',
): number {
	return sum(
		delays.filter((delay) => delay.line === line && delay.file === file),
		(delay) => delay[figure],
	);
}

/** What computed in a block; null without stack samples. */
function causeOf(block: Block): Ranked['cause'] {
	const { culprit, ...at } = blameOf(block);
	return culprit === null ? null : { ...at, name: culprit.isLibrary ? '' : culprit.function, api: culprit.api };
}
