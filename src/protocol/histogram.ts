// A distribution as a row of bars made of characters, for places that can show nothing but text.
import type { Bin } from './report.ts';
import { formatCount, formatMs } from './units.ts';
import { fill, type ViewStrings } from './webview.ts';

/** Eighths of a line's height (U+2581 to U+2588). */
const BARS = '▁▂▃▄▅▆▇█';
/** A bin with nothing in it, so that a gap is visible. */
const EMPTY = '·';

/** One character per bin; the fullest bin has the highest bar, and even one operation has a bar. */
export function histogramBars(bins: readonly Bin[]): string {
	const most = Math.max(...bins.map(({ count }) => count));
	return bins.map(({ count }) => (count === 0 ? EMPTY : BARS[Math.ceil((count / most) * BARS.length) - 1])).join('');
}

/** A distribution in words: its range, and where most of it is, if that is more than one operation. @param bins at least one */
export function histogramText(bins: readonly Bin[], words: Pick<ViewStrings, 'histogram'>): string {
	const [from, to] = [formatMs(bins[0]!.fromMs), formatMs(bins.at(-1)!.toMs)];
	const { count, fromMs, toMs } = fullestBin(bins)!;
	if (count === 1) return `${from} – ${to}`;
	return fill(words.histogram, from, to, formatMs(fromMs), formatMs(toMs), formatCount(count));
}

/** The bin with the most operations, the shortest times among equals; undefined when there are no bins. */
export function fullestBin(bins: readonly Bin[]): Bin | undefined {
	return bins.reduce<Bin | undefined>(
		(fullest, bin) => (fullest === undefined || bin.count > fullest.count ? bin : fullest),
		undefined,
	);
}
