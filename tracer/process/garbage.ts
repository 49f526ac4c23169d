// Notices garbage collections that stopped this thread. A PerformanceObserver would pass its entries on with
// `setImmediate`, which the program's own hooks would see and which turns the loop once more. The method by which Node
// gives it an entry does neither, so an observer with its own version of that method stays unnoticed
// (lib/internal/perf/observe.js, the same from Node 18 to 26).
//
// Node gives an entry to all observers that exist when it is delivered, in the loop's turn after the collection, and
// makes entries only while there is an observer. So the program's first observer would receive a collection that is
// older than itself: such an entry is hidden from it.

import { isIteratorGone } from './array-iterator.ts';
import { performanceNow } from './clock.ts';
import { PerformanceObserver } from './node-functions.ts';
import { NODE_MAJOR } from './node-version.ts';
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
const { disconnect, observe } = prototype;
const observer = new PerformanceObserver(() => undefined);
/**
 * Node 20, up to its V8 11.3, makes an entry by iterating over an array: a program that has removed the iterator of
 * arrays would be ended by that.
 */
export const needsIterator = NODE_MAJOR === 20;
const take = getOwnPropertySymbols(prototype).find(({ description }) => description === 'kMaybeBuffer');

/** Whether collections can be watched in this way on this Node. */
export const seesGarbage = take !== undefined;

/**
 * Watches from now on; an entry comes in the loop's next turn.
 * @param isStill whether a debugger steps through Node's functions: each step makes garbage, and steps through what Node does with the entries of its
 * collections would go on forever; or whether this Node needs the iterator, and no hook is called that would notice in time that it is gone
 * @param onCollection must not throw: no code of the program is on the stack, so Node would end the process
 * @returns a function to call after each callback: it stops watching where going on would harm the program
 */
export function watchGarbage(isStill: () => boolean, onCollection: (entry: Entry) => void): () => void {
	const isRemoved = () => needsIterator && isIteratorGone();
	if (take === undefined || isRemoved()) return () => undefined;
	/** When the program first read `observe`, in ms; 0 until it does. */
	let othersSince = 0;
	// Not assigned: its prototype may be frozen.
	const value = (entry: Entry & { entryType: string }) => {
		if (entry.entryType !== 'gc') return;
		onCollection(entry);
		// Node asks each observer in turn whether it wants this type, and ours came before that one.
		if (entry.startTime < othersSince) defineProperty(entry, 'entryType', { value: '' });
	};
	defineProperty(observer, take, { value });
	let isWatching = false;
	const unwatch = watchReads(prototype, 'observe', () => {
		othersSince = performanceNow();
		unwatch?.();
	});
	const check = () => {
		const mayWatch = !isRemoved() && !isStill();
		if (mayWatch === isWatching) return;
		isWatching = mayWatch;
		// Node asks for all three, and a program may have put one of them on Object.prototype.
		const options = { entryTypes: ['gc'], type: undefined, buffered: undefined };
		Reflect.apply(mayWatch ? observe : disconnect, observer, [options]);
	};
	check();
	return check;
}
