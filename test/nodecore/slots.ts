/** Numbers for things that run at the same time: `count` at once, each with a number that no other has meanwhile. */
export class Slots {
	readonly count: number;
	private readonly free: number[];
	private readonly waiting: (() => void)[] = [];

	constructor(count: number) {
		this.count = count;
		this.free = Array.from({ length: count }, (_, slot) => slot);
	}

	/** Does something with one of the numbers, as soon as one is free. */
	async use<T>(work: (slot: number) => Promise<T>): Promise<T> {
		while (this.free.length === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
		const slot = this.free.pop()!;
		try {
			return await work(slot);
		} finally {
			this.free.push(slot);
			for (const wake of this.waiting.splice(0)) wake();
		}
	}

	/** Does something with nothing beside it. */
	async useAll<T>(work: (slot: number) => Promise<T>): Promise<T> {
		while (this.free.length < this.count) await new Promise<void>((resolve) => this.waiting.push(resolve));
		const [first, ...others] = this.free.splice(0);
		try {
			return await work(first!);
		} finally {
			this.free.push(first!, ...others);
			for (const wake of this.waiting.splice(0)) wake();
		}
	}
}
