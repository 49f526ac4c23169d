// On which of its lines samples found each function: in this window, and else over all windows, since in a single one they
// may have found it only inside what it had called.
import type { ProfileNode } from './cpu-profile.ts';

/**
 * The most functions remembered; when there are more, all are forgotten: those that take time come back with the next
 * samples.
 */
const KEPT = 2000;
/**
 * The most lines recorded of a function: for a function that V8 has inlined it gives a line of the inlined function's
 * script, so the host, which has the text, takes the first line that is possible.
 */
const MOST_LINES = 3;

export class FunctionLines {
	private readonly ticks = new Map<string, Map<number, number>>();

	/** @param key of the function */
	add(key: string, ticks: NonNullable<ProfileNode['positionTicks']>): void {
		if (this.ticks.size >= KEPT) this.ticks.clear();
		const lines = this.ticks.get(key) ?? new Map<number, number>();
		this.ticks.set(key, lines);
		add(lines, ticks);
	}

	/**
	 * 1-based, the line on which it was found most often first.
	 * @param now on which it was found in this window, by this caller: these lines come before those of other times
	 * @param isRunning whether it ran itself: where it had called something else, those of other times say nothing
	 */
	of(key: string, now: NonNullable<ProfileNode['positionTicks']> = [], isRunning = true): number[] {
		const here = new Map<number, number>();
		add(here, now);
		const lines: { line: number; count: number; isHere: boolean }[] = [];
		here.forEach((count, line) => {
			lines.push({ line, count, isHere: true });
		});
		this.ticks.get(key)?.forEach((count, line) => {
			if (isRunning && !here.has(line)) lines.push({ line, count, isHere: false });
		});
		return lines
			.sort((a, b) => Number(b.isHere) - Number(a.isHere) || b.count - a.count)
			.slice(0, MOST_LINES)
			.map(({ line }) => line);
	}
}

/** V8 may give the same line more than once. */
function add(lines: Map<number, number>, ticks: NonNullable<ProfileNode['positionTicks']>): void {
	for (let at = 0; at < ticks.length; at++) {
		const { line, ticks: count } = ticks[at]!;
		if (line > 0) lines.set(line, (lines.get(line) ?? 0) + count);
	}
}
