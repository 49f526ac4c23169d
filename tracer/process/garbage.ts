// Hears of garbage collections that stopped this thread. A PerformanceObserver would hand its entries over with `setImmediate`, which
// the program's own hooks would see and which turns the loop once more; the method by which Node gives it an entry does
// neither, so an observer with one of its own stays unnoticed (lib/internal/perf/observe.js, the same from Node 18 to 26).
import { PerformanceObserver } from 'node:perf_hooks';

interface Entry {
	/** ms of performance.now(). */
	startTime: number;
	/** ms. */
	duration: number;
}

const take = Object.getOwnPropertySymbols(PerformanceObserver.prototype).find(
	({ description }) => description === 'kMaybeBuffer',
);

/** Whether this Node can be watched so. */
export const seesGarbage = take !== undefined;

/**
 * Watches from now on; an entry comes in the loop's next turn.
 * @param tell must not throw: it runs on nobody's stack
 */
export function watchGarbage(tell: (entry: Entry) => void): void {
	if (take === undefined) return;
	const observer = new PerformanceObserver(() => undefined);
	Object.assign(observer, {
		[take]: (entry: Entry & { entryType: string }) => {
			if (entry.entryType === 'gc') tell(entry);
		},
	});
	observer.observe({ entryTypes: ['gc'] });
}
