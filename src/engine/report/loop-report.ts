// One thread's loop as the report shows it.
import type { Basis, Block, Delay, GarbageCollection, Loop, LoopDelay } from '../../protocol/report.ts';
import type { Estimate } from '../common/estimate.ts';
import type { Resolve, StackTexts } from '../common/place.ts';
import { culpritsOf } from '../loop/culprits.ts';
import type { LoopBlock, StackTime } from '../loop/loop-block.ts';
import type { SampledStack } from '../loop/stack-samples.ts';
import { withCauses } from '../loop/time-without-stack.ts';
import type { Thread } from '../processes/process-model.ts';
import type { ThreadModel } from '../threads/thread-model.ts';

/** The most lines listed per block; the rest is in its sum. */
const DELAYS_LISTED = 10;
const NO_DELAY = { count: 0, totalMs: 0, leastMs: 0, mostMs: 0 };

/** From this on a person notices that a program has not started yet; in µs. */
const LONG_START_UP_US = 1_000_000;
/** A program did little else where its main script took this share of its time. */
const MOSTLY = 0.5;

/** Functions of files in a larger share of a block's samples are named, with what they computed; else something else blocked the loop, such as native code. */
const LEAST_IN_FILES = 1 / 3;

type Stacks = ReadonlyMap<SampledStack, StackTime>;

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
		blocks: model.blocks
			.filter((block) => !block.isMain || isWorthShowing(block, model))
			.map((block) => blockOf(block, model.facts!.entry, resolve, texts)),
		delay: delayOf(model),
		gc: garbageOf(model),
	};
}

/**
 * Start-up takes long in most programs, so it is shown only if something was waiting already, or if stack samples show what took its time and it took a second or
 * most of the program's time.
 */
function isWorthShowing({ delayed, duration, stacks }: LoopBlock, { outcome, lengthUs }: ThreadModel): boolean {
	const isMostOfIt = outcome !== 'running' && duration >= MOSTLY * lengthUs;
	return delayed > 0 || (stacks.size > 0 && (duration >= LONG_START_UP_US || isMostOfIt));
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
 * @param entry the script that its thread was started with
 * @param resolve the same function as in the last call only if it gives the same answers as then
 * @returns the same object as before when nothing has changed
 */
export function blockOf(block: LoopBlock, entry: string, resolve: Resolve, texts: StackTexts): Block {
	const before = reported.get(block);
	if (before !== undefined && before.changes === block.changes && before.resolve === resolve) return before.block;
	const now = reportBlock(block, entry, resolve, texts);
	reported.set(block, { block: now, changes: block.changes, resolve });
	return now;
}

function reportBlock(block: LoopBlock, entry: string, resolve: Resolve, texts: StackTexts): Block {
	const { duration, collectedUs, place, isMain } = block;
	const sampled = { duration, collectedUs, place, isMain };
	const stacks = withCauses(block.stacks);
	const at = place === null ? null : resolve(place);
	const isNamed = block.cause !== 'no-cpu' && (isMain || isInFiles(stacks, resolve));
	const delayed = shownTime(block.delayedFor, block.basis);
	return {
		file: at?.file ?? '',
		line: at?.line ?? 0,
		startMs: block.start / 1000,
		durationMs: duration / 1000,
		delayed: block.delayed,
		surelyDelayed: block.surelyDelayed,
		delayedMs: delayed.value / 1000,
		delayedLeastMs: delayed.low / 1000,
		delayedMostMs: delayed.high / 1000,
		basis: block.basis,
		delays: delaysOf(block, resolve),
		cause: block.cause,
		lostCpuMs: block.lostCpuUs / 1000,
		collectionMs: collectedUs / 1000,
		isStartUp: isMain,
		isSampled: showsWhatRan(stacks),
		culprits: isNamed ? culpritsOf({ ...sampled, stacks }, entry, resolve, texts) : [],
	};
}

/** Whether samples show what ran, and not mostly collections alone: V8 gives no stack of these, whose code may well be in a file. */
function showsWhatRan(stacks: Stacks): boolean {
	let collecting = 0;
	let all = 0;
	for (const [{ frames }, { us, collectionUs }] of stacks) {
		all += us;
		if (frames.length === 0) collecting += collectionUs;
	}
	return collecting * 2 < all;
}

/** Whether samples found functions that are in files for much of a block. */
function isInFiles(stacks: Stacks, resolve: Resolve): boolean {
	let inFiles = 0;
	let all = 0;
	for (const [{ frames }, { us }] of stacks) {
		all += us;
		if (frames.some(({ place }) => resolve(place) !== null)) inFiles += us;
	}
	return inFiles >= LEAST_IN_FILES * all;
}

/** Limits that lie within what counts as measured are one figure to the reader. */
function shownTime(time: Estimate, basis: Basis): Estimate {
	return basis === 'measured' ? { low: time.value, value: time.value, high: time.value } : time;
}

function delaysOf({ delays, basis }: LoopBlock, resolve: Resolve): Delay[] {
	const lines = new Map<string, Delay>();
	for (const [{ place, op }, { count, time }] of delays) {
		const at = resolve(place);
		if (at === null) continue;
		const key = `${at.line} ${op} ${at.file}`;
		const line = lines.get(key) ?? { file: at.file, line: at.line, op, ...NO_DELAY };
		line.count += count;
		const { low, value, high } = shownTime(time, basis);
		line.totalMs += value / 1000;
		line.leastMs += low / 1000;
		line.mostMs += high / 1000;
		lines.set(key, line);
	}
	return [...lines.values()].sort((a, b) => b.totalMs - a.totalMs || a.line - b.line).slice(0, DELAYS_LISTED);
}
