// How long a server's requests took, in a terminal.
import { rateText } from '../protocol/latency.ts';
import type { Route, UnansweredRoute } from '../protocol/report.ts';
import { type StepWords, stepTexts, typicalDuration } from '../protocol/request-text.ts';
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
export function routeTexts(route: Route): string[] {
	const { file, line, op, count, pending, closedEarly, duration } = route;
	const figures = FIGURES.map(([figure, name]) => `${name} ${formatFigure(duration, figure)}`);
	const rate = rateText(route);
	const others = openTexts(pending, closedEarly, '+');
	const more = others.length > 0 ? ` (${others.join(', ')})` : '';
	const head = [`${op} ×${formatCount(count)}${more}`, ...figures, ...(rate === '' ? [] : [rate])];
	const steps = stepTexts(route, STEP_WORDS, (path, at) => `${short(path)}:${at}`);
	const typical = `one near the median took ${typicalDuration(route)}: ${steps.join(', ')}`;
	return [`${short(file)}:${line}  ${head.join('  ')}`, ...(steps.length > 0 ? [typical] : [])];
}

/** Of how many requests no response was finished, where none was. */
export function unansweredText({ file, line, op, pending, closedEarly }: UnansweredRoute): string {
	return `${short(file)}:${line}  ${op}  ${openTexts(pending, closedEarly, '').join(', ')}`;
}

function openTexts(pending: number, closedEarly: number, sign: string): string[] {
	return [
		...(pending > 0 ? [`${sign}${formatCount(pending)} not answered`] : []),
		...(closedEarly > 0 ? [`${sign}${formatCount(closedEarly)} closed early`] : []),
	];
}
