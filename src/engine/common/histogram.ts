// How a line's values spread, in bars that a person can read: bounds of one, two or five times a power of ten.
import type { Bin } from '../../protocol/report.ts';

/** The most bars: what fits beside a text, and what the report promises. */
const MOST_BARS = 16;
/** Values within this factor get bars of equal width, others widths that grow with the value. */
const NARROW_FACTOR = 10;
/** The least width of an equal bar as a share of the largest value: the values themselves are known to 2 %. */
const LEAST_SHARE = 0.05;

/** Values in µs. */
export interface Values {
	/** Calls `add` with each value and how often it came, the smallest first. */
	each(add: (us: number, count: number) => void): void;
}

/** Bars without gaps, the shortest first; none for no values. */
export function histogram(values: Values): Bin[] {
	let first = -1;
	let last = -1;
	values.each((us) => {
		if (first < 0) first = us;
		last = us;
	});
	if (first < 0) return [];
	const bounds = last <= first * NARROW_FACTOR ? evenBounds(first, last) : growingBounds(first, last);
	const bins = bounds.slice(1).map((to, i) => ({ fromMs: bounds[i]! / 1000, toMs: to / 1000, count: 0 }));
	let at = 0;
	values.each((us, count) => {
		while (us >= bounds[at + 1]!) at++;
		bins[at]!.count += count;
	});
	return bins;
}

/** Multiples of one width; the last is above `max`. */
function evenBounds(min: number, max: number): number[] {
	// One bar is lost at each end, where the values do not begin or end at a bound.
	const width = roundUp(Math.max(1, (max - min) / (MOST_BARS - 2), max * LEAST_SHARE));
	const bounds: number[] = [];
	for (let k = Math.floor(min / width); ; k++) {
		bounds.push(k * width);
		if (k * width > max) return bounds;
	}
}

/** 1, 2, 5, 10, 20… as far as needed, or 1, 10, 100… where these are too many; from 0 for values below 1 µs. */
function growingBounds(min: number, max: number): number[] {
	const all = (steps: readonly number[]) => {
		const bounds = [0];
		for (let power = 1; bounds.at(-1)! <= max; power *= 10) bounds.push(...steps.map((step) => step * power));
		const from = bounds.findLastIndex((bound) => bound <= min);
		const to = bounds.findIndex((bound) => bound > max);
		return bounds.slice(from, to + 1);
	};
	const fine = all([1, 2, 5]);
	return fine.length - 1 <= MOST_BARS ? fine : all([1]);
}

/** The next number that is 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
	const power = 10 ** Math.floor(Math.log10(value));
	for (const step of [1, 2, 5]) if (step * power >= value) return step * power;
	return 10 * power;
}
