// The split of a wait as a bar made of letters, for the places where there is nothing but text.
import { barParts } from './line-facts.ts';
import type { Line } from './report.ts';

/** The letter of each part; from the blocks of Unicode that every editor font's fallback has. */
export const BAR_LETTERS = { queue: '░', execute: '█', lag: '▒', range: '╱', rest: '─' } as const;
export type BarPart = keyof typeof BAR_LETTERS;

const IN_ORDER = ['queue', 'execute', 'lag', 'range'] as const;

/** The shares of queue, execute and lag in the wait, of what may be any of them, and of what is none. @param width letters in all */
export function barOf(entry: Line, width: number): { part: BarPart; text: string }[] {
	const total = entry.wait?.totalMs ?? 0;
	const parts = barParts(entry);
	let left = width;
	const bar: { part: BarPart; text: string }[] = [];
	for (const part of IN_ORDER) {
		if (total === 0) continue;
		const letters = Math.min(left, Math.round((parts[part] / total) * width));
		if (letters > 0) bar.push({ part, text: BAR_LETTERS[part].repeat(letters) });
		left -= letters;
	}
	if (left > 0) bar.push({ part: 'rest', text: BAR_LETTERS.rest.repeat(left) });
	return bar;
}

/** Whether there is a split to draw: what its line waited for is known, and is not a timer's own time. */
export function hasBar({ class: name, wait, queue, execute, lag }: Line): boolean {
	if (name === 'timer' || (wait?.totalMs ?? 0) === 0) return false;
	return [queue, execute, lag].some((split) => split !== null && split.basis !== 'unknown');
}
