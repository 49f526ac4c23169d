// Name look-ups that waited for a thread longer than for their answer: files and hashes use the same pool, and libuv lets only
// half of its threads look names up.
import type { Line } from '../../protocol/report.ts';
import { counted, formatCount, formatTotal } from '../../protocol/units.ts';
import { known, largest, named, type Rule } from './rule.ts';

/** In all; less is nothing beside a connection's own time. */
const LEAST_MS = 100;
/** For one of the slow look-ups: about what people notice. */
const LEAST_P95_MS = 50;

export const dnsStarved: Rule = ({ lines, poolSize }) =>
	lines.flatMap((line) => {
		const { queue, execute } = line;
		const isLookup = line.class === 'threadpool' && /^dns\./.test(line.op);
		if (!isLookup || queue === null || queue.basis === 'unknown') return [];
		if (queue.totalMs < LEAST_MS || queue.p95Ms < LEAST_P95_MS || queue.totalMs < known(execute)) return [];
		const lookupThreads = Math.floor((poolSize + 1) / 2);
		const holder = heldThreads(lines);
		const held = known(holder?.execute ?? null);
		const cause =
			holder !== null && held > known(execute)
				? `Meanwhile ${named(holder)} used the pool for ${formatTotal(holder.execute)}`
				: `Threads that may look up names: ${formatCount(lookupThreads)} of ${formatCount(poolSize)}`;
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
					heldMs: held,
					poolSize,
					lookupThreads,
				},
				message: `${counted(line.count, 'call')} of ${named(line)} queued for ${formatTotal(queue)}${line.count === 1 ? '' : ' in total'}, then took ${formatTotal(execute)}. ${cause}.`,
				lostMs: queue.totalMs,
			},
		];
	});

/** What no look-up is and kept the pool's threads longest; null when there is nothing of the kind. */
export function heldThreads(lines: readonly Line[]): Line | null {
	const others = lines.filter((line) => line.class === 'threadpool' && !/^dns\./.test(line.op));
	return largest(others, ({ execute }) => known(execute));
}
