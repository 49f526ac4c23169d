// The answer of `waitline compare` as text: what got slower first, each line with both latencies and the band within which they change by themselves.
import { groupBy } from '../engine/common/group-by.ts';
import type { ComparedFigure, ComparedLine, Comparison, Verdict } from '../protocol/comparison.ts';
import { counted, formatCount, formatMs, formatRange } from '../protocol/units.ts';
import { visibleText } from '../protocol/visible-text.ts';
import { cut, painter, paragraph, short, wrap } from './layout.ts';
import type { Terminal } from './terminal.ts';

const HEADS: Record<Verdict, string> = {
	slower: 'Slower',
	new: 'New',
	unclear: 'Too few operations to tell',
	faster: 'Faster',
	gone: 'Gone',
	same: 'Not changed',
};
/** Lines shown of what is neither slower nor faster, unless everything is asked for. */
const MOST_LINES = 10;

export function comparisonText({ lines, runs }: Comparison, terminal: Terminal, isWhole: boolean): string {
	const { columns } = terminal;
	const paint = painter(terminal.hasColours);
	const out = [''];
	const byVerdict = groupBy(lines, ({ verdict }) => verdict);
	if (!byVerdict.has('slower'))
		out.push(
			...paragraph(
				'As far as these recordings show, no line got slower by more than it varies by itself.',
				columns,
				'',
			),
		);
	for (const [verdict, all] of byVerdict) {
		const most =
			isWhole || verdict === 'slower' || verdict === 'faster' ? all.length : verdict === 'same' ? 0 : MOST_LINES;
		out.push('', paint(cut(`${HEADS[verdict]}: ${counted(all.length, 'line')}`, columns), 'bold'));
		for (const line of all.slice(0, most)) out.push(...textsOf(line, columns));
		if (all.length > most) out.push(cut(`  ${formatCount(all.length - most)} more (--all)`, columns));
	}
	out.push('', ...paragraph(basisText(runs), columns), '');
	return out.join('\n');
}

function basisText({ before, after }: Comparison['runs']): string {
	const bands =
		'In brackets: where the figure would lie in 95 of 100 cases if the same program did as many operations again.';
	if (before > 1 && after > 1) {
		return `${bands} The band covers all runs: ${before} before and ${after} after. A line counts as changed when the two bands do not overlap and the middle figures differ by 2 %.`;
	}
	return `${bands} A line counts as changed when the two bands do not overlap and the figures differ by 10 %: two runs of the same program may differ by that much. More runs (--before, --after) show by how much they do.`;
}

function textsOf({ op, class: kind, before, after, verdict }: ComparedLine, columns: number): string[] {
	const place = (after ?? before)!;
	const moved =
		before !== null && after !== null && (before.line !== after.line || before.file !== after.file)
			? ` (was ${before.file === after.file ? 'line ' : `${short(before.file)}:`}${before.line})`
			: '';
	const head = `  ${short(place.file)}:${place.line}${moved}  ${op}${kind === 'request' ? '' : ` · ${kind}`}`;
	const counts = [before, after].map((side) => (side === null ? '' : `×${formatCount(side.count)}`));
	const figures = (['p50', 'p95'] as const).map((name) => {
		if (before === null || after === null) return `${name} ${figureText((after ?? before)![name])}`;
		return `${name} ${figureText(before[name])} → ${figureText(after[name])}${changeText(before[name], after[name])}`;
	});
	const parts = [...figures, [...new Set(counts.filter(Boolean))].join(' → ')];
	const cost = verdict === 'slower' || verdict === 'faster' ? costText(before!.p50, after!.p50, after!.count) : [];
	return [cut(visibleText(head), columns), ...wrap([...parts, ...cost], '  ', '    ', columns)];
}

function figureText({ ms, band }: ComparedFigure): string {
	return band === null ? formatMs(ms) : `${formatMs(ms)} (${formatRange(band.low, band.high)})`;
}

function changeText(before: ComparedFigure, after: ComparedFigure): string {
	if (before.ms === 0) return '';
	const percent = 100 * (after.ms / before.ms - 1);
	if (percent >= 900) return `, ×${Math.round(after.ms / before.ms)}`;
	return `, ${percent >= 0 ? '+' : '−'}${Math.abs(percent).toFixed(Math.abs(percent) < 9.95 ? 1 : 0)} %`;
}

function costText(before: ComparedFigure, after: ComparedFigure, count: number): string[] {
	const ms = (after.ms - before.ms) * count;
	return ms === 0 ? [] : [`${ms > 0 ? 'costs' : 'saves'} ${formatMs(Math.abs(ms))} over all operations`];
}
