// How figures are written, the same in every view: three significant digits, and their basis in front.
import type { Basis, Durations, Split } from './report.ts';

/**
 * A duration for people: `0`, `12 µs`, `3.4 ms`, `1.25 s`, `2 min 5 s`.
 * @param ms duration in milliseconds, finite
 */
export function formatMs(ms: number): string {
	const magnitude = Math.abs(ms);
	if (magnitude < 0.0005) return '0';
	if (magnitude < 0.9995) return `${digits(ms * 1000)} µs`;
	if (magnitude < 999.5) return `${digits(ms)} ms`;
	if (magnitude < 119_500) return `${digits(ms / 1000)} s`;
	const seconds = Math.round(ms / 1000);
	return `${Math.trunc(seconds / 60)} min ${seconds % 60} s`;
}

/** A number of things for people, in groups of three digits: `693`, `23,792`. @param count an integer */
export function formatCount(count: number): string {
	return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `×3`, and `×≈1,200` where some of them were not counted but extrapolated. @param count an integer */
export function formatTimes(count: number, isEstimated: boolean): string {
	return `×${isEstimated ? BASIS_MARK.estimated : ''}${formatCount(count)}`;
}

/** `×8`, and `×≥8` where only some requests were recorded: the figures of a route are those of the recorded ones. */
export function formatAnswered({ count, sampledOf }: { count: number; sampledOf: number }): string {
	return `×${sampledOf > 1 ? '≥' : ''}${formatCount(count)}`;
}

/** A number of things where there is little room: `693`, `3.4k`, `24k`, `1.2M`. @param count an integer, at least 0 */
export function formatRoundedCount(count: number): string {
	for (const [unit, letter] of [
		[1, ''],
		[1e3, 'k'],
		[1e6, 'M'],
	] as const) {
		const figure = count / unit;
		if (figure >= 999.5) continue;
		return `${unit > 1 && figure < 9.95 ? figure.toFixed(1).replace(/\.0$/, '') : Math.round(figure)}${letter}`;
	}
	return `${formatCount(Math.round(count / 1e9))}G`;
}

/**
 * What a figure is filled up with: as wide as a digit in a font of fixed width, and never merged with the text beside
 * it.
 */
const FILLER = '\u00a0';

/** A text of at least that many characters, so that the text behind it keeps its place while figures change. */
export function aligned(text: string, width: number): string {
	return text.padStart(width, FILLER);
}

/** `1 thread`, `4 threads`, `1,200 threads`: in English, for texts that are not translated. */
export function counted(count: number, what: string): string {
	return `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`;
}

/** The mark before a figure of that basis: nothing when measured, `≈` when estimated. */
export const BASIS_MARK: Record<Basis, string> = { measured: '', estimated: '≈', unknown: '?' };

/** Before a figure that is known of some operations only: it is at least as long. */
export const AT_LEAST_MARK = '≥';

/** Limits that differ by less than this share of the larger one are one figure to the reader. */
const ALIKE = 0.1;

/** A duration that is known within limits: `0–96 ms`, `800 µs – 1.2 ms`, or `≈95 ms` where they are close together. In ms. */
export function formatRange(low: number, high: number): string {
	if (high === low) return formatMs(high);
	if (high - low <= high * ALIKE) return BASIS_MARK.estimated + formatMs((low + high) / 2);
	const [least, most] = [formatMs(low), formatMs(high)];
	const [figure, unit] = least.split(' ');
	if (low < 0.0005) return `0–${most}`;
	return most.endsWith(` ${unit}`) && !most.includes('min') ? `${figure}–${most}` : `${least} – ${most}`;
}

/** One figure of a split with its basis: `3.4 ms`, `≈3.4 ms`, `0–96 ms`, `≥3.4 ms`, `?`; empty where the split has no meaning. */
export function formatFigure(split: Split | null, figure: keyof Durations): string {
	if (split === null) return '';
	const { basis, range } = split;
	if (basis === 'unknown') {
		const leastMs = split.atLeast?.[figure] ?? 0;
		return leastMs > 0 ? AT_LEAST_MARK + formatMs(leastMs) : BASIS_MARK.unknown;
	}
	return range === null
		? BASIS_MARK[basis] + formatMs(split[figure])
		: formatRange(range.low[figure], range.high[figure]);
}

/** A split's total, as `formatFigure` writes it. */
export function formatTotal(split: Split | null): string {
	return formatFigure(split, 'totalMs');
}

/** Follows run and lag figures that are longer because a debugger collected asynchronous call stacks meanwhile. */
export const ASYNC_STACKS_MARK = '*';

const STRENGTH: readonly Basis[] = ['unknown', 'estimated', 'measured'];

/** The basis of a figure that is made of two. */
export function weaker(a: Basis, b: Basis): Basis {
	return STRENGTH[Math.min(STRENGTH.indexOf(a), STRENGTH.indexOf(b))]!;
}

/** One total's share of another, with the weaker basis: `42 %`, `≈0.5 %`, `0–12 %`, `<0.1 %`, `?`; empty where there is no whole. */
export function formatShare(part: Split | null, whole: Split | null): string {
	if (part === null || whole === null || whole.totalMs <= 0) return '';
	const basis = weaker(part.basis, whole.basis);
	if (basis === 'unknown') return BASIS_MARK.unknown;
	const { low, high } = part.range ?? { low: part, high: part };
	if (high.totalMs - low.totalMs > high.totalMs * ALIKE) {
		return `${percentOf(low, whole)}–${percentOf(high, whole)} %`;
	}
	return `${BASIS_MARK[basis]}${percentOf(part, whole)} %`;
}

/** A time's share of another, in ms: `42 %`, `≈0.5 %`, `<0.1 %`; empty where there is no whole. */
export function formatShareOf(partMs: number, wholeMs: number, basis: Basis): string {
	if (wholeMs <= 0) return '';
	return basis === 'unknown' ? BASIS_MARK.unknown : `${BASIS_MARK[basis]}${percentText(partMs, wholeMs)} %`;
}

function percentOf(part: Durations, whole: Durations): string {
	return percentText(part.totalMs, whole.totalMs);
}

function percentText(part: number, whole: number): string {
	const percent = (100 * part) / whole;
	const figure = percent === 0 ? '0' : percent < 0.05 ? '<0.1' : percent.toFixed(percent < 9.95 ? 1 : 0);
	return figure.replace(/\.0$/, '');
}

function digits(value: number): string {
	const magnitude = Math.abs(value);
	const places = magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2;
	return value.toFixed(places).replace(/\.?0+$/, (zeros) => (zeros.startsWith('.') ? '' : places === 0 ? zeros : ''));
}
