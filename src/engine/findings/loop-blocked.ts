// A line's code held the event loop while results of other lines lay ready.
import type { Block, Line, SourceLine } from '../../protocol/report.ts';
import { BASIS_MARK, counted, formatCount, formatMs } from '../../protocol/units.ts';
import { groupBy } from '../group-by.ts';
import { largest, most, named, place, type Rule, sum } from './rule.ts';

/** What others waited because of it, in all: a tenth of a second is what people still take for at once (Miller, 1968). */
const LEAST_MS = 100;

export const loopBlocked: Rule = ({ blocks, lines }) => {
	const byLine = groupBy(
		blocks.filter(({ file }) => file !== ''),
		keyOf,
	);
	if (byLine.size === 0) return [];
	const linesAt = groupBy(lines, keyOf);
	return [...byLine.values()].flatMap((blocksOfLine) => {
		const [first] = blocksOfLine as [Block, ...Block[]];
		const delayed = sum(blocksOfLine, (block) => block.delayed);
		const delayedMs = sum(blocksOfLine, (block) => block.delayedMs);
		if (delayed === 0 || delayedMs < LEAST_MS) return [];
		const longestMs = most(blocksOfLine, ({ durationMs }) => durationMs);
		const heldMs = sum(blocksOfLine, ({ durationMs }) => durationMs);
		const byGc = blocksOfLine.filter(({ cause }) => cause === 'gc').length;
		const isEstimated = blocksOfLine.some(({ basis }) => basis === 'estimated');
		const victim = largest(
			blocksOfLine.flatMap(({ delays }) => delays),
			({ totalMs }) => totalMs,
		);
		const times =
			blocksOfLine.length === 1
				? `once, for ${formatMs(longestMs)}`
				: `${formatCount(blocksOfLine.length)} times (longest ${formatMs(longestMs)})`;
		const inTotal = delayed === 1 ? '' : ' in total';
		return [
			{
				code: 'loop-blocked' as const,
				file: first.file,
				line: first.line,
				op: opOf(linesAt.get(keyOf(first)) ?? []),
				evidence: { blocks: blocksOfLine.length, heldMs, longestMs, delayed, delayedMs, byGc },
				message:
					`The code behind ${place(first)} blocked the event loop ${times}, delaying ${counted(delayed, 'operation')} ` +
					`by ${BASIS_MARK[isEstimated ? 'estimated' : 'measured']}${formatMs(delayedMs)}${inTotal}.` +
					(victim === null ? '' : ` Most affected: ${named(victim)}.`) +
					(byGc === 0
						? ''
						: ` Caused by garbage collection: ${formatCount(byGc)} of ${formatCount(blocksOfLine.length)}.`),
				lostMs: delayedMs,
			},
		];
	});
};

function keyOf({ file, line }: SourceLine): string {
	return `${line} ${file}`;
}

/** The operation whose callback it most likely was: of those on its line the one with the longest runs. */
function opOf(here: readonly Line[]): string | null {
	return largest(here, ({ run }) => run?.totalMs ?? 0)?.op ?? null;
}
