// How long a server's requests took, in a terminal.
import { rateText } from '../protocol/latency.ts';
import type { Process, Route, UnansweredRoute } from '../protocol/report.ts';
import { type StepWords, stepTexts, typicalDuration, unansweredTexts } from '../protocol/request-text.ts';
import { formatAnswered, formatFigure, formatRange, formatTotal } from '../protocol/units.ts';
import { short } from './layout.ts';
import { FIGURES } from './line-entries.ts';

const STEP_WORDS: StepWords = {
	stepWait: '{0} {1} at {2}',
	stepArrival: '{0} for the rest of the request',
	stepBlocked: '{0} blocked by {1}',
	stepBlockedElsewhere: '{0} blocked by other callbacks',
	stepRun: '{0} own code',
	stepUnknown: '{0} unknown',
};

/** What surely took this share of the time of all requests of a route is worth a line, since one near the median may have been spared. */
const LEAST_BLOCKED_SHARE = 0.25;

/** How long a route's requests took, what one near the median spent its time on, and what blocked most of them. */
export function routeTexts(route: Route, processes: readonly Process[]): string[] {
	const { file, line, op, duration } = route;
	const figures = FIGURES.map(([figure, name]) => `${name} ${formatFigure(duration, figure)}`);
	const rate = rateText(route);
	const others = openTexts(route, processes, '+');
	const more = others.length > 0 ? ` (${others.join(', ')})` : '';
	const head = [`${op} ${formatAnswered(route)}${more}`, ...figures, ...(rate === '' ? [] : [rate])];
	const steps = stepTexts(route, STEP_WORDS, (path, at) => `${short(path)}:${at}`);
	const which = route.count === 1 ? 'it' : 'one near the median';
	const typical = `${which} took ${typicalDuration(route)}: ${steps.join(', ')}`;
	return [`${short(file)}:${line}  ${head.join('  ')}`, ...(steps.length > 0 ? [typical] : []), ...blockedTexts(route)];
}

/** The line whose callbacks blocked a route's requests, where nothing else took as much of their time. */
function blockedTexts({ count, duration, parts }: Route): string[] {
	const { totalMs } = duration;
	const most = parts.reduce<Route['parts'][number] | null>(
		(top, each) => (top && top.ms >= each.ms ? top : each),
		null,
	);
	if (count < 2 || most?.kind !== 'blocked' || most.file === null) return [];
	if (most.leastMs < LEAST_BLOCKED_SHARE * totalMs) return [];
	const time = formatRange(most.leastMs, Math.min(most.mostMs, totalMs));
	return [`all together took ${formatTotal(duration)}, ${time} of it blocked by ${short(most.file)}:${most.line}`];
}

/** Of how many requests no response was finished, where none was. */
export function unansweredText(route: UnansweredRoute, processes: readonly Process[]): string {
	const { file, line, op } = route;
	return `${short(file)}:${line}  ${op}  ${openTexts(route, processes, '').join(', ')}`;
}

function openTexts(route: UnansweredRoute, processes: readonly Process[], sign: string): string[] {
	const { oldestPending } = route;
	const isOf = ({ pid, threadId }: Process) => oldestPending?.pid === pid && oldestPending.threadId === threadId;
	const end = processes.find(isOf)?.end ?? 'exit';
	const words = {
		// One that was killed may have answered in the moments that it did not write down.
		unanswered: `${sign}{0} ${end === 'exit' || end === 'running' ? 'not answered' : 'without a recorded answer'}`,
		oldest: 'the oldest for {0}',
		closedEarly: `${sign}{0} closed early`,
	};
	return unansweredTexts(route, processes, words);
}
