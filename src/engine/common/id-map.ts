// Values by number, in the order in which they came, where numbers come and go by the million. Each table that a `Map`
// has outgrown points to the next one: once such a table is old, all later ones and what was in them count as in use
// until the whole heap is collected. Half of the time that it took to read a journal was spent on garbage retained in
// that way; this map works in place.

/** A power of two, and more than most programs have under way. */
const LEAST_PLACES = 64;

export class IdMap<T extends object> {
	size = 0;
	/** In the order in which they came; a value that was deleted leaves its place empty until all places are taken. */
	private ids = new Float64Array(LEAST_PLACES);
	private values = emptyPlaces<T>(LEAST_PLACES);
	private taken = 0;
	/** Places before this one are empty. */
	private first = 0;
	/**
	 * Where an id is: its place plus one, or 0, in the slot of its hash or the next free slot after that. Twice as many
	 * as places.
	 */
	private slots = new Int32Array(2 * LEAST_PLACES);

	get(id: number): T | undefined {
		const place = this.placeOf(id);
		return place < 0 ? undefined : this.values[place];
	}

	has(id: number): boolean {
		return this.placeOf(id) >= 0;
	}

	/** A new id comes last, a known one keeps its turn. @returns the value that it had */
	set(id: number, value: T): T | undefined {
		const place = this.placeOf(id);
		if (place >= 0) {
			const before = this.values[place];
			this.values[place] = value;
			return before;
		}
		if (this.taken === this.values.length) this.tidy();
		this.ids[this.taken] = id;
		this.values[this.taken] = value;
		this.enter(this.taken++);
		this.size++;
		return undefined;
	}

	/** Removes it; undefined when there is none. */
	take(id: number): T | undefined {
		const place = this.placeOf(id);
		if (place < 0) return undefined;
		const value = this.values[place];
		this.values[place] = undefined;
		this.size--;
		return value;
	}

	delete(id: number): boolean {
		const place = this.placeOf(id);
		if (place < 0) return false;
		this.values[place] = undefined;
		this.size--;
		return true;
	}

	clear(): void {
		this.ids = new Float64Array(LEAST_PLACES);
		this.values = emptyPlaces(LEAST_PLACES);
		this.slots = new Int32Array(2 * LEAST_PLACES);
		this.size = this.taken = this.first = 0;
	}

	/** The oldest of those that are left. */
	oldest(): T | undefined {
		while (this.first < this.taken && this.values[this.first] === undefined) this.first++;
		return this.values[this.first];
	}

	/** The values that are left; none may be added meanwhile. */
	*[Symbol.iterator](): Generator<T> {
		for (let place = this.first; place < this.taken; place++) {
			const value = this.values[place];
			if (value !== undefined) yield value;
		}
	}

	private placeOf(id: number): number {
		const { slots, ids, values } = this;
		const mask = slots.length - 1;
		for (let slot = slotOf(id) & mask; ; slot = (slot + 1) & mask) {
			const place = slots[slot]! - 1;
			if (place < 0) return -1;
			// An id that was deleted may have come again, further on.
			if (ids[place] === id && values[place] !== undefined) return place;
		}
	}

	private enter(place: number): void {
		const { slots } = this;
		const mask = slots.length - 1;
		let slot = slotOf(this.ids[place]!) & mask;
		while (slots[slot] !== 0) slot = (slot + 1) & mask;
		slots[slot] = place + 1;
	}

	/** Closes the gaps; with few of them, makes room for twice as many. */
	private tidy(): void {
		const { ids, values, taken, size } = this;
		const places = values.length;
		if (size > places / 2) {
			this.ids = new Float64Array(2 * places);
			this.values = emptyPlaces(2 * places);
			this.slots = new Int32Array(4 * places);
		} else {
			this.slots.fill(0);
		}
		let to = 0;
		for (let from = this.first; from < taken; from++) {
			const value = values[from];
			if (value === undefined) continue;
			this.ids[to] = ids[from]!;
			this.values[to] = value;
			this.enter(to++);
		}
		if (this.values === values) values.fill(undefined, to);
		this.taken = to;
		this.first = 0;
	}
}

function emptyPlaces<T>(count: number): (T | undefined)[] {
	return new Array<T | undefined>(count).fill(undefined);
}

/**
 * Ids follow one another, so that their low bits spread well; those of several threads differ above the 32nd. Which ids
 * fall into one slot cannot be predicted: otherwise a crafted journal could make every look-up search all ids one after
 * the other. No order depends on it.
 */
const SALT = Math.floor(Math.random() * 2 ** 32) | 0;

function slotOf(id: number): number {
	return (Math.imul(id ^ SALT, 0x9e3779b1) ^ Math.imul((id / 2 ** 32) ^ SALT, 0x85ebca6b)) >>> 7;
}
