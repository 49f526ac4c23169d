// A stretch in which one callback held the loop, and what had to wait for its end.
import type { Basis } from '../protocol/report.ts';
import type { Interval } from './estimate.ts';
import { type LineStats, MEASURED_US } from './line-stats.ts';
import type { Place } from './place.ts';
import type { SampledStack } from './stack-samples.ts';

/** Lines told apart per block: more of them in one block have nothing to say of it one by one. */
const LINES_KEPT = 256;

/** What one line's operations waited for a block, in µs. */
export interface LineDelay {
	count: number;
	us: number;
}

/** How long a thread was found with a stack, in µs, and how much of that it collected garbage. */
export interface StackTime {
	us: number;
	collectionUs: number;
}

/** Times in µs. */
export class LoopBlock {
	readonly place: Place | null;
	readonly start: number;
	readonly duration: number;
	/** The program's main script, before the loop's first turn. */
	readonly isMain: boolean;
	/** Operations that waited for its end, or may have. */
	delayed = 0;
	delayedUs = 0;
	readonly delays = new Map<LineStats, LineDelay>();
	/** What the thread was found in, and how long, in µs. */
	readonly stacks = new Map<SampledStack, StackTime>();
	/** Counts what was told of it since. */
	changes = 0;
	/** How much of it was garbage collection. */
	private garbageUs = 0;
	private uncertaintyUs = 0;

	constructor(place: Place | null, start: number, duration: number, isMain: boolean) {
		this.place = place;
		this.start = start;
		this.duration = duration;
		this.isMain = isMain;
	}

	/** A callback came at `called`, after this block, that could have come at `ready`: what of that time is this block's? */
	delay(stats: LineStats, ready: Interval, called: number): void {
		// The journal's times are whole µs: one end may be told that much after the other.
		if (called < this.end - 1) return;
		const most = this.leftAfter(ready.low);
		if (most <= 0) return;
		const least = this.leftAfter(ready.high);
		const us = this.leftAfter((ready.low + ready.high) / 2);
		this.changes++;
		this.delayed++;
		this.delayedUs += us;
		this.uncertaintyUs = Math.max(this.uncertaintyUs, most - us, us - least);
		const delay = this.delays.get(stats);
		if (delay === undefined) {
			if (this.delays.size < LINES_KEPT) this.delays.set(stats, { count: 1, us });
		} else {
			delay.count++;
			delay.us += us;
		}
	}

	get end(): number {
		return this.start + this.duration;
	}

	/** The garbage was collected then: how much of that was in this block? */
	collect(from: number, to: number): void {
		const us = Math.min(to, this.end) - Math.max(from, this.start);
		if (us <= 0) return;
		this.changes++;
		this.garbageUs += us;
	}

	/** For so much of it, in µs, the thread was found with that stack. */
	sample(stack: SampledStack, us: number, isCollection: boolean): void {
		const time = this.stacks.get(stack) ?? { us: 0, collectionUs: 0 };
		time.us += us;
		if (isCollection) time.collectionUs += us;
		this.stacks.set(stack, time);
		this.changes++;
	}

	get cause(): 'code' | 'gc' {
		return this.garbageUs * 2 >= this.duration ? 'gc' : 'code';
	}

	/** Of `delayedUs`: the weakest among the operations'. */
	get basis(): Basis {
		return this.uncertaintyUs <= MEASURED_US ? 'measured' : 'estimated';
	}

	/** How much of the block was still to come. */
	private leftAfter(time: number): number {
		return Math.max(0, Math.min(this.duration, this.end - time));
	}
}
