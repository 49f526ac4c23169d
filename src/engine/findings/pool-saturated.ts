// Every thread of the pool was taken, and work had to queue for one. Only what is certain counts: where the loop is
// busy, it is unknown when a job was done, and the queue may have been empty long before.
import type { Line, Pool } from '../../protocol/report.ts';
import { counted, formatCount, formatRange, formatTotal } from '../../protocol/units.ts';
import { largest, sum } from '../common/sums.ts';
import {
	basisOf,
	behind,
	certain,
	certainlyOnThreads,
	type FigureLimits,
	inPercent,
	known,
	limitsOf,
	limitsOfSum,
	named,
	onThreads,
	place,
	type Rule,
	rangesOf,
	timeWithin,
} from './rule.ts';

/** Less is a burst that nobody notices. */
const LEAST_MS = 100;
/** A full pool for a tenth of the time is how the program works ... */
const LEAST_SHARE = 0.1;
/** ... and a whole second in one run is noticed, however long it runs. */
const NOTICED_MS = 1000;
/** What surely had a thread for less than this share of that time may have had none: another line, whose figures are unknown, may be what kept the pool busy. */
const LEAST_HELD = 0.1;

export const poolSaturated: Rule = ({ pool, lines, recordedMs }) => {
	if (pool === null || recordedMs === 0) return [];
	const { size, saturatedMs, saturatedMostMs, maxQueued, occupiedMs } = pool;
	const share = saturatedMs / recordedMs;
	const mostShare = Math.min(1, saturatedMostMs / recordedMs);
	const occupied = {
		low: Math.min(1, occupiedMs.low / (size * recordedMs)),
		high: Math.min(1, occupiedMs.high / (size * recordedMs)),
	};
	const queuedMs = sum(lines, ({ queue }) => known(queue));
	if (saturatedMs < LEAST_MS || queuedMs < LEAST_MS || (share < LEAST_SHARE && saturatedMs < NOTICED_MS)) return [];
	const waiter = largest(lines, ({ queue }) => known(queue));
	if (waiter === null) return [];
	const holder = holderOf(lines, pool);
	const shown = holder ?? waiter;
	// A library's line is not one that the user can change.
	const user = behind(shown, lines);
	const at = user ?? shown;
	const name = user === null ? named(shown) : `${named(shown)}, behind ${place(user)},`;
	const queued = limitsOfSum(lines.filter(({ queue }) => known(queue) > 0).map(({ queue }) => limitsOf(queue)));
	const executed = holder === null ? null : executedOf(holder, size * recordedMs);
	const cause =
		holder === null
			? `what used them is not known; ${name}`
			: `${name} executed for ${executedText(holder, executed)}${waiter === holder ? ' and' : `, ${named(waiter)}`}`;
	const threads = size === 1 ? 'The pool’s only thread was' : `All ${formatCount(size)} threads of the pool were`;
	return [
		{
			code: 'pool-saturated',
			file: at.file,
			line: at.line,
			op: shown.op,
			evidence: {
				poolSize: size,
				saturatedMs,
				saturatedShare: share,
				saturatedMostShare: mostShare,
				occupiedShare: occupied.low,
				occupiedMostShare: occupied.high,
				maxQueued,
				queuedMs,
				holderMs: holder === null ? null : known(holder.execute) || certain(holder.execute),
				longestQueueMs: waiter.queue!.maxMs,
			},
			ranges: rangesOf({
				saturatedMs: { low: saturatedMs, high: saturatedMostMs },
				queuedMs: queued,
				holderMs: executed,
				longestQueueMs: limitsOf(waiter.queue, 'maxMs'),
				lostMs: queued,
			}),
			basis: basisOf(lines.map(({ queue }) => queue)),
			victim: waiter === shown ? null : { file: waiter.file, line: waiter.line, op: waiter.op },
			cause: null,
			message:
				`${threads} busy for ${formatRange(saturatedMs, saturatedMostMs)} (${inPercent(share, mostShare)} % of the time), with up to ${counted(maxQueued, 'operation')} in the queue: ` +
				`${cause} queued for ${formatTotal(waiter.queue)}. ` +
				`Jobs took ${inPercent(occupied.low, occupied.high)} % of the threads’ time.`,
			lostMs: queuedMs,
			savesMs: null,
		},
	];
};

/** @param limits of its execution */
function executedText({ execute }: Line, limits: FigureLimits | null): string {
	if (execute?.basis === 'unknown') return formatTotal(execute);
	return timeWithin(known(execute), limits, basisOf([execute]));
}

/** How long a line's jobs had threads. @param most for how long there were threads while anything was recorded, in ms */
function executedOf(line: Line, most: number): FigureLimits | null {
	const limits = onThreads(line);
	return limits === null || limits.high <= most ? limits : { low: Math.min(limits.low, most), high: most };
}

/**
 * The line that surely had threads for the longest time. It is unknown which one that is where others whose execution is unknown, or that are on no
 * line, must have had them for longer.
 */
function holderOf(lines: readonly Line[], { size, saturatedMs }: Pool): Line | null {
	const holder = largest(lines, certainlyOnThreads);
	if (holder === null || certainlyOnThreads(holder) < LEAST_HELD * saturatedMs) return null;
	const atMost = (line: Line) => onThreads(line)?.high ?? (known(line.execute) || certain(line.execute));
	return atMost(holder) < size * saturatedMs - sum(lines, atMost) ? null : holder;
}
