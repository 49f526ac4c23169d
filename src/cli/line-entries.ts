// What a source line's operations waited for, as lines in a terminal.
import { latencyOf, rateText } from '../protocol/latency.ts';
import { asyncStacksMark } from '../protocol/line-facts.ts';
import type { Line, Split } from '../protocol/report.ts';
import { barOf } from '../protocol/split-bar.ts';
import { BASIS_MARK, formatCount, formatFigure, formatMs, formatTimes, formatTotal } from '../protocol/units.ts';
import { visibleText } from '../protocol/visible-text.ts';
import { cut, type Paint, wrap } from './layout.ts';

/** Width of the bar that shows the shares of a wait. */
const BAR_WIDTH = 16;

export const FIGURES = [
	['p50Ms', 'p50'],
	['p95Ms', 'p95'],
	['maxMs', 'max'],
] as const;
const PARTS = ['wait', 'queue', 'execute', 'lag', 'run'] as const;

/** One line where it fits; otherwise the name, and then the times. @param age of the oldest pending operation, in ms */
export function entryOf(entry: Line, age: number | null, margin: string, columns: number, paint: Paint): string[] {
	const since = age === null ? '' : `, the oldest for ${formatMs(age)}`;
	const pending = entry.pending > 0 ? ` (+${formatCount(entry.pending)} pending${since})` : '';
	const count = `${formatTimes(entry.count, entry.isCountEstimated)}${pending}`;
	const sampled = entry.sampledOf > 1 ? `, 1 in ${formatCount(entry.sampledOf)} timed` : '';
	const assumed = entry.assumesAddonJobs ? ', assumed' : '';
	const what = visibleText(`${entry.op} ${count}${sampled} · ${entry.class}${assumed}`);
	const times = [...latencyTexts(entry), ...totalTexts(entry)];
	const bar = barOf(entry, BAR_WIDTH)
		.map(({ part, text }) => paint(text, part === 'range' || part === 'rest' ? 'dim' : part))
		.join('');
	const room = columns - margin.length - BAR_WIDTH - 2;
	if (what.length + 3 + times.join('  ').length <= room) {
		return [`${margin}${bar}  ${paint(what, 'dim')}   ${times.join('  ')}`.trimEnd()];
	}
	// In a narrow terminal the name is worth more than the picture.
	const head = what.length <= room ? `${bar}  ${paint(what, 'dim')}` : paint(cut(what, columns - margin.length), 'dim');
	return [margin + head, ...wrap(times, '  ', margin, columns)];
}

/** How slow one operation is, how many there are at once, and how often they come. */
function latencyTexts(entry: Line): string[] {
	const latency = latencyOf(entry);
	// One operation has no distribution: the parts of its time are enough.
	if (latency === null || entry.count === 1) return [];
	// Of what is unknown for most of them, the sum says enough.
	if (latency.split.basis === 'unknown' && !((latency.split.atLeast?.p50Ms ?? 0) > 0)) return [];
	const { split, of } = latency;
	const figures = FIGURES.map(([figure, name]) => `${name} ${formatFigure(split, figure)}`);
	if (of === 'lateness') figures[0] = `late: ${figures[0]}`;
	const rate = rateText(entry);
	const mark = split.range === null ? '' : BASIS_MARK.estimated;
	const texts = [
		...figures,
		`under way ${mark}${formatMs(entry.wallMs)}`,
		...(entry.maxInFlight === null ? [] : [`up to ${formatCount(entry.maxInFlight)} at once`]),
	];
	return rate === '' ? texts : [...texts, rate];
}

/** Its time and the parts of it, added up over all operations. */
function totalTexts(entry: Line): string[] {
	const texts = PARTS.flatMap((part) => {
		const split = entry[part];
		return split === null
			? []
			: [`${part} ${formatTotal(split)}${asyncStacksMark([entry], part)}${unknownText(split)}`];
	});
	if (texts.length > 0 && entry.count > 1) texts[0] = `total: ${texts[0]}`;
	return texts;
}

/** Of how many operations a part is unknown, where it is known of others. */
function unknownText({ atLeast }: Split): string {
	return atLeast === null || atLeast.totalMs === 0 ? '' : ` (${formatCount(atLeast.unknown)} unknown)`;
}
