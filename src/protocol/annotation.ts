// What one source line has to say, and the one sentence that says it: the same in the editor, in the panel's source
// view and in tests. Texts come from the caller in the user's language.
import { AnnotationTemplate, type Placeholder } from './annotation-template.ts';
import type { Totals } from './heat.ts';
import { asyncStacksMark, type LineFacts, totalOf } from './line-facts.ts';
import type { Block, Line, Split } from './report.ts';
import { formatCount, formatMs, formatShare, formatTotal } from './units.ts';
import { fill, type ViewStrings } from './webview.ts';

/**
 * What stands in front of each kind of text. From the blocks of Unicode that every editor font's fallback has: an emoji
 * would be a box where no emoji font is installed.
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
	/** Of the recording; the shares of a line need them. */
	totals: Totals;
}

/** `⚠ …  ■ blocked the loop 6.9 s  ◷ wait 3.06 s (queue ≈1.5 s · exec ≈1.5 s) · run 400 µs · ×2 threadpool · 1 pending` */
export const DEFAULT_TEMPLATE = `{warnings}  {blocks}  ${MARK.wait} {wait} {split} · {run} · {counts} · {pending}`;

const DEFAULT_STYLE: AnnotationStyle = {
	template: new AnnotationTemplate(DEFAULT_TEMPLATE),
	figures: 'absolute',
	totals: { wait: null, run: null },
};

/** The text behind a line; empty when the template has nothing to say of it. */
export function annotationText(facts: LineFacts, words: ViewStrings, style = DEFAULT_STYLE): string {
	return style.template.render((placeholder) => SAYS[placeholder](facts, words, style));
}

/** What each placeholder says of a line. */
const SAYS: Record<Placeholder, (facts: LineFacts, words: ViewStrings, style: AnnotationStyle) => string> = {
	warnings: ({ warnings }, words) =>
		warnings.map((warning) => `${MARK.warning} ${words[`warning.${warning.code}`]}`).join('  '),
	blocks: ({ blocks }, words) => (blocks.length > 0 ? `${MARK.block} ${blockText(blocks, words)}` : ''),
	wait: ({ entries }, words, style) => labelled(words.wait, totalOf(entries, 'wait'), style.totals.wait, style),
	split: ({ entries }, words, style) => splitText(entries, words, style),
	run: ({ entries }, words, style) => {
		const text = labelled(words.run, totalOf(entries, 'run'), style.totals.run, style);
		return text === '' ? '' : text + asyncStacksMark(entries, 'run');
	},
	count: ({ entries }) => {
		const count = added(entries, 'count');
		return count > 0 ? `×${formatCount(count)}` : '';
	},
	class: ({ entries }, words) => [...new Set(entries.map((entry) => words[`class.${entry.class}`]))].join(', '),
	counts: ({ entries }, words) => countTexts(entries, words).join(' · '),
	percent: ({ entries }, _words, { totals }) => formatShare(totalOf(entries, 'wait'), totals.wait),
	pending: ({ entries }, words) => {
		const pending = added(entries, 'pending');
		return pending > 0 ? fill(words.pending, formatCount(pending)) : '';
	},
};

/** `blocked the loop 20× · 1.8 s (9 delayed)`, and that it was code after this wait where nobody knows more. */
export function blockText(blocks: readonly Block[], words: ViewStrings): string {
	const total = blocks.reduce((sum, { durationMs }) => sum + durationMs, 0);
	const delayed = blocks.reduce((sum, block) => sum + block.delayed, 0);
	const times = blocks.length > 1 ? `${formatCount(blocks.length)}× · ${formatMs(total)}` : formatMs(total);
	const isKnown = blocks.some(({ culprits }) => culprits.length > 0);
	if (delayed === 0) return fill(isKnown ? words.blocked : words.blockedAfter, times);
	return fill(isKnown ? words.blockedDelaying : words.blockedAfterDelaying, times, formatCount(delayed));
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
	// Without a whole there is no share: the duration says all there is.
	if (share === '') return `${label} ${formatTotal(part)}`;
	return `${label} ${figures === 'both' ? `${formatTotal(part)}, ` : ''}${share}`;
}

function added(entries: readonly Line[], what: 'count' | 'pending'): number {
	return entries.reduce((sum, entry) => sum + entry[what], 0);
}

/** `×2 threadpool`, one per class, in the order of the entries. */
function countTexts(entries: readonly Line[], words: ViewStrings): string[] {
	const counts = new Map<Line['class'], number>();
	for (const entry of entries) counts.set(entry.class, (counts.get(entry.class) ?? 0) + entry.count);
	return [...counts].map(([name, count]) => (count > 0 ? `×${formatCount(count)} ` : '') + words[`class.${name}`]);
}
