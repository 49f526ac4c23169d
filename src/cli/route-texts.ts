// How long a server's requests took, in a terminal.
import { rateText } from '../protocol/latency.ts';
import type { Process, Route, UnansweredRoute } from '../protocol/report.ts';
import { type StepWords, stepTexts, typicalDuration, unansweredTexts } from '../protocol/request-text.ts';
import { formatCount, formatFigure } from '../protocol/units.ts';
import { short } from './layout.ts';
import { FIGURES } from './line-entries.ts';

const STEP_WORDS: StepWords = {
	stepWait: '{0} {1} at {2}',
	stepBlocked: '{0} blocked by {1}',
	stepBlockedElsewhere: '{0} blocked by other callbacks',
	stepRun: '{0} own code',
	stepUnknown: '{0} unknown',
};

/** How long a route's requests took, and what one near the median spent its time on. */
export function routeTexts(route: Route, processes: readonly Process[]): string[] {
	const { file, line, op, count, duration } = route;
	const figures = FIGURES.map(([figure, name]) => `${name} ${formatFigure(duration, figure)}`);
	const rate = rateText(route);
	const others = openTexts(route, processes, '+');
	const more = others.length > 0 ? ` (${others.join(', ')})` : '';
	const head = [`${op} ×${formatCount(count)}${more}`, ...figures, ...(rate === '' ? [] : [rate])];
	const steps = stepTexts(route, STEP_WORDS, (path, at) => `${short(path)}:${at}`);
	const typical = `one near the median took ${typicalDuration(route)}: ${steps.join(', ')}`;
	return [`${short(file)}:${line}  ${head.join('  ')}`, ...(steps.length > 0 ? [typical] : [])];
}

/** Of how many requests no response was finished, where none was. */
export function unansweredText(route: UnansweredRoute, processes: readonly Process[]): string {
	const { file, line, op } = route;
	return `${short(file)}:${line}  ${op}  ${openTexts(route, processes, '').join(', ')}`;
}

function openTexts(route: UnansweredRoute, processes: readonly Process[], sign: string): string[] {
	const words = {
		unanswered: `${sign}{0} not answered`,
		oldest: 'the oldest for {0}',
		closedEarly: `${sign}{0} closed early`,
	};
	return unansweredTexts(route, processes, words);
}
