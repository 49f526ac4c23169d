// A loop that waits for each of its items, though they certainly do not depend on one another.
import type { Line } from '../../protocol/report.ts';
import { counted, formatCount, formatMs } from '../../protocol/units.ts';
import { groupBy } from '../common/group-by.ts';
import { largest, sum } from '../common/sums.ts';
import { awaitedReads, LEAST_SAVED_MS, laneTime, poolTime, waited } from './awaited-reads.ts';
import { basisOf, type LineStretch, named, place, type Rule } from './rule.ts';

/** Items of one loop, on average: two or three are written in a row as well. */
const LEAST_ITEMS = 4;

interface AwaitInLoop {
	line: Line;
	loop: readonly LineStretch[];
}

export const serialLoop: Rule = ({ lines, awaits, poolSize }) => {
	const members = awaitedReads(lines).flatMap((line): AwaitInLoop[] => {
		const loop = awaits(line)?.loop ?? null;
		return loop === null ? [] : [{ line, loop }];
	});
	const loops = groupBy(members, ({ loop }) => `${loop[0]!.from} ${loop[0]!.to} ${loop[0]!.file}`);
	return [...loops.values()].flatMap((row) => {
		const own = row.map(({ line }) => line);
		const code = row.flatMap(({ loop }) => loop);
		const longest = largest(own, waited)!;
		const items = longest.count;
		// What began a loop was outside of it; each of its later items began behind an earlier one.
		const begun = Math.max(
			1,
			sum(own, (line) => line.count - startedWithin(line, code)),
		);
		const waitMs = sum(own, waited);
		const together = sum(own, (line) => Math.min(waited(line), begun * line.wait!.p95Ms));
		const savesMs = waitMs - Math.max(together, poolTime(own, poolSize), laneTime(own, awaits));
		if (items < LEAST_ITEMS * begun || savesMs < LEAST_SAVED_MS) return [];
		return [
			{
				code: 'serial-loop' as const,
				file: longest.file,
				line: longest.line,
				op: longest.op,
				evidence: { items, loops: begun, lines: own.length, waitMs },
				basis: basisOf(own.map(({ wait }) => wait)),
				victim: null,
				cause: null,
				message:
					`${loopAt(row[0]!.loop, longest)} waited for ${formatCount(items)} calls of ${named(longest)}${own.length > 1 ? ', and of other lines,' : ''} one after the other, ${formatMs(waitMs)} in total, ` +
					`though no item depends on another (${counted(begun, 'loop')}). All at once would save up to ${formatMs(savesMs)}.`,
				lostMs: savesMs,
				savesMs,
			},
		];
	});
};

/** `A loop`, with its line where it is not around what waits: in the function of a caller. */
function loopAt([around]: readonly LineStretch[], { file, line }: Line): string {
	const isThere = around === undefined || (around.file === file && around.from <= line && line <= around.to);
	return isThere ? 'A loop' : `A loop at ${place({ file: around.file, line: around.from })}`;
}

/** How many of a line's operations were started by callbacks of that code; a lower bound. */
function startedWithin({ callers }: Line, code: readonly LineStretch[]): number {
	const inside = callers.filter(({ file, line, op }) => {
		return op !== '' && code.some((each) => each.file === file && each.from <= line && line <= each.to);
	});
	return sum(inside, ({ count }) => count);
}
