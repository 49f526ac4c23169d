// A stretch in which one callback blocked the loop, and what had to wait for its end.
import { BLOCK_US } from '../../protocol/journal.ts';
import type { Basis, Block } from '../../protocol/report.ts';
import { addEstimate, type Estimate, type Interval, noTime } from '../common/estimate.ts';
import type { Place } from '../common/place.ts';
import { type LineStats, MEASURED_US } from '../lines/line-stats.ts';
import type { SampledStack } from './stack-samples.ts';

/** The most lines distinguished per block: with more of them, single lines are of no interest. */
const LINES_KEPT = 256;

/** How long one line's operations waited for a block, in µs. */
export interface LineDelay {
	count: number;
	/** Known within limits: it is not always known when an operation was done. */
	readonly time: Estimate;
}

/** How long samples found a thread with one stack, in µs, and how much of that it collected garbage. */
export interface StackTime {
	us: number;
	collectionUs: number;
}

/** Times in µs. */
export class LoopBlock {
	readonly place: Place | null;
	readonly start: number;
	readonly duration: number;
	/** Whether it is the program's main script, before the loop's first turn. */
	readonly isMain: boolean;
	/** Operations that waited for its end, or may have. */
	delayed = 0;
	/** Those of them that surely did. */
	surelyDelayed = 0;
	/** How long they waited, added up. */
	readonly delayedFor = noTime();
	readonly delays = new Map<LineStats, LineDelay>();
	/** The stacks that the thread was found with, and for how long, in µs. */
	readonly stacks = new Map<SampledStack, StackTime>();
	/** Counts the changes of the block. */
	changes = 0;
	/** How much of the block was garbage collection. */
	private garbageUs = 0;
	private uncertaintyUs = 0;
	/** For how much of the block the thread was ready and had no CPU, where that was half of it or more. */
	lostCpuUs = 0;

	constructor(place: Place | null, start: number, duration: number, isMain: boolean) {
		this.place = place;
		this.start = start;
		this.duration = duration;
		this.isMain = isMain;
	}

	/**
	 * A callback ran at `called`, after this block, that could have run at `ready`: counts the part of that time that
	 * lies in this block.
	 */
	delay(stats: LineStats, ready: Interval, called: number): void {
		// The journal's times are whole µs, so the two times of one end may differ by one.
		if (called < this.end - 1) return;
		const most = this.leftAfter(ready.low);
		if (most <= 0) return;
		const least = this.leftAfter(ready.high);
		const us = this.leftAfter((ready.low + ready.high) / 2);
		this.changes++;
		this.delayed++;
		if (least > 0) this.surelyDelayed++;
		addEstimate(this.delayedFor, least, us, most);
		this.uncertaintyUs = Math.max(this.uncertaintyUs, most - us, us - least);
		let delay = this.delays.get(stats);
		if (delay === undefined) {
			if (this.delays.size === LINES_KEPT) return;
			delay = { count: 0, time: noTime() };
			this.delays.set(stats, delay);
		}
		delay.count++;
		addEstimate(delay.time, least, us, most);
	}

	get end(): number {
		return this.start + this.duration;
	}

	/** Garbage was collected from `from` to `to`: counts the part that lies in this block. */
	collect(from: number, to: number): void {
		const us = Math.min(to, this.end) - Math.max(from, this.start);
		if (us <= 0) return;
		this.changes++;
		this.garbageUs += us;
	}

	/** Samples found the thread with that stack for `us` of the block, in µs. */
	sample(stack: SampledStack, us: number, isCollection: boolean): void {
		const time = this.stacks.get(stack) ?? { us: 0, collectionUs: 0 };
		time.us += us;
		if (isCollection) time.collectionUs += us;
		this.stacks.set(stack, time);
		this.changes++;
	}

	/** How much of the block was garbage collection, in µs. */
	get collectedUs(): number {
		return Math.min(this.garbageUs, this.duration);
	}

	get cause(): Block['cause'] {
		if (this.garbageUs * 2 >= this.duration) return 'gc';
		// With a CPU it would have been no block.
		const isShort = this.duration - this.lostCpuUs < BLOCK_US;
		return isShort && this.lostCpuUs * 2 >= this.duration ? 'no-cpu' : 'code';
	}

	/** For that share of the block, 0 to 1, the thread was ready and had no CPU. */
	loseCpu(share: number): void {
		this.changes++;
		this.lostCpuUs = Math.min(1, share) * this.duration;
	}

	/** The basis of `delayedFor`: the weakest among the operations'. */
	get basis(): Basis {
		return this.uncertaintyUs <= MEASURED_US ? 'measured' : 'estimated';
	}

	/** How much of the block was still to come at `time`. */
	private leftAfter(time: number): number {
		return Math.max(0, Math.min(this.duration, this.end - time));
	}
}
