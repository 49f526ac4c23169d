// A request waited for one of the sockets that its HTTP agent allows (`maxSockets`) about as long as for its answer, or longer: others had them.
import { AGENT_SOCKET } from '../../protocol/connection-wait.ts';
import { formatMs } from '../../protocol/units.ts';
import { connectionWaits, waitFinding, waitText } from './connection-wait.ts';
import { mostAhead } from './most-ahead.ts';
import { named, type Rule, waiterText } from './rule.ts';

export const agentStarved: Rule = ({ lines, commandsAhead }) =>
	connectionWaits(lines, AGENT_SOCKET).map((found) => {
		const finding = waitFinding(found, lines);
		// Between the requests that were recorded, others had the sockets.
		const ahead = found.line.sampledOf > 1 ? null : mostAhead(found, commandsAhead);
		const who = ahead === null ? '' : ahead.isOwn ? 'other requests of this line' : named(ahead.line);
		const text = `${waiterText(found.line, lines)} waited for a socket of its HTTP agent ${waitText(found)}`;
		return {
			code: 'agent-starved' as const,
			...finding,
			evidence: { ...finding.evidence, aheadMs: ahead?.line.ms ?? null, longestMs: ahead?.line.longestMs ?? null },
			cause:
				ahead === null || ahead.isOwn
					? null
					: { file: ahead.line.file, line: ahead.line.line, name: ahead.line.op, api: null },
			message:
				ahead === null
					? text
					: `${text} For ${formatMs(ahead.line.ms)} of that time, ${who} had the socket, up to ${formatMs(ahead.line.longestMs)} at a time.`,
		};
	});
