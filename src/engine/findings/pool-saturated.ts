// Every thread of the pool was taken, and work had to queue for one. Only what is certain counts: where the loop is
// busy, it is unknown when a job was done, and the queue may have been empty long before.
import { counted, formatCount, formatMs, formatTotal } from '../../protocol/units.ts';
import { basisOf, behind, known, largest, named, percent, place, type Rule, sum } from './rule.ts';

/** Less is a burst that nobody notices. */
const LEAST_MS = 100;
/** A full pool for a tenth of the time is how the program works ... */
const LEAST_SHARE = 0.1;
/** ... and a whole second in one run is noticed, however long it runs. */
const NOTICED_MS = 1000;

export const poolSaturated: Rule = ({ pool, lines, recordedMs }) => {
	if (pool === null || recordedMs === 0) return [];
	const { size, saturatedMs, maxQueued } = pool;
	const share = saturatedMs / recordedMs;
	const queuedMs = sum(lines, ({ queue }) => known(queue));
	if (saturatedMs < LEAST_MS || queuedMs < LEAST_MS || (share < LEAST_SHARE && saturatedMs < NOTICED_MS)) return [];
	const holder = largest(lines, ({ execute }) => known(execute));
	const waiter = largest(lines, ({ queue }) => known(queue));
	if (holder === null || waiter === null) return [];
	// A library's line is not one that the user can change.
	const user = behind(holder, lines);
	const at = user ?? holder;
	const holderName = user === null ? named(holder) : `${named(holder)}, behind ${place(user)},`;
	const threads = size === 1 ? 'The pool’s only thread was' : `All ${formatCount(size)} threads of the pool were`;
	return [
		{
			code: 'pool-saturated',
			file: at.file,
			line: at.line,
			op: holder.op,
			evidence: {
				poolSize: size,
				saturatedMs,
				saturatedShare: share,
				maxQueued,
				queuedMs,
				holderMs: known(holder.execute),
				longestQueueMs: waiter.queue!.maxMs,
			},
			basis: basisOf(lines.map(({ queue }) => queue)),
			victim: waiter === holder ? null : { file: waiter.file, line: waiter.line, op: waiter.op },
			cause: null,
			message:
				`${threads} busy for ${formatMs(saturatedMs)} (${percent(share)} of the time), with up to ${counted(maxQueued, 'operation')} in the queue: ` +
				`${holderName} executed for ${formatTotal(holder.execute)}${waiter === holder ? ' and' : `, ${named(waiter)}`} queued for ${formatTotal(waiter.queue)}.`,
			lostMs: queuedMs,
			savesMs: null,
		},
	];
};
