// Whose code took the time of blocks: one function alone, or several that ran in the same callbacks.
import { blameOf, computedIn, computedParts, mostOrParts, packageOf } from './blame.ts';
import type { Block, Culprit, CulpritLine, SourceLine } from './report.ts';

type BlockTime = Pick<Block, 'culprits' | 'durationMs'>;

/** Code that computed while loops were blocked: a function of the user's, or a library that it had called. */
export interface BlockCode {
	/** Its function that computed for longest. */
	readonly culprit: Culprit;
	/** How long it computed, in ms. */
	readonly ms: number;
	/** Lines of a function of the user's, as `Culprit.lines`. */
	readonly lines: readonly CulpritLine[];
	/** Whether that function alone computed for most of it: other functions of a library may have. */
	readonly isWhole: boolean;
}

/** Code that took this share of the time has blocked the loop; else what else took part is named as well. */
const LEAST_ALONE = 0.75;
/** A smaller part is not named: it would have blocked nothing for long. */
const LEAST_NAMED = 0.1;
/** The most that is named. */
const MOST_NAMED = 3;
/** A function that computes for this share of what it and the libraries that it calls do is named for all of that: it did both. */
const LEAST_OWN = 0.25;

/**
 * The code to name for blocks: that which computed for longest, and where it did so for a part of the time only, what else did.
 * @returns the most time first; empty without stack samples
 */
export function namedCode(blocks: readonly BlockTime[]): BlockCode[] {
	const all = codeIn(blocks);
	const ms = blocks.reduce((sum, { durationMs }) => sum + durationMs, 0);
	const [first, ...others] = all;
	if (first === undefined) return [];
	if (first.ms >= LEAST_ALONE * ms) return [first];
	return [first, ...others.filter((code) => code.ms >= LEAST_NAMED * ms)].slice(0, MOST_NAMED);
}

/** Whether code that is not to be named, or is in no file, took so much of the time that it should be mentioned. @param named see `namedCode` */
export function hasOthers(blocks: readonly BlockTime[], named: readonly BlockCode[]): boolean {
	if (named.length === 0) return false;
	const ms = blocks.reduce((sum, { durationMs }) => sum + durationMs, 0);
	return named.reduce((sum, code) => sum + code.ms, 0) < LEAST_ALONE * ms;
}

/** The lines of a block's code, with how long each blocked the loop, in ms: the line that a single code has for all of the block, those of several for what they computed. */
export function linesOfBlock(block: Block): (SourceLine & { ms: number })[] {
	const named = namedCode([block]);
	if (named.length < 2) return [{ ...blameOf(block), ms: block.durationMs }];
	const lines = new Map<string, SourceLine & { ms: number }>();
	for (const { culprit, ms } of named) {
		const { file, line } = blameOf({ ...block, culprits: [culprit] });
		const key = `${line} ${file}`;
		lines.set(key, { file, line, ms: ms + (lines.get(key)?.ms ?? 0) });
	}
	return [...lines.values()];
}

/**
 * The function of the user's in which all that ran is to be named for a block, where that is several functions: it has called them, or is one of them. null where
 * one function is named, or they ran in none.
 */
export function callerOfSeveral(block: BlockTime): Culprit['calledFrom'] {
	const named = namedCode([block]);
	const caller = named.map(({ culprit: { calledFrom } }) => calledFrom).find((from) => from !== null);
	if (named.length < 2 || caller === undefined || caller.function === '') return null;
	const rest = named.filter(({ culprit }) => !isSameFunction(culprit, caller));
	return rest.length > 0 && commonCaller(rest) !== null ? caller : null;
}

/** The function of the user's that had called each of these; null where that is not one. */
export function commonCaller(code: readonly BlockCode[]): Culprit['calledFrom'] {
	const [first, ...others] = code.map(({ culprit: { calledFrom } }) => calledFrom);
	if (first === undefined || first === null) return null;
	return others.every((other) => other !== null && isSameFunction(first, other)) ? first : null;
}

/** All code that computed in blocks, the most time first. */
function codeIn(blocks: readonly BlockTime[]): BlockCode[] {
	const functions = computedIn(blocks);
	const own = groups(
		functions.filter(({ isLibrary }) => !isLibrary),
		functionKey,
	);
	const libraries = groups(
		functions.filter(({ isLibrary }) => isLibrary),
		({ file, calledFrom }) => `${packageOf(file)} ${calledFrom === null ? '' : functionKey(calledFrom)}`,
	);
	const merged = own.map((code) => {
		const called = libraries.filter(
			({ culprit: { calledFrom } }) => calledFrom !== null && isSameFunction(calledFrom, code.culprit),
		);
		const ms = called.reduce((sum, each) => sum + each.ms, code.ms);
		if (called.length === 0 || code.ms < LEAST_OWN * ms) return { code, called: [] };
		// What it had called itself is not all that ran.
		return { code: { ...code, culprit: { ...code.culprit, api: null }, ms, lines: [] }, called };
	});
	const taken = new Set(merged.flatMap(({ called }) => called));
	return [...merged.map(({ code }) => code), ...libraries.filter((library) => !taken.has(library))].sort(
		(a, b) => b.ms - a.ms,
	);
}

/** @param functions the most time first */
function groups(functions: readonly Culprit[], keyOf: (of: Culprit) => string): BlockCode[] {
	const codes = new Map<string, Culprit[]>();
	for (const culprit of functions) {
		const key = keyOf(culprit);
		codes.set(key, [...(codes.get(key) ?? []), culprit]);
	}
	return [...codes.values()].map((own) => {
		const ms = own.reduce((sum, { selfMs }) => sum + selfMs, 0);
		const [culprit] = own as [Culprit];
		if (culprit.isLibrary) {
			const same = own.filter((each) => each.function === culprit.function && each.file === culprit.file);
			const isWhole = same.reduce((sum, { selfMs }) => sum + selfMs, 0) >= LEAST_ALONE * ms;
			return { culprit, ms, lines: [], isWhole };
		}
		const { api, lines } = mostOrParts(own.flatMap(computedParts), ms);
		return { culprit: { ...culprit, api }, ms, lines, isWhole: true };
	});
}

/** Lines of one named function are one code. */
function functionKey({ function: name, file, line }: SourceLine & { function: string }): string {
	return `${name === '' ? line : name} ${file}`;
}

function isSameFunction(a: SourceLine & { function: string }, b: SourceLine & { function: string }): boolean {
	return functionKey(a) === functionKey(b);
}
