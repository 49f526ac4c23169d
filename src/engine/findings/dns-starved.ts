// Name look-ups that waited for a thread longer than for their answer: files and hashes use the same pool, and libuv lets only
// half of its threads look names up.
import type { Line } from '../../protocol/report.ts';
import { formatTotal } from '../../protocol/units.ts';
import { counted, known, largest, named, type Rule } from './rule.ts';

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
				? `the pool was held by ${named(holder)} (${formatTotal(holder.execute)})`
				: `${counted(lookupThreads, 'thread')} of ${poolSize} may look names up`;
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
				message: `${named(line)} ×${line.count} queued for ${formatTotal(queue)} in all and then took ${formatTotal(execute)}: ${cause}.`,
				lostMs: queue.totalMs,
			},
		];
	});

/** What no look-up is and kept the pool's threads longest; null when there is nothing of the kind. */
export function heldThreads(lines: readonly Line[]): Line | null {
	const others = lines.filter((line) => line.class === 'threadpool' && !/^dns\./.test(line.op));
	return largest(others, ({ execute }) => known(execute));
}
