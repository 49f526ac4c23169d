// A distribution as a row of bars made of letters, for the places where there is nothing but text.
import type { Bin } from './report.ts';

/** Eighths of a line's height (U+2581 to U+2588). */
const BARS = '▁▂▃▄▅▆▇█';
/** A bin with nothing in it, so that a gap is seen as one. */
const EMPTY = '·';

/** One character per bin; the fullest is the highest, and one operation is never nothing. */
export function histogramBars(bins: readonly Bin[]): string {
	const most = Math.max(...bins.map(({ count }) => count));
	return bins.map(({ count }) => (count === 0 ? EMPTY : BARS[Math.ceil((count / most) * BARS.length) - 1])).join('');
}

/** The bin that holds most operations, the shorter times first among equals; undefined when there are no bins. */
export function fullestBin(bins: readonly Bin[]): Bin | undefined {
	return bins.reduce<Bin | undefined>(
		(fullest, bin) => (fullest === undefined || bin.count > fullest.count ? bin : fullest),
		undefined,
	);
}
