// Code blocked the event loop while results of other lines were ready, or again and again for much of the time. Shown on
// the line that computed, where stack samples exist, else on the last wait.
import { type Blame, blameOf, computedIn } from '../../protocol/blame.ts';
import type { Culprit, Line, SourceLine } from '../../protocol/report.ts';
import { BASIS_MARK, counted, formatCount, formatMs } from '../../protocol/units.ts';
import { groupBy } from '../group-by.ts';
import { largest, most, named, percent, place, type Ranked, type Rule, sum, type ThreadBlock } from './rule.ts';

/**
 * How long others waited because of it, in all: a tenth of a second is what people still perceive as immediate (Miller,
 * 1968).
 */
const LEAST_MS = 100;
/** Where nothing was seen to wait, the line blocks the loop again and again (once or twice is a step of the program's) ... */
const LEAST_BLOCKS = 3;
/** ... and for this share of the time, from which on its computing is why the program is slow (see severity.ts). */
const LEAST_SHARE = 0.2;

/** A smaller share of garbage collection is what most code has. */
const LEAST_COLLECTION = 0.2;
/** Shorter delays are not mentioned: the figures are no finer. */
const LEAST_DELAY_MS = 1;

export const loopBlocked: Rule = ({ blocks, lines, durationMs }) => {
	const byCode = groupBy(
		blocks.filter((block) => blameOf(block).file !== ''),
		(block) => codeKeyOf(blameOf(block)),
	);
	if (byCode.size === 0) return [];
	const linesAt = groupBy(lines, keyOf);
	return [...byCode.values()].flatMap((own) => {
		const at = busiestLine(own);
		const delayed = sum(own, (block) => block.delayed);
		const delayedMs = sum(own, (block) => block.delayedMs);
		const longestMs = most(own, (block) => block.durationMs);
		const blockedMs = blockedMsOf(own);
		const isWaitedFor = delayed > 0 && delayedMs >= LEAST_MS;
		const isMuch = own.length >= LEAST_BLOCKS && blockedMs >= Math.max(LEAST_MS, LEAST_SHARE * durationMs);
		if (!isWaitedFor && !isMuch) return [];
		const sampled = own.filter(({ isSampled }) => isSampled).length;
		const byGc = own.filter(({ cause }) => cause === 'gc').length;
		const basis = own.some((block) => block.basis === 'estimated') ? 'estimated' : 'measured';
		const victim = largest(
			own.flatMap(({ delays }) => delays),
			({ totalMs }) => totalMs,
		);
		const share = durationMs === 0 ? 0 : Math.min(1, blockedMs / durationMs);
		const collectionMs = sum(own, (block) => block.collectionMs);
		const inWorkers = own.filter(({ threadId }) => threadId !== 0).length;
		const times =
			own.length === 1
				? `once, for ${formatMs(longestMs)}`
				: `${formatCount(own.length)} times for ${formatMs(blockedMs)} (${percent(share)} of the time; longest ${formatMs(longestMs)})`;
		const delays =
			delayedMs >= LEAST_DELAY_MS
				? `, ${delayingText(own.length, delayed, `${BASIS_MARK[basis]}${formatMs(delayedMs)}`)}.`
				: inWorkers === 0
					? '. Nothing that was recorded had to wait meanwhile.'
					: '. The waits of messages sent with worker.postMessage are on the lines that sent them; those of messages from other ports are not recorded.';
		const loop = inWorkers < own.length ? 'the event loop' : 'the event loop of a Worker';
		return [
			{
				code: 'loop-blocked' as const,
				file: at.file,
				line: at.line,
				op: opOf(linesAt.get(keyOf(at)) ?? []),
				evidence: {
					...{ blocks: own.length, blockedMs, share, longestMs, delayed, delayedMs },
					...{ byGc, sampled, collectionMs, inWorkers },
				},
				basis,
				victim: victim === null ? null : { file: victim.file, line: victim.line, op: victim.op },
				cause: causeOf(own),
				message:
					`${who(at, own)} blocked ${loop} ${times}${delays}` +
					(victim === null || delayedMs < LEAST_DELAY_MS ? '' : ` Most affected: ${named(victim)}.`) +
					(isByGc(own) || collectionMs < LEAST_COLLECTION * blockedMs
						? ''
						: ` Garbage collection took ${formatMs(collectionMs)} of it.`),
				lostMs: Math.max(delayedMs, blockedMs),
				savesMs: null,
			},
		];
	});
};

/** Several blocks may delay the same operation, one after the other. */
function delayingText(blocks: number, delayed: number, time: string): string {
	if (delayed === 1) return `delaying 1 operation by ${time}`;
	return blocks === 1
		? `delaying ${counted(delayed, 'operation')} by ${time} in total`
		: `delaying operations ${formatCount(delayed)} times by ${time} in total`;
}

/** `buildReport at main.js:9, called from handler at main.js:14,`, or what is known without samples. */
function who(blame: Blame, blocks: readonly ThreadBlock[]): string {
	if (!isByGc(blocks)) return codeOf(blame, blocks, 'Code');
	return `Garbage collection, during ${codeOf(blame, blocks, 'code').replace(/,$/, '')},`;
}

/** @param nameless what code is called that has no name */
function codeOf({ culprit, ...at }: Blame, blocks: readonly ThreadBlock[], nameless: string): string {
	if (culprit === null) {
		const isOutside = blocks.every(({ isSampled }) => isSampled);
		return isOutside
			? `${nameless === 'Code' ? 'Work' : 'work'} of Node’s or V8’s own after the wait at ${place(at)}`
			: `${nameless} that ran after the wait at ${place(at)}`;
	}
	const [most = culprit] = computedIn(blocks);
	const callers = callersOf(most, blocks);
	const [calledFrom] = callers;
	const caller =
		calledFrom !== undefined
			? `, called ${callers.length === 1 ? '' : 'mostly '}from ${functionAt(calledFrom, 'code')},`
			: most.isLibrary
				? `, behind ${place(at)},`
				: '';
	const api = most.api === null ? '' : ` (in ${most.api})`;
	return `${functionAt(most, nameless)}${api}${caller}`;
}

/** Lines that had called that function, the one for which it computed for the longest time first. */
function callersOf(of: Culprit, blocks: readonly ThreadBlock[]): NonNullable<Culprit['calledFrom']>[] {
	const called = blocks
		.flatMap(({ culprits }) => culprits)
		.filter(({ file, line, function: name }) => file === of.file && line === of.line && name === of.function)
		.flatMap(({ calledFrom, selfMs }) => (calledFrom === null ? [] : [{ calledFrom, selfMs }]));
	const byLine = [...groupBy(called, ({ calledFrom }) => keyOf(calledFrom)).values()];
	const times = byLine.map((calls) => ({ at: calls[0]!.calledFrom, ms: sum(calls, ({ selfMs }) => selfMs) }));
	return times.sort((a, b) => b.ms - a.ms).map(({ at }) => at);
}

/** Whether collections are what mostly blocked the loop. */
function isByGc(blocks: readonly ThreadBlock[]): boolean {
	return blocks.filter(({ cause }) => cause === 'gc').length * 2 > blocks.length;
}

function functionAt({ function: name, ...at }: SourceLine & { function: string }, nameless: string): string {
	return `${name === '' ? nameless : name} at ${place(at)}`;
}

/** The function that computed for most of the blocks; null without stack samples. */
function causeOf(blocks: readonly ThreadBlock[]): Ranked['cause'] {
	const [most] = computedIn(blocks);
	return most === undefined ? null : { file: most.file, line: most.line, name: most.function, api: most.api };
}

/** Lines of one function of the user's are one code. */
function codeKeyOf({ culprit, ...at }: Blame): string {
	if (culprit === null || culprit.isLibrary || culprit.function === '') return keyOf(at);
	return `${culprit.function} ${culprit.file}`;
}

/** Of several lines of one code that on which it computed for the longest time. */
function busiestLine(blocks: readonly ThreadBlock[]): Blame {
	const byLine = groupBy(blocks, (block) => keyOf(blameOf(block)));
	const [[first]] = [...byLine.values()].sort((a, b) => blockedMsOf(b) - blockedMsOf(a)) as [[ThreadBlock]];
	return blameOf(first);
}

function blockedMsOf(blocks: readonly ThreadBlock[]): number {
	return sum(blocks, ({ durationMs }) => durationMs);
}

function keyOf({ file, line }: SourceLine): string {
	return `${line} ${file}`;
}

/** The operation whose callback it most likely was: on its line, the operation with the longest runs. */
function opOf(here: readonly Line[]): string | null {
	return largest(here, ({ run }) => run?.totalMs ?? 0)?.op ?? null;
}
