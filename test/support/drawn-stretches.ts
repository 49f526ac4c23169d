// Stretches of a timeline as a person may look at them: of every length, and at its limits.
import type { TimelineQuery } from '../../src/protocol/timeline.ts';
import { random } from './random.ts';

/** Always the same. @param endMs of the recording */
export function drawnStretches(endMs: number, count: number): TimelineQuery[] {
	const draw = random(count);
	const drawn = Array.from({ length: count }, () => {
		const length = endMs * 10 ** (-5 * draw());
		const fromMs = draw() * (endMs - length);
		return { fromMs, toMs: fromMs + length, bins: 1 + Math.floor(2000 * draw()) };
	});
	return [
		{ fromMs: 0, toMs: 1, bins: 1 },
		{ fromMs: -5, toMs: 0, bins: 100 },
		{ fromMs: endMs, toMs: endMs + 1, bins: 100 },
		{ fromMs: endMs / 2, toMs: endMs / 2, bins: 100 },
		...drawn,
	];
}
