// Sums and maxima over items. There may be more items than a call can have arguments.

/** The item with the largest value above zero; null when there is none. */
export function largest<T>(items: readonly T[], of: (item: T) => number): T | null {
	let best: T | null = null;
	for (const item of items) {
		if (of(item) > (best === null ? 0 : of(best))) best = item;
	}
	return best;
}

/** The largest value, at least 0. */
export function most<T>(items: readonly T[], of: (item: T) => number): number {
	return items.reduce((largest, item) => Math.max(largest, of(item)), 0);
}

export function sum<T>(items: readonly T[], of: (item: T) => number): number {
	return items.reduce((total, item) => total + of(item), 0);
}
