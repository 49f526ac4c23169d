// What blocked the loops, in a terminal: blocks of the same code as one, the longest first.
import { groupBy } from '../engine/common/group-by.ts';
import { most, sum } from '../engine/common/sums.ts';
import { computedIn, mostDelayed, packageOf } from '../protocol/blame.ts';
import { type BlockCode, callerOfSeveral, commonCaller, hasOthers, namedCode } from '../protocol/block-code.ts';
import type { Block, Culprit, Report, SourceLine } from '../protocol/report.ts';
import { BASIS_MARK, counted, formatCount, formatMs, formatRange } from '../protocol/units.ts';
import { short } from './layout.ts';

/** The part of a start-up that is named: what took most of its time. */
const STARTED_NAMED = 3;
/**
 * What ran where samples found no function that is in a file: native code of Node, V8 or an add-on has none, nor has that of `node -e`; and a thread that gets no processor has no
 * samples.
 */
const OUTSIDE = 'code in no file (native, or of eval), or lack of a processor';

/** The longest first; `ms` is how long they were together. */
export function blocksOf(report: Report): { text: string; ms: number }[] {
	const lines = groupBy(
		report.loops.flatMap(({ blocks }) => blocks),
		codeKeyOf,
	);
	const totalMs = (of: Block[]) => sum(of, ({ durationMs }) => durationMs);
	const sorted = [...lines].sort(([, a], [, b]) => totalMs(b) - totalMs(a));
	return sorted.map(([, blocks]) => {
		const at = whoBlocked(blocks);
		const garbage = blocks.filter(({ cause }) => cause === 'gc').length;
		const cause =
			garbage === 0
				? ''
				: `, ${garbage === blocks.length ? '' : `${formatCount(garbage)} of them `}mostly garbage collection`;
		const total = totalMs(blocks);
		const longest = most(blocks, ({ durationMs }) => durationMs);
		const times =
			blocks.length === 1
				? formatMs(total)
				: `${counted(blocks.length, 'block')}: ${formatMs(total)} in total, longest ${formatMs(longest)}`;
		return { text: `${at}  ${times}${cause}, ${delayText(blocks)}`, ms: total };
	});
}

/** The same for blocks of one code: of a function of the user's, or of a library, called from one line. */
function codeKeyOf(block: Block): string {
	const { culprits, isSampled, isStartUp, file, line } = block;
	const [culprit] = culprits;
	if (block.cause === 'no-cpu') return block.cause;
	const caller = isStartUp ? null : callerOfSeveral(block);
	if (caller !== null) return `several ${caller.function} ${caller.file}`;
	if (isStartUp) return `start-up ${culprit === undefined ? '' : startLine(culprit)} ${line} ${file}`;
	if (culprit === undefined) return `${isSampled} ${line} ${file}`;
	const { isLibrary, calledFrom, function: name } = culprit;
	const code = isLibrary ? packageOf(culprit.file) : name === '' ? culprit.line : name;
	const from = calledFrom ?? (isLibrary ? { file, line } : { file: '', line: 0 });
	return `${code} ${isLibrary ? '' : culprit.file} ${from.line} ${from.file}`;
}

/** `buildReport main.cjs:9, called from handler main.cjs:14`; without samples, what is known without them. @param blocks of one code */
function whoBlocked(blocks: readonly Block[]): string {
	const longest = blocks.reduce((most, each) => (each.durationMs > most.durationMs ? each : most));
	const { culprits, isSampled, isStartUp, file, line, cause } = longest;
	if (cause === 'no-cpu') return 'no processor was free for the thread';
	const [culprit] = culprits;
	if (isStartUp) return `start-up (main script)${startedWith(computedIn(blocks))}`;
	if (culprit === undefined) {
		if (file === '') return isSampled ? OUTSIDE : 'code on an unknown line';
		return `${isSampled ? `${OUTSIDE},` : 'code that ran'} after the wait at ${short(file)}:${line}`;
	}
	const code = namedCode(blocks);
	const isPart = hasOthers(blocks, code);
	if (code.length > 1 || isPart) return severalText(code, isPart);
	if (culprit.isLibrary) {
		const at = libraryCallText(culprit, { file, line });
		const isOther = (block: Block) => block.culprits[0]!.function !== culprit.function;
		const others = blocks.some(isOther) ? ' and others' : '';
		return `${culprit.function || 'code'}${others} of ${packageOf(culprit.file)}, ${at}`;
	}
	const caller = culprit.calledFrom === null ? '' : `, called from ${functionAt(culprit.calledFrom)}`;
	const lines = code[0]?.lines ?? [];
	const others = lines.filter(({ line }) => line !== culprit.line).map(({ line }) => `:${line}`);
	return `${[functionAt(culprit), ...others].join(', ')}${caller}`;
}

/** `render main.cjs:6 (≈1.7 s), parse of body-parser (≈1.3 s), called from tick main.cjs:10` */
function severalText(code: readonly BlockCode[], isPart: boolean): string {
	const texts = code.map(({ culprit, ms }) => `${startText(culprit)} (${BASIS_MARK.estimated}${formatMs(ms)})`);
	if (isPart) return `${texts.join(', ')} and other code`;
	const caller = commonCaller(code);
	return `${texts.join(', ')}${caller === null ? '' : `, called from ${functionAt(caller)}`}`;
}

/** By which line of the user's a library computed; where none led to it, and no wait before is known, the library's own. */
function libraryCallText({ file, line, calledFrom }: Culprit, before: SourceLine): string {
	if (calledFrom !== null) return `called from ${functionAt(calledFrom)}`;
	return before.file === '' ? `at ${short(file)}:${line}` : `behind ${short(before.file)}:${before.line}`;
}

/** What took the time of start-ups: functions, and libraries by the line that loads them. @param culprits the longest first */
function startedWith(culprits: readonly Culprit[]): string {
	const texts = culprits.slice(0, STARTED_NAMED).map((culprit) => `${startText(culprit)} ≈${formatMs(culprit.selfMs)}`);
	return texts.length === 0 ? '' : ` (${texts.join(', ')})`;
}

/** `work main.cjs:7`, `express main.cjs:1`; of a program that is itself a package `bind _tsc.js:7 of typescript`. */
function startText(culprit: Culprit): string {
	const { isLibrary, calledFrom, file } = culprit;
	if (isLibrary && calledFrom !== null) return startLine(culprit);
	return `${functionAt(culprit)}${isLibrary ? ` of ${packageOf(file)}` : ''}`;
}

function startLine({ isLibrary, calledFrom, ...at }: Culprit): string {
	const own = isLibrary && calledFrom !== null ? calledFrom : at;
	return `${isLibrary ? `${packageOf(at.file)} ` : ''}${short(own.file)}:${own.line}`;
}

function functionAt({ function: name, file, line }: Pick<Culprit, 'function' | 'file' | 'line'>): string {
	return `${name === '' ? '' : `${name} `}${short(file)}:${line}`;
}

/**
 * `at least 3 operations delayed by 120 ms in total, most affected: setTimeout at main.cjs:9`; several blocks may delay the same operation. "At least",
 * since not everything that waits can be seen.
 */
function delayText(blocks: Block[]): string {
	const delayed = sum(blocks, (block) => block.delayed);
	if (delayed === 0) return 'nothing that was recorded in this thread had to wait';
	const sure = sum(blocks, (block) => block.surelyDelayed);
	const [limit, count] = sure > 0 ? ['at least', sure] : ['up to', delayed];
	const operations =
		blocks.length > 1 && delayed > 1
			? `operations delayed ${limit} ${counted(count, 'time')}`
			: `${limit} ${counted(count, 'operation')} delayed`;
	if (blocks.every(({ delays }) => delays.length === 0)) return operations;
	const low = sum(blocks, (block) => block.delayedLeastMs);
	const high = sum(blocks, (block) => block.delayedMostMs);
	const inTotal = delayed === 1 ? '' : ' in total';
	if (high < 1) return `${operations} by less than 1 ms${inTotal}`;
	const worst = mostDelayed(blocks);
	// Where delays are known only within limits, another line may have waited longer.
	const certainly = blocks.every(({ basis }) => basis === 'measured') ? '' : ', as far as is certain';
	const most = sure === 0 ? 'perhaps most affected' : `most affected${certainly}`;
	const affected = worst === null ? '' : `, ${most}: ${worst.op} at ${short(worst.file)}:${worst.line}`;
	return `${operations} by ${formatRange(low, high)}${inTotal}${affected}`;
}
