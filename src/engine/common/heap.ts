// The first of many items by some order, while items are constantly removed and added: a binary heap.

export class Heap<T> {
	private readonly items: T[] = [];
	private readonly isBefore: (a: T, b: T) => boolean;

	/** @param isBefore whether the first item comes before the second: an order without ties */
	constructor(isBefore: (a: T, b: T) => boolean) {
		this.isBefore = isBefore;
	}

	/** The first one, which stays; undefined when there is none. */
	get first(): T | undefined {
		return this.items[0];
	}

	push(item: T): void {
		const { items } = this;
		let at = items.push(item) - 1;
		while (at > 0) {
			const above = (at - 1) >>> 1;
			if (!this.isBefore(item, items[above]!)) break;
			items[at] = items[above]!;
			at = above;
		}
		items[at] = item;
	}

	/** Removes the first one. */
	take(): T | undefined {
		const { items } = this;
		const first = items[0];
		const last = items.pop();
		if (items.length === 0 || last === undefined) return first;
		let at = 0;
		for (let below = 1; below < items.length; below = 2 * at + 1) {
			if (below + 1 < items.length && this.isBefore(items[below + 1]!, items[below]!)) below++;
			if (!this.isBefore(items[below]!, last)) break;
			items[at] = items[below]!;
			at = below;
		}
		items[at] = last;
		return first;
	}

	clear(): void {
		this.items.length = 0;
	}
}
