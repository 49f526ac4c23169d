// A request waited for one of the sockets that its HTTP agent allows (`maxSockets`) about as long as for its answer, or longer: others had them.
import { AGENT_SOCKET } from '../../protocol/connection-wait.ts';
import { formatMs } from '../../protocol/units.ts';
import { connectionWaits, waitFinding, waitText } from './connection-wait.ts';
import { type MostAhead, mostAhead } from './most-ahead.ts';
import { named, type Rule, waiterText } from './rule.ts';

export const agentStarved: Rule = ({ lines, commandsAhead }) =>
	connectionWaits(lines, AGENT_SOCKET).map((found) => {
		const finding = waitFinding(found, lines);
		// Between the requests that were recorded, others had the sockets.
		const ahead = found.line.sampledOf > 1 ? null : mostAhead(found, commandsAhead);
		const { ms: aheadMs, longestMs } = ahead?.line ?? { ms: null, longestMs: null };
		const cause = ahead === null || ahead.isOwn ? null : ahead.line;
		return {
			code: 'agent-starved' as const,
			...finding,
			evidence: { ...finding.evidence, aheadMs, longestMs },
			cause: cause === null ? null : { file: cause.file, line: cause.line, name: cause.op, api: null },
			message:
				`${waiterText(found.line, lines)} waited for a socket of its HTTP agent ${waitText(found)}` +
				(ahead === null ? '' : ` ${aheadText(ahead)}`),
		};
	});

function aheadText({ line, isOwn }: MostAhead): string {
	const who = isOwn ? 'other requests of this line' : named(line);
	return `For ${formatMs(line.ms)} of that time, ${who} had the socket, up to ${formatMs(line.longestMs)} at a time.`;
}
