// What one source line has to say, and the one sentence that says it: the same in the editor, in the panel's source
// view and in tests. Texts come from the caller in the user's language.
import type { Basis, Block, Line, Report, Split, Warning } from './report.ts';
import { formatMs, formatTotal } from './units.ts';
import { fill, type ViewStrings } from './webview.ts';

/** Everything a report says about one source line. */
export interface LineFacts {
	/** Absolute path as in the report. */
	file: string;
	/** 1-based. */
	line: number;
	entries: Line[];
	blocks: Block[];
	warnings: Warning[];
}

/**
 * What stands in front of each kind of text. From the blocks of Unicode that every editor font's fallback has: an emoji
 * would be a box where no emoji font is installed.
 */
export const MARK = { wait: '◷', held: '■', warning: '⚠' } as const;

/** Parts of a wait below this share of it are left out of the short text; the hover and the table have them. */
const NEGLIGIBLE_SHARE = 0.01;

/** Groups a report by file and line; entries come with the longest wait first. */
export function factsByFile(report: Report): Map<string, Map<number, LineFacts>> {
	const files = new Map<string, Map<number, LineFacts>>();
	const at = (file: string, line: number): LineFacts => {
		const lines = files.get(file) ?? new Map<number, LineFacts>();
		files.set(file, lines);
		const facts = lines.get(line) ?? { file, line, entries: [], blocks: [], warnings: [] };
		lines.set(line, facts);
		return facts;
	};
	for (const entry of report.lines) at(entry.file, entry.line).entries.push(entry);
	for (const loop of report.loops) for (const block of loop.blocks) at(block.file, block.line).blocks.push(block);
	for (const warning of report.warnings) {
		if (warning.file !== null && warning.line !== null) at(warning.file, warning.line).warnings.push(warning);
	}
	for (const lines of files.values()) {
		for (const facts of lines.values()) {
			facts.entries.sort((a, b) => (b.wait?.totalMs ?? 0) - (a.wait?.totalMs ?? 0));
		}
	}
	return files;
}

/** `◷ wait 3.06 s (queue ≈1.5 s · exec ≈1.5 s) · run 0.4 ms · ×2 threadpool`, preceded by warnings and blocks. */
export function annotationText(facts: LineFacts, words: ViewStrings): string {
	const parts: string[] = [];
	for (const warning of facts.warnings) parts.push(`${MARK.warning} ${words[`warning.${warning.code}`]}`);
	if (facts.blocks.length > 0) parts.push(`${MARK.held} ${blockText(facts.blocks, words)}`);
	if (facts.entries.length > 0) parts.push(`${MARK.wait} ${entriesText(facts.entries, words)}`);
	return parts.join('  ');
}

/** `held the loop 6.9 s (9 delayed) ×3`: the longest block, then how many there were. */
export function blockText(blocks: readonly Block[], words: ViewStrings): string {
	const longest = Math.max(...blocks.map((block) => block.durationMs));
	const delayed = blocks.reduce((sum, block) => sum + block.delayed, 0);
	const text = delayed > 0 ? fill(words.heldDelaying, formatMs(longest), delayed) : fill(words.held, formatMs(longest));
	return blocks.length > 1 ? `${text} ×${blocks.length}` : text;
}

function entriesText(entries: readonly Line[], words: ViewStrings): string {
	const parts: string[] = [];
	const wait = sum(entries, 'wait');
	if (wait !== null) parts.push(`${words.wait} ${formatTotal(wait)}${splitText(entries, wait, words)}`);
	const run = sum(entries, 'run');
	if (run !== null) parts.push(`${words.run} ${formatTotal(run)}`);
	parts.push(...countTexts(entries, words));
	const pending = entries.reduce((total, entry) => total + entry.pending, 0);
	if (pending > 0) parts.push(fill(words.pending, pending));
	return parts.join(' · ');
}

function splitText(entries: readonly Line[], wait: Split, words: ViewStrings): string {
	const queue = sum(entries, 'queue');
	const execute = sum(entries, 'execute');
	const lag = sum(entries, 'lag');
	const parts: string[] = [];
	if (queue !== null) parts.push(`${words.queue} ${formatTotal(queue)}`);
	if (execute !== null) parts.push(`${words.execute} ${formatTotal(execute)}`);
	if (lag !== null && lag.basis !== 'unknown' && lag.totalMs > wait.totalMs * NEGLIGIBLE_SHARE) {
		parts.push(`${words.lag} ${formatTotal(lag)}`);
	}
	return parts.length > 0 ? ` (${parts.join(' · ')})` : '';
}

/** `×2 threadpool`, one per class, in the order of the entries. */
function countTexts(entries: readonly Line[], words: ViewStrings): string[] {
	const counts = new Map<Line['class'], number>();
	for (const entry of entries) counts.set(entry.class, (counts.get(entry.class) ?? 0) + entry.count);
	return [...counts].map(([name, count]) => (count > 0 ? `×${count} ` : '') + words[`class.${name}`]);
}

const WEAKER: Record<Basis, number> = { measured: 0, estimated: 1, unknown: 2 };

/**
 * One part of the time over several entries; null where none has it. Only the total is exact: the distribution of a
 * union cannot be had from the parts, so the percentiles are those of the entry with the longest one.
 */
function sum(entries: readonly Line[], part: 'wait' | 'queue' | 'execute' | 'lag' | 'run'): Split | null {
	let result: Split | null = null;
	for (const entry of entries) {
		const split = entry[part];
		if (split === null) continue;
		if (result === null) {
			result = { ...split };
			continue;
		}
		result.totalMs += split.totalMs;
		result.p50Ms = Math.max(result.p50Ms, split.p50Ms);
		result.p95Ms = Math.max(result.p95Ms, split.p95Ms);
		result.maxMs = Math.max(result.maxMs, split.maxMs);
		result.uncertaintyMs = Math.max(result.uncertaintyMs, split.uncertaintyMs);
		if (WEAKER[split.basis] > WEAKER[result.basis]) result.basis = split.basis;
	}
	return result;
}
