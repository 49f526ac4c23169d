// Code blocked the event loop while results of other lines were ready. Shown on the line that computed, where stack
// samples exist, else on the last wait.
import { type Blame, blameOf, computedIn } from '../../protocol/blame.ts';
import type { Block, Line, SourceLine } from '../../protocol/report.ts';
import { BASIS_MARK, counted, formatCount, formatMs } from '../../protocol/units.ts';
import { groupBy } from '../group-by.ts';
import { largest, most, named, place, type Ranked, type Rule, sum } from './rule.ts';

/**
 * How long others waited because of it, in all: a tenth of a second is what people still perceive as immediate (Miller,
 * 1968).
 */
const LEAST_MS = 100;

export const loopBlocked: Rule = ({ blocks, lines }) => {
	const byLine = groupBy(
		blocks.filter((block) => blameOf(block).file !== ''),
		(block) => keyOf(blameOf(block)),
	);
	if (byLine.size === 0) return [];
	const linesAt = groupBy(lines, keyOf);
	return [...byLine.values()].flatMap((blocksOfLine) => {
		const at = blameOf(blocksOfLine[0]!);
		const delayed = sum(blocksOfLine, (block) => block.delayed);
		const delayedMs = sum(blocksOfLine, (block) => block.delayedMs);
		if (delayed === 0 || delayedMs < LEAST_MS) return [];
		const longestMs = most(blocksOfLine, ({ durationMs }) => durationMs);
		const blockedMs = sum(blocksOfLine, ({ durationMs }) => durationMs);
		const sampled = blocksOfLine.filter(({ culprits }) => culprits.length > 0).length;
		const byGc = blocksOfLine.filter(({ cause }) => cause === 'gc').length;
		const basis = blocksOfLine.some((block) => block.basis === 'estimated') ? 'estimated' : 'measured';
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
				file: at.file,
				line: at.line,
				op: opOf(linesAt.get(keyOf(at)) ?? []),
				evidence: { blocks: blocksOfLine.length, blockedMs, longestMs, delayed, delayedMs, byGc, sampled },
				basis,
				victim: victim === null ? null : { file: victim.file, line: victim.line, op: victim.op },
				cause: causeOf(blocksOfLine),
				message:
					`${who(at, blocksOfLine)} blocked the event loop ${times}, delaying ${counted(delayed, 'operation')} ` +
					`by ${BASIS_MARK[basis]}${formatMs(delayedMs)}${inTotal}.` +
					(victim === null ? '' : ` Most affected: ${named(victim)}.`) +
					(byGc === 0
						? ''
						: ` Caused by garbage collection: ${formatCount(byGc)} of ${formatCount(blocksOfLine.length)}.`),
				lostMs: delayedMs,
				savesMs: null,
			},
		];
	});
};

/** `buildReport at main.js:9, called from handler at main.js:14,`, or what is known without samples. */
function who({ culprit, ...at }: Blame, blocks: readonly Block[]): string {
	if (culprit === null) return `Code that ran after the wait at ${place(at)}`;
	const [most = culprit] = computedIn(blocks);
	const { calledFrom } = most;
	const caller =
		calledFrom !== null ? `, called from ${functionAt(calledFrom)},` : most.isLibrary ? `, behind ${place(at)},` : '';
	const api = most.api === null ? '' : ` (in ${most.api})`;
	const text = `${functionAt(most)}${api}${caller}`;
	return most.function === '' ? `C${text.slice(1)}` : text;
}

function functionAt({ function: name, ...at }: SourceLine & { function: string }): string {
	return name === '' ? `code at ${place(at)}` : `${name} at ${place(at)}`;
}

/** The function that computed for most of the blocks; null without stack samples. */
function causeOf(blocks: readonly Block[]): Ranked['cause'] {
	const [most] = computedIn(blocks);
	return most === undefined ? null : { file: most.file, line: most.line, name: most.function, api: most.api };
}

function keyOf({ file, line }: SourceLine): string {
	return `${line} ${file}`;
}

/** The operation whose callback it most likely was: on its line, the operation with the longest runs. */
function opOf(here: readonly Line[]): string | null {
	return largest(here, ({ run }) => run?.totalMs ?? 0)?.op ?? null;
}
