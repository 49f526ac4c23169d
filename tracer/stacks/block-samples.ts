// Writes the samples of one block into the journal (TAG.stack and TAG.sampled).
import { TAG } from '../../src/protocol/journal-records.ts';
import type { JournalWriter } from '../journal/writer.ts';
import { INTERVAL_US } from './cpu-profile.ts';
import type { ProfiledStack, WindowStacks } from './frames.ts';
import { completed, type StackStretch } from './incomplete-stacks.ts';

/** The most stretches written per block, about 6 bytes each; when there are more, those of one stack are merged. */
const MOST_STRETCHES = 1000;
/** The most stacks written per block: those with the least time are left out. */
const MOST_STACKS = 64;

/** A block that is over; times in µs of hrtime. */
export interface PendingBlock {
	journal: JournalWriter;
	journalBegan: number;
	from: number;
	to: number;
}

/** Writes the samples that fall into a block. @param windows one after the other */
export function writeSamples(windows: readonly WindowStacks[], block: PendingBlock): void {
	const { journal, journalBegan } = block;
	const stretches = byStack(completed(sampledStretches(windows, block.from, block.to)));
	const ids = new Map<string, number>();
	for (let at = 0; at < stretches.length; at++) {
		const { stack, isCollection, from, to } = stretches[at]!;
		const key = keyOf(stack);
		let id = ids.get(key);
		if (id === undefined) {
			id = ids.size + 1;
			ids.set(key, id);
			writeStack(journal, id, stack);
		}
		journal.write('sampled', { time: from - journalBegan, duration: to - from, stack: id, isCollection });
	}
}

/** A sample that is later than this behind the one before could not be taken earlier, in µs. */
const LATE_US = 2 * INTERVAL_US;
/** By this much the clocks of the profile and the journal may differ, in µs. */
const SKEW_US = 1000;

/**
 * Each sample represents the time around it, up to halfway to the ones before and after; the first and the last also represent the rest of the block. Where the next one is
 * late, it represents the time in which it should have come: the thread was in a call of the system that no signal interrupts, such as a large `write`, and was sampled as
 * soon as that returned.
 * @param from and `to` of the block, in µs of hrtime
 */
export function sampledStretches(windows: readonly WindowStacks[], from: number, to: number): StackStretch[] {
	const stretches: StackStretch[] = [];
	let last: StackStretch | null = null;
	let lastAt = 0;
	for (let which = 0; which < windows.length; which++) {
		const stacks = windows[which]!;
		const { profile, toHrtime } = stacks.window;
		const { samples, timeDeltas, startTime } = profile;
		let at = startTime + toHrtime;
		for (let i = 0; i < samples.length; i++) {
			const id = samples[i]!;
			at += timeDeltas[i]!;
			if (at < from) continue;
			const isLate: boolean = last !== null && at - lastAt > LATE_US;
			if (at >= to + (isLate ? SKEW_US : 0)) break;
			const isCollection = stacks.isCollection(id);
			const stack = stacks.of(id);
			const begins: number = lastAt + (isLate ? INTERVAL_US : at - lastAt) / 2;
			lastAt = at;
			if (last !== null && last.isCollection === isCollection && keyOf(last.stack) === keyOf(stack)) continue;
			if (last !== null) last.to = begins;
			last = { stack, isCollection, from: last === null ? from : begins, to };
			stretches.push(last);
		}
	}
	return stretches;
}

/** All of them, or, where they are too many, one for each stack, one after the other. */
function byStack(stretches: StackStretch[]): StackStretch[] {
	const sums = new Map<string, StackStretch>();
	for (let at = 0; at < stretches.length; at++) {
		const stretch = stretches[at]!;
		const key = `${stretch.isCollection} ${keyOf(stretch.stack)}`;
		const sum = sums.get(key);
		if (sum === undefined) sums.set(key, { ...stretch });
		else sum.to += stretch.to - stretch.from;
	}
	if (stretches.length <= MOST_STRETCHES && sums.size <= MOST_STACKS) return stretches;
	const summed: StackStretch[] = [];
	sums.forEach((sum) => {
		summed.push(sum);
	});
	const longest = summed.sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MOST_STACKS);
	let at = stretches[0]!.from;
	return longest.map((sum) => {
		const from = at;
		at += sum.to - sum.from;
		return { ...sum, from, to: at };
	});
}

function keyOf({ frames, api }: ProfiledStack): string {
	return `${api}${frames.map(({ script, line, column, lines }) => `\n${line} ${column} ${lines} ${script}`).join('')}`;
}

function writeStack(writer: JournalWriter, id: number, { frames, api }: ProfiledStack): void {
	const texts = frames.map(({ script, name }) => ({ script: writer.string(script), name: writer.string(name) }));
	const apiText = api === '' ? 0 : writer.string(api);
	writer.record(TAG.stack);
	writer.uint(id);
	writer.uint(apiText);
	writer.uint(frames.length);
	for (let at = 0; at < frames.length; at++) {
		const { line, column, lines, isLibrary } = frames[at]!;
		const { script, name } = texts[at]!;
		writer.uint(script);
		writer.uint(name);
		writer.uint(line);
		writer.uint(column);
		writer.uint(isLibrary ? 1 : 0);
		writer.uint(lines.length);
		for (let each = 0; each < lines.length; each++) writer.uint(lines[each]!);
	}
}
