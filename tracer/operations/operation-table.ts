// Operations by async id until their last callback. Ids rise and most operations are soon over, so the latest ones are
// kept in an array indexed by the low bits of their id, which needs no hash and no memory per operation. One that is
// still there when its place is needed moves to a map. Handles and cleared timers never announce their end, so the
// operations that have been unused longest are forgotten: there are two maps, and the older one is dropped whenever the
// younger is full.

/** A power of two. A server's connections and the operations of the requests that it serves at once are fewer. */
const PLACES = 1024;

export class OperationTable<T> {
	private readonly ids: number[] = new Array<number>(PLACES).fill(0);
	private readonly placed: (T | undefined)[] = new Array<undefined>(PLACES).fill(undefined);
	private young = new Map<number, T>();
	private old = new Map<number, T>();
	private readonly limit: number;

	/** @param limit entries of the younger map; the table keeps up to twice as many */
	constructor(limit: number) {
		this.limit = limit;
	}

	get(id: number): T | undefined {
		const at = id & (PLACES - 1);
		if (this.ids[at] === id) return this.placed[at];
		return this.young.get(id) ?? this.old.get(id);
	}

	set(id: number, entry: T): void {
		const at = id & (PLACES - 1);
		const other = this.placed[at];
		if (other !== undefined && this.ids[at] !== id) this.keep(this.ids[at]!, other);
		this.ids[at] = id;
		this.placed[at] = entry;
	}

	/** Keeps an entry that is in use from being forgotten. */
	touch(id: number, entry: T): void {
		if (this.old.size > 0 && this.old.delete(id)) this.keep(id, entry);
	}

	delete(id: number): void {
		const at = id & (PLACES - 1);
		if (this.ids[at] === id) {
			this.ids[at] = 0;
			this.placed[at] = undefined;
		} else if (!this.young.delete(id) && this.old.size > 0) this.old.delete(id);
	}

	each(visit: (entry: T) => void): void {
		const { placed, young, old } = this;
		for (let at = 0; at < PLACES; at++) if (placed[at] !== undefined) visit(placed[at]!);
		young.forEach(visit);
		old.forEach(visit);
	}

	clear(): void {
		this.ids.fill(0);
		this.placed.fill(undefined);
		this.young.clear();
		this.old.clear();
	}

	private keep(id: number, entry: T): void {
		if (this.young.size >= this.limit) {
			this.old = this.young;
			this.young = new Map();
		}
		this.young.set(id, entry);
	}
}
