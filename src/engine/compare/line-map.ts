// Which line of an edited file is which line of the file before. Lines that are in both texts only once tie them together; what lies between two such
// lines is compared in the same way, and lines that were changed in their place are the same line.

/** Two lines are one that was changed if this share of it is still the same. */
const LEAST_ALIKE = 0.6;
/** Pairs of lines that are compared in one place: whole pages that were rewritten are not worth more. */
const MOST_CELLS = 40_000;

/**
 * @param before and `after`, the lines of both texts
 * @returns for each line of `before`, counted from 1 (the first entry is not used), the number of the same line in `after`, or 0
 */
export function mapLines(before: readonly string[], after: readonly string[]): Uint32Array {
	const map = new Uint32Array(before.length + 1);
	match(before.map(plain), after.map(plain), [0, before.length], [0, after.length], map);
	return map;
}

/** A line that is indented differently is the same code. */
function plain(line: string): string {
	return line.trim();
}

type Range = readonly [from: number, to: number];

function match(before: string[], after: string[], old: Range, now: Range, map: Uint32Array): void {
	let [oldFrom, oldTo] = old;
	let [nowFrom, nowTo] = now;
	while (oldFrom < oldTo && nowFrom < nowTo && before[oldFrom] === after[nowFrom]) map[++oldFrom] = ++nowFrom;
	while (oldFrom < oldTo && nowFrom < nowTo && before[oldTo - 1] === after[nowTo - 1]) map[oldTo--] = nowTo--;
	if (oldFrom === oldTo || nowFrom === nowTo) return;
	const ties = inOrder(pairs(before, after, [oldFrom, oldTo], [nowFrom, nowTo]));
	if (ties.length === 0) {
		matchChanged(before, after, [oldFrom, oldTo], [nowFrom, nowTo], map);
		return;
	}
	let [oldAt, nowAt] = [oldFrom, nowFrom];
	for (const [oldTie, nowTie] of [...ties, [oldTo, nowTo] as const]) {
		match(before, after, [oldAt, oldTie], [nowAt, nowTie], map);
		if (oldTie < oldTo) map[oldTie + 1] = nowTie + 1;
		[oldAt, nowAt] = [oldTie + 1, nowTie + 1];
	}
}

/**
 * Nothing ties these together. As many lines as there were: each was changed in its place. Otherwise those that are still alike, in their order, so that
 * the most is alike altogether.
 */
function matchChanged(before: string[], after: string[], old: Range, now: Range, map: Uint32Array): void {
	const [rows, columns] = [old[1] - old[0], now[1] - now[0]];
	if (rows === columns) {
		for (let at = 0; at < rows; at++) map[old[0] + at + 1] = now[0] + at + 1;
		return;
	}
	if (rows * columns > MOST_CELLS) return;
	const alike = (row: number, column: number) => likeness(before[old[0] + row]!, after[now[0] + column]!);
	// By row and column: the most of both rests.
	const best = new Float64Array((rows + 1) * (columns + 1));
	const cell = (row: number, column: number) => row * (columns + 1) + column;
	for (let row = rows - 1; row >= 0; row--) {
		for (let column = columns - 1; column >= 0; column--) {
			const without = Math.max(best[cell(row + 1, column)]!, best[cell(row, column + 1)]!);
			best[cell(row, column)] = Math.max(without, alike(row, column) + best[cell(row + 1, column + 1)]!);
		}
	}
	for (let row = 0, column = 0; row < rows && column < columns; ) {
		if (best[cell(row, column)] === best[cell(row + 1, column)]) row++;
		else if (best[cell(row, column)] === best[cell(row, column + 1)]) column++;
		else map[old[0] + ++row] = now[0] + ++column;
	}
}

/** How much of two lines is the same at their begin and their end, 0 to 1; 0 where that is too little for one line. */
function likeness(a: string, b: string): number {
	const [least, most] = [Math.min(a.length, b.length), Math.max(a.length, b.length)];
	let start = 0;
	while (start < least && a[start] === b[start]) start++;
	let end = 0;
	while (end < least - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
	const share = most === 0 ? 0 : (start + end) / most;
	return share >= LEAST_ALIKE ? share : 0;
}

/** Lines that are in each of both stretches exactly once, in the order of the first. */
function pairs(before: string[], after: string[], old: Range, now: Range): [number, number][] {
	const oldAt = onlyOnce(before, old);
	const nowAt = onlyOnce(after, now);
	return [...oldAt].flatMap(([line, at]): [number, number][] => {
		const other = nowAt.get(line);
		return other === undefined ? [] : [[at, other]];
	});
}

function onlyOnce(lines: string[], [from, to]: Range): Map<string, number> {
	const places = new Map<string, number>();
	const repeated = new Set<string>();
	for (let at = from; at < to; at++) {
		const line = lines[at]!;
		if (places.has(line)) repeated.add(line);
		else places.set(line, at);
	}
	for (const line of repeated) places.delete(line);
	return places;
}

/** The most pairs whose second numbers rise too (patience sorting). */
function inOrder(all: readonly [number, number][]): [number, number][] {
	const tops: number[] = [];
	const below = new Int32Array(all.length).fill(-1);
	all.forEach(([, now], index) => {
		let low = 0;
		for (let high = tops.length; low < high; ) {
			const middle = (low + high) >>> 1;
			if (all[tops[middle]!]![1] < now) low = middle + 1;
			else high = middle;
		}
		below[index] = low === 0 ? -1 : tops[low - 1]!;
		tops[low] = index;
	});
	const longest: [number, number][] = [];
	for (let index = tops.at(-1) ?? -1; index >= 0; index = below[index]!) longest.push(all[index]!);
	return longest.reverse();
}
