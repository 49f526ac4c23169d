// One thread's loop as the report shows it.
import type { Block, Delay, GarbageCollection, Loop, LoopDelay } from '../protocol/report.ts';
import { culpritsOf } from './culprits.ts';
import type { LoopBlock } from './loop-block.ts';
import type { Resolve, StackTexts } from './place.ts';
import type { Thread } from './process-model.ts';
import type { ThreadModel } from './thread-model.ts';

/** The most lines listed per block; the rest is in its sum. */
const DELAYS_LISTED = 10;

/** The loops, each rebuilt only when its thread has recorded something since. */
export class LoopReport {
	private readonly made = new WeakMap<Thread, { loop: Loop; decoded: number; resolve: Resolve }>();

	/** @param resolve the same function as in the last call only if it gives the same answers as then */
	of(thread: Thread, resolve: Resolve, texts: StackTexts): Loop {
		const decoded = thread.reader.decoded;
		let made = this.made.get(thread);
		if (made === undefined || made.decoded !== decoded || made.resolve !== resolve) {
			made = { loop: loopOf(thread.model, resolve, texts), decoded, resolve };
			this.made.set(thread, made);
		}
		return made.loop;
	}
}

function loopOf(model: ThreadModel, resolve: Resolve, texts: StackTexts): Loop {
	return {
		pid: model.facts!.pid,
		threadId: model.facts!.threadId,
		utilization: utilizationOf(model),
		// Start-up takes long in most programs, and is no block unless something was waiting already.
		blocks: model.blocks
			.filter(({ isMain, delayed }) => !isMain || delayed > 0)
			.map((block) => blockOf(block, resolve, texts)),
		delay: delayOf(model),
		gc: garbageOf(model),
	};
}

function delayOf({ loopDelays }: ThreadModel): LoopDelay | null {
	if (loopDelays.count === 0) return null;
	return {
		p50Ms: loopDelays.percentile(0.5) / 1000,
		p99Ms: loopDelays.percentile(0.99) / 1000,
		maxMs: loopDelays.max / 1000,
	};
}

function garbageOf({ facts, garbageLog }: ThreadModel): GarbageCollection | null {
	if (!facts?.seesGarbage) return null;
	const { count, totalUs, maxUs } = garbageLog;
	return { count, totalMs: totalUs / 1000, maxMs: maxUs / 1000 };
}

/** Share of the time that a thread's loop was not idle, 0 to 1. */
export function utilizationOf({ lengthUs, idleUs }: ThreadModel): number {
	return lengthUs <= 0 ? 0 : Math.min(1, Math.max(0, 1 - idleUs / lengthUs));
}

/** There may be a thousand blocks, of which only the last few change: the others are converted once. */
const reported = new WeakMap<LoopBlock, { block: Block; changes: number; resolve: Resolve }>();

/**
 * A block with its positions in the user's sources.
 * @param resolve the same function as in the last call only if it gives the same answers as then
 * @returns the same object as before when nothing has changed
 */
export function blockOf(block: LoopBlock, resolve: Resolve, texts: StackTexts): Block {
	const before = reported.get(block);
	if (before !== undefined && before.changes === block.changes && before.resolve === resolve) return before.block;
	const now = reportBlock(block, resolve, texts);
	reported.set(block, { block: now, changes: block.changes, resolve });
	return now;
}

function reportBlock(block: LoopBlock, resolve: Resolve, texts: StackTexts): Block {
	const at = block.place === null ? null : resolve(block.place);
	return {
		file: at?.file ?? '',
		line: at?.line ?? 0,
		startMs: block.start / 1000,
		durationMs: block.duration / 1000,
		delayed: block.delayed,
		delayedMs: block.delayedUs / 1000,
		basis: block.basis,
		delays: delaysOf(block, resolve),
		cause: block.cause,
		collectionMs: block.collectedUs / 1000,
		isStartUp: block.isMain,
		isSampled: block.stacks.size > 0,
		culprits: block.stacks.size === 0 ? [] : culpritsOf(block, resolve, texts),
	};
}

function delaysOf({ delays }: LoopBlock, resolve: Resolve): Delay[] {
	const lines = new Map<string, Delay>();
	for (const [{ place, op }, { count, us }] of delays) {
		const at = resolve(place);
		if (at === null) continue;
		const key = `${at.line} ${op} ${at.file}`;
		const line = lines.get(key) ?? { file: at.file, line: at.line, op, count: 0, totalMs: 0 };
		line.count += count;
		line.totalMs += us / 1000;
		lines.set(key, line);
	}
	return [...lines.values()].sort((a, b) => b.totalMs - a.totalMs || a.line - b.line).slice(0, DELAYS_LISTED);
}
