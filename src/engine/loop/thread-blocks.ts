// The blocks of one thread's loop: made from runs that were too long, and compared with what was ready meanwhile.
import { BLOCK_US } from '../../protocol/journal.ts';
import type { Interval } from '../common/estimate.ts';
import { isSameLine, type Place } from '../common/place.ts';
import type { LineStats } from '../lines/line-stats.ts';
import { GarbageLog } from './garbage-log.ts';
import { LoopBlock } from './loop-block.ts';

/** Blocks kept per thread; a program with more has one cause for most of them. */
const KEPT = 1000;

/** Only the last 100 blocks count a delay that spans more of them, which is five seconds or longer. */
const DELAYED_BY = 100;

/** Times in µs of the thread. */
export class ThreadBlocks {
	readonly all: LoopBlock[] = [];
	readonly garbage = new GarbageLog();
	/** The latest run that was long: how long it was, in µs, and where its blocks begin. */
	private latest = { us: 0, first: 0 };
	/** The parts of the running callback's run in which ticks and microtasks blocked the loop. */
	private tickBlocks: { began: number; ended: number; place: Place | null }[] = [];

	/** The figures of a stretch of time begin: forgets those of what was before. */
	beginPart(): void {
		this.all.length = 0;
		this.latest = { us: 0, first: 0 };
		this.garbage.beginPart();
	}

	/** A callback begins. */
	begin(time: number): void {
		if (this.tickBlocks.length > 0) this.tickBlocks = [];
		this.garbage.forget(time);
	}

	/** Ticks or a microtask of that line blocked the loop for part of the run. */
	addTickBlock(began: number, ended: number, place: Place | null): void {
		// A debugger's pause does not count.
		if (ended - began < BLOCK_US) return;
		const last = this.tickBlocks.at(-1);
		// The loop has not turned since: for those who wait it is one block.
		if (last !== undefined && isSameLine(last.place, place) && began - last.ended < BLOCK_US) last.ended = ended;
		else this.tickBlocks.push({ began, ended, place });
	}

	/** A garbage collection. */
	collect(from: number, to: number): void {
		this.garbage.add(from, to, this.all);
	}

	/**
	 * A run that was long is over.
	 * @param place the line that it counts for, without the parts in which ticks and microtasks of other lines blocked
	 * the loop: shorter rests belong to these
	 * @param isMain whether it was the program's main script
	 */
	end(began: number, ended: number, place: Place | null, isMain: boolean): void {
		this.latest = { us: ended - began, first: this.all.length };
		let from = began;
		// Ticks run one after the other and within the run; no tracer wrote a record that says otherwise.
		const parts = this.tickBlocks.filter((part) => part.began < ended);
		for (const [i, part] of parts.entries()) {
			const isOwn = isSameLine(part.place, place);
			if (part.began - from >= BLOCK_US && !isOwn) {
				this.add(new LoopBlock(place, from, part.began - from, isMain));
				from = part.began;
			}
			const isLast = i === parts.length - 1;
			const until = isLast && (isOwn || ended - part.ended < BLOCK_US) ? ended : Math.min(part.ended, ended);
			if (until <= from) continue;
			this.add(new LoopBlock(part.place, from, until - from, isMain));
			from = until;
		}
		if (ended - from >= BLOCK_US) this.add(new LoopBlock(place, from, ended - from, isMain));
	}

	/** In the run that was added last the thread had no CPU for `lost`, in µs: in which of its blocks is not known, so each has its share. */
	loseCpu(lost: number): void {
		const { us, first } = this.latest;
		for (let i = first; i < this.all.length; i++) this.all[i]!.loseCpu(lost / us);
	}

	/**
	 * Finds out which blocks delayed a line's callback that could have run at `ready` and ran at `time`.
	 * @param atLeast shorter delays do not count, nor those by the main script; 0 where all do
	 */
	delay(stats: LineStats, ready: Interval, time: number, atLeast = 0): void {
		const { all } = this;
		const least = Math.max(0, all.length - DELAYED_BY);
		for (let i = all.length - 1; i >= least; i--) {
			const block = all[i]!;
			// Blocks before that one were over when it was ready. That the loop slept after a block does not say so: libuv lets it sleep for 1 ms
			// when Node asks for a timer that is overdue.
			if (block.end <= ready.low) return;
			if (atLeast > 0 && (block.isMain || block.end - ready.low < atLeast)) continue;
			block.delay(stats, ready, time);
		}
	}

	private add(block: LoopBlock): void {
		if (this.all.length === KEPT) return;
		this.garbage.fill(block);
		this.all.push(block);
	}
}
