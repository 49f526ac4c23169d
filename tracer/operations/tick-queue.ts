// The ticks that wait for their turn. Node runs them in the order of `process.nextTick`, so the next one to begin is
// the oldest: a ring costs a tenth of what a map does, and a busy server has several ticks for each request.

import type { Step } from '../sites/start-tree.ts';
import type { Operation } from './operation.ts';

/** The most ticks that wait at once; what any further one starts counts as part of the callback before. */
const ENTRIES = 1 << 16;

export class TickQueue {
	private capacity = 64;
	private ids: number[] = new Array<number>(this.capacity).fill(0);
	private operations: (Operation | null)[] = new Array<null>(this.capacity).fill(null);
	private steps: (Step | null)[] = new Array<null>(this.capacity).fill(null);
	/** Only rises; the place in the ring is its remainder by the ring's size, a power of two. */
	private first = 0;
	private next = 0;
	/** The predicted start of the tick that `take` found last. */
	step: Step | null = null;

	get isEmpty(): boolean {
		return this.first === this.next;
	}

	/** @param operation the operation that the tick continues or represents */
	add(id: number, operation: Operation, step: Step | null): void {
		if (this.next - this.first === this.capacity && !this.grow()) return;
		const at = this.next++ & (this.capacity - 1);
		this.ids[at] = id;
		this.operations[at] = operation;
		this.steps[at] = step;
	}

	/**
	 * Removes the tick that begins now, and those before it, which will never run; null when no waiting tick has that
	 * id.
	 */
	take(id: number): Operation | null {
		if (this.first === this.next) return null;
		const mask = this.capacity - 1;
		if (this.ids[this.first & mask] !== id) {
			const at = this.find(id);
			if (at < 0) return null;
			this.first = at;
		}
		const at = this.first++ & mask;
		// Small numbers stay small: the queue is empty after every callback.
		if (this.first === this.next) this.first = this.next = 0;
		this.step = this.steps[at]!;
		return this.operations[at]!;
	}

	/** Whether that tick waits. */
	has(id: number): boolean {
		return this.find(id) >= 0;
	}

	/** Where a waiting tick is; -1 when it does not wait. */
	private find(id: number): number {
		const mask = this.capacity - 1;
		let low = this.first;
		let high = this.next;
		// Ids rise from start to start.
		while (low < high) {
			const middle = (low + high) >>> 1;
			if (this.ids[middle & mask]! < id) low = middle + 1;
			else high = middle;
		}
		return low < this.next && this.ids[low & mask] === id ? low : -1;
	}

	clear(): void {
		this.first = this.next;
		this.operations.fill(null);
	}

	private grow(): boolean {
		if (this.capacity >= ENTRIES) return false;
		const { capacity, first } = this;
		this.ids = rotated(this.ids, first & (capacity - 1));
		this.operations = rotated(this.operations, first & (capacity - 1));
		this.steps = rotated(this.steps, first & (capacity - 1));
		this.capacity = 2 * capacity;
		this.first = 0;
		this.next = capacity;
		return true;
	}
}

/** A copy twice as long that begins with the entry at `from`. */
function rotated<T>(ring: T[], from: number): T[] {
	return ring.slice(from).concat(ring.slice(0, from), ring);
}
