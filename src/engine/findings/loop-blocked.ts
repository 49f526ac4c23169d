// Code blocked the event loop while results of other lines were ready, or again and again for much of the time. Shown on
// the line that computed, where stack samples exist, else on the last wait.
import { type Blame, blameOf, mostDelayed } from '../../protocol/blame.ts';
import { type BlockCode, callerOfSeveral, commonCaller, hasOthers, namedCode } from '../../protocol/block-code.ts';
import type { Culprit, Finding, Line, SourceLine } from '../../protocol/report.ts';
import { RESOURCE_FACTS } from '../../protocol/resource-facts.ts';
import { BASIS_MARK, counted, formatCount, formatMs, formatRange } from '../../protocol/units.ts';
import { groupBy } from '../common/group-by.ts';
import { largest, most, sum } from '../common/sums.ts';
import {
	type FigureLimits,
	named,
	percent,
	place,
	type Ranked,
	type Rule,
	rangesOf,
	type ThreadBlock,
} from './rule.ts';

/**
 * How long others certainly waited because of it, in all: a tenth of a second is what people still perceive as immediate (Miller,
 * 1968).
 */
const LEAST_MS = 100;
/** Where nothing certainly waited that long: the code must have blocked the loop for `LEAST_MS` and may have delayed others for this long, and the sentence says “may”. */
const LEAST_PERHAPS_MS = 2 * LEAST_MS;
/** Where nothing was seen to wait, the code blocks the loop again and again (once or twice is a step of the program's) ... */
const LEAST_BLOCKS = 3;
/** ... and for this share of the time, from which on its computing is why the program is slow (see severity.ts). */
const LEAST_SHARE = 0.2;

/** Of a function that computed on many lines, the first few say enough. */
const MOST_LINES = 3;

/** A smaller share of garbage collection is what most code has. */
const LEAST_COLLECTION = 0.2;
/** Shorter delays are not mentioned: the figures are no finer. */
const LEAST_DELAY_MS = 1;
/** Where a delay is known only within limits, another line may have waited longer. */
const MOST_AFFECTED = { measured: 'Most affected', estimated: 'Most affected, as far as is certain' };

export const loopBlocked: Rule = ({ blocks, lines, durationMs }) => {
	const byCode = groupBy(
		// Where the thread had no processor, no code is to blame.
		blocks.filter((block) => block.cause !== 'no-cpu' && blameOf(block).file !== ''),
		codeKeyOf,
	);
	if (byCode.size === 0) return [];
	const linesAt = groupBy(lines, keyOf);
	const bringsMessages = lines.some(({ op }) => op === RESOURCE_FACTS.PORTMESSAGE.name);
	const unseen = bringsMessages ? '; how long messages from Workers waited is not recorded' : '';
	return onOneLine([...byCode.values()]).flatMap((own) => {
		const at = busiestLine(own);
		const delayed = sum(own, (block) => block.delayed);
		const surelyDelayed = sum(own, (block) => block.surelyDelayed);
		const delayedMs = sum(own, (block) => block.delayedMs);
		const delay = { low: sum(own, (block) => block.delayedLeastMs), high: sum(own, (block) => block.delayedMostMs) };
		const longestMs = most(own, (block) => block.durationMs);
		const blockedMs = blockedMsOf(own);
		const byThread = [...groupBy(own, ({ threadId }) => String(threadId)).values()];
		// Workers compute side by side: none was blocked for the time of all.
		const inOneMs = most(byThread, blockedMsOf);
		const isWaitedFor = delay.low >= LEAST_MS || (blockedMs >= LEAST_MS && delay.high >= LEAST_PERHAPS_MS);
		const isMuch = timesOf(at, own, blocks) >= LEAST_BLOCKS && inOneMs >= Math.max(LEAST_MS, LEAST_SHARE * durationMs);
		if (!isWaitedFor && !isMuch) return [];
		const sampled = own.filter(({ isSampled }) => isSampled).length;
		const byGc = own.filter(({ cause }) => cause === 'gc').length;
		const basis = own.some((block) => block.basis === 'estimated') ? 'estimated' : 'measured';
		const victim = mostDelayed(own);
		const share = durationMs === 0 ? 0 : Math.min(1, inOneMs / durationMs);
		const collectionMs = sum(own, (block) => block.collectionMs);
		const inWorkers = own.filter(({ threadId }) => threadId !== 0).length;
		const times =
			own.length === 1
				? `once, for ${formatMs(longestMs)}`
				: `${formatCount(own.length)} times for ${formatMs(blockedMs)} in total (${byThread.length > 1 ? 'each up to ' : ''}${percent(share)} of the time; longest ${formatMs(longestMs)})`;
		const delays =
			delay.high >= LEAST_DELAY_MS
				? `, ${delayingText(own.length, delayed, surelyDelayed, delay)}.`
				: inWorkers === 0
					? `. Nothing that was recorded in this thread had to wait meanwhile${unseen}.`
					: '. The waits of messages sent with worker.postMessage are on the lines that sent them; those of messages from other ports are not recorded.';
		const loop = loopsText(byThread.length, inWorkers === own.length);
		return [
			{
				code: 'loop-blocked' as const,
				file: at.file,
				line: at.line,
				op: opOf(linesAt.get(keyOf(at)) ?? []),
				evidence: {
					...{ blocks: own.length, blockedMs, share, longestMs, delayed, surelyDelayed, delayedMs },
					...{ byGc, sampled, collectionMs, inWorkers, threads: byThread.length },
				},
				ranges: rangesOf({ delayedMs: delay, ...(delay.low < blockedMs ? {} : { lostMs: delay }) }),
				basis,
				victim: victim === null ? null : { file: victim.file, line: victim.line, op: victim.op },
				cause: causeOf(own),
				computed: partsOf(namedCode(own)),
				message:
					`${who(at, own)} blocked ${loop} ${times}${delays}` +
					(victim === null
						? ''
						: ` ${surelyDelayed === 0 ? 'Perhaps most affected' : MOST_AFFECTED[basis]}: ${named(victim)}.`) +
					(isByGc(own) || collectionMs < LEAST_COLLECTION * blockedMs
						? ''
						: ` Garbage collection took ${formatMs(collectionMs)} of it.`),
				lostMs: Math.max(delay.low, blockedMs),
				savesMs: null,
			},
		];
	});
};

/** @param areWorkers whether none of these threads is a main thread */
function loopsText(threads: number, areWorkers: boolean): string {
	if (threads === 1) return areWorkers ? 'the event loop of a Worker' : 'the event loop';
	return `the event loops of ${counted(threads, areWorkers ? 'Worker' : 'thread')}`;
}

/** How often that code blocked the loop, also where another one took more of the block. */
function timesOf({ culprit }: Blame, own: readonly ThreadBlock[], blocks: readonly ThreadBlock[]): number {
	if (culprit === null) return own.length;
	const isIt = (each: Culprit) => each.function === culprit.function && each.file === culprit.file;
	return Math.max(own.length, blocks.filter(({ culprits }) => culprits.some(isIt)).length);
}

/**
 * "At least", since not everything that waits can be seen. Several blocks may delay the same operation, one after the other.
 * @param sure how many of them surely had to wait
 */
function delayingText(blocks: number, delayed: number, sure: number, { low, high }: FigureLimits): string {
	const [doing, limit, count, time] =
		sure > 0
			? ['delaying', 'at least', sure, formatRange(low, high)]
			: ['and may have delayed', 'up to', delayed, `up to ${formatMs(high)}`];
	if (delayed === 1) return `${doing} ${sure > 0 ? 'at least ' : ''}1 operation by ${time}`;
	return blocks === 1
		? `${doing} ${limit} ${counted(count, 'operation')} by ${time} in total`
		: `${doing} operations ${limit} ${counted(count, 'time')}, by ${time} in total`;
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
			? `${nameless} in no file (native, or of eval), or lack of a processor, after the wait at ${place(at)}`
			: `${nameless} that ran after the wait at ${place(at)}`;
	}
	const code = namedCode(blocks);
	const isPart = hasOthers(blocks, code);
	if (code.length > 1 || isPart) return severalText(code, isPart, nameless);
	const [first] = code;
	const most = first?.culprit ?? culprit;
	const callers = callersOf(most, blocks);
	const caller =
		callers.length > 0
			? `, called ${callersText(callers)},`
			: most.isLibrary && keyOf(at) !== keyOf(most)
				? `, behind ${place(at)},`
				: '';
	return `${first === undefined ? functionAt(most, nameless) : codeAt(first, nameless)}${caller}`;
}

/** `from tick at main.js:9`, `mostly from tick at main.js:9` where it called for more than half of the time; else `from tick at main.js:9, work at main.js:12 and others`. */
function callersText(callers: readonly CallerTime[]): string {
	const texts = callers.map(({ at }) => functionAt(at, 'code'));
	const [first, second] = texts;
	if (second === undefined) return `from ${first!}`;
	if (callers[0]!.ms * 2 > sum(callers, ({ ms }) => ms)) return `mostly from ${first!}`;
	return texts.length === 2 ? `from ${first!} and ${second}` : `from ${first!}, ${second} and others`;
}

/** `build at main.js:9 (in digest, ≈500 ms), :8 (in zlib, ≈490 ms) and :7 (≈320 ms)` where none of these took most of its time; else `build at main.js:9 (in digest)`. */
function codeAt({ culprit, lines, isWhole }: BlockCode, nameless: string): string {
	if (lines.length < 2)
		return `${functionAt(culprit, nameless)}${apiText(culprit)}${isWhole ? '' : ' and others of its package'}`;
	const texts = lines.slice(0, MOST_LINES).map(({ line, api, selfMs }, index) => {
		const at = index === 0 ? place({ file: culprit.file, line }) : `:${line}`;
		return `${at} (${api === null ? '' : `in ${api}, `}${BASIS_MARK.estimated}${formatMs(selfMs)})`;
	});
	return `${culprit.function || nameless} at ${texts.slice(0, -1).join(', ')} and ${texts.at(-1)!}`;
}

/**
 * `render at main.js:6 (≈1.7 s), validate at main.js:5 (≈1.5 s) and parse at main.js:4 (≈1.3 s), called from tick at main.js:10,`
 * @param isPart whether other code took part
 */
function severalText(code: readonly BlockCode[], isPart: boolean, nameless: string): string {
	const caller = isPart ? null : commonCaller(code);
	const called = caller === null ? '' : `, called from ${functionAt(caller, 'code')},`;
	return `${listText(code, nameless, isPart)}${called}`;
}

/**
 * `render at main.js:6 (≈1.7 s), validate at main.js:5 (≈1.5 s) and parse at main.js:4 (≈1.3 s)`
 * @param nameless what the first is called where it has no name
 * @param isPart whether other code took part
 */
export function listText(code: readonly BlockCode[], nameless: string, isPart = false): string {
	const texts = code.map(({ culprit, ms }, index) => {
		const name = functionAt(culprit, index === 0 ? nameless : 'code');
		return `${name}${apiText(culprit)} (${BASIS_MARK.estimated}${formatMs(ms)})`;
	});
	if (isPart) texts.push('other code');
	return `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)!}`;
}

function apiText({ api }: Culprit): string {
	return api === null ? '' : ` (in ${api})`;
}

/** A line that had called a function, and how long that then computed, in ms. */
interface CallerTime {
	readonly at: NonNullable<Culprit['calledFrom']>;
	readonly ms: number;
}

/** Lines that had called that function, the one for which it computed for the longest time first. */
function callersOf(of: Culprit, blocks: readonly ThreadBlock[]): CallerTime[] {
	const called = blocks
		.flatMap(({ culprits }) => culprits)
		.filter(({ file, line, function: name }) => file === of.file && line === of.line && name === of.function)
		.flatMap(({ calledFrom, selfMs }) => (calledFrom === null ? [] : [{ calledFrom, selfMs }]));
	const byLine = [...groupBy(called, ({ calledFrom }) => keyOf(calledFrom)).values()];
	const times = byLine.map((calls) => ({ at: calls[0]!.calledFrom, ms: sum(calls, ({ selfMs }) => selfMs) }));
	return times.sort((a, b) => b.ms - a.ms);
}

/** Whether collections are what mostly blocked the loop. */
function isByGc(blocks: readonly ThreadBlock[]): boolean {
	return blocks.filter(({ cause }) => cause === 'gc').length * 2 > blocks.length;
}

function functionAt({ function: name, ...at }: SourceLine & { function: string }, nameless: string): string {
	return `${name === '' ? nameless : name} at ${place(at)}`;
}

/** Several parts of the code that blocked the loop; empty where one function did. */
export function partsOf(code: readonly BlockCode[]): Finding['computed'] {
	if (code.length < 2) return [];
	return code.map(({ culprit: { file, line, function: name, api }, ms }) => ({ file, line, name, api, ms }));
}

/** The function that computed for most of the blocks; null without stack samples. */
function causeOf(blocks: readonly ThreadBlock[]): Ranked['cause'] {
	const [code] = namedCode(blocks);
	if (code === undefined) return null;
	const { file, line, function: name, api } = code.culprit;
	return { file, line, name, api };
}

/** Lines of one function of the user's are one code, and so is what one function calls, where no part of it took most of the time. */
function codeKeyOf(block: ThreadBlock): string {
	const caller = callerOfSeveral(block);
	if (caller !== null) return `several ${caller.function} ${caller.file}`;
	const { culprit, ...at } = blameOf(block);
	if (culprit === null || culprit.isLibrary || culprit.function === '') return keyOf(at);
	return `${culprit.function} ${culprit.file}`;
}

/** The same with those as one that are shown on one line: a function that computes, and the library that it calls there. */
function onOneLine(groups: readonly ThreadBlock[][]): ThreadBlock[][] {
	const byLine = groupBy(groups, (own) => {
		const { culprit, ...at } = busiestLine(own);
		// What ran after a wait is not known to be what computed on that line.
		return `${culprit === null} ${keyOf(at)}`;
	});
	return [...byLine.values()].map((of) => of.flat());
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
