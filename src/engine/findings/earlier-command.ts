// Commands waited behind an earlier one over the same connection, which is answered in order: a queue's `blpop`, or a slow query, on the connection of everything else.
import { CONNECTION_QUEUE, EARLIER_COMMAND } from '../../protocol/connection-wait.ts';
import { formatCount, formatMs } from '../../protocol/units.ts';
import { connectionWaits, rangesOfWait, waitText } from './connection-wait.ts';
import { mostAhead } from './most-ahead.ts';
import { basisOf, isSameSourceLine, named, place, type Rule, rangesOf } from './rule.ts';

export const earlierCommand: Rule = (facts) => {
	const unanswered = behindUnanswered(facts);
	const answered = behindAnswered(facts).filter(
		(finding) => !unanswered.some(({ file, line }) => finding.file === file && finding.line === line),
	);
	return [...unanswered, ...answered];
};

/** Commands that wait for one that has no answer yet, and may never have one. */
const behindUnanswered: Rule = ({ lines, unanswered }) =>
	unanswered.flatMap(({ behind, ms, firstMs, sinceMs, ...ahead }) => {
		const line = lines.find((each) => each.op === EARLIER_COMMAND && isSameSourceLine(each, behind));
		// A server that answers nothing keeps what one line asks again and again.
		if (line === undefined || line.pending === 0 || isSameSourceLine(ahead, line)) return [];
		const { file, op, count, pending } = line;
		return [
			{
				code: 'earlier-command' as const,
				file,
				line: line.line,
				op,
				evidence: {
					count,
					pending,
					waitMs: ms,
					waitP95Ms: firstMs,
					aheadMs: ms,
					longestMs: sinceMs,
					unansweredMs: sinceMs,
				},
				basis: 'measured' as const,
				victim: null,
				cause: { file: ahead.file, line: ahead.line, name: ahead.op, api: null },
				message: `${place(line)} has been waiting for its turn on a connection for ${formatMs(firstMs)} (waiting: ${formatCount(pending)}): ${named(ahead)}, sent ${formatMs(sinceMs)} ago, has no answer yet.`,
				lostMs: ms,
				savesMs: null,
			},
		];
	});

const behindAnswered: Rule = ({ lines, commandsAhead }) =>
	[EARLIER_COMMAND, CONNECTION_QUEUE].flatMap((op) =>
		connectionWaits(lines, op).flatMap((found) => {
			const { line, wait } = found;
			const most = mostAhead(found, commandsAhead);
			if (most === null) return [];
			const { isOwn, line: ahead } = most;
			// Commands that are sent at once and answered one by one: over several connections the server would take as long.
			if (isOwn && op === EARLIER_COMMAND) return [];
			const who = isOwn ? 'other commands of this line' : named(ahead);
			return [
				{
					code: 'earlier-command' as const,
					file: line.file,
					line: line.line,
					op: line.op,
					evidence: {
						count: line.count,
						pending: line.pending,
						waitMs: wait.totalMs,
						waitP95Ms: wait.p95Ms,
						aheadMs: ahead.ms,
						longestMs: ahead.longestMs,
						unansweredMs: 0,
					},
					ranges: rangesOf(rangesOfWait(wait)),
					basis: basisOf([wait]),
					victim: null,
					cause: isOwn ? null : { file: ahead.file, line: ahead.line, name: ahead.op, api: null },
					message: `${place(line)} waited for its turn on a connection ${waitText(found)} For ${formatMs(ahead.ms)} of that time, ${who} had the connection, up to ${formatMs(ahead.longestMs)} at a time.`,
					lostMs: wait.totalMs,
					savesMs: null,
				},
			];
		}),
	);
