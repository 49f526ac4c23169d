// Operations by async id until their last callback. Handles and cleared timers never say good-bye, so the table forgets what was
// not used for long: two maps, of which the older is dropped whenever the younger is full. That costs nothing per entry.

export class OperationTable<T> {
	private young = new Map<number, T>();
	private old = new Map<number, T>();
	private readonly limit: number;

	/** @param limit entries of the younger map; the table holds up to twice as many */
	constructor(limit: number) {
		this.limit = limit;
	}

	get(id: number): T | undefined {
		return this.young.get(id) ?? this.old.get(id);
	}

	set(id: number, entry: T): void {
		if (this.young.size >= this.limit) {
			this.old = this.young;
			this.young = new Map();
		}
		this.young.set(id, entry);
	}

	/** Keeps an entry that is in use from being forgotten. */
	touch(id: number, entry: T): void {
		if (this.old.size > 0 && this.old.delete(id)) this.set(id, entry);
	}

	delete(id: number): void {
		if (!this.young.delete(id) && this.old.size > 0) this.old.delete(id);
	}

	clear(): void {
		this.young.clear();
		this.old.clear();
	}
}
