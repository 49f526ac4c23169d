// A request waited for one of the sockets that its HTTP agent allows (`maxSockets`) about as long as for its answer, or longer.
import { AGENT_SOCKET } from '../../protocol/connection-wait.ts';
import { connectionWaits, waitFinding, waitText } from './connection-wait.ts';
import { type Rule, waiterText } from './rule.ts';

export const agentStarved: Rule = ({ lines }) =>
	connectionWaits(lines, AGENT_SOCKET).map((found) => ({
		code: 'agent-starved' as const,
		...waitFinding(found, lines),
		cause: null,
		message: `${waiterText(found.line, lines)} waited for a socket of its HTTP agent ${waitText(found)}`,
	}));
