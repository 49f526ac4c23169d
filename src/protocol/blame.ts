// On which line the views show a block: that of the user's code that computed, or had called the library that did.
// Without stack samples that line is unknown, and in its place they show the line whose wait ended before the block,
// without claiming that it blocked anything.
import type { Block, Culprit, CulpritLine, Delay, SourceLine } from './report.ts';

export interface Blame extends SourceLine {
	/** What computed; null where that is unknown, and then the position is that of the wait before. */
	culprit: Culprit | null;
}

/** @returns the code that took most of the block's time; an empty path where not even the wait before is known */
export function blameOf({ culprits, file, line }: Pick<Block, 'culprits' | 'file' | 'line'>): Blame {
	const [culprit] = culprits;
	if (culprit === undefined) return { file, line, culprit: null };
	if (!culprit.isLibrary) return { file: culprit.file, line: culprit.line, culprit };
	// A library that computes in callbacks of its own does so for the line whose wait ended.
	const at = culprit.calledFrom ?? (file === '' ? culprit : { file, line });
	return { file: at.file, line: at.line, culprit };
}

/** A line of a function, or what it had called, is said to have taken its time where it took this share of it: at most one did. */
const LEAST_MOST = 0.6;
/** A part of a function that took a smaller share of its time is not named. */
const LEAST_PART = 0.1;

/** The time of each function that computed, over several blocks, the most first. */
export function computedIn(blocks: readonly Pick<Block, 'culprits'>[]): Culprit[] {
	const functions = new Map<string, Culprit[]>();
	for (const culprit of blocks.flatMap(({ culprits }) => culprits)) {
		if (culprit.selfMs === 0) continue;
		const key = `${culprit.line} ${culprit.function} ${culprit.file}`;
		const own = functions.get(key);
		if (own === undefined) functions.set(key, [culprit]);
		else own.push(culprit);
	}
	return [...functions.values()].map(together).sort((a, b) => b.selfMs - a.selfMs);
}

/** The times of one function in several blocks as one. */
function together(own: readonly Culprit[]): Culprit {
	const sum = { ...own[0]!, selfMs: 0, totalMs: 0, collectionMs: 0 };
	for (const { selfMs, totalMs, collectionMs } of own) {
		sum.selfMs += selfMs;
		sum.totalMs += totalMs;
		sum.collectionMs += collectionMs;
	}
	return { ...sum, ...mostOrParts(own.flatMap(computedParts), sum.selfMs) };
}

/** What of a function's time was spent on which line. */
export function computedParts({ line, api, selfMs, lines }: Culprit): CulpritLine[] {
	return lines.length > 0 ? lines : [{ line, api, selfMs }];
}

/**
 * What to say of a function's lines.
 * @param parts of its time, the most time first; some may be of the same line and call
 * @param selfMs all of its time
 * @returns what most of it was spent in, else the parts of it
 */
export function mostOrParts(parts: readonly CulpritLine[], selfMs: number): Pick<Culprit, 'api' | 'lines'> {
	const sums = new Map<string, CulpritLine>();
	for (const part of parts) {
		// What it computed itself is one, on whichever lines.
		const key = part.api === null ? '' : `${part.line} ${part.api}`;
		const sum = sums.get(key);
		if (sum === undefined) sums.set(key, { ...part });
		else sum.selfMs += part.selfMs;
	}
	const sorted = [...sums.values()].sort((a, b) => b.selfMs - a.selfMs);
	const [first] = sorted;
	if (first === undefined || first.selfMs >= LEAST_MOST * selfMs) return { api: first?.api ?? null, lines: [] };
	return { api: null, lines: sorted.filter((part) => part.selfMs >= LEAST_PART * selfMs) };
}

/** The package that a library's file belongs to, as npm names it; empty for another file. */
export function packageOf(file: string): string {
	const [, scope = '', name = ''] = /^.*[\\/]node_modules[\\/](?:(@[^\\/]+)[\\/])?([^\\/]+)/.exec(file) ?? [];
	return scope === '' ? name : `${scope}/${name}`;
}

/** Shorter delays are not worth a name: the figures are no finer. In ms. */
const LEAST_DELAY_MS = 1;

/**
 * The line that had to wait longest for these blocks, as far as is certain; where no operation certainly had to wait, the one that may have waited longest. null
 * where none did for a noticeable time.
 */
export function mostDelayed(
	blocks: readonly Pick<Block, 'delays' | 'surelyDelayed'>[],
): (SourceLine & Pick<Delay, 'op'>) | null {
	const isCertain = blocks.some(({ surelyDelayed }) => surelyDelayed > 0);
	const sums = new Map<string, SourceLine & Pick<Delay, 'op'> & { ms: number }>();
	for (const { file, line, op, leastMs, mostMs } of blocks.flatMap(({ delays }) => delays)) {
		const key = `${line} ${op} ${file}`;
		sums.set(key, { file, line, op, ms: (sums.get(key)?.ms ?? 0) + (isCertain ? leastMs : mostMs) });
	}
	const [most] = [...sums.values()].sort((a, b) => b.ms - a.ms);
	return most === undefined || most.ms < LEAST_DELAY_MS ? null : { file: most.file, line: most.line, op: most.op };
}
