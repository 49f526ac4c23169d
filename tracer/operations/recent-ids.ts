// The async ids of the latest resources of one sort, for a caller that only asks whether an id is one of them.

/** A power of two. */
const ENTRIES = 512;

export class RecentIds {
	private readonly ids = new Float64Array(ENTRIES);
	/** Only rises; the place in the ring is its remainder by ENTRIES. */
	private next = 0;

	/** @param id higher than all before, as async ids rise */
	add(id: number): void {
		this.ids[this.next++ % ENTRIES] = id;
	}

	has(id: number): boolean {
		let low = Math.max(0, this.next - ENTRIES);
		let high = this.next;
		while (low < high) {
			const middle = Math.floor((low + high) / 2);
			const known = this.ids[middle % ENTRIES]!;
			if (known === id) return true;
			if (known < id) low = middle + 1;
			else high = middle;
		}
		return false;
	}
}
