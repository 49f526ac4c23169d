// A request waited longer for one of the sockets that its HTTP agent allows (`maxSockets`) than for its answer.
import { AGENT_SOCKET } from '../../protocol/connection-wait.ts';
import { connectionWaits, waitText } from './connection-wait.ts';
import { basisOf, place, type Rule } from './rule.ts';

export const agentStarved: Rule = ({ lines }) =>
	connectionWaits(lines, AGENT_SOCKET).map((found) => {
		const { line, wait, askedMs } = found;
		return {
			code: 'agent-starved' as const,
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
			message: `${place(line)} waited for a socket of its HTTP agent ${waitText(found)}`,
			lostMs: wait.totalMs,
			savesMs: null,
		};
	});
