// N+1: while it serves one request, a line asks a server again and again, each time after the answer to the last.
import { packageOf } from '../../protocol/blame.ts';
import { READER } from '../../protocol/connection-wait.ts';
import type { RequestPart, Route } from '../../protocol/report.ts';
import { counted, formatCount, formatMs, formatRange } from '../../protocol/units.ts';
import { named, percent, type Rule, rangesOf } from './rule.ts';

/** Questions of one line in a request, on average: fewer are what a loop over a few fixed things asks. */
const LEAST_TIMES = 5;
/** What they took of the route's time: less than a fifth is not noticed (see `severity.ts`). */
const LEAST_SHARE = 0.2;
/** In all. */
const LEAST_MS = 100;
/** FigureLimits that lie farther apart than this for each question, in ms, are not a measured time. */
const MEASURED_MS = 0.2;

export const nPlusOne: Rule = ({ routes, lines, awaits }) =>
	routes.flatMap((route) =>
		route.parts.flatMap((part) => {
			const { file, line, op, count, times, ms, leastMs, mostMs } = part;
			if (file === null || line === null || !isTooMuch(part, route)) return [];
			// What no line of the user's has asked is not many questions of one kind: with MySQL, a new connection begins with five answers.
			if (packageOf(file) !== '') return [];
			const perRequest = times / count;
			const asking = lines.find((each) => each.file === file && each.line === line && each.op === op);
			const facts = asking === undefined ? null : awaits(asking);
			// No question can ask for what follows from its own answer, nor for what different lines ask through one function.
			if (facts !== null && (facts.isChained || facts.ways >= Math.round(perRequest))) return [];
			const isMeasured = mostMs - leastMs <= MEASURED_MS * times;
			const limits = isMeasured ? { low: ms, high: ms } : { low: leastMs, high: mostMs };
			const share = ms / route.duration.totalMs;
			// The code behind each answer runs as often.
			const ran = route.parts.find((other) => other.kind === 'run' && other.op === op && isSame(other, part));
			const ranMs = ran?.ms ?? 0;
			const saved = (waited: number) => (waited + ranMs) * (1 - 1 / perRequest);
			// It is an upper limit.
			const savesMs = saved(limits.high);
			const isForOthers = facts?.asksForOthers === true;
			const condition = isForOthers ? 'Where its callers ask the same about several items, one' : 'One';
			return [
				{
					code: 'n-plus-one' as const,
					file,
					line,
					op,
					evidence: { requests: count, times, perRequest, waitMs: ms, share },
					ranges: rangesOf({ waitMs: limits, lostMs: { low: saved(limits.low), high: savesMs } }),
					basis: isMeasured ? ('measured' as const) : ('estimated' as const),
					victim: { file: route.file, line: route.line, op: route.op },
					cause: null,
					message:
						`${count === 1 ? 'One request' : `On average, each of ${counted(count, 'request')}`} of ${named(route)} waited ${formatCount(Math.round(perRequest))} times for ${named({ file, line, op })}, ` +
						`one after the other. That took ${formatRange(limits.low, limits.high)} in total, ${percent(share)} of ${count === 1 ? 'the request’s' : 'the requests’'} time. ` +
						`${condition} query for all would save up to ${formatMs(savesMs)}${savesMs > limits.high ? `, the code behind the answers (${formatMs(ranMs)}) included` : ''}.`,
					lostMs: saved(ms),
					// Different questions cannot be one.
					savesMs: isForOthers ? null : savesMs,
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
