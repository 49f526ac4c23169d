// A line waited longer for a connection of a library's pool than for the answer to what it then sent over it: all
// connections were in use.
import { POOL_CONNECTION } from '../../protocol/connection-wait.ts';
import { formatCount, formatMs, formatTotal } from '../../protocol/units.ts';
import { basisOf, known, place, type Rule, sum } from './rule.ts';

/** In all; less is a burst that nobody notices. */
const LEAST_MS = 100;
/** For one of the slow waits: about what people notice. */
const LEAST_P95_MS = 50;

export const tooFewConnections: Rule = ({ lines }) =>
	lines.flatMap((line) => {
		const { wait, count, pending, maxInFlight } = line;
		if (line.op !== POOL_CONNECTION || wait === null || wait.basis === 'unknown') return [];
		// A line that only takes the connection sends something over it elsewhere.
		const asked = lines.filter((other) => other.file === line.file && other.line === line.line && other !== line);
		const askedMs = sum(asked, (other) => (other.class === 'kernel' ? known(other.wait) : 0));
		if (wait.totalMs < LEAST_MS || wait.p95Ms < LEAST_P95_MS || wait.totalMs < askedMs) return [];
		const then = askedMs === 0 ? '' : ` The requests themselves took ${formatMs(askedMs)}.`;
		// Where the beginning of waits is recorded only when they end, how many there were at a time is not known.
		const atOnce = maxInFlight > 1 ? `, up to ${formatCount(maxInFlight)} at a time` : '';
		const times =
			count === 1
				? `once, for ${formatTotal(wait)}`
				: `${formatCount(count)} times, ${formatTotal(wait)} in total (longest ${formatMs(wait.maxMs)})${atOnce}`;
		return [
			{
				code: 'too-few-connections' as const,
				file: line.file,
				line: line.line,
				op: line.op,
				evidence: {
					count,
					pending,
					waitMs: wait.totalMs,
					waitP95Ms: wait.p95Ms,
					maxWaiting: maxInFlight,
					askedMs,
				},
				basis: basisOf([wait]),
				victim: null,
				cause: null,
				message: `${place(line)} waited for a free connection ${times}.${then}`,
				lostMs: wait.totalMs,
			},
		];
	});
