// A line waited longer for a connection of a library's pool than for the answer to what it then sent over it: all
// connections were in use.
import { POOL_CONNECTION } from '../../protocol/connection-wait.ts';
import { connectionWaits, waitText } from './connection-wait.ts';
import { basisOf, place, type Rule } from './rule.ts';

export const tooFewConnections: Rule = ({ lines }) =>
	connectionWaits(lines, POOL_CONNECTION).map((found) => {
		const { line, wait, askedMs } = found;
		return {
			code: 'too-few-connections' as const,
			file: line.file,
			line: line.line,
			op: line.op,
			evidence: {
				count: line.count,
				pending: line.pending,
				waitMs: wait.totalMs,
				waitP95Ms: wait.p95Ms,
				maxWaiting: line.maxInFlight,
				askedMs,
			},
			basis: basisOf([wait]),
			victim: null,
			cause: null,
			message: `${place(line)} waited for a free connection ${waitText(found)}`,
			lostMs: wait.totalMs,
			savesMs: null,
		};
	});
