// The stretch of time that the timeline shows, and how it is zoomed, moved and divided by ticks. All in ms.
import { formatMs } from '../../protocol/units.ts';

export interface TimeRange {
	readonly fromMs: number;
	readonly toMs: number;
}

/** Nothing in a journal is finer than a µs; below ten there is nothing left to see. */
const SHORTEST_MS = 0.01;

/** Zooms by `factor` (below 1: in) so that `atMs` stays where it is; never beyond `whole`. */
export function zoom(range: TimeRange, atMs: number, factor: number, whole: TimeRange): TimeRange {
	const wanted = (range.toMs - range.fromMs) * factor;
	const length = Math.min(whole.toMs - whole.fromMs, Math.max(SHORTEST_MS, wanted));
	const share = (atMs - range.fromMs) / (range.toMs - range.fromMs);
	return within(atMs - share * length, length, whole);
}

/** Moves by `byMs`, as far as `whole` reaches. */
export function move(range: TimeRange, byMs: number, whole: TimeRange): TimeRange {
	return within(range.fromMs + byMs, range.toMs - range.fromMs, whole);
}

/** The same length around a stretch that is outside; unchanged when it is in view. */
export function bring(range: TimeRange, fromMs: number, toMs: number, whole: TimeRange): TimeRange {
	if (fromMs >= range.fromMs && toMs <= range.toMs) return range;
	const length = Math.max(range.toMs - range.fromMs, toMs - fromMs);
	return within((fromMs + toMs - length) / 2, length, whole);
}

/** A stretch with as much before and after it. */
export function around({ fromMs, toMs }: TimeRange, whole: TimeRange): TimeRange {
	const length = Math.max(SHORTEST_MS, toMs - fromMs);
	return within(fromMs - length, Math.min(3 * length, whole.toMs - whole.fromMs), whole);
}

/** At most `count` round times in the range: multiples of 1, 2 or 5 times a power of ten. */
export function ticks({ fromMs, toMs }: TimeRange, count: number): number[] {
	const rough = (toMs - fromMs) / Math.max(1, count);
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
	const first = Math.ceil(fromMs / step);
	const last = Math.floor(toMs / step);
	return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
}

/** The texts of ticks: when the first is, and how much later each other one. The step is the same, so each text is another one. */
export function tickTexts(times: readonly number[]): string[] {
	const [first = 0, second = first] = times;
	const step = second - first;
	return times.map((ms, index) => (index === 0 ? clockText(ms, step) : `+${formatMs(ms - first)}`));
}

/** The finest time that a person can distinguish in a range as wide as a screen, in ms. */
export function stepOf({ fromMs, toMs }: TimeRange): number {
	return (toMs - fromMs) / 1000;
}

/** A time of the session, as the first tick has it. @param step the least difference that must show, in ms */
export function timeText(ms: number, step: number): string {
	return clockText(ms, 10 ** Math.floor(Math.log10(step)));
}

/** `4:10.120`, below a minute `10.120 s`: with as many digits as multiples of the step, in ms, need. */
function clockText(ms: number, step: number): string {
	const digits = step > 0 ? Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(step) + 1e-9))) : 3;
	const minutes = Math.floor(ms / 60_000);
	const seconds = ((ms - minutes * 60_000) / 1000).toFixed(digits);
	if (minutes === 0) return `${seconds} s`;
	return `${minutes}:${seconds.padStart(digits === 0 ? 2 : digits + 3, '0')}`;
}

function within(fromMs: number, length: number, whole: TimeRange): TimeRange {
	const from = Math.max(whole.fromMs, Math.min(fromMs, whole.toMs - length));
	return { fromMs: from, toMs: from + length };
}
