// Hears of garbage collections that stopped this thread. A PerformanceObserver would hand its entries over with `setImmediate`, which
// the program's own hooks would see and which turns the loop once more; the method by which Node gives it an entry does
// neither, so an observer with one of its own stays unnoticed (lib/internal/perf/observe.js, the same from Node 18 to 26).
//
// Node hands an entry to all observers that are there when it comes, in the loop's turn after the collection, and makes entries only while
// somebody observes. So the program's first observer would hear of a collection from before it was there: such an entry is hidden from it.

import { PerformanceObserver } from 'node:perf_hooks';
import { performanceNow } from './clock.ts';
import { defineProperty, getOwnPropertySymbols } from './object-functions.ts';
import { watchReads } from './watch-reads.ts';

interface Entry {
	/** ms of performance.now(). */
	startTime: number;
	/** ms. */
	duration: number;
}

// Taken now: the program may replace them later.
const { prototype } = PerformanceObserver;
const { disconnect } = prototype;
const arrays: Iterable<unknown> = Array.prototype;
const iterate = arrays[Symbol.iterator];
/** Node 20 makes an entry by going through an array, up to its V8 11.3: a program that has taken the iterator of arrays away would end by that. */
const needsIterator = Number.parseInt(process.versions.node, 10) === 20;
const take = getOwnPropertySymbols(prototype).find(({ description }) => description === 'kMaybeBuffer');

/** Whether this Node can be watched so. */
export const seesGarbage = take !== undefined;

/**
 * Watches from now on; an entry comes in the loop's next turn.
 * @param onCollection must not throw: it runs on nobody's stack
 * @returns what to call after each callback: it watches no more where that would end the program
 */
export function watchGarbage(onCollection: (entry: Entry) => void): () => void {
	if (take === undefined) return () => undefined;
	/** When the program asked for `observe` first, in ms; 0 until it does. */
	let othersSince = 0;
	const observer = new PerformanceObserver(() => undefined);
	Object.assign(observer, {
		[take]: (entry: Entry & { entryType: string }) => {
			if (entry.entryType !== 'gc') return;
			onCollection(entry);
			// Node asks each observer in turn whether it wants this type, and ours was there first.
			if (entry.startTime < othersSince) defineProperty(entry, 'entryType', { value: '' });
		},
	});
	observer.observe({ entryTypes: ['gc'] });
	const unwatch = watchReads(prototype, 'observe', () => {
		othersSince = performanceNow();
		unwatch?.();
	});
	return () => {
		if (needsIterator && arrays[Symbol.iterator] !== iterate) Reflect.apply(disconnect, observer, []);
	};
}
