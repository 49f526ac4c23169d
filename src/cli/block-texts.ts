// What blocked the loops, in a terminal: blocks of the same code as one, the longest first.
import { groupBy } from '../engine/group-by.ts';
import { packageOf } from '../protocol/blame.ts';
import type { Block, Culprit, Report } from '../protocol/report.ts';
import { BASIS_MARK, counted, formatCount, formatMs } from '../protocol/units.ts';
import { short } from './layout.ts';

/** The part of a start-up that is named: what took most of its time. */
const STARTED_NAMED = 3;

export function blocksOf(report: Report): string[] {
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
		return `${at}  ${times}${cause}, ${delayText(blocks)}`;
	});
}

/** The same for blocks of one code: of a function of the user's, or of a library, called from one line. */
function codeKeyOf({ culprits, isSampled, isStartUp, file, line }: Block): string {
	const [culprit] = culprits;
	if (isStartUp || culprit === undefined) return `${isStartUp ? startedWith(culprits) : isSampled} ${line} ${file}`;
	const { isLibrary, calledFrom, function: name } = culprit;
	const code = isLibrary ? packageOf(culprit.file) : name === '' ? culprit.line : name;
	const from = calledFrom ?? (isLibrary ? { file, line } : { file: '', line: 0 });
	return `${code} ${isLibrary ? '' : culprit.file} ${from.line} ${from.file}`;
}

/** `buildReport main.cjs:9, called from handler main.cjs:14`; without samples, what is known without them. @param blocks of one code */
function whoBlocked(blocks: readonly Block[]): string {
	const longest = blocks.reduce((most, each) => (each.durationMs > most.durationMs ? each : most));
	const { culprits, isSampled, isStartUp, file, line } = longest;
	const [culprit] = culprits;
	if (isStartUp) return `start-up (main script)${startedWith(culprits)}`;
	if (culprit === undefined) {
		if (file === '') return isSampled ? 'work of Node’s or V8’s own' : 'code on an unknown line';
		return `${isSampled ? 'work of Node’s or V8’s own' : 'code that ran'} after the wait at ${short(file)}:${line}`;
	}
	if (culprit.isLibrary) {
		const at =
			culprit.calledFrom === null ? `behind ${short(file)}:${line}` : `called from ${functionAt(culprit.calledFrom)}`;
		const isOther = (block: Block) => block.culprits[0]!.function !== culprit.function;
		const others = blocks.some(isOther) ? ' and others' : '';
		return `${culprit.function || 'code'}${others} of ${packageOf(culprit.file)}, ${at}`;
	}
	const caller = culprit.calledFrom === null ? '' : `, called from ${functionAt(culprit.calledFrom)}`;
	return `${functionAt(culprit)}${caller}`;
}

/** What took the time of a start-up: libraries by the line that loads them. */
function startedWith(culprits: readonly Culprit[]): string {
	const parts = culprits.filter(({ selfMs }) => selfMs > 0).slice(0, STARTED_NAMED);
	const texts = parts.map(({ selfMs, isLibrary, calledFrom, ...at }) => {
		const library = isLibrary ? `${packageOf(at.file)} ` : '';
		const own = isLibrary && calledFrom !== null ? calledFrom : at;
		return `${library}${short(own.file)}:${own.line} ≈${formatMs(selfMs)}`;
	});
	return texts.length === 0 ? '' : ` (${texts.join(', ')})`;
}

function functionAt({ function: name, file, line }: Pick<Culprit, 'function' | 'file' | 'line'>): string {
	return `${name === '' ? '' : `${name} `}${short(file)}:${line}`;
}

/** `3 operations delayed by 120 ms in total, most affected: setTimeout at main.cjs:9`; several blocks may delay the same operation. */
function delayText(blocks: Block[]): string {
	const delayed = sum(blocks, (block) => block.delayed);
	const operations =
		blocks.length > 1 && delayed > 1
			? `operations delayed ${formatCount(delayed)} times`
			: `${counted(delayed, 'operation')} delayed`;
	const byLine = groupBy(
		blocks.flatMap(({ delays }) => delays),
		({ file, line, op }) => `${op} at ${short(file)}:${line}`,
	);
	const [worst] = [...byLine]
		.map(([what, of]) => ({ what, ms: sum(of, ({ totalMs }) => totalMs) }))
		.sort((a, b) => b.ms - a.ms);
	if (worst === undefined) return operations;
	const basis = blocks.some((block) => block.basis === 'estimated') ? 'estimated' : 'measured';
	const delayedMs = sum(blocks, (block) => block.delayedMs);
	const inTotal = delayed === 1 ? '' : ' in total';
	if (delayedMs < 1) return `${operations} by less than 1 ms${inTotal}`;
	return `${operations} by ${BASIS_MARK[basis]}${formatMs(delayedMs)}${inTotal}, most affected: ${worst.what}`;
}

/** The largest value, at least 0: there may be more items than a call can have arguments. */
function most<T>(items: readonly T[], of: (item: T) => number): number {
	return items.reduce((largest, item) => Math.max(largest, of(item)), 0);
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
	return items.reduce((total, item) => total + of(item), 0);
}
