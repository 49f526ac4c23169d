// Name look-ups that waited for a thread longer than for their answer: files and hashes use the same pool, and libuv lets only
// half of its threads look names up.
import type { Line, Pool } from '../../protocol/report.ts';
import { counted, formatCount, formatMs, formatTotal } from '../../protocol/units.ts';
import { largest } from '../common/sums.ts';
import {
	basisOf,
	certainlyOnThreads,
	known,
	limitsOf,
	named,
	onThreads,
	type Rule,
	rangesOf,
	timeWithin,
} from './rule.ts';

/** In all, and for certain; less does not matter beside a connection's own time. */
const LEAST_MS = 100;
/** For one of the slow look-ups: about what people notice. */
const LEAST_P95_MS = 50;

export const dnsStarved: Rule = ({ lines, pool, poolSize }) =>
	lines.flatMap((line) => {
		const { queue, execute } = line;
		if (!isLookup(line) || queue === null || queue.basis === 'unknown') return [];
		if (
			(queue.range?.low.totalMs ?? queue.totalMs) < LEAST_MS ||
			queue.p95Ms < LEAST_P95_MS ||
			queue.totalMs < known(execute)
		)
			return [];
		const lookupThreads = Math.floor((poolSize + 1) / 2);
		const idleMs = pool?.lookupsQueuedMs ?? 0;
		const holder = holderOf(line, lines, pool);
		const holderMs = known(holder?.execute ?? null);
		const cause =
			`Threads that may look up names: ${formatCount(lookupThreads)} of ${formatCount(poolSize)}` +
			(idleMs < LEAST_MS ? '' : `; lookups queued for at least ${formatMs(idleMs)} though another thread was idle`) +
			(holder === null
				? ''
				: `. Meanwhile ${named(holder)} used ${isLookup(holder) ? 'them' : 'the pool'} for ${timeWithin(holderMs, onThreads(holder), basisOf([holder.execute]))}`);
		return [
			{
				code: 'dns-starved' as const,
				file: line.file,
				line: line.line,
				op: line.op,
				evidence: {
					count: line.count,
					queueMs: queue.totalMs,
					queueP95Ms: queue.p95Ms,
					executeMs: known(execute),
					holderMs,
					poolSize,
					lookupThreads,
					idleMs,
				},
				ranges: rangesOf({
					queueMs: limitsOf(queue),
					queueP95Ms: limitsOf(queue, 'p95Ms'),
					executeMs: limitsOf(execute),
					holderMs: holder === null ? null : onThreads(holder),
					lostMs: limitsOf(queue),
				}),
				basis: basisOf([queue, execute, holder?.execute]),
				victim: null,
				cause: holder === null ? null : { file: holder.file, line: holder.line, name: holder.op, api: null },
				message: `${counted(line.count, 'call')} of ${named(line)} queued for ${formatTotal(queue)}${line.count === 1 ? '' : ' in total'}, then took ${formatTotal(execute)}. ${cause}.`,
				lostMs: queue.totalMs,
				savesMs: null,
			},
		];
	});

/**
 * What surely occupied threads, and longer than the look-ups of a line did: another line's look-ups where the rest had threads
 * enough, else something that is no look-up; null when nothing did.
 */
function holderOf(line: Line, lines: readonly Line[], pool: Pool | null): Line | null {
	const isLimit = pool !== null && pool.lookupsQueuedMs > pool.saturatedMs;
	const others = lines.filter((each) => each.class === 'threadpool' && each !== line && isLookup(each) === isLimit);
	const holder = largest(others, certainlyOnThreads);
	return holder !== null && known(holder.execute) > known(line.execute) ? holder : null;
}

function isLookup({ class: name, op }: Line): boolean {
	return name === 'threadpool' && /^dns\./.test(op);
}
