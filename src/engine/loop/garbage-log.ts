// Garbage collections of one thread: their sum, and the part of them that fell into a block.
import type { LoopBlock } from './loop-block.ts';

export class GarbageLog {
	count = 0;
	totalUs = 0;
	maxUs = 0;
	/** Collections that may belong to a callback that has not ended yet, in µs. */
	private recent: { from: number; to: number }[] = [];

	/** The figures of a stretch of time begin: forgets those of what was before. */
	beginPart(): void {
		this.count = this.totalUs = this.maxUs = 0;
	}

	/** A collection, recorded in the loop's turn after it: the block around it may be over, or may still go on. */
	add(from: number, to: number, blocks: readonly LoopBlock[]): void {
		this.count++;
		this.totalUs += to - from;
		this.maxUs = Math.max(this.maxUs, to - from);
		this.recent.push({ from, to });
		for (let i = blocks.length - 1; i >= 0 && blocks[i]!.end > from; i--) blocks[i]!.collect(from, to);
	}

	/** Gives a new block the collections that were recorded before it ended. */
	fill(block: LoopBlock): void {
		for (const { from, to } of this.recent) block.collect(from, to);
	}

	/** A callback begins: what was before it is no longer of interest. */
	forget(before: number): void {
		if (this.recent.length > 0) this.recent = this.recent.filter(({ to }) => to > before);
	}
}
