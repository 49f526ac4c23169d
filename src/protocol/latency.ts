// How slow one call of a line is, and how much time the line takes: what views put first, and rank lines by. Sums over all operations answer another
// question, for operations wait at the same time.
import type { Durations, Line, Report, Split } from './report.ts';
import { aligned, formatFigure, formatMs } from './units.ts';
import { fill, type ViewStrings } from './webview.ts';

/**
 * How long one operation took, over all of a line's: its wait; of a timer, which is waited for on purpose, only how late it was; of a server's handler
 * the time until the response was finished.
 */
export interface Latency {
	split: Split;
	of: 'wait' | 'lateness' | 'response';
}

/** @returns null where it is unknown, as while nothing has finished */
export function latencyOf(line: Pick<Line, 'class' | 'wait' | 'lag'>): Latency | null {
	const isTimer = line.class === 'timer';
	const split = isTimer ? line.lag : line.wait;
	return split === null ? null : { split, of: isTimer ? 'lateness' : 'wait' };
}

/**
 * Of several entries of one source line the one whose latency is the line's: the operations of one entry are often made of those of another (a `fetch`
 * looks a name up), so it is the one that was under way for the longest time, and a timer only where there is nothing else.
 * @param entries the longest `wallMs` first
 * @returns undefined where nothing is known of any
 */
export function mainEntry(entries: readonly Line[]): Line | undefined {
	const known = entries.filter((entry) => latencyOf(entry) !== null);
	return known.find((entry) => entry.class !== 'timer') ?? known[0];
}

/** How slow one operation of that entry is; null where nothing is known. */
export function mainLatency(entries: readonly Line[]): Latency | null {
	const entry = mainEntry(entries);
	return entry === undefined ? null : latencyOf(entry);
}

/** For how much wall time at least one operation of a source line was under way, in ms; at least, where different ones took turns. */
export function wallMsOf(entries: readonly Pick<Line, 'wallMs'>[]): number {
	return entries.reduce((most, { wallMs }) => Math.max(most, wallMs), 0);
}

/** The same of all source lines of a report, added up: what a line's share is a share of. */
export function totalWallMs({ lines }: Pick<Report, 'lines'>): number {
	const walls = new Map<string, number>();
	for (const { file, line, wallMs } of lines) {
		const key = `${line} ${file}`;
		walls.set(key, Math.max(walls.get(key) ?? 0, wallMs));
	}
	return [...walls.values()].reduce((sum, wallMs) => sum + wallMs, 0);
}

/** Orders lines by the time that they take, the most first; among equals by what they waited altogether. */
export function compareWall(a: Line, b: Line): number {
	return b.wallMs - a.wallMs || (latencyOf(b)?.split.totalMs ?? 0) - (latencyOf(a)?.split.totalMs ?? 0);
}

/**
 * `p50 44 ms · p95 117 ms`, for timers `late p50 1.2 ms · p95 4 ms`; empty where nothing is known.
 * @param width of each figure, at least
 */
export function latencyText(latency: Latency | null, words: ViewStrings, width = 0): string {
	if (latency === null) return '';
	const write = (figure: keyof Durations) => aligned(formatFigure(latency.split, figure), width);
	return withMeaning(latency, `p50 ${write('p50Ms')} · p95 ${write('p95Ms')}`, words);
}

/** `p50 44 ms`, for timers `late p50 1.2 ms`: where there is room for one figure. Empty where nothing is known. */
export function typicalText(latency: Latency | null, words: ViewStrings): string {
	return latency === null ? '' : withMeaning(latency, `p50 ${formatFigure(latency.split, 'p50Ms')}`, words);
}

/** Says what the figures of a text are, unless they are waits. */
function withMeaning({ of }: Latency, text: string, words: ViewStrings): string {
	if (of === 'wait') return text;
	return fill(of === 'lateness' ? words.late : words.response, text);
}

/** Once in thirty years: only a recording that somebody made up has less. */
const LEAST_PER_SECOND = 1e-9;

/** How often a line's operations come: `12/s`, `0.5/s`, `90/min`; empty where that is unknown. */
export function rateText({ perSecond }: Pick<Line, 'perSecond'>): string {
	if (perSecond === null || perSecond < LEAST_PER_SECOND) return '';
	if (perSecond >= 1) return `${perSecond < 9.95 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`;
	const perMinute = perSecond * 60;
	return perMinute >= 0.1 ? `${perMinute.toFixed(perMinute < 9.95 ? 1 : 0)}/min` : `1/${formatMs(1000 / perSecond)}`;
}
