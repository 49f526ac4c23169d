// On which line the views show a block: that of the user's code that computed, or had called the library that did.
// Without stack samples that line is unknown, and in its place they show the line whose wait ended before the block,
// without claiming that it blocked anything.
import type { Block, Culprit, SourceLine } from './report.ts';

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

/** The time of each function that computed, over several blocks, the most first. */
export function computedIn(blocks: readonly Pick<Block, 'culprits'>[]): Culprit[] {
	const sums = new Map<string, Culprit>();
	for (const culprit of blocks.flatMap(({ culprits }) => culprits)) {
		if (culprit.selfMs === 0) continue;
		const key = `${culprit.line} ${culprit.function} ${culprit.file}`;
		const sum = sums.get(key);
		if (sum === undefined) sums.set(key, { ...culprit });
		else {
			sum.selfMs += culprit.selfMs;
			sum.totalMs += culprit.totalMs;
			sum.collectionMs += culprit.collectionMs;
		}
	}
	return [...sums.values()].sort((a, b) => b.selfMs - a.selfMs);
}

/** The package that a library's file belongs to, as npm names it; empty for another file. */
export function packageOf(file: string): string {
	const [, scope = '', name = ''] = /^.*[\\/]node_modules[\\/](?:(@[^\\/]+)[\\/])?([^\\/]+)/.exec(file) ?? [];
	return scope === '' ? name : `${scope}/${name}`;
}
