// N+1: while it serves one request, a line asks a server again and again, each time after the answer to the last.
import { READER } from '../../protocol/connection-wait.ts';
import type { RequestPart, Route } from '../../protocol/report.ts';
import { counted, formatCount, formatMs } from '../../protocol/units.ts';
import { named, percent, type Rule } from './rule.ts';

/** Questions of one line in a request, on average: fewer are what a loop over a few fixed things asks. */
const LEAST_TIMES = 5;
/** What they took of the route's time: less than a fifth is not noticed (see `severity.ts`). */
const LEAST_SHARE = 0.2;
/** In all. */
const LEAST_MS = 100;
/** Limits that lie farther apart than this for each question, in ms, are not a measured time. */
const MEASURED_MS = 0.2;

export const nPlusOne: Rule = ({ routes, lines, awaits }) =>
	routes.flatMap((route) =>
		route.parts.flatMap((part) => {
			const { file, line, op, count, times, ms, leastMs, mostMs } = part;
			if (file === null || line === null || !isTooMuch(part, route)) return [];
			const perRequest = times / count;
			const asking = lines.find((each) => each.file === file && each.line === line && each.op === op);
			const facts = asking === undefined ? null : awaits(asking);
			// No question can ask for what follows from its own answer, nor for what different lines ask through one function.
			if (facts !== null && (facts.isChained || facts.ways >= Math.round(perRequest))) return [];
			const share = ms / route.duration.totalMs;
			// The code behind each answer runs as often.
			const ran = route.parts.find((other) => other.kind === 'run' && other.op === op && isSame(other, part));
			const ranMs = ran?.ms ?? 0;
			const savesMs = (ms + ranMs) * (1 - 1 / perRequest);
			return [
				{
					code: 'n-plus-one' as const,
					file,
					line,
					op,
					evidence: { requests: count, times, perRequest, waitMs: ms, share },
					basis: mostMs - leastMs > MEASURED_MS * times ? ('estimated' as const) : ('measured' as const),
					victim: { file: route.file, line: route.line, op: route.op },
					cause: null,
					message:
						`In each of ${counted(count, 'request')} of ${named(route)}, ${named({ file, line, op })} asked ${formatCount(Math.round(perRequest))} times on average, ` +
						`one after the other. That took ${percent(share)} of the requests’ time, ${formatMs(ms)} in total. ` +
						`One question for all would save up to ${formatMs(savesMs)}${savesMs > ms ? `, the code behind the answers (${formatMs(ranMs)}) included` : ''}.`,
					lostMs: savesMs,
					savesMs,
				},
			];
		}),
	);

/** What asks nothing. */
const NO_QUESTION = new Set([READER, 'net.connect', 'tls.connect']);

function isTooMuch({ kind, class: name, op, count, times, ms }: RequestPart, { duration }: Route): boolean {
	if (kind !== 'wait' || name !== 'kernel' || NO_QUESTION.has(op) || count === 0) return false;
	return times >= LEAST_TIMES * count && ms >= LEAST_SHARE * duration.totalMs && ms >= LEAST_MS;
}

function isSame(a: RequestPart, b: RequestPart): boolean {
	return a.file === b.file && a.line === b.line;
}
