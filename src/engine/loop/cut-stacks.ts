// Stacks that lack their innermost function. Where a function calls one of V8's that has no frame of its own, such as one that joins two strings, V8
// takes the function's frame for that one's and leaves the function out: half of the samples of a function that builds texts show its caller instead, at
// the line of the call. Where that line does nothing but call a function that other samples of the block found there, the caller did not compute itself.
import { isSamePlace, type Place } from '../common/place.ts';
import type { StackTime } from './loop-block.ts';
import type { SampledFrame } from './stack-samples.ts';

/** A stack of a block and for how long samples found it. */
export interface FoundStack {
	readonly frames: readonly SampledFrame[];
	readonly api: string;
	readonly time: StackTime;
}

/** The same with the functions that were left out. @param callsOnly whether that line only calls the function of that name */
export function completedStacks(
	found: readonly FoundStack[],
	callsOnly: (line: Place, called: string) => boolean,
): FoundStack[] {
	return found.map((stack) => {
		const { frames, api } = stack;
		const [inner] = frames;
		if (inner === undefined || api !== '' || inner.isLibrary || inner.lines.length !== 1) return stack;
		const at = { script: inner.place.script, line: inner.lines[0]!, column: 0 };
		const above = found
			.filter((other) => other.frames.length > frames.length && isSame(other.frames.slice(-frames.length), frames))
			.map((other) => ({ other, called: other.frames[other.frames.length - frames.length - 1]! }))
			.filter(({ called }) => called.name !== '' && callsOnly(at, called.name))
			.sort((a, b) => b.other.time.us - a.other.time.us);
		const direct = above.find(({ other }) => other.frames.length === frames.length + 1 && other.api === '');
		if (direct !== undefined) return { ...stack, frames: direct.other.frames };
		const [deeper] = above;
		if (deeper === undefined) return stack;
		return { ...stack, frames: [{ ...deeper.called, lines: [] }, { ...inner, lines: [] }, ...frames.slice(1)] };
	});
}

function isSame(a: readonly SampledFrame[], b: readonly SampledFrame[]): boolean {
	return a.every(({ place }, i) => isSamePlace(place, b[i]!.place));
}
