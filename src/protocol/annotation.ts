// The facts of one source line, and the one sentence that states them: the same in the editor, in the panel's source
// view and in tests. Texts come from the caller in the user's language.
import { AnnotationTemplate, type Placeholder } from './annotation-template.ts';
import { linesOfBlock } from './block-code.ts';
import { RESPONSE_BODY } from './connection-wait.ts';
import type { Totals } from './heat.ts';
import { type Latency, latencyText, mainEntry, mainLatency, rateText, wallMsOf } from './latency.ts';
import { asyncStacksMark, type LineFacts, totalOf } from './line-facts.ts';
import type { Durations, Line, Split } from './report.ts';
import { barOf, hasBar } from './split-bar.ts';
import {
	aligned,
	BASIS_MARK,
	formatCount,
	formatFigure,
	formatMs,
	formatRoundedCount,
	formatShare,
	formatShareOf,
	formatTimes,
	formatTotal,
} from './units.ts';
import { fill, type ViewStrings } from './webview.ts';

/**
 * The signs before each kind of text. From the blocks of Unicode that every editor font's fallback has: an emoji would
 * be a box where no emoji font is installed.
 */
export const MARK = { wait: '◷', block: '■', warning: '⚠' } as const;

/** Parts of a wait below this share of it are left out of the short text; the hover and the table have them. */
const NEGLIGIBLE_SHARE = 0.01;

/** How times are written: as durations, as shares of the recording's, or both. */
export type Figures = 'absolute' | 'percent' | 'both';

/** How a line's facts become a text. */
export interface AnnotationStyle {
	template: AnnotationTemplate;
	figures: Figures;
	/** The recording's totals, for the line's shares of them. */
	totals: Totals;
}

/**
 * `◷ p50 44 ms · p95 117 ms · ×3.4k threadpool ░░██████ · 1 pending  ■ blocked the loop 6.9 s  ⚠ …`: an editor cuts off what is too long, so the
 * longer texts come last.
 */
export const DEFAULT_TEMPLATE = `${MARK.wait} {latency} · {counts} {bar} · {pending}  {blocks}  {warnings}`;

/** Characters of a duration (`1.25 ms`), and of a count behind its × (`3.4k`): what stands behind them keeps its place while they change. */
const FIGURE_WIDTH = 7;
const COUNT_WIDTH = 4;

/** Letters of the bar behind a line. */
const BAR_WIDTH = 8;

const DEFAULT_STYLE: AnnotationStyle = {
	template: new AnnotationTemplate(DEFAULT_TEMPLATE),
	figures: 'absolute',
	totals: { wallMs: 0, wait: null, run: null },
};

/** The text behind a line; empty when the template yields nothing for it. */
export function annotationText(facts: LineFacts, words: ViewStrings, style = DEFAULT_STYLE): string {
	return style.template.render((placeholder) => SAYS[placeholder](facts, words, style));
}

/** The text of each placeholder for a line. */
const SAYS: Record<Placeholder, (facts: LineFacts, words: ViewStrings, style: AnnotationStyle) => string> = {
	warnings: ({ warnings }, words) =>
		warnings.map((warning) => `${MARK.warning} ${words[`warning.${warning.code}`]}`).join('  '),
	blocks: (facts, words) => (facts.blocks.length > 0 ? `${MARK.block} ${blockText(facts, words)}` : ''),
	latency: (facts, words, style) => latencyWithShare(facts, words, style),
	p50: (facts) => figureText('p50', facts, 'p50Ms'),
	p95: (facts) => figureText('p95', facts, 'p95Ms'),
	max: (facts) => figureText('max', facts, 'maxMs'),
	rate: ({ entries }) => {
		const entry = mainEntry(entries);
		return entry === undefined ? '' : rateText(entry);
	},
	wall: ({ entries }, words) => {
		const wallMs = wallMsOf(entries);
		return wallMs > 0 ? fill(words.underWay, formatMs(wallMs)) : '';
	},
	atOnce: ({ entries }, words) => {
		const most = entries.reduce((largest, { maxInFlight }) => Math.max(largest, maxInFlight ?? 0), 0);
		return most > 0 ? fill(words.atOnce, formatCount(most)) : '';
	},
	bar: ({ entries }) => {
		const entry = mainEntry(entries);
		return entry === undefined || !hasBar(entry) ? '' : barText(entry);
	},
	wait: ({ entries }, words, style) => labelled(words.totalWait, totalOf(entries, 'wait'), style.totals.wait, style),
	split: ({ entries }, words, style) => splitText(entries, words, style),
	run: ({ entries }, words, style) => {
		const text = labelled(words.totalRun, totalOf(entries, 'run'), style.totals.run, style);
		return text === '' ? '' : text + asyncStacksMark(entries, 'run');
	},
	count: ({ entries }) => {
		const count = added(counted(entries), 'count');
		return count > 0 ? formatTimes(count, isCountEstimated(entries)) : '';
	},
	class: ({ entries }, words) => [...new Set(entries.map((entry) => words[`class.${entry.class}`]))].join(', '),
	counts: ({ entries }, words) => countTexts(entries, words).join(' · '),
	percent: ({ entries }, _words, { totals }) => shareText(entries, totals),
	pending: ({ entries, unanswered }, words) => {
		const pending = added(entries, 'pending');
		const requests = unanswered.reduce((sum, route) => sum + route.pending, 0);
		const texts = [
			...(requests > 0 ? [fill(words.unanswered, formatCount(requests))] : []),
			...(pending > 0 ? [fill(words.pending, formatCount(pending))] : []),
		];
		return texts.join(' · ');
	},
};

/** `blocked the loop 20× · 1.8 s (≥9 delayed)`, where it surely was so; or that it was code after this wait, where no more is known. */
export function blockText({ blocks, file, line }: LineFacts, words: ViewStrings): string {
	const own = blocks.flatMap(linesOfBlock).filter((at) => at.line === line && at.file === file);
	const ms = own.reduce((sum, at) => sum + at.ms, 0);
	const isPart = ms < blocks.reduce((sum, { durationMs }) => sum + durationMs, 0);
	const total = `${isPart ? BASIS_MARK.estimated : ''}${formatMs(ms)}`;
	const delayed = blocks.reduce((sum, block) => sum + block.surelyDelayed, 0);
	const times = blocks.length > 1 ? `${formatCount(blocks.length)}× · ${total}` : total;
	const isKnown = blocks.some(({ culprits }) => culprits.length > 0);
	if (delayed === 0) return fill(isKnown ? words.blocked : words.blockedAfter, times);
	return fill(isKnown ? words.blockedDelaying : words.blockedAfterDelaying, times, formatCount(delayed));
}

/** `p50 44 ms · p95 117 ms`, `42 %`, or both; figures of one width. */
function latencyWithShare(facts: LineFacts, words: ViewStrings, { figures, totals }: AnnotationStyle): string {
	const share = figures === 'absolute' ? '' : shareText(facts.entries, totals);
	const text = latencyText(latencyOfLine(facts), words, FIGURE_WIDTH);
	if (share === '' || text === '') return text;
	return figures === 'both' ? `${text}, ${share}` : share;
}

/** The line's share of the time in which lines of the recording were under way. */
function shareText(entries: readonly Line[], { wallMs }: Totals): string {
	const latency = mainLatency(entries);
	return latency === null ? '' : formatShareOf(wallMsOf(entries), wallMs, latency.split.basis);
}

/** Of a server's handler, how long its requests took, which is unknown while none is answered; of any other line its operations. */
function latencyOfLine({ routes: [route], unanswered, entries }: LineFacts): Latency | null {
	if (route === undefined && unanswered.length > 0) return null;
	return route === undefined ? mainLatency(entries) : { split: route.duration, of: 'response' };
}

function figureText(label: string, facts: LineFacts, figure: keyof Durations): string {
	const latency = latencyOfLine(facts);
	return latency === null ? '' : `${label} ${aligned(formatFigure(latency.split, figure), FIGURE_WIDTH)}`;
}

function barText(entry: Line): string {
	return barOf(entry, BAR_WIDTH)
		.map(({ text }) => text)
		.join('');
}

function splitText(entries: readonly Line[], words: ViewStrings, style: AnnotationStyle): string {
	const wait = totalOf(entries, 'wait');
	if (wait === null) return '';
	const lag = totalOf(entries, 'lag');
	const parts = [
		labelled(words.queue, totalOf(entries, 'queue'), wait, style),
		labelled(words.execute, totalOf(entries, 'execute'), wait, style),
	];
	if (lag !== null && lag.basis !== 'unknown' && lag.totalMs > wait.totalMs * NEGLIGIBLE_SHARE) {
		parts.push(labelled(words.lag, lag, wait, style) + asyncStacksMark(entries, 'lag'));
	}
	const said = parts.filter((part) => part !== '');
	return said.length > 0 ? `(${said.join(' · ')})` : '';
}

/** `wait 3.06 s`, `wait 42 %` or `wait 3.06 s, 42 %`; empty where the part has no meaning. */
function labelled(label: string, part: Split | null, whole: Split | null, { figures }: AnnotationStyle): string {
	if (part === null) return '';
	const share = figures === 'absolute' ? '' : formatShare(part, whole);
	// Without a whole there is no share: the duration is all there is.
	if (share === '') return `${label} ${formatTotal(part)}`;
	return `${label} ${figures === 'both' ? `${formatTotal(part)}, ` : ''}${share}`;
}

function added(entries: readonly Line[], what: 'count' | 'pending'): number {
	return entries.reduce((sum, entry) => sum + entry[what], 0);
}

/** The entries whose counts a line adds up: a request and the body of its response are one call. */
function counted(entries: readonly Line[]): readonly Line[] {
	const others = entries.filter(({ op }) => op !== RESPONSE_BODY);
	return others.length > 0 ? others : entries;
}

function isCountEstimated(entries: readonly Line[]): boolean {
	return entries.some((entry) => entry.isCountEstimated);
}

/** `×2 threadpool`, one per class, in the order of the entries. */
function countTexts(entries: readonly Line[], words: ViewStrings): string[] {
	const counts = new Map<Line['class'], number>();
	const mark = isCountEstimated(entries) ? BASIS_MARK.estimated : '';
	for (const entry of counted(entries)) counts.set(entry.class, (counts.get(entry.class) ?? 0) + entry.count);
	return [...counts].map(([name, count]) => {
		const times = count > 0 ? `${aligned(`×${mark}${formatRoundedCount(count)}`, COUNT_WIDTH + 1)} ` : '';
		return times + words[`class.${name}`];
	});
}
