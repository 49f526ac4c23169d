// What the time of a request went to, in a few words: `31 ms: 12 ms http.get at db.ts:12, 9 ms blocked by report.ts:55, 4 ms own code`; and of how many
// no response was finished: `3 unanswered · oldest 12 s`.
import { pendingAgeMs } from './pending-age.ts';
import type { Process, RequestStep, Route, UnansweredRoute } from './report.ts';
import { formatCount, formatMs, formatRange } from './units.ts';
import { fill, type ViewStrings } from './webview.ts';

/** The texts of the steps; `{0}` is a time, `{1}` an operation or a line, `{2}` a line. */
export interface StepWords {
	stepWait: string;
	/** Until more of the request itself had come, such as its body. */
	stepArrival: string;
	stepBlocked: string;
	stepBlockedElsewhere: string;
	stepRun: string;
	stepUnknown: string;
}

/** Steps that are named; further ones are a few percent of the time. */
const NAMED = 4;
/** What takes less than this share of the time is not worth a word. */
const NEGLIGIBLE_SHARE = 0.01;

/**
 * What one request near the median spent its time on, the most first.
 * @param placeOf a short name of a line
 */
export function stepTexts(
	{ typical, op: own }: Pick<Route, 'typical' | 'op'>,
	words: StepWords,
	placeOf: (file: string, line: number) => string,
): string[] {
	return mainSteps(typical.steps)
		.filter(({ ms, mostMs }) => Math.max(ms, mostMs) > typical.durationMs * NEGLIGIBLE_SHARE)
		.slice(0, NAMED)
		.map(({ kind, op, file, line, leastMs, mostMs }) => {
			const time = formatRange(leastMs, mostMs);
			const at = file === null || line === null ? '' : placeOf(file, line);
			if (kind === 'run') return fill(words.stepRun, time);
			if (kind === 'unknown') return fill(words.stepUnknown, time);
			if (kind === 'wait') return op === own ? fill(words.stepArrival, time) : fill(words.stepWait, time, op, at);
			return at === '' ? fill(words.stepBlockedElsewhere, time) : fill(words.stepBlocked, time, at);
		});
}

/** Of how many requests of a route no response was finished, and since when; empty where that is of none. */
export function unansweredTexts(
	{ pending, closedEarly, ...route }: Pick<UnansweredRoute, 'pending' | 'oldestPending' | 'closedEarly'>,
	processes: readonly Process[],
	words: Pick<ViewStrings, 'unanswered' | 'oldest' | 'closedEarly'>,
): string[] {
	const age = pendingAgeMs(route, processes);
	return [
		...(pending > 0 ? [fill(words.unanswered, formatCount(pending))] : []),
		...(age === null ? [] : [fill(words.oldest, formatMs(age))]),
		...(closedEarly > 0 ? [fill(words.closedEarly, formatCount(closedEarly))] : []),
	];
}

/** The duration of that request. */
export function typicalDuration({ typical }: Pick<Route, 'typical'>): string {
	return formatRange(typical.leastMs, typical.mostMs);
}

/** Steps of one kind and line as one, all of its own code as one; the longest first. */
function mainSteps(steps: readonly RequestStep[]): RequestStep[] {
	const sums = new Map<string, RequestStep>();
	for (const step of steps) {
		const key = step.kind === 'run' ? 'run' : `${step.kind} ${step.line} ${step.op} ${step.file}`;
		const sum = sums.get(key);
		if (sum === undefined) {
			sums.set(key, { ...step });
			continue;
		}
		sum.ms += step.ms;
		sum.leastMs += step.leastMs;
		sum.mostMs += step.mostMs;
	}
	return [...sums.values()].sort((a, b) => b.ms - a.ms);
}
