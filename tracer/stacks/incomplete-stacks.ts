// What V8 leaves out of a sample, found in those before and after it. While it collects garbage it gives no stack. And
// where a function calls one of V8's that has no frame of its own, such as one that joins two strings, V8 takes the
// function's frame for that one's and leaves the function out: one in eight samples of a loop that builds texts shows
// its caller, at the line of the call.
import type { ProfiledStack } from './frames.ts';
import type { ProfiledFrame } from './sampled-frame.ts';

/** A time during which each sample showed the same stack. */
export interface StackStretch {
	stack: ProfiledStack;
	isCollection: boolean;
	/** µs of hrtime. */
	from: number;
	to: number;
}

/** The stretches of one block with the stacks that they most likely had. */
export function completed(stretches: readonly StackStretch[]): StackStretch[] {
	const found = stretches.map((stretch, at) => {
		const { stack, isCollection } = stretch;
		if (isCollection || !mayLackFrame(stack)) return stretch;
		const whole = [seen(stretches, at, -1), seen(stretches, at, 1)].find(
			(other) => other !== null && isCalledBy(other.frames, stack.frames),
		);
		return whole ? { ...stretch, stack: whole } : stretch;
	});
	return found.map((stretch, at) => {
		if (!stretch.isCollection) return stretch;
		const [before, after] = [seen(found, at, -1), seen(found, at, 1)];
		return { ...stretch, stack: collecting(before ?? after, after ?? before) ?? stretch.stack };
	});
}

/** The nearest stack in that direction that shows the program. */
function seen(stretches: readonly StackStretch[], from: number, step: 1 | -1): ProfiledStack | null {
	for (let at = from + step; at >= 0 && at < stretches.length; at += step) {
		const { stack, isCollection } = stretches[at]!;
		if (!isCollection && stack.frames.length > 0) return stack;
	}
	return null;
}

/**
 * A library's function that samples found on one line only: it may be where it calls. A function of the program's may
 * be left out as well, but there what the caller itself does on a line is as likely.
 */
function mayLackFrame({ frames: [inner], api }: ProfiledStack): boolean {
	return api === '' && inner !== undefined && inner.isLibrary && inner.lines.length === 1;
}

/** Whether a function of the program's is on top of just these frames. */
function isCalledBy(frames: readonly ProfiledFrame[], callers: readonly ProfiledFrame[]): boolean {
	return frames.length === callers.length + 1 && !frames[0]!.isLibrary && sharedBy(frames, callers) === callers.length;
}

/** What caused a collection: what ran before it and after it, or, where these differ, what had called both. */
function collecting(before: ProfiledStack | null, after: ProfiledStack | null): ProfiledStack | null {
	if (before === null || after === null || before === after) return before;
	const shared = sharedBy(before.frames, after.frames);
	if (shared === before.frames.length && shared === after.frames.length) return before;
	// One ran within the other.
	if (shared === before.frames.length) return after;
	if (shared === after.frames.length) return before;
	if (shared === 0) return null;
	const frames = before.frames.slice(before.frames.length - shared).map((frame) => ({ ...frame, lines: [] }));
	return { frames, api: '' };
}

/** How many functions two stacks share, from the outermost on. */
function sharedBy(a: readonly ProfiledFrame[], b: readonly ProfiledFrame[]): number {
	let count = 0;
	while (count < a.length && count < b.length && isSame(a[a.length - 1 - count]!, b[b.length - 1 - count]!)) count++;
	return count;
}

function isSame(a: ProfiledFrame, b: ProfiledFrame): boolean {
	return a.script === b.script && a.line === b.line && a.column === b.column;
}
