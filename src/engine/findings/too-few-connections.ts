// A line waited for a connection of a library's pool about as long as for the answer to what it then sent over it, or longer: all connections were in use.
import { POOL_CONNECTION } from '../../protocol/connection-wait.ts';
import { connectionWaits, waitFinding, waitText } from './connection-wait.ts';
import { holdingText, poolHolding } from './pool-holder.ts';
import { type Rule, waiterText } from './rule.ts';

export const tooFewConnections: Rule = (facts) =>
	connectionWaits(facts.lines, POOL_CONNECTION).map((found) => {
		const { lines } = facts;
		const finding = waitFinding(found, lines);
		const holding = poolHolding(found.line, facts);
		const { usedShare, keptShare } = holding ?? { usedShare: null, keptShare: null };
		const cause = holding === null || holding.isOwn ? null : holding.line;
		return {
			code: 'too-few-connections' as const,
			...finding,
			evidence: { ...finding.evidence, usedShare, keptShare },
			cause: cause === null ? null : { file: cause.file, line: cause.line, name: cause.op, api: null },
			message:
				`${waiterText(found.line, lines)} waited for a free connection ${waitText(found)}` +
				(holding === null ? '' : ` ${holdingText(holding)}`),
		};
	});
